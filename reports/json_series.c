/* SPDX-License-Identifier: MIT */
#include "reports/json_parts.h"

/* ---- series ---------------------------------------------------------------------------------- */

static void put_point(struct ja_json_out *json, const char *key, const struct ja_case *item,
                      const struct ja_series *series, size_t i)
{
    if (!series->point_count) { /* of all lives of a service */
        ja_out_null(json, key);
        return;
    }
    struct ja_point point = ja_point_at(series, i);
    ja_out_open(json, key, '{');
    ja_out_instant(json, "at", point.at);
    ja_out_whole(json, "value_bytes", point.value);
    ja_out_whole(json, "low_bytes", point.low);
    ja_out_whole(json, "high_bytes", point.high);
    ja_out_whole(json, "resolution_bytes", point.resolution);
    ja_json_ref(json, "ref", item, ja_cite_of_point(item, &point));
    ja_out_close(json, '}');
}

static void put_plateau(struct ja_json_out *json, const struct ja_series *series,
                        const struct ja_growth *growth)
{
    if (!growth->plateau) {
        ja_out_null(json, "plateau");
        return;
    }
    ja_out_open(json, "plateau", '{');
    ja_out_whole(json, "level_low_bytes", growth->plateau_low_bytes);
    ja_out_whole(json, "level_high_bytes", growth->plateau_high_bytes);
    bool known = growth->plateau_first < series->point_count;
    ja_out_instant(json, "since", known ? ja_point_at(series, growth->plateau_first).at : NULL);
    ja_out_close(json, '}');
}

static void put_caps(struct ja_json_out *json, const struct ja_series *series)
{
    ja_out_open(json, "caps", '[');
    for (size_t i = 0; i < series->cap_count; i++) {
        const struct ja_cap *cap = &series->caps[i];
        ja_out_open(json, NULL, '{');
        ja_out_text(json, "name", cap->name);
        ja_out_whole(json, "cap_bytes", cap->cap_bytes);
        ja_out_whole(json, "distance_bytes", cap->distance_bytes);
        ja_out_bool(json, "reached", cap->reached);
        ja_out_text(json, "from", cap->from);
        ja_out_text(json, "source", cap->source);
        ja_out_close(json, '}');
    }
    ja_out_close(json, ']');
}

static void put_max_step(struct ja_json_out *json, const struct ja_series *series,
                         const struct ja_growth *growth)
{
    if (growth->max_step_bytes == JA_UNKNOWN) {
        ja_out_null(json, "max_step");
        return;
    }
    ja_out_open(json, "max_step", '{');
    ja_out_whole(json, "bytes", growth->max_step_bytes);
    ja_out_number(json, "over_s", growth->max_step_s);
    bool known = growth->max_step_at < series->point_count;
    ja_out_instant(json, "at", known ? ja_point_at(series, growth->max_step_at).at : NULL);
    ja_out_close(json, '}');
}

static void put_forecast(struct ja_json_out *json, const struct ja_series *series,
                         const struct ja_growth *growth)
{
    if (!growth->forecast) {
        ja_out_null(json, "forecast");
        return;
    }
    struct ja_instant early = ja_instant_at(growth->forecast_early_ns, JA_CLOCK_DERIVED);
    struct ja_instant late = ja_instant_at(growth->forecast_late_ns, JA_CLOCK_DERIVED);
    ja_out_open(json, "forecast", '{');
    ja_out_text(json, "limit", series->limit_name);
    ja_out_instant(json, "early", &early);
    ja_out_instant(json, "late", &late);
    ja_out_close(json, '}');
}

static void put_per_work(struct ja_json_out *json, const struct ja_case *item,
                         const struct ja_process *process, const struct ja_growth *growth)
{
    if (!growth->work_known || !process->work_count) {
        ja_out_null(json, "per_work");
        return;
    }
    ja_out_open(json, "per_work", '{');
    ja_out_text(json, "unit", ja_work_unit(item, process));
    ja_out_number(json, "work", growth->work);
    ja_out_number(json, "low_bytes", growth->per_work_low_bytes);
    ja_out_number(json, "high_bytes", growth->per_work_high_bytes);
    ja_out_text(json, "verdict", ja_verdict_word(growth->work_verdict));
    ja_out_close(json, '}');
}

static void put_slopes(struct ja_json_out *json, const struct ja_growth *g)
{
    ja_out_number(json, "best_bytes_per_hour", g->best_bytes_per_hour);
    ja_out_number(json, "low_bytes_per_hour", g->low_bytes_per_hour);
    ja_out_number(json, "high_bytes_per_hour", g->high_bytes_per_hour);
    ja_out_number(json, "line_low_bytes_per_hour", g->line_low_bytes_per_hour);
    ja_out_number(json, "line_high_bytes_per_hour", g->line_high_bytes_per_hour);
    ja_out_number(json, "off_line_bytes", g->off_line_bytes);
    ja_out_number(json, "detectable_bytes_per_hour", g->detectable_bytes_per_hour);
    ja_out_number(json, "minimum_window_s", g->minimum_window_s);
    ja_out_number(json, "needed_window_s", g->needed_window_s);
    ja_out_number(json, "bound_bytes_per_hour", g->bound_bytes_per_hour);
    ja_out_number(json, "concern_bytes_per_hour", g->concern_bytes_per_hour);
}

static void put_growth(struct ja_json_out *json, const struct ja_case *item,
                       const struct ja_series *series)
{
    struct ja_growth g = ja_series_growth(series);
    ja_out_open(json, "growth", '{');
    ja_out_text(json, "verdict", ja_verdict_word(g.verdict));
    ja_out_text(json, "why", g.route);
    ja_out_whole(json, "points", (int64_t)g.points);
    ja_out_number(json, "window_s", g.window_s);
    ja_out_whole(json, "resolution_bytes", g.resolution_bytes);
    ja_out_whole(json, "net_low_bytes", g.net_low_bytes);
    ja_out_whole(json, "net_high_bytes", g.net_high_bytes);
    put_slopes(json, &g);
    ja_out_text(json, "concern_from", ja_series_concern(series));
    ja_out_text(json, "reason", ja_reason_word(g.reason));
    ja_out_text(json, "shape", ja_shape_word(g.shape));
    put_plateau(json, series, &g);
    put_caps(json, series);
    put_max_step(json, series, &g);
    put_forecast(json, series, &g);
    put_per_work(json, item, &item->processes[series->process], &g);
    ja_out_close(json, '}');
}

static void put_series(struct ja_json_out *json, const struct ja_case *item,
                       const struct ja_series *series)
{
    size_t count = series->point_count;
    ja_out_open(json, NULL, '{');
    ja_out_text(json, "metric", ja_metrics[series->metric].word);
    ja_out_text(json, "category", series->category);
    ja_out_whole(json, "points", (int64_t)(count ? count : ja_series_growth(series).points));
    put_point(json, "first", item, series, 0);
    put_point(json, "last", item, series, count - 1);
    put_growth(json, item, series);
    ja_out_close(json, '}');
}

/* ---- processes ------------------------------------------------------------------------------- */

void ja_json_process(struct ja_json_out *json, const struct ja_case *item, uint32_t index)
{
    const struct ja_process *p = &item->processes[index];
    ja_out_open(json, NULL, '{');
    ja_json_id(json, "id", index);
    ja_json_id(json, "host", p->host);
    ja_json_id(json, "boot", p->boot);
    ja_out_text(json, "scope", ja_scope_word((int)p->scope));
    ja_out_text(json, "name", p->name);
    if (p->name_open)
        ja_out_bool(json, "name_open", true);
    ja_out_whole(json, "pid", p->pid);
    struct ja_instant started = ja_process_started(p);
    ja_out_instant(json, "started", &started);
    ja_out_text(json, "link", ja_link_word((enum ja_link)p->link));
    ja_out_whole(json, "coalition", p->coalition);
    ja_out_text(json, "command", p->more->command);
    ja_out_whole(json, "peak_bytes", p->peak_bytes);
    const struct ja_ending *ended = ja_process_ended(item, p);
    if (ended) {
        ja_out_open(json, "ended", '{');
        ja_out_instant(json, "at", ended->at);
        ja_out_text(json, "how", ended->how);
        ja_out_close(json, '}');
    } else {
        ja_out_null(json, "ended");
    }
    ja_out_open(json, "series", '[');
    for (uint32_t s = p->first_series; s < p->first_series + p->series_count; s++)
        put_series(json, item, &item->series[s]);
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}

void ja_json_service(struct ja_json_out *json, const struct ja_case *item,
                     const struct ja_service *service)
{
    ja_out_open(json, NULL, '{');
    ja_json_id(json, "host", service->host);
    ja_out_text(json, "name", service->name);
    ja_out_whole(json, "lives", (int64_t)service->process_count);
    ja_out_open(json, "processes", '[');
    for (size_t i = 0; i < service->process_count; i++)
        ja_json_id(json, NULL, service->processes[i]);
    ja_out_close(json, ']');
    ja_out_open(json, "series", '[');
    for (size_t i = 0; i < service->series_count; i++)
        put_series(json, item, &service->series[i]);
    ja_out_close(json, ']');
    ja_out_close(json, '}');
}
