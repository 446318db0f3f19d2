/* SPDX-License-Identifier: MIT
 *
 * The panics of a case, as several rules ask about them: the event with the record it came from,
 * and what that record states. Nothing is owned; views into the case.
 */
#ifndef JA_MODEL_PANICS_H
#define JA_MODEL_PANICS_H

#include "model/case.h"

struct ja_panic {
    uint32_t event, source, record;
    const struct ja_evidence *evidence;
};

/* What the kernel's limit test recorded, worst first. */
enum ja_exhaustion {
    JA_EXHAUSTION_OVER,   /* a limit of the compressor was passed (BAD) */
    JA_EXHAUSTION_SWAP,   /* swap could not be extended (LOW), the limits OK */
    JA_EXHAUSTION_NEAR,   /* 90 % or more of a limit, still OK */
    JA_EXHAUSTION_NONE,   /* OK throughout */
    JA_EXHAUSTION_ABSENT, /* no compressor line, or cut before its verdict */
};

/* Walks the panic events that the evidence records: start with *at = 0; false at the end. */
bool ja_panic_next(const struct ja_case *item, size_t *at, struct ja_panic *ret);

/* Its statement with this key; NULL, JA_UNKNOWN, NULL when it makes none. */
const struct ja_fact *ja_panic_fact(const struct ja_panic *panic, enum ja_fact_key key);
int64_t ja_panic_number(const struct ja_panic *panic, enum ja_fact_key key);
const char *ja_panic_words(const struct ja_panic *panic, enum ja_fact_key key);

enum ja_exhaustion ja_panic_exhaustion(const struct ja_panic *panic);

/* "The panic of 2026-09-14 13:08:27Z", in the case's arena. */
const char *ja_panic_title(struct ja_case *item, const struct ja_panic *panic);

/* Cites the statements with these keys; ends with JA_FACT_COUNT. */
struct ja_finding;
void ja_panic_cite(struct ja_case *item, struct ja_finding *finding, const struct ja_panic *panic,
                   const enum ja_fact_key *keys);

/* The state (books and pages) of the panic's own tables; NULL when it has none. */
const struct ja_state *ja_panic_state(const struct ja_case *item, const struct ja_panic *panic);

/* RAM of its host, else what its own pages or its host's say is managed; JA_UNKNOWN.
 * *ret_managed: it is the managed figure. */
int64_t ja_panic_ram(const struct ja_case *item, const struct ja_panic *panic, bool *ret_managed);

#endif
