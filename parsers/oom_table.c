/* SPDX-License-Identifier: MIT
 *
 * The task table of an OOM report: a census of the processes at one instant. Its six layouts are
 * told apart by the header's words, never by position:
 *
 *   [ pid ]   uid  tgid total_vm      rss cpu oom_adj oom_score_adj name             up to 3.7
 *   [ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name        3.8, RHEL 7
 *   [ pid ]   uid  tgid total_vm      rss nr_ptes nr_pmds swapents ... name          4.1
 *   [ pid ]   uid  tgid total_vm      rss pgtables_bytes swapents ... name           4.15
 *   [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents ... name         4.19
 *   [  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes ...  6.8
 *
 * Sizes are pages of the machine, which the table does not print.
 */
#include "parsers/oom.h"

#include "parsers/scan.h"

static const struct {
    const char *word;
    enum oom_column column;
} words[] = {
    {"tgid", OOM_TGID},
    {"total_vm", OOM_TOTAL_VM},
    {"rss", OOM_RSS},
    {"rss_anon", OOM_RSS_ANON},
    {"rss_file", OOM_RSS_FILE},
    {"rss_shmem", OOM_RSS_SHMEM},
    {"pgtables_bytes", OOM_PGTABLES_BYTES},
    {"swapents", OOM_SWAPENTS},
    {"oom_score_adj", OOM_SCORE_ADJ},
};

static enum oom_column column_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ja_text_is(text, length, words[i].word))
            return words[i].column;
    return OOM_OTHER;
}

bool oom_table_header(struct oom_event *event, const struct oom_line *line)
{
    struct ja_scan scan = ja_scan_of(line->message.text, line->message.length);
    enum oom_column columns[OOM_MOST_COLUMNS];
    size_t count = 0;
    bool sized = false;
    if (!ja_scan_char(&scan, '['))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_text(&scan, "pid"))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_char(&scan, ']'))
        return false;
    for (;;) {
        const char *word = NULL;
        size_t length = 0;
        ja_scan_blanks(&scan);
        if (count == OOM_MOST_COLUMNS || !ja_scan_word(&scan, &word, &length))
            return false; /* no "name" column: not the kernel's */
        if (ja_text_is(word, length, "name"))
            break;
        columns[count] = column_of(word, length);
        sized = sized || columns[count] == OOM_RSS;
        count++;
    }
    if (!sized)
        return false;
    for (size_t i = 0; i < count; i++)
        event->columns[i] = columns[i];
    event->column_count = count;
    event->table_line = line->number;
    event->table_seen = event->in_table = true;
    return true;
}

/* "[  pid  ]" at the cursor. */
static bool scan_pid(struct ja_scan *scan, int64_t *ret)
{
    if (!ja_scan_char(scan, '['))
        return false;
    ja_scan_blanks(scan);
    if (!ja_scan_u63(scan, ret))
        return false;
    ja_scan_blanks(scan);
    return ja_scan_char(scan, ']');
}

bool oom_is_row(struct oom_text message)
{
    struct ja_scan scan = ja_scan_of(message.text, message.length);
    int64_t pid = 0, uid = 0;
    if (!scan_pid(&scan, &pid))
        return false;
    ja_scan_blanks(&scan);
    return ja_scan_u63(&scan, &uid);
}

/* All numbers of a row, then its name. */
static bool read_row(const struct oom_event *event, struct oom_text message, struct oom_row *row)
{
    struct ja_scan scan = ja_scan_of(message.text, message.length);
    for (int i = 0; i < OOM_COLUMN_COUNT; i++)
        row->values[i] = JA_UNKNOWN;
    if (!scan_pid(&scan, &row->pid))
        return false;
    for (size_t i = 0; i < event->column_count; i++) {
        int64_t value = 0;
        size_t before = scan.at;
        ja_scan_blanks(&scan);
        if (scan.at == before || !ja_scan_i64(&scan, &value))
            return false;
        if (event->columns[i] == OOM_OTHER)
            continue;
        if (value < 0 && event->columns[i] != OOM_SCORE_ADJ)
            return false;
        row->values[event->columns[i]] = value;
    }
    row->name = oom_trim(scan.text + scan.at, scan.length - scan.at);
    return row->name.length > 0 && (scan.text[scan.at] == ' ' || scan.text[scan.at] == '\t');
}

bool oom_table_row(struct oom_event *event, const struct oom_line *line, struct ja_parse *parse)
{
    struct oom_row row = {0};
    if (!event->in_table || !oom_is_row(line->message))
        return false;
    row.line = line->number;
    if (!read_row(event, line->message, &row)) {
        event->table_damaged = true;
        ja_diagnose(parse->evidence, JA_ERROR, "bad-row", line->number, NULL,
                    "row of an OOM task table does not fit its header, row left out");
        return true;
    }
    struct oom_row *added =
        JA_APPEND(parse->scratch, event->rows, event->row_count, event->row_capacity);
    *added = row;
    uint32_t *first = ja_index_note(&event->row_of, parse->scratch, NULL, row.pid);
    if (*first == 0)
        *first = (uint32_t)event->row_count;
    return true;
}

/* "(...snipped...)", "[...]", "<snip>": typed by a person who left lines out. */
bool oom_is_elision(struct oom_text message)
{
    if (message.length == 0 || message.length > 80)
        return false;
    if (oom_has(message, "snip") || oom_has(message, "[cut]"))
        return true;
    size_t at = 0;
    while (at < message.length && (message.text[at] == '(' || message.text[at] == '[' ||
                                   message.text[at] == '<' || message.text[at] == ' '))
        at++;
    return ja_text_begins(message.text + at, message.length - at, "...") ||
           ja_text_begins(message.text + at, message.length - at, "\xe2\x80\xa6");
}

/* Equal in every printed figure: with "sharing same memory" lines it is one address space. */
static bool same_space(const struct oom_row *a, const struct oom_row *b)
{
    for (int i = 0; i < OOM_COLUMN_COUNT; i++)
        if (i != OOM_TGID && i != OOM_SCORE_ADJ && a->values[i] != b->values[i])
            return false;
    return true;
}

void oom_table_sharers(struct oom_event *event)
{
    if (event->sharer_count == 0 || event->kill_count == 0)
        return;
    const struct oom_row *victim = NULL;
    for (size_t i = 0; i < event->row_count; i++)
        if (event->rows[i].pid == event->kills[0].pid)
            victim = &event->rows[i];
    for (size_t i = 0; i < event->row_count; i++) {
        struct oom_row *row = &event->rows[i];
        if (row == victim || row->shares_mm)
            continue;
        row->shares_mm =
            ja_index_find(&event->sharers, NULL, row->pid) || (victim && same_space(row, victim));
    }
}
