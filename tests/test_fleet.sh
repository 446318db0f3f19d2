#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Several hosts in one call: kept apart, and summarised worst first in summary, postmortem and
# workbook. The evidence is made by bench_generate, beside the program.
# usage: test_fleet.sh PROGRAM (in the source folder)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

check() { # WHAT CONDITION...
    what=$1
    shift
    if ! "$@"; then
        echo "FAILED: $what"
        failed=1
    fi
}

"$(dirname "$program")/tests/bench_generate" reports "$work/fleet" 5 8 160 7 > "$work/truth.tsv"
# A machine that has nothing to say.
mkdir "$work/fleet/quiet"
cat > "$work/fleet/quiet/still.ndjson" << LINES
{"type":"reading","host":"quiet-1","name":"idled","pid":77,"metric":"phys_footprint","at":"2026-01-05T08:00:00Z","value_bytes":10485760,"resolution_bytes":16384,"rounding":"down"}
LINES
"$program" --format md,xlsx,tsv -o "$work/report" "$work/fleet" > "$work/summary" 2>/dev/null

table=$work/report/tables/fleet.tsv
check 'one row a host in the table of the fleet' test "$(wc -l < "$table")" -eq 7
check 'the quiet host comes last' sh -c "tail -n 1 '$table' | grep -q '^quiet-1.*no finding'"
# Worst first: the first finding names the first host; severities never rise again.
first=$(sed -n 2p "$table" | cut -f1)
check 'the worst host is that of the first finding' \
    grep -q "^[A-Z ]*$first: " "$work/summary"
check 'severities fall' sh -c "sed 1d '$table' | cut -f2 |
    sed 's/critical/0/;s/warning/1/;s/note/2/;s/^\$/3/' | sort -c"
check 'the summary lists the worst hosts' grep -q '^Fleet, worst first:' "$work/summary"
check 'the summary says how many more there are' grep -q '^  and 3 more (sheet Fleet' "$work/summary"
check 'the postmortem has the table' grep -q '^## Fleet' "$work/report/postmortem.md"
check 'all hosts stand in the postmortem' \
    test "$(sed -n '/^## Fleet/,/^## 1/p' "$work/report/postmortem.md" | grep -c '^| `')" -eq 6
# Lives of equal names on several hosts are not mixed: every life of the truth is one process.
"$program" --json "$work/fleet" 2>/dev/null > "$work/audit.json"
if command -v jq >/dev/null; then
    jq -r '.processes[] | . as $p | .series[]
        | select(.metric == "phys_footprint" and .points > 0)
        | [$p.name, $p.pid, .points, .first.value_bytes, .last.value_bytes, .growth.verdict]
        | @tsv' "$work/audit.json" > "$work/lives"
    awk -F '\t' '
        NR == FNR { verdict[$1 FS $2 FS $3 FS $4 FS $5] = $6; next }
        $1 == "life" {
            key = $4 FS $5 FS $7 FS $8 FS $9
            lives++
            if (!(key in verdict)) { print "FAILED: no process is the life " key; bad = 1 }
            if ($6 == "leak" && verdict[key] == "not_growing") { print "FAILED: leak denied: " key; bad = 1 }
            if ($6 == "steady" && verdict[key] == "growing") { print "FAILED: steady grows: " key; bad = 1 }
        }
        END { if (lives < 20) { print "FAILED: only " lives " lives"; bad = 1 } exit bad }
    ' "$work/lives" "$work/truth.tsv" || failed=1
    boots=$(awk -F '\t' '$1 == "host" { n += $3 } END { print n }' "$work/truth.tsv")
    check 'boots' test "$(jq '[.hosts[] | select(.label != "quiet-1") | .boots | length] | add' \
        "$work/audit.json")" -eq "$boots"
    jq -r '. as $all | .states[] | . as $s | [($all.sources[] | select(.id == $s.source).path),
        .books.sum_bytes, .physical.used_bytes] | @tsv' "$work/audit.json" | sort > "$work/states"
    awk -F '\t' '$1 == "report" { print $2 FS $6 FS $7 }' "$work/truth.tsv" | sort > "$work/true"
    check 'books and physical use of every report' cmp -s "$work/states" "$work/true"
fi
exit $failed
