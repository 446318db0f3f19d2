/* SPDX-License-Identifier: MIT
 *
 * Whose log it is: host (syslog field), boot (the kernel's clock falls, a new "Linux version"
 * line, another release), kernel release, number of CPUs, and the moment of the boot where the
 * log tells the wall clock: "rtc_cmos 00:05: setting system clock to ... (1796031114)".
 */
#include "parsers/oom.h"

#include <string.h>

#include "parsers/scan.h"

/* Lines of one boot may be out of order by a little; a fall by more is another boot. */
#define BOOT_FALL_NS (10 * JA_NS_PER_S)
#define MOST_SYSTEMS 1000 /* hosts and boots of one log; later ones count as the last */

static bool same(struct oom_text a, struct oom_text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

struct oom_event *oom_open_event(struct oom_log *log)
{
    uint32_t open = log->systems[log->system].open;
    return open == JA_NONE ? NULL : &log->events[open];
}

void oom_open(struct oom_log *log, uint32_t event)
{
    struct oom_system *system = &log->systems[log->system];
    log->open_count += system->open == JA_NONE;
    system->open = event;
    system->quiet = 0;
}

void oom_close(struct oom_log *log)
{
    struct oom_system *system = &log->systems[log->system];
    log->open_count -= system->open != JA_NONE;
    system->open = JA_NONE;
}

static void say_limit(struct oom_log *log)
{
    if (!log->systems_cut)
        ja_diagnose(log->parse->evidence, JA_ERROR, "too-many-boots", 0, NULL,
                    "more than %d hosts and boots in one log: later ones are taken as one",
                    MOST_SYSTEMS);
    log->systems_cut = true;
}

static uint32_t add_system(struct oom_log *log, struct oom_text host)
{
    if (log->system_count == MOST_SYSTEMS) {
        say_limit(log);
        return MOST_SYSTEMS - 1;
    }
    struct oom_system *system =
        JA_APPEND(log->parse->scratch, log->systems, log->system_count, log->system_capacity);
    system->host = host;
    system->cores = system->page_kib = JA_UNKNOWN;
    system->last_since_boot_ns = system->boot_unix_ns = JA_UNKNOWN;
    system->index = system->open = JA_NONE;
    return (uint32_t)log->system_count - 1;
}

void oom_systems_init(struct oom_log *log)
{
    log->system = add_system(log, (struct oom_text){NULL, 0});
}

/* Nothing is known of it yet and nothing happened on it. */
static bool is_fresh(const struct oom_log *log, uint32_t index)
{
    return !log->systems[index].told && !log->systems[index].kernel.text;
}

static void new_boot(struct oom_log *log)
{
    if (is_fresh(log, log->system))
        return;
    oom_close(log);
    log->system = add_system(log, log->systems[log->system].host);
}

void oom_system_of(struct oom_log *log, const struct oom_line *line)
{
    struct oom_system *system = &log->systems[log->system];
    if (line->host.text && !same(line->host, system->host)) {
        uint32_t found = JA_NONE;
        for (uint32_t i = 0; i < log->system_count; i++)
            if (same(log->systems[i].host, line->host))
                found = i;
        if (found == JA_NONE && !system->host.text && is_fresh(log, log->system)) {
            system->host = line->host;
            found = log->system;
        }
        log->system = found == JA_NONE ? add_system(log, line->host) : found;
    }
    if (line->since_boot_ns == JA_UNKNOWN)
        return;
    system = &log->systems[log->system];
    if (system->last_since_boot_ns != JA_UNKNOWN &&
        line->since_boot_ns + BOOT_FALL_NS < system->last_since_boot_ns)
        new_boot(log);
    log->systems[log->system].last_since_boot_ns = line->since_boot_ns;
}

/* "(1796031114)" at the end of the real time clock's line: the wall clock at this moment. */
static void wall_clock(struct oom_system *system, const struct oom_line *line)
{
    struct oom_text rest = oom_after(line->message, "setting system clock to ");
    if (!rest.text || line->since_boot_ns == JA_UNKNOWN)
        return;
    int64_t unix_s = oom_number_after(rest, "(");
    if (unix_s == JA_UNKNOWN || unix_s > INT64_C(7000000000))
        return;
    system->boot_unix_ns = unix_s * JA_NS_PER_S - line->since_boot_ns;
}

void oom_system_line(struct oom_log *log, const struct oom_line *line)
{
    struct oom_text version = {NULL, 0};
    if (oom_begins(line->message, "Linux version ")) {
        version = oom_word(oom_after(line->message, "Linux version "), " ");
        new_boot(log);
        log->systems[log->system].kernel = version;
    }
    struct oom_system *system = &log->systems[log->system];
    if (oom_has(line->message, "nr_cpu_ids:"))
        system->cores = oom_number_after(line->message, "nr_cpu_ids:");
    wall_clock(system, line);
}

/* Release in "... Comm: cron Tainted: G C 6.12.62+rpt-rpi-v8 #1 Debian ..." */
static struct oom_text release_of(struct oom_text message)
{
    struct oom_text rest = oom_after(message, "ainted");
    struct oom_text none = {NULL, 0};
    if (!rest.text)
        return none;
    size_t end = ja_text_find(rest.text, rest.length, " #");
    size_t begin = end;
    if (end >= rest.length)
        return none;
    while (begin > 0 && rest.text[begin - 1] != ' ')
        begin--;
    if (begin == end || rest.text[begin] < '0' || rest.text[begin] > '9')
        return none;
    return (struct oom_text){rest.text + begin, end - begin};
}

bool oom_requester_line(struct oom_log *log, struct oom_event *event, struct oom_text message)
{
    if (!oom_has(message, "omm: ") || !oom_has(message, "ainted"))
        return false;
    int64_t pid = oom_number_after(message, "PID: ");
    if (pid == JA_UNKNOWN)
        pid = oom_number_after(message, "Pid: ");
    struct oom_text release = release_of(message);
    if (event->requester_pid == JA_UNKNOWN)
        event->requester_pid = pid;
    struct oom_system *system = &log->systems[event->system];
    if (!release.text)
        return true;
    if (system->kernel.text && !same(system->kernel, release)) {
        uint32_t index = (uint32_t)(event - log->events);
        new_boot(log);
        event->system = log->system;
        oom_open(log, index);
    }
    log->systems[event->system].kernel = release;
    return true;
}
