/* SPDX-License-Identifier: MIT
 *
 * The contract of a parser: it bids on a piece of a file by content, and turns the piece into
 * evidence. It prints nothing, keeps no state outside its arguments and never looks at another
 * file. One format a file, one row in the table of parsers.c, one folder in fixtures/formats/.
 *
 * A file is offered whole first: every parser with `whole` set bids on it, and the highest bid of
 * 50 or more takes all of it. Otherwise pieces.c cuts the text at stamp lines and where a parser
 * says that a block of its begins, and the parsers without `whole` bid on each piece. Text that
 * nobody takes stays text.
 */
#ifndef JA_PARSERS_PARSER_H
#define JA_PARSERS_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"
#include "model/evidence.h"
#include "model/index.h"

/* One input file in memory. text is NUL-terminated behind length. */
struct ja_file {
    const char *path; /* as printed in outputs: relative to its PATH */
    const char *name; /* last component of path */
    const char *text;
    size_t length;
    int64_t mtime_ns; /* unix time; JA_UNKNOWN when not used (--ignore-mtime) */
    bool no_nul;      /* text is known to hold no NUL byte; false: it is looked through */
};

struct ja_line {
    const char *text; /* not NUL-terminated; without its line end (CR LF, LF) */
    size_t length;
    int number; /* 1-based line of the file */
};

struct ja_ips;

/* A run of lines, or a whole document. */
struct ja_piece {
    const struct ja_file *file;
    const char *text; /* cleaned: fences, quotes, ANSI taken off; not NUL-terminated */
    size_t length;
    int first_line; /* 1-based line of the file where it begins */
    uint32_t stamp; /* stamp (index in the evidence) that applies to it; JA_NONE */
    const char
        *label; /* text of a banner line above that is no stamp ("=== footprint ==="); NULL */
    size_t label_length;
    bool whole;               /* the piece is the whole file */
    const struct ja_ips *ips; /* its frame as a report of Apple's, split once for all bids; NULL */
};

/* What outlives one piece of a file while the next one is parsed: lives and loops. */
struct ja_carry {
    uint32_t life;            /* running number of the life a loop log speaks of */
    bool failed_round;        /* the last look-up of a loop found no process */
    int64_t last_peak_bytes;  /* last VmHWM of the life; JA_UNKNOWN */
    uint32_t rounds;          /* rounds of a loop so far, failed ones too */
    uint32_t last_stamp;      /* stamp of the last piece that had one; JA_NONE */
    uint32_t stamp_step;      /* stamp lines that a loop prints a round; 0: not yet known */
    uint32_t interval_header; /* parsers may keep a line number here; 0 = unused */
    int64_t interval_ns;      /* spacing stated in the file (echoed command line); JA_UNKNOWN */
    int64_t unit_bytes;       /* unit stated there (vmstat -S M); 0: not said */
    int64_t free_unit_bytes;  /* the same of free (free -m); 0: not said */
    uint32_t system;          /* system all pieces of the file share; JA_NONE until one is made */
    uint32_t table_stamp;     /* 1 + stamp of the table last printed below a stamp line; 0: none */
    uint32_t table_record;    /* its record and first subject (JA_NONE) */
    uint32_t table_row;
    uint32_t table_repeats; /* how often it was printed again */
    struct ja_index said;   /* remarks that are made once a file, in scratch */
    struct ja_index rows;   /* kind and pid: subjects so far, in scratch ... */
    size_t rows_counted;    /* ... the first so many of them */
};

/* What a parser writes to. scratch dies when the file is done. */
struct ja_parse {
    struct ja_evidence *evidence;
    struct ja_arena *scratch;
    struct ja_texts *texts; /* that many rows tell, and those of other files; they live as long as
                               the evidence */
    struct ja_carry carry;
    int64_t interval_ns; /* the operator's interval_s for this file; JA_UNKNOWN */
    size_t max_readings; /* ask ja_room_for_reading before adding one */
    bool full;           /* the limit cut something, which was said */
    /* A parser of whole files that read only a part sets where it lies in the piece's text: what
     * is before and behind it is offered as pieces. took_to 0: it took all. */
    size_t took_from, took_to;
};

struct ja_parser {
    const char *name;      /* --list, --type, fixtures/formats/<name>/ */
    const char *reads;     /* for people: what it reads, which versions were seen */
    bool whole;            /* bids on whole files instead of pieces */
    void (*prepare)(void); /* compile patterns; called once before any thread; may be NULL */
    /* A block of this format begins at this line (pieces are cut there); NULL for whole. */
    bool (*begins)(const char *line, size_t length);
    int (*bid)(const struct ja_piece *piece); /* 0 not mine .. 100 certain; no side effects */
    int most; /* no bid of its is higher: it is not asked when it is outbid. 0: not said */
    void (*parse)(const struct ja_piece *piece, struct ja_parse *parse);
    /* Called once when all pieces of a file are read, if this parser read one; may be NULL. */
    void (*finish)(struct ja_parse *parse);
    /* A format of lines that needs no whole text, so that files too large for memory can be read
     * in parts (parts.h): open gives what close ends; in between lines gets some whole lines and
     * returns the number of the line behind them. NULL: not this one. */
    void *(*open)(struct ja_parse *parse);
    int (*lines)(void *reader, const struct ja_piece *piece);
    void (*close)(void *reader);
};

/* All parsers, in the order that decides ties. Ends with NULL. */
extern const struct ja_parser *const ja_parsers[];

const struct ja_parser *ja_parser_named(const char *name);

/* Names a file that is no text by its first bytes, or by its name when it holds NUL bytes: kind
 * foreign, with the command that unpacks it. False when it is none. */
bool ja_foreign_read(const struct ja_file *file, struct ja_evidence *evidence);

/* Calls every prepare. Once, before ja_parse_file, from one thread. */
void ja_parsers_prepare(void);

/* Cuts, sniffs and parses one file into a new evidence. forced may be NULL (--type). scratch is
 * used meanwhile: nothing of the evidence is in it. texts, which must outlive the evidence, may be
 * those of files before; NULL: the evidence has its own. Thread-safe after ja_parsers_prepare: no
 * state but these is shared. */
struct ja_evidence *ja_parse_file_with(const struct ja_file *file, const struct ja_parser *forced,
                                       int64_t interval_ns, size_t max_readings,
                                       struct ja_arena *scratch, struct ja_texts *texts);
/* The same with a scratch arena of its own. */
struct ja_evidence *ja_parse_file(const struct ja_file *file, const struct ja_parser *forced,
                                  int64_t interval_ns, size_t max_readings);

/* False when the file has had its max_readings; says so the first time. line: 0 unknown. */
bool ja_room_for_reading(struct ja_parse *parse, int line);

/* Walks the lines of a piece: start with *at = 0; false at the end. */
bool ja_piece_line(const struct ja_piece *piece, size_t *at, int *line_number, struct ja_line *ret);

#endif
