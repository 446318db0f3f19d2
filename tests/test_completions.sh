#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The completions asked by bash, zsh and fish themselves: every option that --help names and no
# other, the words of --list and --type, files for PATH. A shell that is not here is passed over.
# usage: test_completions.sh PROGRAM (in the source folder)
set -u

program=$1
completions=$PWD/share/completions
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-completions.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    failed=$((failed + 1))
    printf 'FAILED %s\n' "$*"
}

mkdir "$work/bin" "$work/here" "$work/home"
ln -s "$program" "$work/bin/jetsam-audit"
PATH=$work/bin:$PATH HOME=$work/home XDG_CONFIG_HOME=$work/home TERM=dumb
export PATH HOME XDG_CONFIG_HOME TERM
cd "$work/here" || exit 1
touch evidence.ips
mkdir dumps

long_options() { grep -oE -e '--[a-z][a-z-]+' | sort -u; }

# Those that --help heads a line with: the option table.
"$program" --help | grep -oE '^  (-., |    )--[a-z-]+' | long_options >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -gt 30 ] || fail 'the option table is not in --help'

# What a shell offers behind these words, one offer a line.
ask_bash() {
    # shellcheck disable=SC2016 # for the inner shell
    bash --norc --noprofile -c '
        source "$0"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _jetsam_audit
        printf "%s\n" "${COMPREPLY[@]}"' "$completions/jetsam-audit.bash" "$@"
}

ask_fish() {
    # shellcheck disable=SC2016
    fish --no-config -c '
        source $argv[1]
        complete -C (string join " " -- $argv[2..])' -- "$completions/jetsam-audit.fish" "$@"
}

# zsh completes on a terminal only: its own pseudo-terminal lends it one.
cat >"$work/ask.zsh" <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
say() { zpty -w shell "$1" }
up_to() {
    local all= part=
    repeat 300; do
        zpty -rt shell part && all+=$part || sleep 0.1
        [[ $all = *$1* ]] && break
    done
    print -r -- $all
}
say "PROMPT= RPROMPT= LISTMAX=100000; stty -echo cols 300 rows 500; unset zle_bracketed_paste"
say "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $2/zcompdump"
say "zstyle ':completion:*' verbose no; bindkey '^T' list-choices; bindkey '^U' kill-whole-line"
say "print READY''TO''LIST"
up_to READYTOLIST >/dev/null
shift 2
zpty -n -w shell "$*"$'\C-t\C-u'"print END''OF''LIST"$'\n'
up_to ENDOFLIST
zpty -d shell
ZSH

ask_zsh() {
    zsh -f "$work/ask.zsh" "$completions" "$work" "$@" | tr -d '\r' | tr -s ' ' '\n'
}

check_shell() {
    shell=$1
    if ! command -v "$shell" >/dev/null; then
        echo "$shell is not here: its completion is not tested"
        return
    fi
    "ask_$shell" jetsam-audit -- >"$work/offered"
    long_options <"$work/offered" >"$work/options"
    cmp -s "$work/wanted" "$work/options" ||
        fail "$shell: $(diff "$work/wanted" "$work/options" | grep '^[<>]' | tr '\n' ' ')"
    "ask_$shell" jetsam-audit '' >"$work/offered"
    grep -q evidence.ips "$work/offered" || fail "$shell offers no file for PATH"
    "ask_$shell" jetsam-audit --list '' >"$work/offered"
    grep -q parsers "$work/offered" || fail "$shell does not know what --list lists"
    "ask_$shell" jetsam-audit --fail-on growing,k >"$work/offered"
    grep -q 'kill' "$work/offered" || fail "$shell does not go on in a list"
    "ask_$shell" jetsam-audit --explain '' >"$work/offered"
    grep -q window_too_short "$work/offered" || fail "$shell does not ask for the rules"
    "ask_$shell" jetsam-audit --type '' >"$work/offered"
    grep -q jetsam_text "$work/offered" || fail "$shell does not ask for the parsers"
    "ask_$shell" jetsam-audit -o '' >"$work/offered"
    grep -q dumps "$work/offered" || fail "$shell offers no folder for -o"
    if grep -q evidence.ips "$work/offered"; then fail "$shell offers a file for -o"; fi
}

for shell in bash zsh fish; do
    check_shell "$shell"
done
[ "$failed" = 0 ]
