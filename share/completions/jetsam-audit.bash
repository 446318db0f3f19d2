# bash completion of jetsam-audit
_jetsam_audit()
{
    local cur prev
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD-1]}
    # "--name=value" comes as three words
    if [ "$cur" = "=" ]; then
        cur=
    elif [ "$prev" = "=" ]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case $prev in
    --output|-o)
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        return ;;
    --case|--manifest|--caps|--redact-key|--before|--after)
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return ;;
    --format)
        mapfile -t COMPREPLY < <(compgen -W 'md svg xlsx json ndjson tsv all' -- "$cur")
        return ;;
    --sandbox)
        mapfile -t COMPREPLY < <(compgen -W 'auto require off' -- "$cur")
        return ;;
    --color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur")
        return ;;
    --list)
        mapfile -t COMPREPLY < <(compgen -W 'parsers rules reports caps' -- "$cur")
        return ;;
    --fail-on)
        mapfile -t COMPREPLY < <(compgen -W 'growing cap kill panic unaccepted damaged none' -- "$cur")
        return ;;
    --type)
        mapfile -t COMPREPLY < <(compgen -W "$(jetsam-audit --list parsers 2>/dev/null | cut -d ' ' -f 1)" -- "$cur")
        return ;;
    --explain)
        mapfile -t COMPREPLY < <(compgen -W "$(jetsam-audit --list rules 2>/dev/null | cut -d ' ' -f 1)" -- "$cur")
        return ;;
    --tz|--cap|--slope|--since|--until|--process|--max-delta|--min-work|--jobs|-j|--max-file|--max-files|--max-readings)
        return ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "
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
        " -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}
complete -o filenames -F _jetsam_audit jetsam-audit
