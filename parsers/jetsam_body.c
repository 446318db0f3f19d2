/* SPDX-License-Identifier: MIT
 *
 * The body of a Jetsam report. Nearly all of it is the process table: its rows are pulled out of
 * the text in one pass, which is how the document is known to be whole. cJSON then reads a copy of
 * what stands around them, an empty table in their place. A document that is out of the ordinary
 * anywhere is read by cJSON as it is.
 */
#include "parsers/jetsam.h"

#include <string.h>

struct table {
    struct ja_arena *scratch;
    struct ja_texts *texts;
    struct ja_jetsam_rows *first, *last;
    struct ja_jetsam_shape *shape;
    size_t row_count;
    size_t start, end; /* offsets of its brackets' insides */
    bool found;
};

static struct ja_jetsam_fields *add_row(struct table *table)
{
    if (!table->last || table->last->count == JA_JETSAM_ROWS) {
        struct ja_jetsam_rows *rows = ja_arena_alloc(table->scratch, 1, sizeof *rows);
        JA_RESERVE(table->scratch, rows->fields, 0, rows->capacity, JA_JETSAM_ROWS);
        if (table->last)
            table->last->next = rows;
        else
            table->first = rows;
        table->last = rows;
    }
    table->row_count++;
    return &table->last->fields[table->last->count++];
}

/* A row of plain JSON that is odd all the same: cJSON says what it holds. */
static bool reread(const char *text, size_t length, struct ja_jetsam_fields *fields)
{
    size_t used;
    const cJSON *row = ja_json_parse(text, length, &used);
    ja_jetsam_fields_json(row, fields);
    return row != NULL;
}

static bool next_row(struct ja_pull *pull, struct ja_jetsam_shape *shape)
{
    const struct ja_slice *seen = &shape->between;
    if (seen->text && ja_pull_same(pull, seen->text, seen->length))
        return true;
    const char *start = pull->at;
    bool first = pull->first, more = ja_pull_item(pull);
    if (more && !first)
        shape->between = (struct ja_slice){start, (size_t)(pull->at - start)};
    return more;
}

static bool pull_rows(struct ja_pull *pull, struct table *table)
{
    table->shape = ja_arena_alloc(table->scratch, 1, sizeof *table->shape);
    table->shape->texts = table->texts;
    if (!ja_pull_enter(pull, '['))
        return false;
    while (next_row(pull, table->shape)) {
        const char *start = pull->at;
        struct ja_jetsam_fields *fields = add_row(table);
        if (ja_jetsam_fields_pull(pull, table->shape, fields))
            continue;
        if (pull->declined || !reread(start, (size_t)(pull->at - start), fields))
            return false;
    }
    return !pull->declined;
}

/* Reads the whole document; false when cJSON has to. */
static bool pull_document(struct ja_pull *pull, const char *text, struct table *table)
{
    struct ja_pull_value key, value;
    if (!ja_pull_enter(pull, '{'))
        return false;
    while (ja_pull_key(pull, &key)) {
        bool rows = ja_pull_is(&key, "processes");
        if (key.escaped || (rows && (table->found || ja_pull_peek(pull) != '[')))
            return false;
        if (!rows) {
            if (!ja_pull_value(pull, &value))
                return false;
            continue;
        }
        table->found = true;
        table->start = (size_t)(pull->at - text) + 1;
        if (!pull_rows(pull, table))
            return false;
        table->end = (size_t)(pull->at - text) - 1;
    }
    return !pull->declined && table->found;
}

/* The document with an empty table. */
static const cJSON *read_head(const char *text, size_t length, const struct table *table)
{
    size_t used, behind = length - table->end;
    char *head = ja_arena_alloc(table->scratch, table->start + behind + 1, 1);
    memcpy(head, text, table->start);
    memcpy(head + table->start, text + table->end, behind);
    return ja_json_parse(head, table->start + behind, &used);
}

void ja_jetsam_body_read(const char *text, size_t length, const struct ja_parse *parse,
                         struct ja_jetsam_body *ret, size_t *ret_used)
{
    *ret = (struct ja_jetsam_body){.document = NULL};
    struct table table = {.scratch = parse->scratch, .texts = parse->texts};
    struct ja_pull pull = ja_pull_of(text, length);
    if (!pull_document(&pull, text, &table)) {
        ret->document = ja_json_parse(text, length, ret_used);
        return;
    }
    *ret_used = (size_t)(pull.at - text);
    ret->document = read_head(text, *ret_used, &table);
    ret->rows = table.first;
    ret->row_count = table.row_count;
}
