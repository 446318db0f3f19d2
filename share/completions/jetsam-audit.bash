# bash completion of jetsam-audit

# Offers the lines that a command prints. (The bash of macOS has no mapfile.)
_jetsam_audit_offer()
{
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <("$@")
}

# Words for a list with commas: what stands before the last comma is kept.
_jetsam_audit_list()
{
    local kept=
    [[ $2 == *,* ]] && kept=${2%,*},
    _jetsam_audit_offer compgen -P "$kept" -W "$1" -- "${2##*,}"
}

_jetsam_audit()
{
    local cur prev
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD-1]}
    # a name, its "=" and its value come as three words
    if [ "$cur" = "=" ]; then
        cur=
    elif [ "$prev" = "=" ]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case $prev in
    --output|-o)
        _jetsam_audit_offer compgen -d -- "$cur"
        return ;;
    --case|--manifest|--caps|--redact-key|--before|--after)
        _jetsam_audit_offer compgen -f -- "$cur"
        return ;;
    --format)
        _jetsam_audit_list 'md svg xlsx json ndjson tsv all' "$cur"
        return ;;
    --sandbox)
        _jetsam_audit_offer compgen -W 'auto require off' -- "$cur"
        return ;;
    --color)
        _jetsam_audit_offer compgen -W 'auto always never' -- "$cur"
        return ;;
    --list)
        _jetsam_audit_offer compgen -W 'parsers rules reports caps' -- "$cur"
        return ;;
    --fail-on)
        _jetsam_audit_list 'growing cap kill panic unaccepted damaged none' "$cur"
        return ;;
    --type)
        _jetsam_audit_offer compgen -W "$(jetsam-audit --list parsers 2>/dev/null | cut -d ' ' -f 1)" -- "$cur"
        return ;;
    --explain)
        _jetsam_audit_offer compgen -W "$(jetsam-audit --list rules 2>/dev/null | cut -d ' ' -f 1)" -- "$cur"
        return ;;
    --tz|--cap|--slope|--since|--until|--process|--max-delta|--min-work|--jobs|-j|--max-file|--max-files|--max-readings)
        return ;;
    esac
    if [[ $cur == -* ]]; then
        _jetsam_audit_offer compgen -W "
            --output -o
            --no-report -n
            --format
            --json
            --ndjson
            --force -f
            --redact
            --redact-key
            --case
            --manifest
            --tz
            --ignore-mtime
            --caps
            --no-caps
            --cap
            --slope
            --assume-active
            --since
            --until
            --process
            --before
            --after
            --max-delta
            --min-work
            --fail-on
            --type
            --jobs -j
            --max-file
            --max-files
            --max-readings
            --sandbox
            --quiet -q
            --verbose -v
            --color
            --no-progress
            --list
            --explain
            --help -h
            --version -V
        " -- "$cur"
    else
        _jetsam_audit_offer compgen -f -- "$cur"
    fi
}
complete -o filenames -F _jetsam_audit jetsam-audit
