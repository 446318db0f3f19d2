/* SPDX-License-Identifier: MIT
 *
 * Shared by the readers of kernel panics, forced resets and stackshots: the grammar of the panic
 * text (panic_text.c), the table of panic reasons (panic_class.c) and the JSON tables that lie
 * beside it (panic_tables.c). Everything they find goes into one record of the evidence; what they
 * return lives in the parse's scratch arena.
 */
#ifndef JA_PARSERS_PANIC_H
#define JA_PARSERS_PANIC_H

#include "parsers/parser.h"

enum ja_panic_family {
    JA_PANIC_UNKNOWN,     /* no row of the table fits */
    JA_PANIC_EXHAUSTED,   /* the kernel names an exhausted resource */
    JA_PANIC_WATCHDOG,    /* somebody was silent; says nothing about why */
    JA_PANIC_EXIT,        /* a critical process ended: its namespace decides */
    JA_PANIC_BUTTON,      /* a person held the button: no panic */
    JA_PANIC_OTHER_CAUSE, /* a named fault that is no lack of memory */
};

struct ja_panic_class {
    const char *tokens[2]; /* all of them stand in the reason; [1] may be NULL */
    enum ja_panic_family family;
    const char *word;    /* stable, for JSON: "watchdog", "zone_map" */
    const char *meaning; /* resource, or what the fault really is */
};

/* The first row whose tokens all stand in the text; NULL: none. */
const struct ja_panic_class *ja_panic_classify(const char *text, size_t length);

/* One panic log as it lies in a file. */
struct ja_panic_log {
    const char *text;
    size_t length;
    const char *json_path; /* "/panicString"; NULL: the file is text */
    int first_line;        /* of the file, for text */
};

/* What the container needs to know of a log that was read. */
struct ja_panic_found {
    const struct ja_panic_class *class; /* NULL: unknown */
    const char *detail;       /* the panic string as printed; NULL: it is not in this copy */
    const char *kernel;       /* "Darwin Kernel Version ... RELEASE_ARM64_T6000"; NULL */
    const char *os_build;     /* "25B78"; NULL */
    const char *model;        /* Intel: "MacBookPro11,5"; NULL */
    const char *boot_session; /* Boot session UUID; NULL when absent or blanked out */
    uint32_t calendar;        /* stamp of the panic; JA_NONE */
    uint32_t boot;            /* stamp of the boot; JA_NONE */
    int64_t calendar_s;       /* unix seconds; JA_UNKNOWN */
    const char *table_absent; /* why the log says that there is no process table; NULL */
    bool table_present;       /* it says that the stackshot succeeded */
    bool has_compressor;      /* a compressor line, whole or not */
    bool cut;                 /* ends inside one of its own lines or blocks */
    bool quote;               /* a few lines only, not a log */
    uint32_t place;           /* of the panic string, or of the log's beginning */
};

/* Reads a panic log into facts of the record. */
void ja_panic_text_read(struct ja_parse *parse, uint32_t record, const struct ja_panic_log *log,
                        struct ja_panic_found *ret);

/* What otherString says of the stackshot; sets table_absent or table_present. */
void ja_panic_stackshot(struct ja_parse *parse, uint32_t record, const char *text, size_t length,
                        uint32_t place, struct ja_panic_found *found);

/* Which metric residentMemoryBytes is on this kernel or system; UNSTATED when neither tells. */
enum ja_metric ja_panic_size_metric(const char *kernel, const char *os, bool has_compressor);

/* memoryStatus: the figures of the record and its system's page size. text begins with '{'; path
 * is "/memoryStatus" or "/stackshot/memoryStatus". False when it is cut (nothing is taken then). */
bool ja_panic_memory_status(struct ja_parse *parse, uint32_t record, const char *text,
                            size_t length, bool nested);

/* processByPid: one subject and one reading a row. text begins with '{'. Returns the rows read;
 * *ret_whole is false when the table ends early. */
size_t ja_panic_processes(struct ja_parse *parse, uint32_t record, const char *text, size_t length,
                          bool nested, enum ja_metric metric, bool *ret_whole);

/* The value of the first "key" outside of strings: offset of its first byte, or length. */
size_t ja_panic_value(const char *text, size_t length, const char *key);

#endif
