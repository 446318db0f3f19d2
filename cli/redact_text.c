/* SPDX-License-Identifier: MIT */
#include "cli/redact_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/read.h"

#define LEAST_TERM 3
#define TOKEN_DIGITS 10
#define UUID_LENGTH 36
#define LEAST_DEVICE_HEX 40 /* crashReporterKey of iOS */

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* What a path goes on with: up to blanks, quotes and what closes a bracket. */
static bool is_path(char c)
{
    return (unsigned char)c > ' ' && !strchr("\"'`<>|:;,()[]{}=", c);
}

const char *ja_redact_token(struct ja_redactor *redactor, const char *kind, const char *value,
                            size_t length)
{
    char sha256[65];
    size_t size = sizeof redactor->key + length;
    char *keyed = ja_arena_alloc(redactor->arena, size, 1);
    memcpy(keyed, redactor->key, sizeof redactor->key);
    memcpy(keyed + sizeof redactor->key, value, length);
    ja_hash_bytes(keyed, size, sha256);
    return ja_arena_print(redactor->arena, "%s-%.*s", kind, TOKEN_DIGITS, sha256);
}

static void add_term(struct ja_redactor *redactor, const char *kind, const char *value,
                     size_t length)
{
    if (length < LEAST_TERM)
        return;
    struct ja_term *term =
        JA_APPEND(redactor->arena, redactor->terms, redactor->term_count, redactor->term_capacity);
    term->text = ja_arena_copy(redactor->arena, value, length);
    term->length = length;
    term->token = ja_redact_token(redactor, kind, value, length);
}

void ja_redact_term(struct ja_redactor *redactor, const char *kind, const char *value)
{
    if (value)
        add_term(redactor, kind, value, strlen(value));
}

void ja_redact_users_in(struct ja_redactor *redactor, const char *text)
{
    static const char *const homes[] = {"/Users/", "/home/"};
    for (size_t i = 0; text && i < sizeof homes / sizeof *homes; i++) {
        for (const char *at = text; (at = strstr(at, homes[i]));) {
            at += strlen(homes[i]);
            size_t length = 0;
            while (at[length] && at[length] != '/' && is_path(at[length]))
                length++;
            bool shared = length == 6 && memcmp(at, "Shared", 6) == 0;
            if (!shared)
                add_term(redactor, "user", at, length);
        }
    }
}

static int compare_terms(const void *a, const void *b)
{
    const struct ja_term *one = a, *other = b;
    return strcmp(one->text, other->text);
}

void ja_redact_seal(struct ja_redactor *redactor)
{
    size_t kept = 0;
    if (redactor->term_count)
        qsort(redactor->terms, redactor->term_count, sizeof *redactor->terms, compare_terms);
    for (size_t i = 0; i < redactor->term_count; i++)
        if (!kept || strcmp(redactor->terms[kept - 1].text, redactor->terms[i].text) != 0)
            redactor->terms[kept++] = redactor->terms[i];
    redactor->term_count = kept;
    redactor->sealed = true;
}

/* Index of the first term that is not before the first length bytes of text. */
static size_t lower_bound(const struct ja_redactor *redactor, const char *text, size_t length)
{
    size_t low = 0, high = redactor->term_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strncmp(redactor->terms[middle].text, text, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The longest term that begins here and ends at the end of a word. */
static const struct ja_term *term_at(const struct ja_redactor *redactor, const char *text)
{
    const struct ja_term *best = NULL;
    size_t rest = strnlen(text, LEAST_TERM);
    if (rest < LEAST_TERM)
        return NULL;
    for (size_t i = lower_bound(redactor, text, LEAST_TERM); i < redactor->term_count; i++) {
        const struct ja_term *term = &redactor->terms[i];
        if (strncmp(term->text, text, LEAST_TERM) != 0)
            break;
        if ((!best || term->length > best->length) &&
            strncmp(term->text, text, term->length) == 0 && !is_word(text[term->length]))
            best = term;
    }
    return best;
}

/* Bytes of an absolute path of two or more steps; 0: none begins here. */
static size_t path_at(const char *text)
{
    size_t length = 0, steps = 0;
    if (*text != '/' || !is_word(text[1]))
        return 0;
    for (; text[length] && is_path(text[length]); length++)
        steps += text[length] == '/' && is_path(text[length + 1]);
    return steps >= 2 ? length : 0;
}

/* Bytes of a UUID or a long hexadecimal id; 0: none begins here. */
static size_t id_at(const char *text)
{
    size_t length = 0;
    while (is_hex(text[length]))
        length++;
    if (length >= LEAST_DEVICE_HEX && !is_word(text[length]))
        return length;
    for (length = 0; length < UUID_LENGTH; length++) {
        bool dash = length == 8 || length == 13 || length == 18 || length == 23;
        if (dash ? text[length] != '-' : !is_hex(text[length]))
            return 0;
    }
    return is_word(text[length]) ? 0 : length;
}

/* What has to go at this place: its token and bytes; NULL: nothing. */
static const char *token_at(struct ja_redactor *redactor, const char *text, bool evidence,
                            size_t *ret_length)
{
    const struct ja_term *term = term_at(redactor, text);
    if (term) {
        *ret_length = term->length;
        return term->token;
    }
    if (!evidence)
        return NULL;
    size_t length = path_at(text);
    if (length) {
        *ret_length = length;
        return ja_redact_token(redactor, "/path", text, length);
    }
    length = id_at(text);
    *ret_length = length;
    return length ? ja_redact_token(redactor, "id", text, length) : NULL;
}

const char *ja_redact_text(struct ja_redactor *redactor, const char *text, bool evidence)
{
    char *built = NULL;
    size_t size = 0;
    FILE *stream = NULL;
    const char *from = text;
    for (const char *at = text; at && *at;) {
        size_t length = 0;
        bool begins = at == text || !is_word(at[-1]);
        const char *token = begins ? token_at(redactor, at, evidence, &length) : NULL;
        if (!token) {
            at++;
            continue;
        }
        if (!stream && !(stream = open_memstream(&built, &size)))
            ja_arena_out_of_memory();
        fwrite(from, 1, (size_t)(at - from), stream);
        fputs(token, stream);
        at += length;
        from = at;
    }
    if (!stream)
        return text;
    fputs(from, stream);
    bool whole = !ferror(stream);
    if (fclose(stream) != 0 || !whole)
        ja_arena_out_of_memory();
    const char *result = ja_arena_string(redactor->arena, built);
    free(built);
    return result;
}
