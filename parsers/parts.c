/* SPDX-License-Identifier: MIT */
#include "parsers/parts.h"

#include <string.h>

#include "parsers/offer.h"
#include "parsers/pieces.h"
#include "parsers/tail.h"

struct ja_parts {
    const struct ja_parser *parser;
    struct ja_parse parse;
    struct ja_file file; /* text and length are not set */
    void *reader;
    int next_line;
    size_t bytes;    /* before the next part */
    size_t nul_at;   /* where the first NUL byte stands, when there is one: */
    bool nul;        /* no line is read behind it */
    bool text_after; /* the file goes on behind NUL bytes: it is no text */
};

static const struct ja_parser *choose(const struct ja_file *begin, const struct ja_parser *forced,
                                      struct ja_evidence *evidence)
{
    const struct ja_piece piece = {.file = begin,
                                   .text = begin->text,
                                   .length = begin->length,
                                   .first_line = 1,
                                   .stamp = JA_NONE,
                                   .whole = true};
    const struct ja_parser *parser = forced ? forced : ja_best_whole(&piece, evidence);
    return parser && parser->lines ? parser : NULL;
}

struct ja_parts *ja_parts_open(const struct ja_file *begin, const struct ja_parser *forced,
                               int64_t interval_ns, size_t max_readings, struct ja_arena *scratch)
{
    struct ja_file text = *begin;
    ja_text_skip_bom(&text.text, &text.length);
    if (!ja_is_json(text.text, text.length)) /* else it may need cleaning as a whole */
        return NULL;
    struct ja_parse parse = ja_parse_begin(begin, interval_ns, max_readings, scratch);
    const struct ja_parser *parser = choose(&text, forced, parse.evidence);
    if (!parser) {
        ja_evidence_free(ja_parse_end(&parse));
        return NULL;
    }
    struct ja_parts *parts = ja_arena_alloc(scratch, 1, sizeof *parts);
    *parts = (struct ja_parts){.parser = parser, .parse = parse, .next_line = 1};
    parts->file = (struct ja_file){
        .path = parse.evidence->path, .name = begin->name, .mtime_ns = begin->mtime_ns};
    parts->reader = parser->open(&parts->parse);
    return parts;
}

/* Bytes before the first NUL of the file; all of them when it has none so far. */
static size_t before_nul(struct ja_parts *parts, const char *text, size_t length)
{
    const char *nul = parts->nul ? text : memchr(text, '\0', length);
    if (!nul)
        return length;
    if (!parts->nul)
        parts->nul_at = parts->bytes + (size_t)(nul - text);
    parts->nul = true;
    for (const char *at = nul; at < text + length; at++)
        parts->text_after |= *at != '\0';
    return (size_t)(nul - text);
}

/* The last diagnostic becomes the first: it is said before anything is read. */
static void say_first(struct ja_evidence *evidence)
{
    struct ja_diagnostic *all = evidence->diagnostics, last = all[evidence->diagnostic_count - 1];
    memmove(all + 1, all, (evidence->diagnostic_count - 1) * sizeof *all);
    all[0] = last;
}

/* The end of the file without a line end: what stands there may have been cut. */
static void read_end(struct ja_parts *parts, struct ja_piece *piece)
{
    struct ja_evidence *evidence = parts->parse.evidence;
    size_t said = evidence->diagnostic_count;
    int first_line = parts->next_line;
    const char *text = piece->text;
    piece->text = ja_tail_number(text, piece->length, first_line, parts->parse.scratch, evidence);
    if (evidence->diagnostic_count > said)
        say_first(evidence);
    parts->next_line = parts->parser->lines(parts->reader, piece);
    ja_tail_names(piece->text, piece->length, first_line, evidence);
}

void ja_parts_add(struct ja_parts *parts, const char *text, size_t length)
{
    size_t readable = before_nul(parts, text, length);
    bool ends = readable && text[readable - 1] != '\n';
    if (parts->bytes == 0)
        ja_text_skip_bom(&text, &readable);
    parts->bytes += length;
    struct ja_piece piece = {.file = &parts->file,
                             .text = text,
                             .length = readable,
                             .first_line = parts->next_line,
                             .stamp = JA_NONE};
    if (ends)
        read_end(parts, &piece);
    else
        parts->next_line = parts->parser->lines(parts->reader, &piece);
}

void ja_parts_skip_line(struct ja_parts *parts, int64_t limit_bytes)
{
    bool whole = limit_bytes % JA_MIB == 0;
    ja_diagnose(parts->parse.evidence, JA_ERROR, "long-line", parts->next_line++, NULL,
                "line longer than --max-file (%lld %s), left out",
                (long long)(whole ? limit_bytes / JA_MIB : limit_bytes), whole ? "MiB" : "bytes");
    ja_set_status(parts->parse.evidence, JA_STATUS_PARTLY, "a line is longer than --max-file");
}

struct ja_evidence *ja_parts_close(struct ja_parts *parts)
{
    size_t nul_at = parts->nul_at, bytes = parts->bytes;
    bool tail = parts->nul && !parts->text_after, refused = parts->text_after;
    struct ja_parse parse = parts->parse;
    const struct ja_file file = parts->file;
    parts->parser->close(parts->reader);
    if (tail) {
        ja_note_nul_tail(parse.evidence, bytes - nul_at);
        say_first(parse.evidence);
    }
    struct ja_evidence *evidence = ja_parse_end(&parse);
    if (!refused)
        return evidence;
    parse = ja_parse_begin(&file, JA_UNKNOWN, 0, parse.scratch);
    ja_refuse_nul(parse.evidence, nul_at);
    ja_evidence_free(evidence); /* which file's path lived in */
    return ja_parse_end(&parse);
}
