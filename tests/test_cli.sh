#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program from outside: exit status, what is written where, determinism.
# usage: test_cli.sh PROGRAM (in the source folder)
set -u

program=$1
incident=$PWD/fixtures/incidents/jetsam-indexer-climbs/input
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-cli.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# check WHAT EXPECTED-STATUS ARGUMENTS...: runs the program in $work; output in $work/.out, .err
check() {
    what=$1 want=$2
    shift 2
    (cd "$work" && "$program" "$@" >.out 2>.err)
    got=$?
    [ "$got" = "$want" ] && return
    failed=$((failed + 1))
    printf 'FAILED %s: exit %s, not %s\n' "$what" "$got" "$want"
    head -n 5 "$work/.err"
}

# holds WHAT COMMAND...: the command must succeed
holds() {
    what=$1
    shift
    "$@" && return
    failed=$((failed + 1))
    printf 'FAILED %s\n' "$what"
}

said() { grep -q -e "$1" "$work/.err"; }
printed() { grep -q -e "$1" "$work/.out"; }
absent() { ! test -e "$1"; }
absent_text() { ! grep -rq -e "$1" "$2"; }
differs() { ! cmp -s "$1" "$2"; }

cp -R "$incident" "$work/in"
mkdir "$work/void"
printf 'nothing known\n' >"$work/void/notes.txt"
(cd "$work/in" && cksum ./*) >"$work/.before"

# usage and exit status
check 'help' 0 --help
holds 'help goes to standard output' printed 'Usage: jetsam-audit'
check 'version' 0 --version
holds 'version names the libraries' printed 'libxlsxwriter'
check 'no PATH' 2 -n
check 'an unknown option' 2 --no-such-option in
check 'a mistyped option' 2 --ouput x in
holds 'a suggestion' said "did you mean '--output'"
check 'a missing PATH' 2 -n nowhere
holds 'the missing PATH is named' said nowhere
check 'one missing PATH among good ones' 0 -n nowhere in
check 'no evidence' 3 -n void
check 'an unknown report' 2 --format md,docx -o out in
check 'an unknown parser' 2 -n --type nonsense in
check 'a mistyped parser' 2 -n --type jetsm in
holds 'a suggestion for a parser' said "did you mean 'jetsam'"
check 'a process that is not there' 0 -n --process nosuch in
holds 'which is said' said "'nosuch' is neither"
check 'an unknown list' 2 --list nonsense
check 'parsers are listed' 0 --list parsers
check 'caps are listed' 0 --list caps
mv "$work/.out" "$work/caps.tsv"
check 'the listed caps are a table' 0 -n --caps caps.tsv in
check 'rules are listed' 0 --list rules
check 'a rule is explained' 0 --explain growing
check 'an unknown rule' 2 --explain growin
holds 'a suggestion for a rule' said "did you mean 'growing'"
check 'a case file that is none' 2 -n --case void/notes.txt in
check 'a zone that is none' 2 -n --tz Middle-Earth in
check 'an ambiguous zone' 2 -n --tz CST in
check 'a zone named by a place' 2 -n --tz Europe/Berlin in
holds 'what to give instead' said 'the offset that was in force'

# the excerpt in the README is what the program says
check 'the incident of the README' 0 -n in
flat=$(tr '\n' ' ' <"$work/.out" | tr -s ' ')
sed -n '/^CONFIRMED /,/^```/p' README.md | sed '/^```/d' | tr '\n' ' ' | tr -s ' ' |
    sed 's/ CONFIRMED /\nCONFIRMED /g; s/ $//' >"$work/.excerpt"
printf '\n' >>"$work/.excerpt"
holds 'the README has an excerpt' test "$(wc -l <"$work/.excerpt")" -ge 3
while IFS= read -r sentence; do
    case $flat in
    *"$sentence"*) ;;
    *) holds "in the README, not in the output: $sentence" false ;;
    esac
done <"$work/.excerpt"

# JSON
check 'json' 0 --json in
holds 'json has its schema' printed '"schema":"jetsam-audit/1"'
holds 'json writes no folder' absent "$work/jetsam-audit-report"
mv "$work/.out" "$work/json-1"
check 'json with one job' 0 --json -j 1 in
holds 'one job gives the same bytes' cmp -s "$work/.out" "$work/json-1"
check 'json with seven jobs' 0 --json --jobs=7 in
holds 'seven jobs give the same bytes' cmp -s "$work/.out" "$work/json-1"
check 'json without sandbox' 0 --json --sandbox=off in
check 'a growing process is found' 1 --json --fail-on growing in
check 'a kill is found' 1 --json --fail-on kill in
check 'no panic is found' 0 --json --fail-on panic in

# a part of the time, and one process
points() { grep -c '"unit":"pages"' "$work/.out"; }
check 'the whole time' 0 --json in
all=$(points)
check 'the last morning' 0 --json --since 2026-05-12T06:00:00Z in
holds 'fewer readings in the last morning' test "$(points)" -lt "$all"
holds 'one kill in the last morning' test "$(grep -c '"kind":"jetsam_kill"' "$work/.out")" = 1
check 'the first day has the kill' 1 --json --until 2026-05-11T23:00:00Z --fail-on kill in
check 'there is none after it' 0 --json --since 2026-05-12T08:00:00Z --fail-on kill in
check 'a time without evidence' 0 --json --since 2030-01-01 --fail-on growing,kill in
holds 'nothing grows then' absent_text '"rule":"growing"' "$work/.out"
check 'another process does not grow' 0 --json --process fontworker --fail-on growing in

# NDJSON and back: the same findings
statements() { grep -o '"statement":"[^"]*"' "$1"; }
check 'ndjson' 0 --ndjson in
mv "$work/.out" "$work/lines.ndjson"
check 'ndjson read back' 0 --json lines.ndjson
statements "$work/.out" >"$work/.again"
statements "$work/json-1" >"$work/.first"
holds 'there are findings' test -s "$work/.first"
holds 'ndjson read back gives the same findings' cmp -s "$work/.again" "$work/.first"

# standard input
first=JetsamEvent-2026-05-11-081422.ips
(cd "$work" && "$program" --json - <"in/$first" >.out 2>.err)
holds 'standard input is read' test $? = 0
holds 'standard input is named -' printed '"path":"-"'

# a forced limit
check 'files beyond a limit' 0 -n --max-files 1 in
holds 'what was left out is said' said 'max-files'
check 'every file above a limit' 3 -n --max-file 1KB in
holds 'the limit is named' said 'max-file'
check 'damaged input is found' 4 -n --max-file 7000 --fail-on damaged in

# the report folder
check 'a report' 0 --format all -o out in
holds 'nothing but the report stays' test -z "$(find "$work/out" -name '.jetsam-audit.*')"
holds 'a hash list is written' test -f "$work/out/.jetsam-audit"
cp -R "$work/out" "$work/out-1"
check 'a report over the same' 0 --format all -o out in
holds 'the same bytes again' diff -r "$work/out" "$work/out-1"
for file in "$work"/out/*.*; do
    name=${file##*/}
    printf 'edited\n' >>"$file"
done
check 'a report over edited files' 0 --format all -o out in
holds 'an edit is kept' grep -q '^edited$' "$work/out/$name"
holds 'the new file stands beside it' test -f "$work/out/${name%.*}.new.${name##*.}"
check 'a forced report' 0 --format all -f -o out in
holds 'force overwrites the edit' cmp -s "$work/out/$name" "$work/out-1/$name"
check 'a report inside the evidence' 2 -o in/report in
holds 'nothing was made there' absent "$work/in/report"
(cd "$work/in" && "$program" . >../.out 2>../.err)
holds 'the default inside the evidence is no error' test $? = 0
holds 'it says that none was written' printed 'no report written: choose -o DIR'
printf 'mine\n' >"$work/file"
check 'a report folder that is a file' 5 -o file in
holds 'the file is kept' test "$(cat "$work/file")" = mine
check 'a report folder without parent' 5 -o no/such/parent in
if [ -c /dev/full ]; then
    (cd "$work" && "$program" --json in >/dev/full 2>.err)
    holds 'a full disk under standard output' test $? = 5
fi
(cd "$work" && ulimit -f 8 && "$program" --format json -o small in >.out 2>.err)
holds 'a limit on file sizes' test $? = 5
holds 'no half file under a final name' absent "$work/small/audit.json"

# redaction: the same value, the same token, under the same key only
mkdir "$work/home"
cat >"$work/home/loop.log" <<'TEXT'
2026-03-02T08:00:00Z pid=77 name=/Users/miriam/bin/ranker 120 MB
2026-03-02T08:10:00Z pid=77 name=/Users/miriam/bin/ranker 121 MB
TEXT
printf 'first key' >"$work/key-1"
printf 'second key' >"$work/key-2"
check 'a redacted report' 0 --redact --format all -o redacted in home
holds 'no name of a source is left' absent_text 'JetsamEvent-2026\|loop.log' "$work/redacted"
holds 'no user is left' absent_text 'miriam' "$work/redacted"
check 'a redaction key' 0 --json --redact-key key-1 in
mv "$work/.out" "$work/json-2"
check 'the same key' 0 --json --redact-key key-1 in
holds 'the same key gives the same tokens' cmp -s "$work/.out" "$work/json-2"
check 'another key' 0 --json --redact-key key-2 in
holds 'another key gives others' differs "$work/.out" "$work/json-2"
check 'a missing key' 2 --json --redact-key nowhere in

# a name at the end of a file without a last line end names nobody for certain
for file in cut-in-a-name name-of-a-whole-row; do
    mkdir "$work/$file"
    cp "fixtures/formats/ps/$file.txt" "$work/$file"
    check "$file" 0 -f -o "$file-report" --format all "$file"
done
holds 'a cut name in the workbook and its tables' grep -q 'raster\.\.\.' \
    "$work"/cut-in-a-name-report/tables/*
holds 'a cut name in the JSON' grep -q "\"name_open\": *true" "$work/cut-in-a-name-report/audit.json"
holds 'a whole name is whole' absent_text 'name_open\|rasterd\.\.\.' \
    "$work/name-of-a-whole-row-report"

(cd "$work/in" && cksum ./*) >"$work/.after"
holds 'the evidence is untouched' cmp -s "$work/.before" "$work/.after"

[ "$failed" = 0 ] || printf '%s checks failed\n' "$failed"
[ "$failed" = 0 ]
