/* SPDX-License-Identifier: MIT
 *
 * The dictionary of what is redacted, and texts without it.
 */
#ifndef JA_CLI_REDACT_TEXT_H
#define JA_CLI_REDACT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/arena.h"

struct ja_term {
    const char *text;
    size_t length;
    const char *token;
};

struct ja_redactor {
    struct ja_arena *arena; /* where new texts live */
    unsigned char key[32];
    struct ja_term *terms;
    size_t term_count, term_capacity;
    bool sealed;
};

/* "kind-" and ten hex digits of SHA-256 over key and value. */
const char *ja_redact_token(struct ja_redactor *redactor, const char *kind, const char *value,
                            size_t length);

/* Adds a value to the dictionary (NULL and values below three bytes are not worth a token). */
void ja_redact_term(struct ja_redactor *redactor, const char *kind, const char *value);

/* Adds the names of users that stand behind /Users/ or /home/ in a text. */
void ja_redact_users_in(struct ja_redactor *redactor, const char *text);

/* After the last term. */
void ja_redact_seal(struct ja_redactor *redactor);

/* The text without its terms; with evidence also without absolute paths and ids. The same pointer
 * when nothing had to go; NULL stays NULL. */
const char *ja_redact_text(struct ja_redactor *redactor, const char *text, bool evidence);

#endif
