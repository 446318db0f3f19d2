#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The evidence as NDJSON, read back: the same findings, books and growth as from the files; also
# from lines cut per host and joined again in another order.
# usage: test_roundtrip.sh PROGRAM (in the source folder)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# findings without the names of evidence (refs), growth and books as they are
tables() { # FOLDER
    cut -f1-8 "$1/tables/findings.tsv"
    cat "$1/tables/growth.tsv" "$1/tables/books.tsv" "$1/tables/kills.tsv" "$1/tables/groups.tsv" |
        sed 's/E[0-9][0-9]*//g'
}

same() { # WHAT FOLDER FOLDER
    tables "$2" > "$work/one"
    tables "$3" > "$work/two"
    if ! cmp -s "$work/one" "$work/two"; then
        echo "FAILED: $1"
        diff "$work/one" "$work/two" | head -6 || true
        failed=1
    fi
}

for incident in fixtures/incidents/*/; do
    name=$(basename "$incident")
    set --
    [ -f "$incident/case.json" ] && set -- --case "$incident/case.json"
    "$program" -q --ignore-mtime --format tsv "$@" -o "$work/$name.files" "$incident/input" 2>/dev/null
    "$program" --ignore-mtime --ndjson "$@" "$incident/input" > "$work/$name.ndjson" 2>/dev/null
    "$program" -q --ignore-mtime --format tsv "$@" -o "$work/$name.lines" "$work/$name.ndjson" 2>/dev/null
    same "$name, read back" "$work/$name.files" "$work/$name.lines"
done

# Two hosts in one file, cut apart and joined the other way round.
cat "$work/jetsam-leak.ndjson" "$work/linux-memcg-oom.ndjson" > "$work/forth.ndjson"
cat "$work/linux-memcg-oom.ndjson" "$work/jetsam-leak.ndjson" > "$work/back.ndjson"
for way in forth back; do
    "$program" -q --format tsv -o "$work/$way.lines" "$work/$way.ndjson" 2>/dev/null
done
same 'joined in another order' "$work/forth.lines" "$work/back.lines"
exit $failed
