/* SPDX-License-Identifier: MIT */
#include "parsers/proc_columns.h"

#include <string.h>

#include "parsers/scan.h"

/* Behind the cell that begins at at: a quoted one may hold the separator. */
static size_t cell_end(const struct ja_line *line, size_t at, char separator)
{
    bool quoted = at < line->length && line->text[at] == '"';
    for (size_t i = at + quoted; i < line->length; i++) {
        if (line->text[i] != separator)
            continue;
        if (!quoted || line->text[i - 1] == '"')
            return i;
    }
    return line->length;
}

bool ja_log_cells_split(const struct ja_line *line, struct ja_log_cells *ret)
{
    char separator = '\0';
    for (size_t i = 0; i < line->length && !separator; i++)
        if (strchr(",;\t", line->text[i]))
            separator = line->text[i];
    ret->count = 0;
    if (!separator)
        return false;
    for (size_t at = 0; at <= line->length; at++) {
        size_t start = at;
        at = cell_end(line, at, separator);
        if (ret->count == JA_MOST_LOG_CELLS)
            return false;
        const char *text = line->text + start;
        size_t length = at - start;
        ja_text_trim(&text, &length);
        if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
            text++;
            length -= 2;
        }
        ret->cell[ret->count].text = text;
        ret->cell[ret->count++].length = length;
    }
    return true;
}

static bool lower_is(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != word[i])
            return false;
    }
    return true;
}

/* Cuts a unit off the end of a column's name: "rss_kb" -> "rss" and 1024. */
static int64_t cut_unit(const char *text, size_t *length)
{
    static const struct {
        const char *ending;
        int64_t bytes;
    } units[] = {{"_kib", JA_KIB}, {"_kb", JA_KIB}, {"(kb)", JA_KIB}, {"(kib)", JA_KIB},
                 {"_bytes", 1},    {"(bytes)", 1},  {"(b)", 1},       {"_b", 1},
                 {"_mib", JA_MIB}, {"_mb", JA_MIB}, {"(mb)", JA_MIB}, {"(mib)", JA_MIB},
                 {"_gib", JA_GIB}, {"_gb", JA_GIB}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t ending = strlen(units[i].ending);
        if (*length <= ending || !lower_is(text + *length - ending, ending, units[i].ending))
            continue;
        *length -= ending;
        while (*length && text[*length - 1] == ' ')
            --*length;
        return units[i].bytes;
    }
    return 0;
}

static struct ja_log_column name_column(const char *text, size_t length)
{
    static const struct {
        const char *name;
        enum ja_log_role role;
        enum ja_metric metric;
        int64_t unit;
    } names[] = {{"epoch", JA_LOG_TIME, 0, 0},
                 {"time", JA_LOG_TIME, 0, 0},
                 {"timestamp", JA_LOG_TIME, 0, 0},
                 {"date", JA_LOG_TIME, 0, 0},
                 {"ts", JA_LOG_TIME, 0, 0},
                 {"unix", JA_LOG_TIME, 0, 0},
                 {"pid", JA_LOG_PID, 0, 0},
                 {"name", JA_LOG_NAME, 0, 0},
                 {"comm", JA_LOG_NAME, 0, 0},
                 {"process", JA_LOG_NAME, 0, 0},
                 {"command", JA_LOG_NAME, 0, 0},
                 {"rss", JA_LOG_SIZE, JA_METRIC_RESIDENT, 0},
                 {"vmrss", JA_LOG_SIZE, JA_METRIC_RESIDENT, JA_KIB},
                 {"vm_rss", JA_LOG_SIZE, JA_METRIC_RESIDENT, JA_KIB},
                 {"resident", JA_LOG_SIZE, JA_METRIC_RESIDENT, 0},
                 {"anon", JA_LOG_SIZE, JA_METRIC_ANONYMOUS, 0},
                 {"rssanon", JA_LOG_SIZE, JA_METRIC_ANONYMOUS, JA_KIB},
                 {"rss_anon", JA_LOG_SIZE, JA_METRIC_ANONYMOUS, JA_KIB},
                 {"rssfile", JA_LOG_SIZE, JA_METRIC_FILE, JA_KIB},
                 {"rss_file", JA_LOG_SIZE, JA_METRIC_FILE, JA_KIB},
                 {"swap", JA_LOG_SIZE, JA_METRIC_SWAP, 0},
                 {"vmswap", JA_LOG_SIZE, JA_METRIC_SWAP, JA_KIB},
                 {"hwm", JA_LOG_SIZE, JA_METRIC_RESIDENT_PEAK, 0},
                 {"vmhwm", JA_LOG_SIZE, JA_METRIC_RESIDENT_PEAK, JA_KIB},
                 {"vsz", JA_LOG_SIZE, JA_METRIC_VIRTUAL, 0},
                 {"vmsize", JA_LOG_SIZE, JA_METRIC_VIRTUAL, JA_KIB},
                 {"pss", JA_LOG_SIZE, JA_METRIC_PSS, 0},
                 {"uss", JA_LOG_SIZE, JA_METRIC_PRIVATE_DIRTY, 0},
                 {"requests", JA_LOG_COUNT, 0, 0},
                 {"reqs", JA_LOG_COUNT, 0, 0},
                 {"total", JA_LOG_COUNT, 0, 0},
                 {"cpu_s", JA_LOG_COUNT, 0, 0}};
    int64_t unit = cut_unit(text, &length);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (lower_is(text, length, names[i].name))
            return (struct ja_log_column){
                names[i].role, names[i].metric, unit ? unit : names[i].unit,
                strcmp(names[i].name, "cpu_s") == 0 ? "cpu_s" : "requests"};
    return (struct ja_log_column){.role = JA_LOG_NONE};
}

bool ja_log_layout_read(const struct ja_line *line, struct ja_log_layout *ret)
{
    struct ja_log_cells cells;
    struct ja_log_layout layout = {.header = true};
    bool time = false, size = false;
    if (!ja_log_cells_split(line, &cells))
        return false;
    for (int i = 0; i < cells.count; i++) {
        layout.column[i] = name_column(cells.cell[i].text, cells.cell[i].length);
        time = time || layout.column[i].role == JA_LOG_TIME;
        size = size || layout.column[i].role == JA_LOG_SIZE;
    }
    layout.count = cells.count;
    if (time && size)
        *ret = layout;
    return time && size;
}
