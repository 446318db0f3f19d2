/* SPDX-License-Identifier: MIT
 *
 * ps: a table of processes, columns found by their header's words.
 * Seen: macOS 14 to 26, ps -o of any order; procps and BSD layouts share the words.
 *
 *       PID  PPID USER      ELAPSED      STAT   RSS      VSZ  COMM
 *      1581     1 user      13-06:50:57  S     13632 440630304  Python
 *
 * RSS is KiB of resident memory: a metric of its own, without compressed and swapped pages and with
 * shared ones in full. ELAPSED or STARTED (lstart) gives the start, TIME the CPU time. The command
 * may hold blanks: when it is not the last column, the columns behind it are counted from the
 * right. A full path gives the name of its last part. Left out: VSZ (address space, not memory),
 * %MEM (0.1 of RAM), %CPU, START (loses its date or its time after a day). busybox scales RSS
 * (16m: step 1 MiB). A loop that prints the header once shows a pid again: a new round begins, and
 * only the first stands at the stamp. "ps f" draws branches before the command.
 */
#include "parsers/columns.h"
#include "parsers/command_line.h"
#include "parsers/duration.h"
#include "parsers/proc_place.h"
#include "parsers/scan.h"
#include "parsers/side.h"
#include "parsers/stamp.h"
#include "parsers/stamp_words.h"
#include "parsers/tool_row.h"

#include <string.h>

#define COMM_BYTES 15 /* Linux cuts comm here, macOS ucomm at 16 */
#define LEAST_CENSUS_ROWS 10
#define ROUND_ROWS 64 /* of a loop's round are looked at for a pid that comes again */

struct reader {
    const struct ja_piece *piece;
    struct ja_parse *parse;
    uint32_t record;
    struct ja_words header;
    size_t command; /* its column */
    bool arguments; /* it holds the command line */
    int64_t rows;
    bool first_process;   /* pid 1 is among them */
    bool elided;          /* rows were left out by hand */
    size_t first_subject; /* of the round */
    size_t rounds;
    bool cut;
};

static size_t command_column(const struct ja_words *header, bool *ret_arguments)
{
    static const struct {
        const char *word;
        bool arguments;
    } words[] = {{"COMM", false}, {"UCOMM", false}, {"UCMD", false},   {"COMMAND", true},
                 {"CMD", true},   {"ARGS", true},   {"COMMANDS", true}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t at = ja_word_find(header, words[i].word);
        if (at < header->count) {
            *ret_arguments = words[i].arguments;
            return at;
        }
    }
    return JA_MOST_WORDS;
}

static bool is_header(const struct ja_words *words)
{
    static const char *const others[] = {"PSS", "USS", "minflt/s", "RES", "MEM", "kB_rd/s"};
    bool arguments;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (ja_word_find(words, others[i]) < JA_MOST_WORDS)
            return false;
    return ja_word_find(words, "PID") < words->count &&
           (ja_word_find(words, "RSS") < words->count ||
            ja_word_find(words, "RSZ") < words->count) &&
           command_column(words, &arguments) < words->count;
}

static bool begins(const char *line, size_t length)
{
    struct ja_words words;
    if (length > 400 || ja_text_find(line, length, "PID") == length ||
        ja_text_find(line, length, "RS") == length)
        return false;
    ja_words_split(line, length, &words);
    return is_header(&words);
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        if (begins(line.text, line.length))
            return 80;
    return 0;
}

/* Word of the row under a header word: from the left before the command and an lstart date, else
 * from the right. */
static bool cell(const struct reader *r, const struct ja_words *row, const char *word,
                 size_t *ret_index)
{
    size_t at = ja_word_find(&r->header, word), extra = 0;
    if (at >= r->header.count || at == r->command)
        return false;
    if (at > r->command) {
        *ret_index = row->count - (r->header.count - at);
        return *ret_index > r->command;
    }
    size_t started = ja_word_find(&r->header, "STARTED");
    if (started < at && ja_weekday_word(row->at[started].text, row->at[started].length))
        extra = 4;
    *ret_index = at + extra;
    return *ret_index < row->count;
}

static bool number_cell(const struct reader *r, const struct ja_words *row, const char *word,
                        int64_t *ret)
{
    size_t index;
    return cell(r, row, word, &index) && ja_word_u63(row, index, ret);
}

/* The command's text in the row. */
static bool command_of(const struct reader *r, const struct ja_words *row, const char **ret,
                       size_t *ret_length)
{
    size_t first = r->command, behind = r->header.count - r->command - 1;
    size_t started = ja_word_find(&r->header, "STARTED");
    if (started < first && ja_weekday_word(row->at[started].text, row->at[started].length))
        first += 4;
    if (first >= row->count || row->count - first <= behind)
        return false;
    if (behind == 0)
        return ja_word_rest(row, first, ret, ret_length);
    size_t last = row->count - behind - 1;
    *ret = row->at[first].text;
    *ret_length = (size_t)(row->at[last].text + row->at[last].length - *ret);
    return true;
}

/* "/usr/bin/python3 x.py" -> "python3"; "/A B.app/C D --x" -> "C D"; "[kworker/0:1]" ->
 * "kworker/0:1". */
static void name_of(const struct reader *r, const char **text, size_t *length)
{
    size_t end = *length;
    if (r->arguments && end > 2 && (*text)[0] == '[' && (*text)[end - 1] == ']') {
        ++*text;
        *length = end - 2;
        return;
    }
    if (r->arguments && (*text)[0] != '[') {
        size_t options = ja_text_find(*text, end, " -");
        size_t blank = ja_text_find(*text, end, " ");
        bool application = (*text)[0] == '/' && ja_text_find(*text, end, ".app/") < blank + 1000 &&
                           ja_text_find(*text, end, ".app/") < end;
        end = application ? options : blank;
    }
    size_t start = end;
    bool path = r->arguments || (*text)[0] == '/'; /* "kworker/0:1" of comm is none */
    while (path && start > 0 && (*text)[start - 1] != '/')
        start--;
    if (!path || start == end)
        start = 0;
    *text += start;
    *length = end - start;
    ja_text_trim(text, length);
    if (r->arguments && *length > 1 && (*text)[*length - 1] == ':')
        --*length; /* "nginx: worker process" */
    if (r->arguments && *length > 1 && (*text)[0] == '-') {
        ++*text; /* a login shell */
        --*length;
    }
}

/* The piece's moment minus the elapsed time; JA_NONE when one of them is missing. */
static uint32_t elapsed_start(struct reader *r, const struct ja_words *row)
{
    struct ja_evidence *e = r->parse->evidence;
    int64_t elapsed_ns;
    size_t index;
    if (r->piece->stamp == JA_NONE || !cell(r, row, "ELAPSED", &index) ||
        !ja_duration_read(row->at[index].text, row->at[index].length, &elapsed_ns))
        return JA_NONE;
    struct ja_stamp stamp = e->stamps[r->piece->stamp];
    stamp.shift_ns = ja_subtract(stamp.shift_ns, elapsed_ns);
    stamp.error_ns = ja_add(stamp.error_ns, JA_NS_PER_S);
    stamp.clock = JA_CLOCK_DERIVED;
    stamp.date_from = r->piece->stamp + 1;
    return ja_add_stamp(e, &stamp);
}

/* A stamp for the start. lstart is local time without a zone: it stands back for the elapsed time.
 */
static uint32_t start_stamp(struct reader *r, const struct ja_words *row)
{
    struct ja_evidence *e = r->parse->evidence;
    struct ja_stamp stamp;
    uint32_t elapsed = elapsed_start(r, row);
    size_t started = ja_word_find(&r->header, "STARTED");
    if (elapsed != JA_NONE || started >= r->header.count || started + 4 >= row->count)
        return elapsed;
    const char *text = row->at[started].text;
    size_t length = (size_t)(row->at[started + 4].text + row->at[started + 4].length - text);
    if (!ja_stamp_exact(text, length, e->arena, &stamp))
        return JA_NONE;
    stamp.clock = JA_CLOCK_REPORT;
    return ja_add_stamp(e, &stamp);
}

static uint32_t add_process(struct reader *r, const struct ja_words *row, int64_t pid,
                            uint32_t place)
{
    struct ja_evidence *e = r->parse->evidence;
    const char *command, *name;
    size_t length, name_length;
    if (!command_of(r, row, &command, &length))
        return JA_NONE;
    ja_tool_branches(&command, &length);
    name = command;
    name_length = length;
    name_of(r, &name, &name_length);
    uint32_t subject =
        ja_add_subject(e, r->record, ja_arena_copy(e->arena, name, name_length), pid);
    uint32_t start = start_stamp(r, row);
    struct ja_subject *s = &e->subjects[subject];
    s->place = place;
    s->name_cut = !r->arguments && name_length >= COMM_BYTES;
    struct ja_subject_more *more = ja_subject_more(s, e->arena);
    more->start_stamp = start;
    number_cell(r, row, "PPID", &more->parent_pid);
    if (r->arguments)
        ja_command_line(r->parse, subject, command, length, place);
    return subject;
}

static void add_cpu(struct reader *r, const struct ja_words *row, uint32_t subject, uint32_t place)
{
    size_t index;
    int64_t ns;
    if (!cell(r, row, "TIME", &index) ||
        !ja_duration_read(row->at[index].text, row->at[index].length, &ns))
        return;
    r->parse->evidence->subjects[subject].cpu_ns = ns;
    ja_add_count(r->parse->evidence, subject, "cpu_s", (double)ns / 1e9, place);
}

/* A pid that the round has shown: the loop prints its next round, at an unknown time. */
static void next_round(struct reader *r, int64_t pid, int line)
{
    struct ja_evidence *e = r->parse->evidence;
    for (size_t i = r->first_subject; i < e->subject_count && i < r->first_subject + ROUND_ROWS;
         i++)
        if (e->subjects[i].pid == pid) {
            r->record = ja_side_record(r->piece, r->parse, JA_KIND_PS, line);
            e->records[r->record].stamp = JA_NONE;
            r->first_subject = e->subject_count;
            r->rounds++;
            return;
        }
}

static void read_row(struct reader *r, const struct ja_words *row, const struct ja_line *line)
{
    struct ja_evidence *e = r->parse->evidence;
    int64_t pid;
    size_t rss;
    struct ja_quantity size;
    if (!number_cell(r, row, "PID", &pid) || pid > INT32_MAX)
        return; /* no row: prose, a prompt, another table */
    if ((!cell(r, row, "RSS", &rss) && !cell(r, row, "RSZ", &rss)) ||
        !ja_word_size(row, rss, JA_KIB, &size)) {
        r->cut = true;
        ja_diagnose(e, JA_WARNING, "bad-row", line->number, NULL, "row without an RSS, left out");
        return;
    }
    next_round(r, pid, line->number);
    uint32_t place = ja_add_place_line(e, line->number);
    uint32_t subject = add_process(r, row, pid, place);
    if (subject == JA_NONE) {
        r->cut = true;
        ja_diagnose(e, JA_WARNING, "cut", line->number, NULL, "row without a command, left out");
        return;
    }
    ja_tool_word_reading(r->parse, subject, JA_METRIC_RESIDENT, size, row, rss, line->number);
    add_cpu(r, row, subject, place);
    r->rows++;
    r->first_process |= pid == 1;
}

static void parse(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct reader r = {.piece = piece, .parse = parse};
    r.record = ja_side_record(piece, parse, JA_KIND_PS, piece->first_line);
    r.first_subject = parse->evidence->subject_count;
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line)) {
        struct ja_words words;
        ja_words_split(line.text, line.length, &words);
        if (words.count && words.at[0].text[0] == '[' && r.command != 0) {
            r.elided = true; /* "[...] 9 minutes later": no row begins like this */
        } else if (is_header(&words)) {
            r.header = words;
            r.command = command_column(&words, &r.arguments);
        } else if (words.count > 1 && r.header.count) {
            read_row(&r, &words, &line);
        }
    }
    if (!r.rounds)
        ja_tool_settle(parse, r.record);
    struct ja_record *record = &parse->evidence->records[r.record];
    record->census = !r.rounds && (r.first_process || r.rows >= LEAST_CENSUS_ROWS);
    record->complete = !r.rounds && r.first_process && !r.cut && !r.elided;
    if (r.rows)
        ja_add_fact(parse->evidence, r.record, JA_FACT_ROWS, r.rows, NULL, record->place);
    if (r.elided)
        ja_set_status(parse->evidence, JA_STATUS_PARTLY, "lines were left out by hand");
    if (r.cut)
        ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "a row is cut off");
}

const struct ja_parser ja_parser_ps = {
    .name = "ps",
    .reads = "ps with a header line, any columns that hold PID, RSS and a command",
    .begins = begins,
    .bid = bid,
    .parse = parse,
};
