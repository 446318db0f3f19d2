#!/bin/sh
# SPDX-License-Identifier: MIT
#
# share/fleet on real engines: GNU parallel for the map and the reduce step, DuckDB for questions to
# all lines. It takes a while, so it is asked for:
#   JA_FLEET=1 ctest -R fleet_parallel       (tests/fleet/install brings the engines)
# usage: test_fleet_parallel.sh PROGRAM (in the source folder)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(pwd)
modules=${JA_DUCKDB:-$(dirname "$program")/../duckdb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

if [ "${JA_FLEET:-}" != 1 ]; then
    echo 'skipped: takes a while; JA_FLEET=1 runs it'
    exit 77
fi
if ! command -v parallel >/dev/null || ! parallel --version 2>/dev/null | grep -q 'GNU parallel'; then
    echo 'skipped: GNU parallel is not installed'
    exit 77
fi
export JETSAM_AUDIT="$program"
"$(dirname "$program")/tests/bench_generate" reports "$work/fleet" 6 10 160 11 > "$work/truth.tsv"
PARALLEL_HOME="$work" share/fleet/with-parallel "$work/fleet" "$work/out" > "$work/summary" 2>"$work/errors" ||
    { cat "$work/errors"; fail "with-parallel: exit status $?"; }
[ "$(find "$work/out/lines" "$work/out/audits" -type f | wc -l)" -eq 12 ] || fail 'a file a host and step'
grep -q '^6 hosts\|, 6 hosts, ' "$work/summary" || fail 'the last step does not see six hosts'

# What the reduce step finds is what an audit of the reports themselves finds.
tables() { # FOLDER PATH...
    folder=$1
    shift
    "$program" -q --ignore-mtime --format tsv -o "$folder" "$@" 2>/dev/null
    cut -f1-8 "$folder/tables/findings.tsv"
    cat "$folder/tables/growth.tsv" "$folder/tables/books.tsv" "$folder/tables/fleet.tsv" |
        sed 's/E[0-9][0-9]*//g'
}
tables "$work/direct" "$work/fleet" > "$work/one"
tables "$work/mapped" "$work/out/lines" > "$work/two"
cmp -s "$work/one" "$work/two" || { diff "$work/one" "$work/two" | head; fail 'lines and reports differ'; }
# The same from the lines of all hosts in one stream, in another order.
find "$work/out/lines" -name '*.ndjson' | sort -r | xargs cat > "$work/all.ndjson"
tables "$work/joined" "$work/all.ndjson" > "$work/three"
cmp -s "$work/one" "$work/three" || { diff "$work/one" "$work/three" | head; fail 'joined lines differ'; }

if [ ! -d "$modules/node_modules/@duckdb/node-api" ] || ! command -v node >/dev/null; then
    echo 'skipped: questions.sql, for DuckDB is not installed'
    exit $failed
fi
(cd "$work/out" && node "$source/tests/fleet/duckdb.mjs" "$(cd "$modules" && pwd)" \
    "$source/share/fleet/questions.sql") > "$work/answers" || fail 'questions.sql does not run'
# Of relay-agent only the build that leaks is named; vectord leaks in every build.
awk -F '\t' '
    NR == FNR { if ($1 == "life") shape[$4 FS $11] = $6; next }
    $1 == "leaking builds" && ($2 == "relay-agent" || $2 == "vectord" || $2 == "gatewayd") {
        found[$2]++
        if (shape[$2 FS $3] != "leak") { print "FAILED: " $2 " " $3 " does not leak"; bad = 1 }
    }
    $1 == "hosts near their limit" { hosts++ }
    $1 == "kills" { kills += $4 }
    $1 == "verdicts" && $2 == "vectord" { verdicts = $5 }
    END {
        if (!found["vectord"] || !found["relay-agent"]) { print "FAILED: a leaking build is not found"; bad = 1 }
        if (hosts != 6) { print "FAILED: " hosts " hosts near their limit"; bad = 1 }
        if (!kills || !verdicts) { print "FAILED: no kills or no verdicts"; bad = 1 }
        exit bad
    }' "$work/truth.tsv" "$work/answers" || { head -40 "$work/answers"; failed=1; }
exit $failed
