/* SPDX-License-Identifier: MIT
 *
 * timeline.svg: one look tells who grew, where RAM and caps are, where nothing was measured, when
 * something was killed. A true time axis; filled markers for fine readings, hollow ones for coarse,
 * bars for what rounding leaves open; gaps and reboots are gaps. No script, no link, system fonts.
 */
#include "reports/svg.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/text.h"

#define WIDTH 960.0
#define HEIGHT 560.0
#define LEFT 78.0
#define RIGHT 730.0 /* labels stand to the right of it */
#define TOP 64.0
#define BOTTOM 470.0
#define MOST_MARKS 60
#define LABEL_LENGTH 26
#define LEADER 40.0

static const char *const colors[JA_PICTURE_SERIES] = {"#c0392b", "#2471a3", "#1e8449",
                                                      "#7d3c98", "#b9770e", "#34495e"};

double ja_picture_x(const struct ja_picture *picture, int64_t unix_ns)
{
    double span = (double)(picture->to_ns - picture->from_ns);
    return LEFT + (RIGHT - LEFT) * (double)(unix_ns - picture->from_ns) / span;
}

double ja_picture_y(const struct ja_picture *picture, double bytes)
{
    double y = BOTTOM - (BOTTOM - TOP) * bytes / picture->top_bytes;
    return y < TOP - 20 ? TOP - 20 : y;
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void text_at(FILE *out, double x, double y, const char *anchor, const char *style,
                    const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n", x, y, anchor,
            style, text);
}

static void line(FILE *out, double x1, double y1, double x2, double y2, const char *style)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2,
            style);
}

/* 1, 2 or 4 times a power of two, so that binary units have round steps. */
static double nice_bytes(double least)
{
    double unit = 1;
    while (unit * 1024 <= least)
        unit *= 1024;
    static const double steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1024};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (unit * steps[i] >= least)
            return unit * steps[i];
    return unit * 1024;
}

static void put_value_axis(FILE *out, struct ja_arena *arena, const struct ja_picture *picture)
{
    double step = nice_bytes(picture->top_bytes / 6);
    for (double v = 0; v <= picture->top_bytes * 1.001; v += step) {
        double y = ja_picture_y(picture, v);
        line(out, LEFT, y, RIGHT, y, "stroke=\"#e5e7e9\" stroke-width=\"1\"");
        text_at(out, LEFT - 8, y + 4, "end", "class=\"axis\"",
                v == 0 ? "0" : ja_bytes(arena, (int64_t)v, (int64_t)(step / 4)));
    }
}

static int64_t nice_time(int64_t least_ns)
{
    static const int steps_s[] = {1,      2,      5,       10,      15,      30,
                                  60,     120,    300,     600,     900,     1800,
                                  3600,   7200,   10800,   21600,   43200,   86400,
                                  172800, 604800, 1209600, 2592000, 7776000, 31536000};
    for (size_t i = 0; i < sizeof steps_s / sizeof *steps_s; i++)
        if (steps_s[i] * JA_NS_PER_S >= least_ns)
            return steps_s[i] * JA_NS_PER_S;
    return INT64_C(31536000) * 10 * JA_NS_PER_S;
}

static void put_time_axis(FILE *out, struct ja_arena *arena, const struct ja_picture *picture)
{
    int64_t step = nice_time((picture->to_ns - picture->from_ns) / 6);
    int64_t first = picture->from_ns + step - 1;
    int last_day = -1;
    first -= first % step;
    for (int64_t at = first; at <= picture->to_ns; at += step) {
        struct ja_civil c = ja_unix_to_civil(at);
        double x = ja_picture_x(picture, at);
        line(out, x, BOTTOM, x, BOTTOM + 5, "stroke=\"#566573\"");
        const char *clock =
            step < 60 * JA_NS_PER_S
                ? ja_arena_print(arena, "%02d:%02d:%02d", c.hour, c.minute, c.second)
                : ja_arena_print(arena, "%02d:%02d", c.hour, c.minute);
        const char *day = ja_arena_print(arena, "%04d-%02d-%02d", c.year, c.month, c.day);
        bool days_only = step >= 86400 * JA_NS_PER_S;
        const char *anchor = x > RIGHT - 32 ? "end" : "middle";
        text_at(out, x, BOTTOM + 19, anchor, "class=\"axis\"", days_only ? day : clock);
        if (!days_only && c.day != last_day)
            text_at(out, x, BOTTOM + 33, anchor, "class=\"axis\"", day);
        last_day = c.day;
    }
    line(out, LEFT, BOTTOM, RIGHT, BOTTOM, "stroke=\"#566573\"");
    text_at(out, RIGHT, BOTTOM + 48, "end", "class=\"axis\"", "UTC");
}

/* ---- gaps, limits, events -------------------------------------------------------------------- */

static void put_gaps(FILE *out, const struct ja_picture *picture)
{
    for (size_t i = 0; i < picture->gap_count; i++) {
        double x = ja_picture_x(picture, picture->gaps[i].from_ns);
        double w = ja_picture_x(picture, picture->gaps[i].to_ns) - x;
        fprintf(out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#f2f3f4\"/>\n",
                x, TOP, w, BOTTOM - TOP);
        if (w > 90)
            text_at(out, x + w / 2, BOTTOM - 8, "middle", "class=\"note\"", "nothing measured");
    }
}

static void put_limits(FILE *out, struct ja_arena *arena, const struct ja_picture *picture)
{
    double last_y = -100;
    for (size_t i = 0; i < picture->limit_count; i++) {
        const struct ja_picture_limit *limit = &picture->limits[i];
        bool inside = (double)limit->bytes <= picture->top_bytes;
        double y = inside ? ja_picture_y(picture, (double)limit->bytes) : TOP + 18;
        if (inside)
            line(out, LEFT, y, RIGHT, y,
                 limit->is_ram ? "stroke=\"#17202a\" stroke-width=\"1.5\" stroke-dasharray=\"8 4\""
                               : "stroke=\"#7b241c\" stroke-width=\"1\" stroke-dasharray=\"3 3\"");
        if (fabs(y - last_y) < 13)
            y = last_y + 13;
        last_y = y;
        text_at(out, LEFT + 6, y - 4, "start", "class=\"note\"",
                ja_arena_print(arena, "%s %s%s", ja_xml(arena, limit->name),
                               ja_bytes(arena, limit->bytes, 0),
                               inside ? "" : " (above the picture)"));
    }
}

static void put_event(FILE *out, struct ja_arena *arena, const struct ja_picture *picture,
                      const struct ja_event *event, double *last_x)
{
    double x = ja_picture_x(picture, ja_instant_key(event->at));
    switch (event->kind) {
    case JA_EVENT_JETSAM_KILL:
    case JA_EVENT_OOM_KILL:
        fprintf(out,
                "<path d=\"M%.1f %.1f l5 -9 l-10 0 z\" fill=\"#c0392b\" stroke=\"white\" "
                "stroke-width=\"0.5\"/>\n",
                x, TOP);
        return;
    case JA_EVENT_PANIC:
    case JA_EVENT_RESET:
    case JA_EVENT_FORCE_RESET:
        line(out, x, TOP - 6, x, BOTTOM, "stroke=\"#c0392b\" stroke-width=\"2\"");
        break;
    case JA_EVENT_BOOT:
        line(out, x, TOP - 6, x, BOTTOM,
             "stroke=\"#5d6d7e\" stroke-width=\"1\" stroke-dasharray=\"2 3\"");
        break;
    default:
        return;
    }
    if (x - *last_x < 44)
        return;
    *last_x = x;
    text_at(out, x, TOP - 10, "middle", "class=\"note\"",
            ja_xml(arena, ja_event_word(event->kind)));
}

static void put_events(FILE *out, struct ja_arena *arena, const struct ja_picture *picture)
{
    double last_x = -100;
    size_t marks = 0;
    for (size_t i = 0; i < picture->item->event_count; i++) {
        const struct ja_event *event = &picture->item->events[i];
        int64_t at = ja_instant_key(event->at);
        if (event->host != picture->host || at == JA_UNKNOWN || at < picture->from_ns ||
            at > picture->to_ns)
            continue;
        if (marks++ < MOST_MARKS)
            put_event(out, arena, picture, event, &last_x);
    }
    if (marks > MOST_MARKS)
        text_at(out, LEFT, BOTTOM + 48, "start", "class=\"note\"",
                ja_arena_print(arena, "%zu later events are not drawn", marks - MOST_MARKS));
}

/* ---- series ---------------------------------------------------------------------------------- */

static bool crosses_gap(const struct ja_picture *picture, int64_t from_ns, int64_t to_ns)
{
    for (size_t i = 0; i < picture->gap_count; i++)
        if (from_ns <= picture->gaps[i].from_ns && to_ns >= picture->gaps[i].to_ns)
            return true;
    return false;
}

static void put_line(FILE *out, const struct ja_picture *picture, const struct ja_series *series,
                     const char *color)
{
    for (size_t i = 1; i < series->point_count; i++) {
        struct ja_point a = ja_point_at(series, i - 1), b = ja_point_at(series, i);
        bool gap = crosses_gap(picture, a.at->unix_ns, b.at->unix_ns);
        /* Between readings nothing was measured: the line only leads the eye, thinner in a gap. */
        fprintf(out,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                "stroke-width=\"%s\"%s/>\n",
                ja_picture_x(picture, a.at->unix_ns), ja_picture_y(picture, (double)a.value),
                ja_picture_x(picture, b.at->unix_ns), ja_picture_y(picture, (double)b.value), color,
                gap ? "0.7" : "1.6", gap ? " stroke-dasharray=\"1 4\"" : "");
    }
}

static void put_markers(FILE *out, const struct ja_picture *picture, const struct ja_series *series,
                        const char *color)
{
    size_t every = series->point_count / 400 + 1;
    for (size_t i = 0; i < series->point_count; i += every) {
        struct ja_point p = ja_point_at(series, i);
        double x = ja_picture_x(picture, p.at->unix_ns);
        double y = ja_picture_y(picture, (double)p.value);
        double low = ja_picture_y(picture, (double)p.low);
        double high = ja_picture_y(picture, (double)p.high);
        bool coarse = low - high > 1.5;
        if (coarse)
            fprintf(out,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                    "stroke-width=\"5\" stroke-opacity=\"0.3\"/>\n",
                    x, low, x, high, color);
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" stroke=\"%s\"/>\n", x, y,
                coarse ? "white" : color, color);
    }
}

struct label {
    double y;
    size_t series;
};

static int by_height(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    return x->y < y->y ? -1 : x->y > y->y ? 1 : (x->series < y->series ? -1 : 1);
}

static void put_label(FILE *out, struct ja_arena *arena, const struct ja_picture *picture,
                      const struct label *label, double y)
{
    const struct ja_series *series = picture->series[label->series];
    struct ja_point last = ja_last_point(series);
    const struct ja_process *process = &picture->item->processes[series->process];
    const char *name = ja_shorten(
        arena, ja_visible(arena, ja_process_name(picture->item, series->process)), LABEL_LENGTH);
    const char *pid =
        process->pid == JA_UNKNOWN ? "" : ja_arena_print(arena, " [%lld]", (long long)process->pid);
    char style[64];
    snprintf(style, sizeof style, "class=\"label\" style=\"fill:%s\"", colors[label->series]);
    /* A long leader would look like a course of memory: the colour alone leads there. */
    double x = ja_picture_x(picture, last.at->unix_ns);
    if (RIGHT - x < LEADER)
        line(out, x + 4, label->y, RIGHT + 10, y - 4, "stroke=\"#aab7b8\" stroke-width=\"0.6\"");
    text_at(out, RIGHT + 13, y, "start", style,
            ja_arena_print(arena, "%s%s", ja_xml(arena, name), pid));
    text_at(out, RIGHT + 13, y + 13, "start", "class=\"note\"",
            ja_arena_print(arena, "%s %s: %s", ja_metrics[series->metric].name,
                           ja_bytes(arena, last.value, last.resolution),
                           series->growth->verdict == JA_GROWING       ? "growing"
                           : series->growth->verdict == JA_NOT_GROWING ? "not growing"
                                                                       : "cannot tell"));
}

static void put_labels(FILE *out, struct ja_arena *arena, const struct ja_picture *picture)
{
    struct label labels[JA_PICTURE_SERIES];
    double y = TOP;
    for (size_t i = 0; i < picture->series_count; i++) {
        const struct ja_series *s = picture->series[i];
        labels[i].y = ja_picture_y(picture, (double)ja_last_point(s).value);
        labels[i].series = i;
    }
    if (picture->series_count)
        qsort(labels, picture->series_count, sizeof *labels, by_height);
    for (size_t i = 0; i < picture->series_count; i++) {
        y = labels[i].y > y ? labels[i].y : y;
        double room = BOTTOM - 34.0 * (double)(picture->series_count - 1 - i);
        y = y > room ? room : y;
        put_label(out, arena, picture, &labels[i], y);
        y += 34;
    }
}

/* ---- the page -------------------------------------------------------------------------------- */

static void put_frame(FILE *out, struct ja_arena *arena, const struct ja_picture *picture)
{
    const struct ja_case *item = picture->item;
    const char *host = item->host_count ? ja_xml(arena, item->hosts[picture->host].label) : "";
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(out, "<title>Memory over time on %s</title>\n", host);
    fputs("<desc>Readings of the processes that matter over UTC time. Filled circles are fine "
          "readings, hollow ones coarse, bars show what rounding leaves open. Grey areas: nothing "
          "was measured. Triangles: kills. Vertical lines: panics, resets and boots.</desc>\n",
          out);
    fputs("<style>text{font-family:system-ui,-apple-system,'Segoe UI',sans-serif;fill:#212f3d}"
          ".axis{font-size:11px;fill:#566573}.note{font-size:11px;fill:#566573}"
          ".label{font-size:12px;font-weight:600}</style>\n",
          out);
    fputs("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n", out);
    fprintf(out,
            "<text x=\"%.0f\" y=\"26\" font-size=\"16\" font-weight=\"600\">Memory over time, "
            "%s</text>\n",
            LEFT, host);
}

static void put_legend(FILE *out)
{
    double y = HEIGHT - 16;
    fprintf(out,
            "<circle cx=\"%.0f\" cy=\"%.1f\" r=\"3\" fill=\"#566573\"/>"
            "<circle cx=\"%.0f\" cy=\"%.1f\" r=\"3\" fill=\"white\" stroke=\"#566573\"/>"
            "<path d=\"M%.0f %.1f l5 -9 l-10 0 z\" fill=\"#c0392b\"/>"
            "<rect x=\"%.0f\" y=\"%.1f\" width=\"14\" height=\"10\" fill=\"#e5e7e9\"/>\n",
            LEFT + 4, y - 4, LEFT + 124, y - 4, LEFT + 320, y, LEFT + 380, y - 9);
    text_at(out, LEFT + 12, y, "start", "class=\"note\"", "fine reading");
    text_at(out, LEFT + 132, y, "start", "class=\"note\"", "coarse reading, bar = rounding");
    text_at(out, LEFT + 330, y, "start", "class=\"note\"", "kill");
    text_at(out, LEFT + 399, y, "start", "class=\"note\"", "nothing measured");
}

static void print_svg(const struct ja_case *item, FILE *out)
{
    struct ja_arena *arena = ja_arena_new();
    struct ja_picture picture;
    bool any = ja_picture_build(item, arena, &picture);
    put_frame(out, arena, &picture);
    if (any) {
        put_gaps(out, &picture);
        put_value_axis(out, arena, &picture);
        put_time_axis(out, arena, &picture);
        put_limits(out, arena, &picture);
        put_events(out, arena, &picture);
        for (size_t i = picture.series_count; i-- > 0;) {
            put_line(out, &picture, picture.series[i], colors[i]);
            put_markers(out, &picture, picture.series[i], colors[i]);
        }
        put_labels(out, arena, &picture);
        put_legend(out);
    } else {
        text_at(out, WIDTH / 2, HEIGHT / 2, "middle", "class=\"label\"",
                "No dated readings: nothing can be placed on a time axis.");
    }
    fputs("</svg>\n", out);
    ja_arena_free(arena);
}

static bool write_file(const struct ja_case *item, const struct ja_report_options *options,
                       const char *path, const char **ret_error)
{
    (void)options;
    FILE *out = fopen(path, "wb");
    if (out)
        print_svg(item, out);
    bool ok = out && !ferror(out);
    if (out && fclose(out) != 0)
        ok = false;
    if (!ok)
        *ret_error = strerror(errno);
    return ok;
}

const struct ja_report ja_report_svg = {
    .name = "svg", .file_name = "timeline.svg", .write = write_file};
