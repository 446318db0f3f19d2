#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What must not change what is found, on every bundled incident: the order of the PATHs, the number
# of jobs, copies of the files under other names, and the same moments told in another time zone.
# usage: test_properties.sh PROGRAM (in the source folder)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-properties.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0 moved=0

# audit NAME ARGUMENTS...: the tables of an audit in $work/NAME
audit() {
    to=$work/$1
    shift
    "$program" -q --ignore-mtime --format tsv -o "$to" "$@" 2>/dev/null
}

# findings without the names of evidence, and every number of growth, books, kills and groups
numbers() { # FOLDER
    cut -f1-8 "$1/tables/findings.tsv"
    cat "$1/tables/growth.tsv" "$1/tables/books.tsv" "$1/tables/kills.tsv" \
        "$1/tables/groups.tsv" "$1/tables/timeline.tsv" | sed 's/E[0-9][0-9]*//g'
}

same() { # WHAT FOLDER FOLDER
    numbers "$work/$2" >"$work/one"
    numbers "$work/$3" >"$work/two"
    cmp -s "$work/one" "$work/two" && return
    echo "FAILED: $1"
    diff "$work/one" "$work/two" | head -6 || true
    failed=1
}

# Tells each "2026-10-13 09:12:00.5 +0200" (also with a T, or without a space before the zone) in
# another zone, hours and minutes east of UTC.
cat >"$work/zone.awk" <<'AWK'
function days(y, m, d) { # since 0000-03-01
    if (m <= 2) { y--; m += 12 }
    return 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + d - 1
}
function civil(n,    y, m) {
    y = int(n / 365.2425) + 1
    while (days(y, 3, 1) > n) y--
    n -= days(y, 3, 1)
    m = int((5 * n + 2) / 153)
    n -= int((153 * m + 2) / 5)
    m += 3
    if (m > 12) { m -= 12; y++ }
    return sprintf("%04d-%02d-%02d", y, m, n + 1)
}
function told(text,    minutes, zone, tail, day) {
    zone = substr(text, length(text) - 4)
    tail = substr(text, 17, length(text) - 21) # seconds, and what stands before the zone
    minutes = substr(text, 12, 2) * 60 + substr(text, 15, 2)
    minutes -= (substr(zone, 1, 1) "1") * (substr(zone, 2, 2) * 60 + substr(zone, 4, 2))
    minutes += east
    day = days(substr(text, 1, 4) + 0, substr(text, 6, 2) + 0, substr(text, 9, 2) + 0)
    while (minutes < 0) { minutes += 1440; day-- }
    while (minutes >= 1440) { minutes -= 1440; day++ }
    return civil(day) substr(text, 11, 1) sprintf("%02d:%02d", int(minutes / 60), minutes % 60) \
        tail sprintf("%s%02d%02d", east < 0 ? "-" : "+", int((east < 0 ? -east : east) / 60), \
        (east < 0 ? -east : east) % 60)
}
{
    line = $0
    out = ""
    stamp = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][ T][0-9][0-9]:[0-9][0-9]:[0-9.]+ ?[-+][0-9][0-9][0-9][0-9]"
    while (match(line, stamp)) {
        out = out substr(line, 1, RSTART - 1) told(substr(line, RSTART, RLENGTH))
        line = substr(line, RSTART + RLENGTH)
    }
    print out line
}
AWK

# in_zone FROM TO MINUTES-EAST: a copy of the folder, its times told in that zone
in_zone() {
    cp -R "$1" "$2"
    find "$2" -type f | while read -r file; do
        LC_ALL=C awk -v east="$3" -f "$work/zone.awk" "$file" >"$work/moved"
        cmp -s "$work/moved" "$file" || cat "$work/moved" >"$file"
    done
}

# The awk itself, by hand: over midnight, over a leap day, back to where it was.
told() { printf '%s\n' "$1" | awk -v east="$2" -f "$work/zone.awk"; }
knows() { # TEXT MINUTES-EAST EXPECTED
    [ "$(told "$1" "$2")" = "$3" ] && return
    echo "FAILED: the test does not know its own zones: $1"
    failed=1
}
knows 'x 2026-10-13 09:12:00.5 +0200 y' 0 'x 2026-10-13 07:12:00.5 +0000 y'
knows '2028-03-01 00:10:00 +0000' -570 '2028-02-29 14:40:00 -0930'
knows '2026-12-31T23:30:00+0000' 825 '2027-01-01T13:15:00+1345'

for incident in fixtures/incidents/*/; do
    name=$(basename "$incident")
    said=--ignore-mtime # or what the operator says
    [ -f "$incident/case.json" ] && said=--case=$PWD/${incident}case.json
    cp -R "$incident/input" "$work/input"
    audit first "$said" "$work/input"

    # order: every entry a PATH of its own, forth and back
    forth='' back=''
    for entry in "$work"/input/*; do
        forth="$forth $entry"
        back="$entry $back"
    done
    # shellcheck disable=SC2086 # the names of the fixtures hold no space
    audit forth "$said" $forth
    # shellcheck disable=SC2086
    audit back "$said" $back
    diff -r "$work/forth" "$work/back" >/dev/null || {
        echo "FAILED: $name: the order of the PATHs changes an output"
        failed=1
    }

    # jobs
    "$program" --json --ignore-mtime -j 1 "$said" "$work/input" >"$work/one" 2>/dev/null
    "$program" --json --ignore-mtime -j 5 "$said" "$work/input" >"$work/two" 2>/dev/null
    cmp -s "$work/one" "$work/two" || {
        echo "FAILED: $name: the number of jobs changes an output"
        failed=1
    }

    # the same moments in other zones; where a bare time takes its zone from a stamp that has one,
    # that stamp cannot be moved alone
    if [ "$name" != mac-day-loop ]; then
        for east in 0 -570 825; do
            in_zone "$work/input" "$work/zone" "$east"
            diff -rq "$work/input" "$work/zone" >/dev/null || moved=$((moved + 1))
            audit elsewhere "$said" "$work/zone"
            same "$name: told $east minutes east of UTC" first elsewhere
            rm -rf "$work/zone" "$work/elsewhere"
        done
    fi

    # copies, in a folder that is read last
    cp -R "$work/input" "$work/again"
    mv "$work/again" "$work/input/zz-kept-again"
    audit copies "$said" "$work/input"
    same "$name: copies of its files" first copies
    rm -rf "$work/input" "$work/first" "$work/forth" "$work/back" "$work/copies"
done
[ "$moved" -ge 12 ] || {
    echo "FAILED: only $moved incidents hold times that can be told in another zone"
    failed=1
}
exit $failed
