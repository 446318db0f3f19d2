/* SPDX-License-Identifier: MIT
 *
 * Home-made watches of one process on Linux: a shell loop that greps lines out of
 * /proc/<pid>/status, with or without times, and its failures; or rows of a logger.
 *
 *     VmRSS:	   22916 kB
 *     2026-07-23T18:10:02-03:00 VmHWM:	  923648 kB VmRSS:	  923648 kB RssAnon:	  862412 kB
 *     [2026-10-20 09:00:00] pid=4242 VmRSS: 100000 kB
 *     /proc/731/status:VmRSS:	  512340 kB
 *     1796030815,21073,43864                  epoch seconds, pid, VmRSS in kB
 *     grep: /proc//status: No such file or directory
 *
 * A round begins at a stamp, at "Name:", or where a key comes again. VmRSS -> resident, VmHWM ->
 * resident_peak, VmSize -> virtual, RssAnon -> anonymous, RssFile -> file, RssShmem -> shared,
 * VmSwap -> swap: kB are KiB, whole pages, exact. Name, Pid and a path printed by grep -H name the
 * process; without them it is called by the file's name, and nobody knows whether it is the same
 * one in every round (the loop looks the pid up anew). So a failed look-up, and a VmHWM that falls
 * (a peak never does), begin a new life. A failed round is evidence: a fact and a diagnostic.
 *
 * Rounds without times keep their order; with a spacing known (the operator's, or `sleep N` of an
 * echoed command) round k gets a stamp k x spacing after an unknown start. Two stamps in a row
 * without a line between them are a failed round, too. Left out: other keys, prompts, chatter.
 */
#include "parsers/proc_loop.h"

#include <string.h>

#include "parsers/proc_record.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

static bool naming_line(const struct ja_line *line, const char *key, struct ja_scan *ret_rest)
{
    struct ja_scan scan = ja_scan_of(line->text, line->length);
    ja_scan_blanks(&scan);
    if (!ja_scan_text(&scan, key))
        return false;
    ja_scan_blanks(&scan);
    *ret_rest = scan;
    return true;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_line line;
    size_t at = 0, lines = 0, ours = 0, failures = 0;
    int number = 0;
    struct ja_arena *arena = ja_arena_new();
    while (lines < 256 && ja_piece_line(piece, &at, &number, &line)) {
        struct ja_loop_line round;
        struct ja_scan rest;
        if (line.length == 0)
            continue;
        lines++;
        if (ja_loop_failure(line.text, line.length))
            failures++;
        else if (ja_loop_line_read(&line, arena, &round))
            ours++;
        else if (naming_line(&line, "Name:", &rest) || naming_line(&line, "Pid:", &rest))
            lines--;
    }
    ja_arena_free(arena);
    if (ours && (ours + failures) * 3 >= lines)
        return 75;
    return failures && failures == lines ? 65 : 0;
}

/* The state of the walk over one piece. */
struct walk {
    const struct ja_piece *piece;
    struct ja_parse *parse;
    uint32_t record; /* of the present round: a stamped line has its own */
    uint32_t base;   /* of the piece */
    const char *stem;
    const char *name;        /* of this round; NULL */
    int64_t pid;             /* of this round; JA_UNKNOWN */
    int64_t first_pid;       /* first process of a round that has several; JA_UNKNOWN */
    bool seen[JA_LOOP_KEYS]; /* keys of this round */
    uint32_t subject;        /* of this round; JA_NONE */
    uint32_t last_subject;   /* of the piece, with its identity: */
    const char *last_name;
    int64_t last_pid;
    uint32_t last_life;
    uint32_t round_stamp;
};

/* Ends the round (counted when it had a process) and makes room for the next. */
static void new_round(struct walk *walk)
{
    walk->parse->carry.rounds += walk->subject != JA_NONE;
    memset(walk->seen, 0, sizeof walk->seen);
    walk->name = NULL;
    walk->pid = walk->first_pid = JA_UNKNOWN;
    walk->subject = JA_NONE;
    walk->round_stamp = JA_NONE;
}

static void new_life(struct ja_parse *parse)
{
    parse->carry.life++;
    parse->carry.last_peak_bytes = JA_UNKNOWN;
}

/* The moment of the round that begins: its piece's stamp, or k x the spacing known after the
 * start, or (of a file's only round) the stamp in a name. */
static uint32_t round_stamp(struct walk *walk)
{
    struct ja_parse *parse = walk->parse;
    struct ja_evidence *evidence = parse->evidence;
    if (walk->piece->stamp != JA_NONE)
        return walk->piece->stamp;
    uint32_t named = evidence->records[walk->base].stamp;
    int64_t interval =
        parse->interval_ns != JA_UNKNOWN ? parse->interval_ns : parse->carry.interval_ns;
    int64_t shift;
    if (interval == JA_UNKNOWN)
        return parse->carry.rounds == 0 ? named : JA_NONE;
    if (!ja_multiply(interval, parse->carry.rounds, &shift))
        return JA_NONE;
    struct ja_stamp stamp = {.clock = JA_CLOCK_NONE};
    if (named != JA_NONE)
        stamp = evidence->stamps[named];
    stamp.shift_ns = shift;
    return ja_add_stamp(evidence, &stamp);
}

/* Several rounds cannot all have the one time of a name. */
static void undate_rounds(struct walk *walk)
{
    struct ja_evidence *evidence = walk->parse->evidence;
    uint32_t named = evidence->records[walk->base].stamp;
    if (walk->piece->stamp != JA_NONE || named == JA_NONE || walk->parse->carry.rounds < 2)
        return;
    for (size_t i = 0; i < evidence->reading_count; i++)
        if (evidence->readings[i].stamp == named)
            evidence->readings[i].stamp = JA_NONE;
    evidence->records[walk->base].stamp = JA_NONE;
}

/* The subject of this round, the last one again when nothing says otherwise. */
static uint32_t round_subject(struct walk *walk, int line)
{
    struct ja_evidence *evidence = walk->parse->evidence;
    uint32_t life = walk->parse->carry.life;
    const char *name = walk->name ? walk->name : walk->stem;
    bool same = walk->last_subject != JA_NONE && walk->last_pid == walk->pid &&
                walk->last_life == life && strcmp(walk->last_name, name) == 0;
    if (same)
        return walk->last_subject;
    uint32_t at = ja_add_subject(evidence, walk->record, name, walk->pid);
    evidence->subjects[at].life = life;
    evidence->subjects[at].place = ja_add_place_line(evidence, line);
    walk->last_subject = at;
    walk->last_name = name;
    walk->last_pid = walk->pid;
    walk->last_life = life;
    return at;
}

/* A peak that falls belongs to another process. */
static void check_peak(struct walk *walk, const struct ja_loop_line *round, int line)
{
    struct ja_carry *carry = &walk->parse->carry;
    for (int i = 0; i < round->count; i++) {
        if (ja_loop_keys[round->key[i]].metric != JA_METRIC_RESIDENT_PEAK ||
            walk->pid != JA_UNKNOWN)
            continue;
        int64_t last = carry->last_peak_bytes, peak = round->kb[i];
        if (last != JA_UNKNOWN && peak < last) {
            new_life(walk->parse);
            ja_diagnose(walk->parse->evidence, JA_NOTE, "peak-fell", line, NULL,
                        "VmHWM fell from %lld to %lld kB, which no process's peak does: taken as "
                        "another process from here on",
                        (long long)last, (long long)peak);
        }
        carry->last_peak_bytes = peak;
    }
}

static bool key_again(const struct walk *walk, const struct ja_loop_line *round)
{
    for (int i = 0; i < round->count; i++)
        if (walk->seen[round->key[i]])
            return true;
    return false;
}

/* The line belongs to another process of the same round, to a new round, or to the present one. */
static void place_line(struct walk *walk, const struct ja_loop_line *round)
{
    bool other = round->pid != JA_UNKNOWN && walk->pid != JA_UNKNOWN && round->pid != walk->pid;
    if (round->stamped || (other ? round->pid == walk->first_pid : key_again(walk, round))) {
        new_round(walk);
    } else if (other) {
        memset(walk->seen, 0, sizeof walk->seen);
        walk->subject = JA_NONE;
    }
    if (walk->first_pid == JA_UNKNOWN)
        walk->first_pid = round->pid;
}

static void take_readings(struct walk *walk, const struct ja_loop_line *round, int line)
{
    struct ja_parse *parse = walk->parse;
    struct ja_evidence *evidence = parse->evidence;
    place_line(walk, round);
    if (round->pid != JA_UNKNOWN)
        walk->pid = round->pid;
    check_peak(walk, round, line);
    if (walk->subject == JA_NONE) {
        if (!round->stamped && walk->record != walk->base) {
            walk->record = walk->base;
            walk->last_subject = JA_NONE;
        }
        if (round->stamped) {
            walk->round_stamp = ja_add_stamp(evidence, &round->stamp);
            walk->record = ja_proc_moment(parse, JA_KIND_PROC_LOOP, walk->round_stamp, line);
            walk->last_subject = JA_NONE;
        }
        walk->subject = round_subject(walk, line);
        if (walk->round_stamp == JA_NONE)
            walk->round_stamp = round_stamp(walk);
    }
    parse->carry.failed_round = false;
    for (int i = 0; i < round->count; i++) {
        struct ja_quantity quantity;
        walk->seen[round->key[i]] = true;
        if (!ja_proc_kb(round->kb[i], &quantity)) {
            ja_diagnose(evidence, JA_ERROR, "bad-number", line, NULL,
                        "%s is larger than any memory, left out", ja_loop_keys[round->key[i]].key);
            continue;
        }
        struct ja_reading *reading =
            ja_proc_reading(parse, walk->subject, ja_loop_keys[round->key[i]].metric, quantity,
                            ja_add_place_line(evidence, line), JA_UNIT_KIB);
        if (reading)
            reading->stamp = walk->round_stamp;
    }
}

static void failed_round(struct walk *walk, int line, const char *text, size_t length)
{
    struct ja_evidence *evidence = walk->parse->evidence;
    const char *copy = ja_arena_copy(evidence->arena, text, length);
    ja_add_fact(evidence, walk->record, JA_FACT_FAILED_ROUND, line, copy,
                ja_add_place_line(evidence, line));
    ja_diagnose(evidence, JA_WARNING, "failed-round", line, NULL,
                "no single process at this round (%s): what follows is taken as another process",
                copy);
    new_round(walk);
    if (!walk->parse->carry.failed_round) {
        new_life(walk->parse);
        walk->parse->carry.rounds++;
    }
    walk->parse->carry.failed_round = true;
}

/* Stamp lines with nothing below them: the loop's look-up printed nothing. */
static void silent_rounds(struct walk *walk)
{
    static const char why[] = "a stamp with no line below it";
    struct ja_carry *carry = &walk->parse->carry;
    if (walk->piece->stamp == JA_NONE || carry->last_stamp == JA_NONE ||
        walk->piece->stamp <= carry->last_stamp)
        return;
    uint32_t step = walk->piece->stamp - carry->last_stamp;
    if (carry->stamp_step && step >= 2 * carry->stamp_step)
        failed_round(walk, walk->piece->first_line - 1, why, sizeof why - 1);
    if (carry->stamp_step == 0 || step < carry->stamp_step)
        carry->stamp_step = step;
}

/* `... sleep 30; done` echoed in the file tells the spacing. */
static void take_interval(struct walk *walk, const struct ja_line *line)
{
    struct ja_carry *carry = &walk->parse->carry;
    size_t at = ja_text_find(line->text, line->length, "sleep ");
    if (at == line->length || carry->interval_ns != JA_UNKNOWN)
        return;
    struct ja_scan scan = ja_scan_of(line->text + at + 6, line->length - at - 6);
    int64_t mantissa, ns;
    int decimals;
    if (!ja_scan_decimal(&scan, &mantissa, &decimals) || decimals > 3 ||
        !ja_multiply(mantissa, JA_NS_PER_S, &ns) || mantissa > 1000000)
        return;
    for (; decimals > 0; decimals--)
        ns /= 10;
    if (ja_scan_char(&scan, 'm'))
        ns = ns > INT64_MAX / 60 ? JA_UNKNOWN : ns * 60;
    if (ns <= 0)
        return;
    carry->interval_ns = ns;
    ja_add_fact(walk->parse->evidence, walk->record, JA_FACT_INTERVAL_S, ns / JA_NS_PER_S,
                ja_arena_copy(walk->parse->scratch, line->text, line->length),
                ja_add_place_line(walk->parse->evidence, line->number));
}

static void take_line(struct walk *walk, const struct ja_line *line)
{
    struct ja_loop_line round;
    struct ja_scan rest;
    int64_t pid;
    if (ja_loop_failure(line->text, line->length)) {
        failed_round(walk, line->number, line->text, line->length);
    } else if (naming_line(line, "Name:", &rest)) {
        new_round(walk);
        const char *name = rest.text + rest.at;
        size_t length = rest.length - rest.at;
        ja_text_trim(&name, &length);
        walk->name = ja_arena_copy(walk->parse->scratch, name, length);
    } else if ((naming_line(line, "Pid:", &rest) || naming_line(line, "Tgid:", &rest)) &&
               ja_scan_u63(&rest, &pid)) {
        if (walk->subject != JA_NONE)
            new_round(walk); /* the pid stands above the sizes */
        walk->pid = pid;
    } else if (ja_loop_line_read(line, walk->parse->evidence->arena, &round)) {
        take_readings(walk, &round, line->number);
    } else {
        take_interval(walk, line);
    }
}

static void parse_loop(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_proc_place place = ja_proc_piece_place(piece, parse->scratch);
    place.snapshot = NULL;
    struct walk walk = {
        .piece = piece,
        .parse = parse,
        .record = ja_proc_record(piece, parse, &place, JA_KIND_PROC_LOOP),
        .stem = ja_proc_stem(piece, parse->scratch),
        .last_subject = JA_NONE,
        .subject = JA_NONE,
    };
    walk.base = walk.record;
    evidence->records[walk.record].snapshot = NULL;
    new_round(&walk);
    silent_rounds(&walk);
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    while (ja_piece_line(piece, &at, &number, &line))
        take_line(&walk, &line);
    new_round(&walk);
    undate_rounds(&walk);
    if (evidence->reading_count == 0)
        ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT,
                      "every round of the loop failed to find a single process");
    else if (evidence->status == JA_STATUS_NO_MEMORY_CONTENT)
        evidence->status = JA_STATUS_NONE;
}

const struct ja_parser ja_parser_proc_loop = {
    .name = "proc_loop",
    .reads = "shell loops over /proc/<pid>/status, with or without times, and their failures",
    .bid = bid,
    .parse = parse_loop,
};
