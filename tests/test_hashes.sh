#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A summary alone hashes only files that may be copies, by size and beginning: it must find the same
# copies as a report, for which every file is hashed.
# usage: test_hashes.sh PROGRAM (in the source folder)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
incidents=$PWD/fixtures/incidents
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-hashes.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0 stdin=/dev/null

# same WHAT COPIES PATH...: both ways say the same, and that so many files are copies
same() {
    what=$1 copies=$2
    shift 2
    rm -rf "$work/report"
    "$program" -n "$@" <"$stdin" >"$work/alone" 2>/dev/null
    "$program" -f -o "$work/report" --format tsv "$@" <"$stdin" 2>/dev/null |
        sed -e '/^report in /d' >"$work/hashed"
    sed -i.bak -e '${/^$/d;}' "$work/alone" "$work/hashed"
    said=$(sed -n '1s/.* \([0-9]*\) duplicate.*/\1/p' "$work/alone")
    if ! cmp -s "$work/alone" "$work/hashed"; then
        echo "FAILED: $what: the summary alone differs"
        diff "$work/alone" "$work/hashed" | head -6 || true
        failed=1
    elif [ "${said:-0}" != "$copies" ]; then
        echo "FAILED: $what: ${said:-0} copies, not $copies"
        failed=1
    fi
}

for incident in "$incidents"/*; do
    same "$incident" 0 "$incident/input"
done

mkdir "$work/reports"
cp -r "$incidents/jetsam-leak/input" "$work/reports/one"
same "reports" 0 "$work/reports"
first=$(find "$work/reports/one" -name '*.ips' | sort | head -1)
reports=$(find "$work/reports/one" -type f | wc -l)
cp "$first" "$work/copy.ips"
same "a report twice" 1 "$work/reports" "$work/copy.ips"
stdin=$first
same "a report twice, one on standard input" 1 "$work/reports" -
stdin=/dev/null

# Reports without a number of their own, of one size, that begin alike.
mkdir "$work/alike"
sed -e 's/,"incident_id":"[^"]*"//' -e '/^ *"incident" :/d' "$first" >"$work/alike/one.ips"
awk '{ line[NR] = $0; if (/"lifetimeMax" : /) last = NR }
    END { line[last] = substr(line[last], 1, length(line[last]) - 1) "7"
        for (i = 1; i <= NR; i++) print line[i] }' "$work/alike/one.ips" >"$work/alike/two.ips"
size=$(wc -c <"$work/alike/one.ips")
if [ "$size" -lt 6000 ] || [ "$size" != "$(wc -c <"$work/alike/two.ips")" ] ||
    cmp -s "$work/alike/one.ips" "$work/alike/two.ips"; then
    echo "FAILED: the reports that begin alike are not what they should be"
    failed=1
fi
same "reports that begin alike" 0 "$work/alike"
cp "$work/alike/two.ips" "$work/alike/three.ips"
same "reports that begin alike, one twice" 1 "$work/alike"

# Evidence as lines beside the file it was made of: sizes are known when the lines were read.
"$program" --ndjson "$work/reports" >"$work/lines.ndjson" 2>/dev/null
same "lines beside their reports" "$((reports))" "$work/reports" "$work/lines.ndjson"

# Snapshot folders that lie there twice. boot_id has no readings and counts as no copy.
mkdir "$work/snapshots"
cp -r "$incidents/linux-swap-hides-a-leak/input" "$work/snapshots/one"
cp -r "$incidents/linux-swap-hides-a-leak/input" "$work/snapshots/two"
files=$(find "$work/snapshots/two" -type f ! -name boot_id | wc -l)
same "snapshots twice" "$((files))" "$work/snapshots"
changed=20261116T000440Z
lost=$(find "$work/snapshots/two/$changed" -type f ! -name boot_id | wc -l)
printf '%0100d\n' 0 >>"$work/snapshots/one/$changed/410/status"
printf '%0200d\n' 0 >>"$work/snapshots/two/$changed/410/status"
same "snapshots twice, one with a file of another size" "$((files - lost))" "$work/snapshots"

exit "$failed"
