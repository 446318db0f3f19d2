#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/test_bounded_time.sh AUDIT: a hostile file of many machines, boots, lives, names or heads
# costs no more than its lines: a search of all of them for each would take minutes here.
set -eu
audit=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-bounded.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

LINES_EACH=120000
CPU_SECONDS=60 # of a build with sanitizers; an ordinary one needs one or two

# make FIELD: lines that differ in one field (and their time)
make() {
    awk -v field="$1" -v lines="$LINES_EACH" 'BEGIN {
        print "{\"type\":\"header\",\"schema\":\"jetsam-audit-ndjson/1\"}"
        for (i = 0; i < lines; i++) {
            host = boot = name = "x"; pid = 7; start = 0
            if (field == "host") host = "h" i
            if (field == "boot") boot = "b" i
            if (field == "name") name = "n" i
            if (field == "pid") pid = i
            if (field == "start") start = i
            printf "{\"type\":\"reading\",\"host\":\"%s\",\"boot\":\"%s\",\"name\":\"%s\",\"pid\":%d,", host, boot, name, pid
            printf "\"started\":\"2026-01-%02dT%02d:%02d:%02d.000Z\",", 1 + int(start / 86400), int(start / 3600) % 24, int(start / 60) % 60, start % 60
            printf "\"metric\":\"phys_footprint\",\"category\":null,"
            printf "\"at\":\"2026-02-%02dT%02d:%02d:%02d.000Z\",", 1 + int(i / 86400), int(i / 3600) % 24, int(i / 60) % 60, i % 60
            printf "\"value_bytes\":%d,\"resolution_bytes\":4096,\"rounding\":\"down\",\"source\":\"s\",\"place\":\"/x\",\"raw\":\"1\"}\n", 4096 * (1000 + i)
        }
    }'
}

failed=0

# bounded WHAT FILE
bounded() {
    status=0
    (
        # shellcheck disable=SC3045 # dash, bash and zsh have it
        ulimit -t "$CPU_SECONDS"
        exec "$audit" --no-report --quiet --jobs 1 "$2"
    ) >"$work/out" 2>"$work/err" || status=$?
    # 0 or 1: what the evidence says; anything else is a failure (above 128: no time was left).
    [ "$status" -gt 1 ] || return 0
    echo "FAILED: $1: exit status $status" >&2
    head -n 3 "$work/err" >&2
    failed=1
}

for field in host boot name pid start; do
    make "$field" >"$work/lines.ndjson"
    bounded "$LINES_EACH lines, each another $field" "$work/lines.ndjson"
done

# A journal whose objects begin and never end: none is looked for to the end of the file.
{
    printf '{"__REALTIME_TIMESTAMP":"1784225834012345","_HOSTNAME":"q","MESSAGE":"x invoked oom-killer"}\n'
    awk 'BEGIN { for (i = 0; i < 3000000; i++) print "{" }'
} >"$work/journal.json"
bounded 'objects without an end' "$work/journal.json"
exit "$failed"
