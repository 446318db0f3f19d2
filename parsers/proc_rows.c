/* SPDX-License-Identifier: MIT
 *
 * Rows of a home-made logger of Linux processes, separated by commas, semicolons or tabs:
 *
 *     1796030815,21073,43864
 *     time,pid,name,rss_kb,swap_kb,requests
 *     2026-10-20T08:15:00Z,811,tts_worker,532480,0,1245
 *
 * Without a header: epoch seconds (or milliseconds), pid, VmRSS in kB; the process is called by the
 * file's name. With one: a column of times (epoch, time, timestamp, date), and memory columns named
 * rss, vmrss, anon, rssanon, swap, vmswap, hwm, vmhwm, vsz, vmsize, pss, uss with a unit at the end
 * (_kb, _kib, _bytes, _b, _mb, _mib, _pages is not one). A column named Vm... or Rss... is kB, as
 * the kernel prints it; a bare "rss" without unit is taken as kB with a warning. pid, name (comm,
 * process, command) say who; requests, reqs, total, cpu_s are counts of work. Other columns are
 * left out. kB of whole pages are exact; megabytes are rounded to their last digit.
 */
#include "parsers/proc_columns.h"
#include "parsers/proc_record.h"

#include <string.h>

#include "parsers/scan.h"
#include "parsers/stamp.h"

enum { SHARED_SUBJECTS = 64, MOST_PID = 4194304 };

static bool whole_number(const struct ja_log_cells *cells, int at, int64_t *ret)
{
    struct ja_scan scan = ja_scan_of(cells->cell[at].text, cells->cell[at].length);
    return ja_scan_u63(&scan, ret) && ja_scan_end(&scan);
}

/* "1796030815" or "1796030815.25" or milliseconds: a time between 2001 and 2200. */
static bool is_epoch(const struct ja_log_cells *cells, int at)
{
    struct ja_scan scan = ja_scan_of(cells->cell[at].text, cells->cell[at].length);
    int64_t seconds, part;
    if (!ja_scan_u63(&scan, &seconds))
        return false;
    if (ja_scan_char(&scan, '.') && !ja_scan_u63(&scan, &part))
        return false;
    if (seconds > INT64_C(1000000000000))
        seconds /= 1000;
    return ja_scan_end(&scan) && seconds > 1000000000 && seconds < INT64_C(7258118400);
}

/* epoch,pid,kB without a header. */
static bool plain_row(const struct ja_line *line, struct ja_log_cells *cells)
{
    int64_t pid, kb;
    return ja_log_cells_split(line, cells) && cells->count == 3 && is_epoch(cells, 0) &&
           whole_number(cells, 1, &pid) && pid > 0 && pid <= MOST_PID &&
           whole_number(cells, 2, &kb);
}

static const struct ja_log_layout plain_layout = {
    .column = {{.role = JA_LOG_TIME},
               {.role = JA_LOG_PID},
               {.role = JA_LOG_SIZE, .metric = JA_METRIC_RESIDENT, .unit = JA_KIB}},
    .count = 3,
};

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    struct ja_log_cells cells;
    struct ja_log_layout layout;
    size_t at = 0, lines = 0, rows = 0;
    int number = 0;
    while (lines < 64 && ja_piece_line(piece, &at, &number, &line)) {
        if (line.length == 0 || line.text[0] == '#')
            continue;
        if (lines == 0 && ja_log_layout_read(&line, &layout))
            return 85;
        bool row = plain_row(&line, &cells);
        bool stump = at >= piece->length && piece->text[piece->length - 1] != '\n';
        rows += row;
        lines += row || !stump;
    }
    return rows && rows * 5 >= lines * 4 ? 85 : 0;
}

struct rows {
    struct ja_parse *parse;
    const struct ja_log_layout *layout;
    uint32_t record;        /* of the present row: rows of one stamp share it */
    uint32_t first_subject; /* of that record */
    const char *time;       /* the present row's stamp, as printed */
    size_t time_length;
    uint32_t stamp;
    const char *stem;
    bool unit_warned;
    int bad;
};

/* Subjects of the piece are shared by its rows. */
static uint32_t row_subject(struct rows *rows, const char *name, int64_t pid, int line)
{
    struct ja_evidence *evidence = rows->parse->evidence;
    if (!name)
        name = rows->stem;
    size_t count = evidence->subject_count, least = rows->first_subject;
    if (count - least > SHARED_SUBJECTS)
        least = count - SHARED_SUBJECTS;
    for (size_t i = count; i-- > least;)
        if (evidence->subjects[i].pid == pid && strcmp(evidence->subjects[i].name, name) == 0)
            return (uint32_t)i;
    uint32_t at = ja_add_subject(evidence, rows->record, name, pid);
    evidence->subjects[at].place = ja_add_place_line(evidence, line);
    return at;
}

static bool cell_quantity(struct rows *rows, const struct ja_log_column *column,
                          const struct ja_log_cells *cells, int at, int line,
                          struct ja_quantity *ret)
{
    int64_t unit = column->unit, mantissa;
    int decimals;
    if (unit == 0) {
        unit = JA_KIB;
        if (!rows->unit_warned)
            ja_diagnose(rows->parse->evidence, JA_WARNING, "unit-not-stated", line, NULL,
                        "the column names no unit: taken as kB, as ps and /proc print it");
        rows->unit_warned = true;
    }
    struct ja_scan scan = ja_scan_of(cells->cell[at].text, cells->cell[at].length);
    if (!ja_scan_decimal(&scan, &mantissa, &decimals) || !ja_scan_end(&scan) || mantissa < 0)
        return false;
    if (decimals == 0 && unit == JA_KIB)
        return ja_proc_kb(mantissa, ret);
    if (!ja_scale(mantissa, decimals, unit, ret))
        return false;
    if (unit == 1)
        *ret = (struct ja_quantity){ret->value, ret->value % (4 * JA_KIB) == 0 ? 4 * JA_KIB : 1,
                                    JA_ROUNDING_EXACT};
    return true;
}

/* The row's moment: its record and stamp, those of the row before when the time is the same. */
static bool row_moment(struct rows *rows, const struct ja_log_cells *cells, int line)
{
    struct ja_evidence *evidence = rows->parse->evidence;
    for (int i = 0; i < cells->count; i++) {
        const char *text = cells->cell[i].text;
        size_t length = cells->cell[i].length;
        struct ja_stamp stamp;
        if (rows->layout->column[i].role != JA_LOG_TIME)
            continue;
        if (rows->time && length == rows->time_length && memcmp(text, rows->time, length) == 0)
            return true;
        if (!ja_stamp_exact(text, length, evidence->arena, &stamp))
            return false;
        rows->time = text;
        rows->time_length = length;
        rows->stamp = ja_add_stamp(evidence, &stamp);
        rows->record = ja_proc_moment(rows->parse, JA_KIND_PROC_LOOP, rows->stamp, line);
        rows->first_subject = (uint32_t)evidence->subject_count;
        return true;
    }
    return false;
}

/* The row's process; JA_NONE when its pid is one that no process has: a look-up that failed. */
static uint32_t row_who(struct rows *rows, const struct ja_log_cells *cells, int line)
{
    const char *name = NULL;
    int64_t pid = JA_UNKNOWN;
    for (int i = 0; i < cells->count; i++) {
        if (rows->layout->column[i].role == JA_LOG_PID && whole_number(cells, i, &pid) &&
            (pid == 0 || pid > MOST_PID))
            return JA_NONE;
        if (rows->layout->column[i].role == JA_LOG_NAME && cells->cell[i].length)
            name = ja_arena_copy(rows->parse->scratch, cells->cell[i].text, cells->cell[i].length);
    }
    return row_subject(rows, name, pid, line);
}

static bool take_cell(struct rows *rows, uint32_t subject, uint32_t place,
                      const struct ja_log_cells *cells, int at, int line)
{
    const struct ja_log_column *column = &rows->layout->column[at];
    struct ja_scan scan = ja_scan_of(cells->cell[at].text, cells->cell[at].length);
    struct ja_quantity quantity;
    double total;
    if (column->role == JA_LOG_COUNT) {
        if (ja_scan_double(&scan, &total) && ja_scan_end(&scan))
            ja_add_count(rows->parse->evidence, subject, column->count_unit, total, place);
        return true;
    }
    if (column->role != JA_LOG_SIZE || cells->cell[at].length == 0)
        return true;
    if (!cell_quantity(rows, column, cells, at, line, &quantity)) {
        ja_diagnose(
            rows->parse->evidence, JA_ERROR, "bad-number", line, NULL, "no size, left out: %.*s",
            cells->cell[at].length > 40 ? 40 : (int)cells->cell[at].length, cells->cell[at].text);
        return false;
    }
    bool plain = quantity.rounding == JA_ROUNDING_EXACT; /* can be printed again */
    enum ja_unit unit = !plain ? JA_UNIT_TEXT : column->unit == 1 ? JA_UNIT_BYTES : JA_UNIT_KIB;
    struct ja_reading *reading =
        ja_proc_reading(rows->parse, subject, column->metric, quantity, place, unit);
    if (reading && !plain)
        reading->printed = ja_arena_copy(rows->parse->evidence->arena, cells->cell[at].text,
                                         cells->cell[at].length);
    return true;
}

static void take_row(struct rows *rows, const struct ja_line *line)
{
    struct ja_evidence *evidence = rows->parse->evidence;
    struct ja_log_cells cells;
    uint32_t subject = JA_NONE;
    if (ja_log_cells_split(line, &cells) && cells.count == rows->layout->count &&
        row_moment(rows, &cells, line->number))
        subject = row_who(rows, &cells, line->number);
    if (subject == JA_NONE) {
        rows->bad++;
        ja_diagnose(evidence, JA_ERROR, "bad-row", line->number, NULL,
                    "not a row like the others, left out");
        return;
    }
    uint32_t place = ja_add_place_line(evidence, line->number);
    for (int i = 0; i < cells.count; i++)
        rows->bad += !take_cell(rows, subject, place, &cells, i, line->number);
}

static void parse_rows(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_log_layout header;
    struct rows rows = {.parse = parse, .stem = ja_proc_stem(piece, parse->scratch)};
    ja_set_kind(parse->evidence, JA_KIND_PROC_LOOP);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (line.length == 0 || line.text[0] == '#')
            continue;
        if (ja_log_layout_read(&line, &header))
            rows.layout = &header;
        else if (rows.layout || (rows.layout = &plain_layout))
            take_row(&rows, &line);
    }
    if (rows.bad)
        ja_set_status(parse->evidence, JA_STATUS_PARTLY, "rows that could not be read");
}

const struct ja_parser ja_parser_proc_rows = {
    .name = "proc_rows",
    .reads = "rows of a logger: epoch,pid,kB, or a header with time and memory columns",
    .whole = true,
    .bid = bid,
    .most = 85,
    .parse = parse_rows,
};
