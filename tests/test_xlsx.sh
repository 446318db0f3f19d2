#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The workbook from outside: every part is XML, nothing of the evidence is live, fixed sheets, same
# bytes twice. Reading the archive takes python3; without it the test is skipped.
# usage: test_xlsx.sh PROGRAM (in the source folder)
set -u

program=$1
command -v python3 >/dev/null 2>&1 || {
    echo 'skipped: python3 is needed to read the workbook'
    exit 0
}
work=$(mktemp -d "${TMPDIR:-/tmp}/ja-xlsx.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    failed=$((failed + 1))
    printf 'FAILED %s\n' "$1"
}

cat >"$work/hostile.py" <<'PYTHON'
import json, sys
names = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "_x0041_", "\x1b[31mred", "\u202eevil",
         "<b>&\"'", "\ufffe\ud7ff", "a\tb\nc", "x" * 40000, "007", "_x0041_" * 6000, "\u2028"]
for day in (1, 2, 3):
    rows = [{"rpages": 60000 * day + 900 * i * day, "pid": 300 + i, "name": n, "coalition": 9,
             "age": 24000000 * (86400 * day + i), "cpuTime": 10.0 * day, "lifetimeMax": 900000,
             "uuid": "u%d" % i, "states": ["daemon"]} for i, n in enumerate(names)]
    rows[0]["reason"] = "=HYPERLINK(\"http://evil.example\")"
    rows[0]["killDelta"] = 1
    head = {"bug_type": "298", "timestamp": "2026-03-0%d 09:12:00.00 +0000" % day,
            "os_version": "macOS 26.1 (25B78)", "incident_id": "%032x" % day}
    body = {"crashReporterKey": "k", "product": "MacBookPro18,2", "incident": "%032x" % day,
            "kernel": "Darwin Kernel Version 25.1.0: RELEASE_ARM64_T6000", "build": "=1+1",
            "date": "2026-03-0%d 09:12:00.00 +0000" % day, "timeDelta": 1,
            "largestProcess": names[0], "genCounter": 1,
            "memoryStatus": {"compressorSize": 100000, "compressions": 5, "decompressions": 3,
                             "pageSize": 16384, "uncompressed": 400000,
                             "memoryPages": {"active": 900000, "throttled": 0, "fileBacked": 50000,
                                             "wired": 70000, "anonymous": 600000, "purgeable": 1,
                                             "inactive": 100000, "free": 2000, "speculative": 0}},
            "processes": rows}
    text = json.dumps(head) + "\n" + json.dumps(body, indent=1)
    open(sys.argv[1] + "/JetsamEvent-2026-03-0%d-091200.ips" % day, "w").write(text)
open(sys.argv[1] + "/=1+1.txt", "w").write("nothing known\n")
PYTHON

cat >"$work/check.py" <<'PYTHON'
import re, sys, zipfile
import xml.etree.ElementTree as ET
book, hostile = sys.argv[1], sys.argv[2:] == ["hostile"]
SHEETS = ["Read first", "Fleet", "Growth", "Books vs physical", "Timeline", "Kills", "Groups",
          "Caps", "Readings", "Evidence", "Files", "About", "Chart data"]
archive, bad = zipfile.ZipFile(book), []
parts = {name: archive.read(name).decode("utf-8") for name in archive.namelist()}
for name, text in parts.items():
    try:
        ET.fromstring(text)
    except ET.ParseError as error:
        bad.append(f"{name} is no XML: {error}")
    if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text):
        bad.append(f"{name} holds characters that XML forbids")
    if re.search(r"<(c:)?v>-?(nan|inf)", text, re.I) or "#NUM" in text:
        bad.append(f"{name} holds a number that is none")
    if name.startswith("xl/worksheets/sheet") and "<f>" in text.replace("<formula>", ""):
        bad.append(f"{name} holds a formula")
    if 'TargetMode="External"' in text:
        bad.append(f"{name} points outside")
    for formula in re.findall(r"<c:f>(.*?)</c:f>", text):
        if not re.fullmatch(r"'?Chart data'?!\$[A-Z]+\$\d+(:\$[A-Z]+\$\d+)?", formula):
            bad.append(f"{name} takes figures from {formula}")
names = re.findall(r'<sheet name="([^"]*)"', parts["xl/workbook.xml"])
wanted = [s for s in SHEETS if s != "Fleet" or "Fleet" in names]
if names != wanted:
    bad.append(f"sheets {names}")
for number, name in enumerate(names, 1):
    sheet = parts[f"xl/worksheets/sheet{number}.xml"]
    for mark in ("<pane ", "<pageSetup ", "<oddFooter>") + (("<autoFilter ",)
                 if name not in ("About", "Chart data") else ()):
        if mark not in sheet and not (name == "Read first" and mark == "<autoFilter "):
            bad.append(f"sheet {name} lacks {mark}")
    for place in re.findall(r'location="([^"]*)"', sheet):
        target = place.replace("'", "").split("!")[0]
        if target not in names:
            bad.append(f"sheet {name} links to {place}")
created = re.findall(r"created[^>]*>([^<]*)<", parts["docProps/core.xml"])[0]
if hostile and created != "2026-03-03T09:11:59Z":
    bad.append(f"created {created}")
strings = parts["xl/sharedStrings.xml"]
if hostile:
    for text in ("=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "_x005F_x0041_", "\\x1B[31mred",
                 "\\u{202E}evil", "&lt;b&gt;&amp;", ">007<", ">=1+1.txt<"):
        if text not in strings:
            bad.append(f"the text {text} is not there")
    if re.search(r"(?<!_x005F)_x0041_", strings):
        bad.append("_x0041_ would be read as A")
    if not any(name.startswith("xl/charts/") for name in parts):
        bad.append("no chart was drawn")
if bad:
    print("\n".join(bad[:10]))
sys.exit(1 if bad else 0)
PYTHON

# book NAME ZONE ARGUMENTS...
book() {
    out=$work/$1 zone=$2
    shift 2
    TZ=$zone "$program" -q --format xlsx -o "$out" "$@" >/dev/null 2>"$work/err" && return
    fail "$out: $(cat "$work/err")"
}

for incident in fixtures/incidents/*/; do
    name=$(basename "$incident")
    book "$name" UTC "$incident/input"
    python3 "$work/check.py" "$work/$name/workbook.xlsx" || fail "$name"
done

mkdir "$work/hostile"
python3 "$work/hostile.py" "$work/hostile"
book evil UTC "$work/hostile"
python3 "$work/check.py" "$work/evil/workbook.xlsx" hostile || fail 'hostile names'
book evil-again Asia/Tokyo -j 1 "$work/hostile"
cmp -s "$work/evil/workbook.xlsx" "$work/evil-again/workbook.xlsx" ||
    fail 'the same evidence gives other bytes in another time zone'
[ "$(ls -A "$work/evil")" = "$(printf '.jetsam-audit\nworkbook.xlsx')" ] ||
    fail 'something besides the workbook was left behind'

[ "$failed" = 0 ]
