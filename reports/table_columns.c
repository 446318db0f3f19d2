/* SPDX-License-Identifier: MIT
 *
 * The columns of every table: titles, kinds and widths.
 */
#include "reports/tables_parts.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct ja_column findings_columns[] = {
    {"#", JA_CELL_WORD, 5},
    {"Severity", JA_CELL_WORD, 9},
    {"Grade", JA_CELL_WORD, 17},
    {"Finding", JA_CELL_SENTENCE, 70},
    {"Why", JA_CELL_SENTENCE, 45},
    {"What would change it", JA_CELL_SENTENCE, 35},
    {"Next step", JA_CELL_SENTENCE, 35},
    {"Rule", JA_CELL_WORD, 20},
    {"Evidence", JA_CELL_REFS, 14},
};

static const struct ja_column fleet_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 24},          {"Worst", JA_CELL_WORD, 10},
    {"Worst finding", JA_CELL_SENTENCE, 60}, {"Top grower", JA_CELL_SENTENCE, 28},
    {"Slope at least", JA_CELL_RATE, 14},    {"Books / RAM", JA_CELL_NUMBER, 12},
    {"Last seen (UTC)", JA_CELL_TIME, 20},
};

static const struct ja_column growth_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 16},
    {"Process", JA_CELL_EVIDENCE, 22},
    {"Pid", JA_CELL_WHOLE, 8},
    {"Metric", JA_CELL_WORD, 16},
    {"Category", JA_CELL_EVIDENCE, 16},
    {"Verdict", JA_CELL_WORD, 13},
    {"Why", JA_CELL_WORD, 18},
    {"Shape", JA_CELL_WORD, 11},
    {"Readings", JA_CELL_WHOLE, 9},
    {"First seen (UTC)", JA_CELL_TIME, 20},
    {"Last seen (UTC)", JA_CELL_TIME, 20},
    {"First", JA_CELL_BYTES, 15},
    {"Last", JA_CELL_BYTES, 15},
    {"Gain at least", JA_CELL_BYTES, 15},
    {"Gain at most", JA_CELL_BYTES, 15},
    {"Slope low", JA_CELL_RATE, 13},
    {"Slope high", JA_CELL_RATE, 13},
    {"Window", JA_CELL_SPAN, 11},
    {"Step", JA_CELL_BYTES, 12},
    {"Detectable", JA_CELL_RATE, 13},
    {"Minimum window", JA_CELL_SPAN, 13},
    {"Slope that matters", JA_CELL_RATE, 13},
    {"Nearest cap", JA_CELL_EVIDENCE, 20},
    {"Cap size", JA_CELL_BYTES, 13},
    {"Room to the cap", JA_CELL_BYTES, 13},
    {"Share of RAM", JA_CELL_NUMBER, 9},
};

static const struct ja_column books_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 16},      {"Time (UTC)", JA_CELL_TIME, 20},
    {"Of", JA_CELL_EVIDENCE, 12},        {"Books (sum of processes)", JA_CELL_BYTES, 16},
    {"Metric", JA_CELL_WORD, 15},        {"Processes", JA_CELL_WHOLE, 10},
    {"Complete", JA_CELL_WORD, 9},       {"Physical use", JA_CELL_BYTES, 15},
    {"RAM", JA_CELL_BYTES, 14},          {"Managed", JA_CELL_BYTES, 14},
    {"Anonymous", JA_CELL_BYTES, 14},    {"Wired", JA_CELL_BYTES, 14},
    {"Compressor", JA_CELL_BYTES, 14},   {"Held compressed (original)", JA_CELL_BYTES, 15},
    {"File-backed", JA_CELL_BYTES, 14},  {"Free", JA_CELL_BYTES, 14},
    {"Swap used", JA_CELL_BYTES, 14},    {"Swap total", JA_CELL_BYTES, 14},
    {"Books / RAM", JA_CELL_NUMBER, 11}, {"In words", JA_CELL_WORD, 60},
};

static const struct ja_column timeline_columns[] = {
    {"Time (UTC)", JA_CELL_TIME, 20}, {"Host", JA_CELL_EVIDENCE, 16},
    {"Event", JA_CELL_WORD, 14},      {"Process", JA_CELL_EVIDENCE, 22},
    {"Pid", JA_CELL_WHOLE, 8},        {"Reason", JA_CELL_EVIDENCE, 31},
    {"Size", JA_CELL_BYTES, 14},      {"Detail", JA_CELL_EVIDENCE, 50},
    {"Evidence", JA_CELL_REFS, 12},
};

static const struct ja_column kills_columns[] = {
    {"Time (UTC)", JA_CELL_TIME, 20},
    {"Host", JA_CELL_EVIDENCE, 16},
    {"Order", JA_CELL_WHOLE, 7},
    {"Victim", JA_CELL_EVIDENCE, 24},
    {"Pid", JA_CELL_WHOLE, 8},
    {"Reason", JA_CELL_EVIDENCE, 31},
    {"Size at the kill", JA_CELL_BYTES, 15},
    {"Limit", JA_CELL_BYTES, 14},
    {"Largest then", JA_CELL_EVIDENCE, 24},
    {"Its size", JA_CELL_BYTES, 14},
    {"Victim was the largest", JA_CELL_WORD, 12},
    {"Victim grew", JA_CELL_WORD, 12},
    {"Evidence", JA_CELL_REFS, 12},
};

static const struct ja_column groups_columns[] = {
    {"Time (UTC)", JA_CELL_TIME, 20}, {"Host", JA_CELL_EVIDENCE, 16},
    {"By", JA_CELL_WORD, 10},         {"Name", JA_CELL_EVIDENCE, 28},
    {"Coalition", JA_CELL_WHOLE, 10}, {"Processes", JA_CELL_WHOLE, 10},
    {"Sum", JA_CELL_BYTES, 15},       {"Mean", JA_CELL_BYTES, 15},
};

static const struct ja_column caps_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 16},
    {"Process", JA_CELL_EVIDENCE, 22},
    {"Pid", JA_CELL_WHOLE, 8},
    {"Metric", JA_CELL_WORD, 15},
    {"Cap", JA_CELL_EVIDENCE, 26},
    {"From", JA_CELL_WORD, 10},
    {"Cap size", JA_CELL_BYTES, 15},
    {"Level", JA_CELL_BYTES, 15},
    {"Distance", JA_CELL_BYTES, 15},
    {"Reached", JA_CELL_WORD, 9},
    {"Source", JA_CELL_EVIDENCE, 50},
    {"Processes it applies to", JA_CELL_WHOLE, 11},
    {"Bill (cap x processes)", JA_CELL_BYTES, 15},
    {"RAM", JA_CELL_BYTES, 14},
};

static const struct ja_column readings_columns[] = {
    {"Host", JA_CELL_EVIDENCE, 16},  {"Process", JA_CELL_EVIDENCE, 22},
    {"Pid", JA_CELL_WHOLE, 8},       {"Time (UTC)", JA_CELL_TIME, 20},
    {"Metric", JA_CELL_WORD, 16},    {"Category", JA_CELL_EVIDENCE, 16},
    {"Value", JA_CELL_BYTES, 16},    {"Step", JA_CELL_BYTES, 12},
    {"At least", JA_CELL_BYTES, 16}, {"At most", JA_CELL_BYTES, 16},
    {"File", JA_CELL_EVIDENCE, 36},  {"Place", JA_CELL_EVIDENCE, 28},
};

static const struct ja_column evidence_columns[] = {
    {"Ref", JA_CELL_REFS, 9},        {"File", JA_CELL_EVIDENCE, 40},
    {"Place", JA_CELL_EVIDENCE, 32}, {"As found", JA_CELL_EVIDENCE, 40},
    {"Unit", JA_CELL_WORD, 9},       {"Step", JA_CELL_BYTES, 12},
    {"Used by", JA_CELL_WORD, 18},
};

static const struct ja_column files_columns[] = {
    {"File", JA_CELL_EVIDENCE, 44},       {"Kind", JA_CELL_WORD, 16},
    {"Status", JA_CELL_WORD, 18},         {"Why", JA_CELL_EVIDENCE, 40},
    {"Readings", JA_CELL_WHOLE, 9},       {"Events", JA_CELL_WHOLE, 8},
    {"Captured (UTC)", JA_CELL_TIME, 20}, {"Written (UTC)", JA_CELL_TIME, 20},
    {"OS", JA_CELL_EVIDENCE, 26},         {"Size", JA_CELL_BYTES, 12},
    {"Problems", JA_CELL_WHOLE, 9},       {"SHA-256", JA_CELL_WORD, 66},
};

static const struct {
    const char *name, *title;
    const struct ja_column *columns;
    size_t count;
} kinds[JA_TABLE_COUNT] = {
#define KIND(id, name, title) [id] = {#name, title, name##_columns, COUNT(name##_columns)}
    KIND(JA_TABLE_FINDINGS, findings, "Read first"),
    KIND(JA_TABLE_FLEET, fleet, "Fleet"),
    KIND(JA_TABLE_GROWTH, growth, "Growth"),
    KIND(JA_TABLE_BOOKS, books, "Books vs physical"),
    KIND(JA_TABLE_TIMELINE, timeline, "Timeline"),
    KIND(JA_TABLE_KILLS, kills, "Kills"),
    KIND(JA_TABLE_GROUPS, groups, "Groups"),
    KIND(JA_TABLE_CAPS, caps, "Caps"),
    KIND(JA_TABLE_READINGS, readings, "Readings"),
    KIND(JA_TABLE_EVIDENCE, evidence, "Evidence"),
    KIND(JA_TABLE_FILES, files, "Files"),
#undef KIND
};

struct ja_table ja_table_empty(enum ja_table_id id)
{
    return (struct ja_table){.name = kinds[id].name,
                             .title = kinds[id].title,
                             .columns = kinds[id].columns,
                             .column_count = kinds[id].count};
}
