#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the operator says, by options, manifest and case file, and what it changes: each statement
# with the number it must bring, and the exit status that a script sees.
# usage: test_statements.sh PROGRAM (in the source folder)
set -u

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
fixtures=$PWD/fixtures
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-statements.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
    failed=$((failed + 1))
    printf 'FAILED %s\n' "$1"
}

# audit WHAT EXPECTED-STATUS ARGUMENTS...: JSON in out, messages in err
audit() {
    what=$1 want=$2
    shift 2
    "$program" --json --ignore-mtime "$@" >out 2>err
    got=$?
    [ "$got" = "$want" ] || {
        fail "$what: exit $got, not $want"
        head -n 3 err
    }
}

# has TEXT: the JSON holds it; hasnt TEXT; said TEXT: a message does
has() { grep -q -F -e "$1" out || fail "$what: no $1"; }
hasnt() { grep -q -F -e "$1" out && fail "$what: $1"; }
said() { grep -q -F -e "$1" err || fail "$what: not said: $1"; }

# ranker gains 50 MiB an hour, five times; keeper stays at 80 MiB. 1 MB = 1048576 bytes.
mkdir in
i=0
for size in 100 150 200 250 300 350; do
    printf '2026-03-02T%02d:00:00Z pid=77 name=ranker metric=phys_footprint %s MB\n' $((8 + i)) $size
    printf '2026-03-02T%02d:00:00Z pid=78 name=keeper metric=phys_footprint 80 MB\n' $((8 + i))
    i=$((i + 1))
done >in/loop.log

audit 'nothing stated' 0 in
has '"rule":"growing"'
has '"concern_bytes_per_hour":null'

# ---- the slope that matters, caps ----------------------------------------------------------------
audit 'a slope' 0 --slope 25MB/h in
has '"concern_bytes_per_hour":26214400'
audit 'a cap' 0 --cap ranker=400MB in
has '"cap_bytes":419430400,"distance_bytes":-52428800,"reached":false,"from":"operator"'
audit 'a cap by pid' 0 --cap pid:78=80MB in
has '"cap_bytes":83886080,"distance_bytes":0,"reached":true,"from":"operator"'
audit 'a cap of nobody' 0 --cap nobody=400MB in
hasnt '"from":"operator"'
audit 'a cap without a size' 2 --cap ranker in
audit 'a slope without a unit of time' 2 --slope 25MB in

printf 'pool\tname:rank*\t300 MiB + 60 MiB\tour own\nno row at all\n' >caps.tsv
audit 'a table of caps' 0 --caps caps.tsv in
has '"name":"pool","cap_bytes":377487360,"distance_bytes":-10485760'
said 'caps.tsv:2: no row of a table of caps'
audit 'a table and none' 2 --caps caps.tsv --no-caps in
said 'contradict each other'
audit 'a missing table of caps' 2 --caps nowhere.tsv in
said 'nowhere.tsv'

# ---- whom and when -------------------------------------------------------------------------------
audit 'one process by name' 0 --process ranker in
has 'ranker'
grep -o '"findings":\[.*\],"evidence"' out | grep -q keeper && fail 'one process by name: the other'
audit 'one process by pid' 0 --process 78 in
hasnt '"rule":"growing"'
mkdir slow
printf '2026-03-02T08:00:00Z pid=9 name=%s! 80 MB\n' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa >slow/loop.log
audit 'a pattern that never ends' 0 --process '^(a+)+$' slow
said "pattern '^(a+)+$' takes too many steps"
audit 'a part of the time' 0 --since 2026-03-02T10:00:00Z --until 2026-03-02T12:00:00Z in
has '"net_low_bytes":103809024,"net_high_bytes":105906176' # 100 MB, each end to half of one
has '"window_s":7200'
audit 'a time without evidence' 0 --since 2026-03-02T20:00:00Z in
hasnt '"rule":"growing"'
audit 'a time that is none' 2 --since yesterday in

# ---- work ----------------------------------------------------------------------------------------
audit 'no work is known' 0 --slope 25MB/h in
hasnt '"rule":"not_growing"'
audit 'work is assumed' 0 --slope 25MB/h --assume-active in
has '"rule":"not_growing"'
has 'that it worked is assumed by the operator'

# ---- zones and times -----------------------------------------------------------------------------
mkdir bare
printf '2026-03-02 08:00:00 pid=77 name=ranker 100 MB\n' >bare/loop.log
audit 'no zone' 0 bare
has '"at":"2026-03-02T08:00:00.000000Z"'
audit 'a zone' 0 --tz +0300 bare
has '"at":"2026-03-02T05:00:00.000000Z"'

mkdir undated
for size in 100 200 300; do
    printf 'ranker [77]: 64-bit    Footprint: %s MB (16384 bytes per page)\n\n' $size
done >undated/a.txt
audit 'no time' 0 undated
has '"rule":"unordered_evidence"'
printf 'path\tcaptured\twithin_s\thost\tnote\na.txt\t2026-03-02T08:00:00Z\t5\toak\tby hand\n' >MANIFEST.tsv
audit 'a manifest' 0 --manifest MANIFEST.tsv undated
has '"label":"oak"'
has '"clock":"manifest"'
audit 'a missing manifest' 2 --manifest nowhere.tsv undated
said 'nowhere.tsv: cannot be read (--manifest)'
printf 'a\0b' >binary.tsv
audit 'a manifest that is no text' 0 --manifest binary.tsv undated
said 'NUL'

# the first reading at eight, one every ten minutes, each within five seconds
printf '{"captured":[{"path":"a.txt","at":"2026-03-02T08:00:00Z","within_s":5,"interval_s":600}]}' >case.json
audit 'captured times' 0 --case case.json undated
has '"at":"2026-03-02T08:10:00.000000Z","early":"2026-03-02T08:09:55.000000Z","late":"2026-03-02T08:10:05.000000Z","clock":"manifest"'
hasnt '"rule":"unordered_evidence"'
has '"window_s":1200'

# ---- the case file -------------------------------------------------------------------------------
mkdir stated
printf 'time,total\n2026-03-02T08:00:00Z,1000\n2026-03-02T13:00:00Z,1500\n' >stated/requests.csv
cat >stated/case.json <<'JSON'
{ "host": "oak", "ram": "8 GiB", "slope": "1 GB/h",
  "caps": [ { "match": "^rank", "name": "pool", "size": "360 MiB", "source": "set by hand" } ],
  "work": [ { "process": "ranker", "file": "requests.csv", "unit": "requests" } ],
  "concern": [ { "process": "keeper", "slope": "5 MB/h" } ],
  "notes": [ { "at": "2026-03-02T10:00:00Z", "text": "deployed" } ] }
JSON
audit 'a case file' 0 --case stated/case.json in
has '"label":"oak"'
has '"ram_bytes":8589934592'
has '"ram_from":"operator"'
has '"name":"pool","cap_bytes":377487360,"distance_bytes":-10485760'
has '"concern_bytes_per_hour":1073741824'
has '"concern_bytes_per_hour":5242880'
has '"unit":"requests","work":500,"low_bytes":522190.848'
has '"kind":"note"'
has '"kind":"case"'
audit 'an option beats the case file' 0 --case stated/case.json --slope 2GB/h in
has '"concern_bytes_per_hour":2147483648'

printf '\357\273\277{"ram":"16 GiB"}' >marked.json
audit 'a case file with a byte order mark' 0 --case marked.json in
has '"ram_bytes":17179869184'
printf '{"ram":"16 GiB"}\0' >nul.json
audit 'a case file with a NUL' 2 --case nul.json in
said 'nul.json: not a JSON object of statements (--case)'
audit 'a missing case file' 2 --case nowhere.json in
mkdir folder.json
audit 'a case file that is a folder' 2 --case folder.json in
said 'not a regular file'
printf '{"work":[{"process":"ranker","file":"nowhere.csv","unit":"requests"}]}' >lost.json
audit 'a work file that is not there' 0 --case lost.json in
said 'no-such-file'

# evidence must not steer the audit: a case file inside a PATH is listed and not used
cp -R in steered
printf '{"ram":"4 GiB","slope":"1 B/h"}' >steered/case.json
audit 'a case file among the evidence' 0 steered
hasnt '"ram_bytes":4294967296'
has '"concern_bytes_per_hour":null'

# two files of one name: the one beside the case file
cp -R in both
printf 'time,total\n2026-03-02T08:00:00Z,1000\n2026-03-02T13:00:00Z,9000\n' >both/requests.csv
cp both/requests.csv stated/both.csv
sed 's|requests.csv|both/requests.csv|' stated/case.json >two.json
audit 'a work file inside a PATH' 0 --case two.json both
has '"unit":"requests","work":8000'

# ---- the acceptance test -------------------------------------------------------------------------
mkdir before after
sed -n '/ranker/p' in/loop.log >before/loop.log
i=0
for size in 200 204 206; do
    printf '2026-03-03T%02d:00:00Z pid=90 name=ranker metric=phys_footprint %s MB\n' $((8 + i)) $size
    i=$((i + 1))
done >after/loop.log
printf 'time,total\n2026-03-03T08:00:00Z,0\n2026-03-03T10:00:00Z,400\n' >tested.csv
printf '{"work":[{"process":"ranker","file":"tested.csv","unit":"requests"}]}' >tested.json
audit 'a fix' 0 --before before --after after --max-delta 40MB --min-work 200 --case tested.json \
    --fail-on unaccepted
has '"rule":"fix_effective"'
has '"delta_bytes":2097152'
has '"work":400'
audit 'a fix without work' 1 --before before --after after --max-delta 40MB --fail-on unaccepted
has '"rule":"fix_test_blind"'
audit 'a fix that is none' 1 --before before --after after --max-delta 1MB --fail-on unaccepted
has '"rule":"fix_not_shown"'
audit 'nobody asks' 0 --before before --after after --max-delta 1MB

# ---- exit status ---------------------------------------------------------------------------------
audit 'growing' 1 --fail-on growing in
audit 'another process grows' 0 --fail-on growing --process keeper in
audit 'no kill, no panic' 0 --fail-on kill,panic,cap in
audit 'a panic' 1 --fail-on panic "$fixtures/incidents/panic-compressor/input"
audit 'a forced reset' 1 --fail-on panic "$fixtures/formats/force_reset/button.ips"
audit 'an OOM kill' 1 --fail-on kill "$fixtures/incidents/linux-memcg-oom/input"
# painter stands at 26.6 GiB of 32: its bill is within RAM; of 16 it is not
audit 'a bill within RAM' 0 --fail-on cap "$fixtures/incidents/mac-plateau-under-a-cap/input"
has '"rule":"plateau_at_cap"'
printf '{"ram":"16 GiB"}' >small.json
grep -v memsize "$fixtures/incidents/mac-plateau-under-a-cap/input/machine.txt" >machine.txt
mkdir capped
cp "$fixtures/incidents/mac-plateau-under-a-cap/input/watch.log" machine.txt capped
audit 'a bill above RAM' 1 --fail-on cap --case small.json capped
audit 'an unknown word' 2 --fail-on everything in

# ---- limits --------------------------------------------------------------------------------------
audit 'a limit of readings' 0 --max-readings 4 in
has '"readings":4'
said 'max-readings'
"$program" --json --type growth_log - <in/loop.log >out 2>err
what='a type for standard input'
has '"kind":"growth_log"'
has '"rule":"growing"'

[ "$failed" = 0 ] || printf '%s checks failed\n' "$failed"
[ "$failed" = 0 ]
