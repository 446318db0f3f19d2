#!/bin/sh
# SPDX-License-Identifier: MIT
#
# jetsam-collect on this machine and on a Mac whose tools are played by stubs, and the audit of what
# it saved. usage: test_collect.sh PROGRAM (in the source folder)
set -u
program=$1
collect=$PWD/share/jetsam-collect
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-collect.XXXXXX") || exit 1
sleeper=''
trap '[ -z "$sleeper" ] || kill "$sleeper" 2>/dev/null; rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

[ "$(uname -s)" = Linux ] || exit 0
cd "$work" || exit 1
sleep 300 &
sleeper=$!

# ---- Linux ----------------------------------------------------------------------------------------

"$collect" -o saved -i 1 -n 3 -w 'date +%s' -u seconds $$ $sleeper 2>log || fail "$(cat log)"
grep -q 'jetsam-audit --case saved/case.json saved' log || fail 'it does not say how to go on'
"$program" --json --case saved/case.json saved >audit.json 2>log || fail "the audit: $(cat log)"
grep -q "\"pid\":$$" audit.json || fail 'the watched process is not in the audit'
grep -q '"pid":1,' audit.json || fail 'the other processes are not in the audit'
grep -q '"kind":"proc_status"' audit.json || fail 'status files were not recognised'
grep -q '"kind":"proc_meminfo"' audit.json || fail 'meminfo was not recognised'
grep -q '"kind":"work_log"' audit.json || fail 'the counter was not recognised'
! grep -qE '"status":"(damaged|unreadable|unknown)"' audit.json ||
    fail 'something that was saved is not read'
! grep -qE '"level":"(error|unread)"' audit.json || fail 'something that was saved reads as an error'

# ---- what is refused, with a word on what to do ---------------------------------------------------

# refused STATUS WORD ARGUMENT...
refused() {
    want=$1 word=$2
    shift 2
    "$collect" "$@" >log 2>&1
    got=$?
    [ $got = "$want" ] || fail "exit $got instead of $want: $*"
    grep -q -e "$word" log || fail "no word of $word: $*"
}
refused 1 'must not exist' -o saved -n 1 $$
refused 2 'whole number' -n 0 $$
refused 2 'whole number' -n 1 0815
refused 2 'leave -i out' -i 5 -g 10 $$
refused 2 'needs the PID' -w 'echo 1'
refused 2 'jetsam-collect -h' -Z
refused 1 'no such process' -n 1 4194304
[ -z "$(find . -name "evidence-*")" ] || fail "a refusal leaves a folder behind"
"$collect" -h | grep -q Ctrl-C || fail 'no help'

# ---- ends before its time -------------------------------------------------------------------------

"$collect" -o stopped -i 100 -n 5 $sleeper 2>log &
watch=$!
until [ -n "$(find stopped -path "*Z/1/stat" 2>/dev/null)" ]; do sleep 0.2; done
kill -TERM $watch
wait $watch
[ $? = 143 ] || fail 'a signal does not end it'
grep -q 'jetsam-audit stopped' log || fail 'interrupted, it does not say how to go on'
"$program" -n stopped >/dev/null 2>&1 || fail 'what was saved until a signal is not read'

sleep 2 &
"$collect" -o ended -i 1 -n 50 $! 2>log || fail "$(cat log)"
grep -q 'has ended' log || fail 'it goes on although the process has ended'

"$collect" -o large -i 1 -n 50 -m 1 $sleeper 2>log || fail "$(cat log)"
grep -q 'larger than 1 MB' log || fail 'it does not keep to its size'

rm log
"$collect" -g 3600 -n 60 -o slope $sleeper 2>log &
watch=$!
until grep -qs 'every' log; do sleep 0.1; done
kill -TERM $watch
wait $watch
grep -q '60 rounds, one every 10 s' log || fail '-g does not hold ten minutes'
grep -q '"slope": "3600 MB/h"' slope/case.json || fail '-g is not told to the audit'

# ---- a Mac ----------------------------------------------------------------------------------------

mkdir bin home
stub() { # NAME, its script on standard input
    { printf '#!/bin/sh\n' && cat; } >"bin/$1"
    chmod +x "bin/$1"
}
stub uname <<'SH'
[ "${1:-}" = -s ] && echo Darwin && exit
echo 'Darwin bench.local 25.1.0 Darwin Kernel Version 25.1.0: root:xnu-12377~1/RELEASE_ARM64_T6000 arm64'
SH
stub sysctl <<'SH'
cat <<TEXT
hw.memsize: 34359738368
hw.pagesize: 16384
hw.ncpu: 12
hw.model: Mac14,3
kern.hostname: bench.local
kern.osproductversion: 26.2
kern.boottime: { sec = 1790487520, usec = 104811 } Sun Sep 27 13:38:40 2026
vm.swapusage: total = 3072.00M  used = 1234.56M  free = 1837.44M  (encrypted)
kern.memorystatus_vm_pressure_level: 2
TEXT
echo "sysctl: unknown oid 'iogpu.wired_limit_mb'" >&2
exit 1
SH
stub vm_stat <<'SH'
cat <<TEXT
Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                                     7001.
Pages active:                                 201002.
Pages wired down:                             150205.
File-backed pages:                            140007.
Anonymous pages:                              261102.
Pages stored in compressor:                   900808.
Pages occupied by compressor:                 210909.
TEXT
SH
stub memory_pressure <<'SH'
[ "$*" = -Q ] || exit 64
echo 'The system has 34359738368 (2097152 pages with a page size of 16384).'
echo 'System-wide memory free percentage: 46%'
SH
stub footprint <<'SH'
[ "$1 $2" = '-f bytes' ] || exit 64
count=$(cat count 2>/dev/null || echo 0)
echo $((count + 1)) >count
size=$((500170752 + count * 16777216))
cat <<TEXT
======================================================================
embedd [$3]: 64-bit    Footprint: $size B (16384 bytes per page)
======================================================================

  Dirty      Clean  Reclaimable    Regions    Category
    ---        ---          ---        ---    ---
$size B        0 B          0 B         47    MALLOC_SMALL
    ---        ---          ---        ---    ---
$size B        0 B          0 B         47    TOTAL

Auxiliary data:
    phys_footprint: $size B
    phys_footprint_peak: $size B

TEXT
SH
stub vmmap <<'SH'
[ "$1" = -summary ] || exit 64
size=$((477 + ($(cat count) - 1) * 16))
cat <<TEXT
Process:         embedd [$2]
Path:            /usr/local/bin/embedd
Physical footprint:         $size.0M
Physical footprint (peak):  $size.0M
----
TEXT
SH
stub ps <<SH
case "\$*" in
'-A -o rss= -o pid=') echo "488448 $sleeper" ;;
'-A -o pid,ppid,rss,vsz,etime,comm') cat <<TEXT
  PID  PPID    RSS      VSZ     ELAPSED COMM
    1     0  13632 440630304 13-06:50:57 /sbin/launchd
$sleeper     1 488448 435401520    05:30 /usr/local/bin/embedd
TEXT
    ;;
-p*) exit 0 ;;
*) exit 64 ;;
esac
SH
PATH=$work/bin:$PATH HOME=$work/home
export PATH HOME

"$collect" -o mac -i 1 -n 4 2>log || fail "$(cat log)"
"$program" --json mac >audit.json 2>log || fail "the audit of a Mac: $(cat log)"
grep -q '"ram_bytes":34359738368' audit.json || fail 'the RAM of a Mac is not read'
grep -q '"label":"bench' audit.json || fail 'the name of a Mac is not read'
grep -q '"metric":"phys_footprint","category":null,"points":4' audit.json ||
    fail 'a round does not give one footprint'
grep -q '"rule":"growing"' audit.json || fail 'growth on a Mac is not found'
for figure in '"used_bytes":10194386944' '"pressure_percent_free":46' '"processes":2'; do
    grep -q "$figure" audit.json || fail "books and physical use are not one state: $figure"
done
! grep -qE '"status":"(damaged|unreadable|unknown)"' audit.json || fail 'a log of a Mac is not read'
! grep -qE '"level":"(error|unread)"' audit.json || fail 'a log of a Mac reads as an error'

"$collect" -o detail -n 1 -v 2>log || fail "$(cat log)"
"$program" --json detail >audit.json 2>log || fail "the audit of vmmap: $(cat log)"
grep -q '"rule":"sources_agree"' audit.json || fail 'footprint and vmmap are not compared'
