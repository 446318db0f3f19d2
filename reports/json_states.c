/* SPDX-License-Identifier: MIT */
#include "reports/json_parts.h"

#include <math.h>

/* ---- states and groups ----------------------------------------------------------------------- */

static double ratio(int64_t part, int64_t whole)
{
    return part == JA_UNKNOWN || whole == JA_UNKNOWN || whole <= 0 ? NAN
                                                                   : (double)part / (double)whole;
}

static void put_books(struct ja_json_out *json, const struct ja_books *books)
{
    if (!books->known) {
        ja_out_null(json, "books");
        return;
    }
    ja_out_open(json, "books", '{');
    ja_out_text(json, "metric", ja_metrics[books->metric].word);
    ja_out_whole(json, "sum_bytes", books->sum_bytes);
    ja_out_whole(json, "low_bytes", books->low_bytes);
    ja_out_whole(json, "high_bytes", books->high_bytes);
    ja_out_whole(json, "processes", (int64_t)books->processes);
    ja_out_whole(json, "killed_left_out", (int64_t)books->killed_left_out);
    ja_out_bool(json, "complete", books->complete);
    ja_out_close(json, '}');
}

static void put_physical(struct ja_json_out *json, const struct ja_state *state)
{
    const int64_t *f = state->figures;
    ja_out_open(json, "physical", '{');
    ja_out_whole(json, "managed_bytes", f[JA_FIGURE_MANAGED]);
    ja_out_whole(json, "used_bytes", f[JA_FIGURE_USED]);
    ja_out_whole(json, "used_with_cache_bytes", state->used_with_cache_bytes);
    ja_out_whole(json, "free_bytes", f[JA_FIGURE_FREE]);
    ja_out_whole(json, "anonymous_bytes", f[JA_FIGURE_ANONYMOUS]);
    ja_out_whole(json, "file_backed_bytes", f[JA_FIGURE_FILE_BACKED]);
    ja_out_whole(json, "wired_bytes", f[JA_FIGURE_WIRED]);
    ja_out_whole(json, "compressor_bytes", f[JA_FIGURE_COMPRESSOR]);
    ja_out_whole(json, "uncompressed_bytes", f[JA_FIGURE_UNCOMPRESSED]);
    ja_out_whole(json, "purgeable_bytes", f[JA_FIGURE_PURGEABLE]);
    ja_out_close(json, '}');
}

void ja_json_state(struct ja_json_out *json, const struct ja_case *item,
                   const struct ja_state *state)
{
    const int64_t *f = state->figures;
    int64_t sum = state->books.known ? state->books.sum_bytes : JA_UNKNOWN;
    ja_out_open(json, NULL, '{');
    ja_json_id(json, "host", state->host);
    ja_json_id(json, "boot", state->boot);
    ja_out_instant(json, "at", &state->at);
    ja_json_id(json, "source", state->source);
    ja_out_text(json, "of", state->of);
    put_books(json, &state->books);
    put_physical(json, state);
    ja_out_open(json, "swap", '{');
    ja_out_whole(json, "used_bytes", f[JA_FIGURE_SWAP_USED]);
    ja_out_whole(json, "total_bytes", f[JA_FIGURE_SWAP_TOTAL]);
    ja_out_close(json, '}');
    ja_out_whole(json, "pressure_percent_free", f[JA_FIGURE_PERCENT_FREE]);
    ja_out_whole(json, "pressure_level", f[JA_FIGURE_PRESSURE_LEVEL]);
    ja_out_whole(json, "ram_bytes", f[JA_FIGURE_RAM]);
    ja_out_number(json, "books_over_ram", ratio(sum, f[JA_FIGURE_RAM]));
    ja_out_number(json, "books_over_managed", ratio(sum, f[JA_FIGURE_MANAGED]));
    ja_out_open(json, "impossible", '[');
    for (size_t i = 0; i < state->impossible_count; i++)
        ja_out_text(json, NULL, state->impossible[i]);
    ja_out_close(json, ']');
    if (state->largest != JA_NONE && !item->processes[state->largest].shown)
        ja_out_null(json, "largest");
    else
        ja_json_id(json, "largest", state->largest);
    ja_out_close(json, '}');
}

void ja_json_group(struct ja_json_out *json, const struct ja_group *group)
{
    ja_out_open(json, NULL, '{');
    ja_json_id(json, "host", group->host);
    ja_json_id(json, "boot", group->boot);
    ja_out_text(json, "name", group->name);
    ja_out_text(json, "by", group->by);
    ja_out_whole(json, "coalition", group->coalition);
    ja_out_instant(json, "at", group->at);
    ja_out_whole(json, "count", (int64_t)group->count);
    ja_out_whole(json, "sum_bytes", group->sum_bytes);
    ja_out_close(json, '}');
}

/* ---- timeline -------------------------------------------------------------------------------- */

void ja_json_event(struct ja_json_out *json, struct ja_case *item, uint32_t index)
{
    const struct ja_event *event = &item->events[index];
    ja_out_open(json, NULL, '{');
    ja_json_id(json, "host", event->host);
    ja_json_id(json, "boot", event->boot);
    ja_out_instant(json, "at", event->at);
    ja_out_text(json, "kind", ja_event_word(event->kind));
    ja_json_id(json, "process", event->process);
    ja_out_text(json, "name", event->name);
    ja_out_whole(json, "pid", event->pid);
    ja_out_text(json, "reason", event->reason);
    ja_out_whole(json, "order", event->order ? event->order : JA_UNKNOWN);
    ja_out_whole(json, "bytes", event->bytes);
    ja_out_whole(json, "limit_bytes", event->limit_bytes);
    ja_out_text(json, "detail", event->detail);
    ja_json_id(json, "source", event->source);
    ja_out_open(json, "refs", '[');
    if (event->seen != JA_NONE)
        ja_json_ref(json, NULL, item, ja_cite_event(item, index));
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

void ja_json_incident(struct ja_json_out *json, const struct ja_case *item, uint32_t index)
{
    const struct ja_incident *incident = &item->incidents[index];
    char text[16];
    ja_out_open(json, NULL, '{');
    ja_json_id(json, "id", index);
    ja_json_id(json, "host", incident->host);
    ja_out_instant(json, "from", &incident->from);
    ja_out_instant(json, "to", &incident->to);
    ja_out_instant(json, "first_abnormal", &incident->first_abnormal);
    ja_out_open(json, "events", '[');
    for (size_t i = 0; i < incident->event_count; i++)
        ja_out_whole(json, NULL, incident->events[i]);
    ja_out_close(json, ']');
    ja_out_open(json, "findings", '[');
    for (size_t i = 0; i < incident->finding_count; i++) {
        snprintf(text, sizeof text, "F%02u", (unsigned)incident->findings[i] + 1);
        ja_out_text(json, NULL, text);
    }
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}
