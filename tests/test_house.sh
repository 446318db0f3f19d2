#!/bin/sh
# SPDX-License-Identifier: MIT
# What docs/DESIGN.md says of the house, where the linker cannot hold it.
# usage: test_house.sh (in the source folder)
set -eu
status=0

# forbid WHAT PATTERN EXCEPT PATH...: no line of these folders has the pattern, but in EXCEPT.
forbid() {
    what=$1 pattern=$2 except=$3
    shift 3
    found=$(grep -rnE --include='*.[ch]' "$pattern" "$@" | grep -vE "^($except):" || true)
    [ -z "$found" ] && return
    printf 'test_house: %s\n%s\n' "$what" "$found"
    status=1
}

forbid 'rows of closed evidence may be packed: read them through model/rows.h' \
    '(^|[^A-Za-z_])(evidence|e|x|y)->(subjects|readings|counts)\[' \
    'model/(evidence|rows|packed)\.[ch]|model/(snapshot_rows|linux_pages)\.c|cli/redact\.c' \
    model reports cli
forbid 'parsers and reports do not know each other, nor cli' \
    '^#include "(reports|cli)/' 'none' parsers model
forbid 'reports do not know parsers or cli' '^#include "(parsers|cli)/' 'none' reports model
exit $status
