/* SPDX-License-Identifier: MIT */
#include "parsers/proc_loop.h"

#include <string.h>

#include "parsers/scan.h"

const struct ja_loop_key ja_loop_keys[JA_LOOP_KEYS] = {
    {"VmRSS", JA_METRIC_RESIDENT}, {"VmHWM", JA_METRIC_RESIDENT_PEAK},
    {"VmSize", JA_METRIC_VIRTUAL}, {"RssAnon", JA_METRIC_ANONYMOUS},
    {"RssFile", JA_METRIC_FILE},   {"RssShmem", JA_METRIC_SHARED},
    {"VmSwap", JA_METRIC_SWAP},
};

enum { LARGEST_PID = 4194304 };

bool ja_loop_failure(const char *text, size_t length)
{
    static const char *const tools[] = {
        "grep: ", "cat: ",     "awk: ", "gawk: ",  "mawk: ",  "sed: ",    "head: ",
        "tail: ", "bash: ",    "sh: ",  "pgrep: ", "pidof: ", "ls: ",     "pmap: ",
        "ps: ",   "/bin/sh: ", "zsh: ", "error: ", "-bash: ", "busybox: "};
    static const char *const faults[] = {
        "No such file",        "No such process",
        "Is a directory",      "no such file",
        "cannot open",         "can't open",
        "can't read",          "no matching criteria",
        "list of process IDs", "Datei oder Verzeichnis nicht gefunden",
        "Aucun fichier",       "No existe el",
        "Ist ein Verzeichnis", "est un dossier"};
    /* "./watch.sh: line 4: /proc/99/status: No such file or directory" */
    size_t place = ja_text_find(text, length, "/proc/");
    bool tool = place < length && place > 1 && text[place - 2] == ':';
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        tool = tool || ja_text_begins(text, length, tools[i]);
    for (size_t i = 0; tool && i < sizeof faults / sizeof faults[0]; i++)
        if (ja_text_find(text, length, faults[i]) < length)
            return true;
    return false;
}

/* One reading of a line: "Key:  n kB" at the scan's place. */
static bool scan_key(struct ja_scan *scan, int *ret_key, int64_t *ret_kb)
{
    for (int i = 0; i < JA_LOOP_KEYS; i++) {
        struct ja_scan at = *scan;
        if (!ja_scan_text(&at, ja_loop_keys[i].key) || !ja_scan_char(&at, ':'))
            continue;
        ja_scan_blanks(&at);
        if (!ja_scan_u63(&at, ret_kb))
            return false;
        ja_scan_blanks(&at);
        if (!ja_scan_text(&at, "kB"))
            ja_scan_text(&at, "KB");
        *scan = at;
        *ret_key = i;
        return true;
    }
    return false;
}

/* "/proc/731/status:" or "731/status:" before the key (grep -H), "731:" or "731 " before it. */
static bool scan_pid(struct ja_scan *scan, int64_t *ret_pid)
{
    struct ja_scan at = *scan;
    int64_t pid;
    ja_scan_text(&at, "/proc/");
    if (!ja_scan_u63(&at, &pid) || pid > LARGEST_PID)
        return false;
    if (!ja_scan_text(&at, "/status:") && !ja_scan_char(&at, ':') && !ja_scan_char(&at, ' '))
        return false;
    ja_scan_blanks(&at);
    *scan = at;
    *ret_pid = pid;
    return true;
}

/* "pid=4242 name=api " before the first key of a line with a time: moves behind it. */
static void scan_words(struct ja_scan *scan, int64_t *ret_pid)
{
    static const char *const marks[] = {"pid=", "pid:", "PID=", "PID:", "pid ", "PID ", "["};
    const char *text = scan->text + scan->at;
    size_t length = scan->length - scan->at, key = length;
    for (int i = 0; i < JA_LOOP_KEYS; i++) {
        size_t at = ja_text_find(text, length, ja_loop_keys[i].key);
        if (at < key)
            key = at;
    }
    if (key == length)
        return;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t at = ja_text_find(text, key, marks[i]);
        struct ja_scan number = ja_scan_of(text, key);
        int64_t pid;
        number.at = at < key ? at + strlen(marks[i]) : key;
        ja_scan_blanks(&number);
        if (ja_scan_u63(&number, &pid) && pid > 0 && pid <= LARGEST_PID) {
            *ret_pid = pid;
            break;
        }
    }
    scan->at += key;
}

bool ja_loop_line_read(const struct ja_line *line, struct ja_arena *arena, struct ja_loop_line *ret)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    ret->stamped = false;
    ret->pid = JA_UNKNOWN;
    ret->count = 0;
    size_t used;
    ja_scan_blanks(&scan);
    if (ja_text_find(line->text, line->length, "Vm") == line->length &&
        ja_text_find(line->text, line->length, "Rss") == line->length)
        return false;
    if (!(scan.at < scan.length && strchr("VR/", scan.text[scan.at])) &&
        ja_stamp_prefix(line->text, line->length, arena, &ret->stamp, &used)) {
        ret->stamped = true;
        scan.at = used;
        while (!ja_scan_end(&scan) && strchr(" \t,;|", scan.text[scan.at]))
            scan.at++;
    }
    scan_pid(&scan, &ret->pid);
    if (ret->stamped)
        scan_words(&scan, &ret->pid);
    while (ret->count < JA_LOOP_KEYS &&
           scan_key(&scan, &ret->key[ret->count], &ret->kb[ret->count])) {
        ret->count++;
        while (!ja_scan_end(&scan) && strchr(" \t,;|", scan.text[scan.at]))
            scan.at++;
    }
    return ret->count > 0;
}
