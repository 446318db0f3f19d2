#!/bin/sh
# SPDX-License-Identifier: MIT
#
# jetsam-collect on this machine, and the audit of what it saved. usage: test_collect.sh PROGRAM
set -u
program=$1
collect=$PWD/share/jetsam-collect
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-collect.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

[ "$(uname -s)" = Linux ] || exit 0
cd "$work" || exit 1
"$collect" -o saved -i 1 -n 2 -w 'date +%s' $$ 2>log || fail "$(cat log)"
"$collect" -o saved -n 1 $$ 2>log && fail 'an existing folder was taken'
"$collect" -n 0 2>log && fail 'no rounds at all were accepted'
[ -f saved/work.csv ] || fail 'no work counter was saved'
"$program" --json --case saved/case.json saved >audit.json 2>log || fail "the audit: $(cat log)"
grep -q "\"pid\":$$" audit.json || fail 'the watched process is not in the audit'
grep -q '"kind":"proc_status"' audit.json || fail 'status files were not recognised'
grep -q '"kind":"proc_meminfo"' audit.json || fail 'meminfo was not recognised'
! grep -q '"status":"damaged"' audit.json || fail 'something that was saved reads as damaged'
