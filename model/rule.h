/* SPDX-License-Identifier: MIT
 *
 * The contract of a rule: it asks the case one question and adds findings. It reads the case only,
 * never another rule's finding; rules run side by side. One question a file under model/rules/, one
 * row in the table of model/rules.c; its names and what --explain prints stand in its row.
 */
#ifndef JA_MODEL_RULE_H
#define JA_MODEL_RULE_H

#include "model/case.h"

struct ja_rule_name {
    const char *name;    /* "growing" */
    const char *explain; /* the reasoning and its limits, for --explain */
};

struct ja_rule {
    const char *question;
    struct ja_rule_name names[6]; /* ends with a NULL name */
    void (*judge)(struct ja_case *item);
};

/* A fleet shows thousands of small truths. Those a reader would ask about: of the candidates of
 * each host the most with the largest stake, and those that are always asked about. Keeps them in
 * the order of their series at the front of list; returns how many. */
struct ja_asked {
    uint32_t host, series;
    int64_t stake_bytes;
    bool always;
};
size_t ja_asked_choose(struct ja_asked *list, size_t count, size_t most);
#define JA_ASKED_SMALL 20 /* small truths of one kind a host */

/* All rules, in the order of interfaces' table (which orders findings). Ends with NULL. */
extern const struct ja_rule *const ja_rules[];

/* The name's row (NULL: none of that name); *ret_order its place in the table of names. */
const struct ja_rule_name *ja_rule_named(const char *name, int *ret_order);

/* The verb of a statement comes from its grade. Each row of the table holds the five forms; a rule
 * chooses the row, never the form. */
enum ja_verb {
    JA_VERB_GROW,   /* grew | looks as if it grew | is not shown to grow | cannot be said to grow
                       ...*/
    JA_VERB_STAND,  /* stands | is consistent with standing | is not shown to stand ... */
    JA_VERB_EXCEED, /* exceed | are consistent with exceeding ... (plural subject) */
    JA_VERB_BE,   /* is | is consistent with being | is not shown to be | cannot be said to be | is
                     not */
    JA_VERB_WERE, /* were | are consistent with having been | ... */
    JA_VERB_HOLD, /* holds | is consistent with holding | ... */
    JA_VERB_RECORD, /* the record states that | fits that | does not show that | cannot tell whether
                       | contradicts that */
    JA_VERB_COUNT,
};

/* A new finding; host, process may be JA_NONE. Fill it with the functions below; the pointer is
 * good until the next ja_find. */
struct ja_finding *ja_find(struct ja_case *item, const char *rule, enum ja_grade grade,
                           enum ja_severity severity, uint32_t host, uint32_t process);

/* Sets the statement: "<subject> <verb form of the grade> <rest>". */
void ja_say(struct ja_case *item, struct ja_finding *finding, const char *subject,
            enum ja_verb verb, const char *format, ...) __attribute__((format(printf, 5, 6)));
void ja_because(struct ja_case *item, struct ja_finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What evidence would change the finding. */
void ja_unless(struct ja_case *item, struct ja_finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What to collect next: a command and an interval. */
void ja_next(struct ja_case *item, struct ja_finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void ja_number(struct ja_case *item, struct ja_finding *finding, const char *name, double value);
void ja_whole(struct ja_case *item, struct ja_finding *finding, const char *name, int64_t value);

void ja_cite(struct ja_case *item, struct ja_finding *finding, uint32_t cite);
void ja_cite_point(struct ja_case *item, struct ja_finding *finding, struct ja_point point);
/* Cites the readings a series' verdict stands on: first, last, and the ends of its largest step. */
void ja_cite_series(struct ja_case *item, struct ja_finding *finding,
                    const struct ja_series *series);

/* Sizes and spans for sentences, in the case's arena: "20.3 GiB", "3.5 MiB/h", "85.8 h", never
 * with more digits than the step (0 = free choice) supports. */
const char *ja_size_text(struct ja_case *item, double bytes, int64_t resolution_bytes);
const char *ja_rate_text(struct ja_case *item, double bytes_per_hour);
const char *ja_span_text(struct ja_case *item, double seconds);
const char *ja_time_text(struct ja_case *item, const struct ja_instant *instant); /* UTC, seconds */

#endif
