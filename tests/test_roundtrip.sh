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

# Every format by itself: hosts, processes, events, states and findings as from the file.
counted=0
for file in $(find fixtures/formats -type f ! -path '*/ndjson/*' ! -name '*.expected' ! -name '*.md' | sort); do
    counted=$((counted + 1))
    rm -rf "$work/file" "$work/line"
    # some hold nothing to audit, which is status 3
    "$program" -q --ignore-mtime --format tsv -o "$work/file" "$file" 2>/dev/null || [ $? = 3 ]
    "$program" --ignore-mtime --ndjson "$file" 2>/dev/null >"$work/lines" || [ $? = 3 ]
    "$program" -q --ignore-mtime --format tsv -o "$work/line" - <"$work/lines" 2>/dev/null ||
        [ $? = 3 ]
    same "$file, read back" "$work/file" "$work/line"
done
[ "$counted" -gt 300 ] || { echo "FAILED: only $counted files"; failed=1; }

# Two panics of which only scraps were kept: the name that an audit gives to their boot makes no
# copies of them. And a killer's log: what was captured at one time is not one table.
mkdir "$work/scraps"
cat >"$work/scraps/first.txt" <<'END'
panic(cpu 2 caller 0xfffffe0021b0c3a4): watchdog timeout: no checkins from watchdogd in 93 seconds (8 total checkins since monitoring last enabled)
Compressor Info: 22% of compressed pages limit (OK) and 100% of segments limit (BAD) with 6 swapfiles and LOW swap space
END
cat >"$work/scraps/second.txt" <<'END'
panic(cpu 0 caller 0xfffffe0021b0c3a4): watchdog timeout: no checkins from watchdogd in 97 seconds (3 total checkins since monitoring last enabled)
Compressor Info: 17% of compressed pages limit (OK) and 41% of segments limit (OK) with 2 swapfiles and OK swap space
END
cat >"$work/scraps/killer.log" <<'END'
Jun 14 05:21:07: mem avail:   611 of  3902 MiB (15.66%), swap free:  204 of 2047 MiB ( 9.97%)
Jun 14 05:22:40: mem avail:    88 of  3902 MiB ( 2.26%), swap free:  101 of 2047 MiB ( 4.93%)
Jun 14 05:22:40: low memory! at or below SIGTERM limits: mem 10.00%, swap 10.00%
Jun 14 05:22:40: sending SIGTERM to process 7741 uid 1000 "renderd": badness 803, VmRSS 2210 MiB
END
TZ=UTC touch -t 202607010000 "$work/scraps/killer.log"
"$program" -q --format tsv -o "$work/scraps.files" "$work/scraps" 2>/dev/null
"$program" --ndjson "$work/scraps" >"$work/scraps.ndjson" 2>/dev/null
"$program" -q --format tsv -o "$work/scraps.lines" "$work/scraps.ndjson" 2>/dev/null
same 'scraps, read back' "$work/scraps.files" "$work/scraps.lines"
[ "$(grep -c 'watchdogd was silent' "$work/scraps.lines/tables/findings.tsv")" = 2 ] ||
    { echo 'FAILED: one panic for two'; failed=1; }
# Lines that another program wrote: its states are believed, and go out as they came in.
"$program" -q --format tsv -o "$work/given" fixtures/formats/ndjson/small.ndjson 2>/dev/null
"$program" --ndjson fixtures/formats/ndjson/small.ndjson > "$work/given.ndjson" 2>/dev/null
"$program" -q --format tsv -o "$work/given.lines" "$work/given.ndjson" 2>/dev/null
same 'states that are believed' "$work/given" "$work/given.lines"
grep -q '21474836480.phys_footprint.210.yes' "$work/given/tables/books.tsv" ||
    { echo 'FAILED: a believed state lost its metric or that it is whole'; failed=1; }

# A part of the time, and one process: what the lines hold is what was asked for, and no table of
# theirs passes for a whole one.
day=fixtures/incidents/jetsam-leak/input
middle=$("$program" --ndjson $day 2>/dev/null | sed -n 's/^{"type":"reading".*"at":"\([^"]*\)".*/\1/p' |
    sort -u | sed -n 2p)
"$program" -q --format tsv --since "$middle" -o "$work/late" $day 2>/dev/null
"$program" --ndjson --since "$middle" $day > "$work/late.ndjson" 2>/dev/null
"$program" -q --format tsv -o "$work/late.lines" "$work/late.ndjson" 2>/dev/null
same 'a part of the time' "$work/late" "$work/late.lines"
grep '^{"type":"\(reading\|event\|record\)"' "$work/late.ndjson" |
    sed -n 's/.*"at":"\([^"]*\)".*/\1/p' | sort > "$work/moments"
first=$(printf '%s\n' "$middle" | cat - "$work/moments" | sort | head -1)
if [ ! -s "$work/moments" ] || [ "$first" != "$middle" ]; then
    echo "FAILED: lines of before $middle: $first"
    failed=1
fi
name=$(sed -n 's/^{"type":"reading".*"name":"\([^"]*\)".*/\1/p' "$work/late.ndjson" | head -1)
"$program" --ndjson --process "$name" $day > "$work/one.ndjson" 2>/dev/null
if ! grep -q '"type":"reading"' "$work/one.ndjson" || grep -q '"census":true' "$work/one.ndjson"; then
    echo "FAILED: the rows of $name alone pass for a process table"
    failed=1
fi

# Two hosts in one file, cut apart and joined the other way round.
cat "$work/jetsam-leak.ndjson" "$work/linux-memcg-oom.ndjson" > "$work/forth.ndjson"
cat "$work/linux-memcg-oom.ndjson" "$work/jetsam-leak.ndjson" > "$work/back.ndjson"
for way in forth back; do
    "$program" -q --format tsv -o "$work/$way.lines" "$work/$way.ndjson" 2>/dev/null
done
same 'joined in another order' "$work/forth.lines" "$work/back.lines"
exit $failed
