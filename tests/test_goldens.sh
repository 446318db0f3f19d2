#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The postmortem and the tables of every bundled incident, as they were last read by a person.
# JA_REWRITE=1 rewrites them; review the change as a diff.
# usage: test_goldens.sh PROGRAM (in the source folder)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for incident in fixtures/incidents/*/; do
    name=$(basename "$incident")
    golden=$incident/expected/golden
    set --
    [ -f "$incident/case.json" ] && set -- --case "$incident/case.json"
    "$program" -q --ignore-mtime --format md,tsv "$@" -o "$work/$name" "$incident/input" 2>/dev/null
    for file in postmortem.md tables/findings.tsv tables/growth.tsv tables/books.tsv \
        tables/timeline.tsv tables/kills.tsv; do
        to=$golden/$(basename "$file")
        if [ -n "${JA_REWRITE:-}" ]; then
            mkdir -p "$golden"
            cp "$work/$name/$file" "$to"
        elif ! cmp -s "$work/$name/$file" "$to"; then
            echo "FAILED: $name: $file is not what it was (JA_REWRITE=1 rewrites it)"
            diff "$to" "$work/$name/$file" | head -5 || true
            failed=1
        fi
    done
done
exit $failed
