#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Lines above --max-file are read in parts, with the result of the same file read whole; anything
# else above it is named and not read. Tables end where a workbook's reader would.
# usage: test_large.sh PROGRAM (in the source folder)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() { # WHAT
    echo "FAILED: $1"
    failed=1
}

audit() { # OUTPUT OPTION ...: the document but for the line that repeats the options
    out=$1
    shift
    "$program" --ignore-mtime "$@" --json 2>"$out.err" | grep -v '^  "options":' >"$out"
}

for incident in fixtures/incidents/*/; do
    name=$(basename "$incident")
    "$program" --ignore-mtime --ndjson "$incident/input" >"$work/$name.ndjson" 2>/dev/null
    audit "$work/whole" "$work/$name.ndjson"
    audit "$work/parts" --max-file 1KB "$work/$name.ndjson"
    grep -q '"kind":"ndjson"' "$work/whole" || fail "$name: no lines read"
    cmp -s "$work/whole" "$work/parts" || fail "$name, read in parts"
    cmp -s "$work/whole.err" "$work/parts.err" || fail "$name, what is said of it"
done

# from a pipe as well
lines=$work/jetsam-leak.ndjson
audit "$work/whole" - <"$lines"
# shellcheck disable=SC2002 # a pipe, not a file
cat "$lines" | audit "$work/pipe" --max-file 1KB -
cmp -s "$work/whole" "$work/pipe" || fail 'read in parts from a pipe'
# shellcheck disable=SC2002
cat "$lines" | audit "$work/told" --max-file 1KB --type ndjson -
cmp -s "$work/whole" "$work/told" || fail 'read in parts, --type ndjson'

# not lines, or another parser was asked for
printf 'Mem: %2000s\n' x >"$work/wide.txt"
"$program" -n --max-file 1KB "$work/wide.txt" >/dev/null 2>"$work/said" && fail 'a large text was read'
grep -q 'larger than --max-file (1024 bytes): not read' "$work/said" || fail 'a large text is named'
"$program" -n --max-file 1KB --type top "$lines" >/dev/null 2>"$work/said" &&
    fail 'lines were read by another parser'
grep -q 'not read' "$work/said" || fail 'lines for another parser are named'

# a line that is longer than any part
{
    head -n 1 "$lines"
    printf '{"type":"reading","name":"%600000s"}\n' x
    tail -n +2 "$lines"
} >"$work/long.ndjson"
audit "$work/long" --max-file 1KB "$work/long.ndjson"
grep -q 'line longer than --max-file (1024 bytes), left out' "$work/long" || fail 'a long line is named'

# more kills than the tables show
awk 'BEGIN {
    for (i = 0; i < 20005; i++)
        printf "{\"type\":\"event\",\"host\":\"mac-7\",\"boot\":\"b1\",\"name\":\"d%d\",\"pid\":%d," \
            "\"kind\":\"jetsam_kill\",\"at\":\"2026-03-04T%02d:%02d:%02dZ\"}\n",
            i % 9, 100 + i, i / 3600, i / 60 % 60, i % 60
}' >"$work/kills.ndjson"
"$program" -q --format tsv,md -o "$work/kills" "$work/kills.ndjson" || fail 'many kills'
[ "$(wc -l <"$work/kills/tables/kills.tsv")" = 20001 ] || fail 'kills shown: a head and 20000'

# a postmortem lists what it links to, not all that is cited
page=$work/kills/postmortem.md
grep -o '(#e[0-9]*)' "$page" | tr -cd '0-9\n' | sort -u >"$work/linked"
sed -n 's/^#### E//p' "$page" | sort -u >"$work/listed"
[ -s "$work/linked" ] || fail 'a postmortem without links'
[ -z "$(comm -23 "$work/linked" "$work/listed")" ] || fail 'a link that leads nowhere'
[ "$(wc -l <"$work/listed")" -le 1000 ] || fail 'a postmortem that lists everything'
grep -q '^[0-9]* more, which nothing above links to' "$page" || fail 'what is not listed is counted'
exit $failed
