/* SPDX-License-Identifier: MIT
 *
 * Who was killed. The kernel's wordings:
 *
 *   Out of memory: Kill process 6576 (mysqld) score 651 or sacrifice child          up to 5.0, then
 *   Killed process 6576 (mysqld) total-vm:..kB, anon-rss:..kB, file-rss:..kB, shmem-rss:..kB
 *   Killed process 42424 (memcg_test_1), UID 0, total-vm:7296kB, anon-rss:96kB, ...       RHEL 7
 *   Killed process 13029, UID 500, (java) total-vm:6000000kB, anon-rss:2799000kB, ...     RHEL 6
 *   Memory cgroup out of memory: Killed process 15617 (python3) total-vm:..kB, ...        5.1
 *   Out of memory: Killed process 4020 (trainer) total-vm:..kB, .., UID:1000 pgtables:.. 5.4
 *
 * The second line names the victim: the first may have "sacrificed" a child. And the lines of
 * killers in user space, which leave none of the kernel's: earlyoom in five wordings of 2018 to
 * 2024, systemd-oomd.
 */
#include "parsers/oom.h"

#include <string.h>

#include "parsers/scan.h"

/* "6576 (mysqld)": the name may hold brackets and blanks of its own, up to the last ')'. */
static bool read_who(struct oom_text text, struct oom_kill *ret)
{
    struct ja_scan scan = ja_scan_of(text.text, text.length);
    int64_t pid = 0;
    int64_t uid = 0;
    if (!ja_scan_u63(&scan, &pid))
        return false;
    if (ja_scan_text(&scan, ", UID ") && !(ja_scan_u63(&scan, &uid) && ja_scan_char(&scan, ',')))
        return false;
    if (!ja_scan_text(&scan, " ("))
        return false;
    size_t end = text.length;
    while (end > scan.at && text.text[end - 1] != ')')
        end--;
    if (end <= scan.at + 1)
        return false;
    ret->pid = pid;
    ret->name = (struct oom_text){text.text + scan.at, end - 1 - scan.at};
    return true;
}

/* A size in kB that is whole: its unit is there. */
static int64_t kib_after(struct oom_text text, const char *key)
{
    struct oom_text rest = oom_after(text, key);
    if (!rest.text)
        return JA_UNKNOWN;
    struct ja_scan scan = ja_scan_of(rest.text, rest.length);
    int64_t value = 0;
    return ja_scan_u63(&scan, &value) && ja_scan_text(&scan, "kB") ? value : JA_UNKNOWN;
}

bool oom_read_kill(struct oom_text message, struct oom_kill *ret)
{
    struct oom_text rest = oom_after(message, "Killed process ");
    if (!rest.text)
        return false;
    size_t sizes = ja_text_find(rest.text, rest.length, "total-vm:");
    struct oom_text who = {rest.text, sizes};
    if (!read_who(who, ret))
        return false;
    ret->total_vm_kib = kib_after(rest, "total-vm:");
    ret->anon_kib = kib_after(rest, "anon-rss:");
    ret->file_kib = kib_after(rest, "file-rss:");
    ret->shmem_kib = kib_after(rest, "shmem-rss:");
    return true;
}

bool oom_read_announced(struct oom_text message, struct oom_kill *ret)
{
    struct oom_text rest = oom_after(message, "ut of memory: Kill process ");
    if (!rest.text)
        return false;
    struct oom_text who = {rest.text, ja_text_find(rest.text, rest.length, " score ")};
    ret->total_vm_kib = ret->anon_kib = ret->file_kib = ret->shmem_kib = JA_UNKNOWN;
    ret->announced_only = true;
    return read_who(who, ret);
}

/* "task=memcg_leak,pid=201,uid=0" at the line's end: whom the kernel chose. */
static void read_chosen(struct oom_event *event, struct oom_text rest, const struct oom_line *line)
{
    struct oom_text task = oom_after(rest, ",task=");
    size_t end = task.text ? ja_text_find(task.text, task.length, ",pid=") : 0;
    int64_t pid = task.text ? oom_number_after(task, ",pid=") : JA_UNKNOWN;
    if (pid == JA_UNKNOWN || end == 0 || !oom_has(task, ",uid="))
        return; /* not said, or cut */
    event->chosen = (struct oom_kill){
        .pid = pid,
        .name = {task.text, end},
        .total_vm_kib = JA_UNKNOWN,
        .anon_kib = JA_UNKNOWN,
        .file_kib = JA_UNKNOWN,
        .shmem_kib = JA_UNKNOWN,
        .line = event->first, /* the kill itself came after both; the report's time is known */
    };
    event->chosen.line.number = line->number;
}

/* oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,
 * task_memcg=/box,task=memcg_leak,pid=201,uid=0 */
bool oom_read_constraint(struct oom_event *event, const struct oom_line *line)
{
    struct oom_text rest = oom_after(line->message, "oom-kill:constraint=");
    if (!rest.text)
        return false;
    read_chosen(event, rest, line);
    event->constraint = oom_word(rest, ",");
    struct oom_text group = oom_after(rest, "oom_memcg=");
    if (group.text) {
        event->group = oom_word(group, ",");
        event->group_limit = true;
    }
    struct oom_text task_group = oom_after(rest, "task_memcg=");
    if (task_group.text)
        event->task_group = oom_word(task_group, ",");
    return true;
}

/* "mem avail:   607 of   950 MiB (63.93%), swap free: 1009 of 1023 MiB (98.61%)"; "of" since
 * mid-2018. */
static void read_pair(struct oom_text text, int64_t *ret_part, int64_t *ret_total)
{
    struct ja_scan scan = ja_scan_of(text.text, text.length);
    int64_t part = 0, total = 0;
    ja_scan_blanks(&scan);
    if (!ja_scan_u63(&scan, &part))
        return;
    *ret_part = part;
    ja_scan_blanks(&scan);
    if (!ja_scan_text(&scan, "of"))
        return;
    ja_scan_blanks(&scan);
    if (ja_scan_u63(&scan, &total))
        *ret_total = total;
}

static bool read_available(struct oom_text message, struct oom_daemon *ret)
{
    if (!oom_begins(message, "mem avail:"))
        return false;
    struct oom_text swap = oom_after(message, "swap free:");
    read_pair(oom_after(message, "mem avail:"), &ret->avail, &ret->total);
    if (swap.text)
        read_pair(swap, &ret->swap_free, &ret->swap_total);
    ret->unit = JA_MIB;
    ret->figures_only = true;
    return ret->avail != JA_UNKNOWN;
}

/* Killing process 8230 sudo
 * Killing process 'bash' with signal 15, pid: 5874, badness: 538, VmRSS: 3160 MiB */
static bool read_old_kill(struct oom_text message, struct oom_daemon *ret)
{
    struct oom_text rest = oom_after(message, "Killing process ");
    if (!oom_begins(message, "Killing process "))
        return false;
    if (rest.length > 0 && rest.text[0] == '\'') {
        ret->name = (struct oom_text){
            rest.text + 1, ja_text_find(rest.text + 1, rest.length - 1, "' with signal")};
        ret->pid = oom_number_after(rest, "pid:");
        ret->rss_mib = oom_number_after(rest, "VmRSS:");
        return ret->pid != JA_UNKNOWN && ret->name.length > 0;
    }
    struct ja_scan scan = ja_scan_of(rest.text, rest.length);
    if (!ja_scan_u63(&scan, &ret->pid) || !ja_scan_char(&scan, ' '))
        return false;
    ret->name = oom_trim(scan.text + scan.at, scan.length - scan.at);
    return ret->name.length > 0 && !oom_has(ret->name, " with signal SIG");
}

/* sending SIGTERM to process 696 [uid 1001 ]"ipfs": badness 757, VmRSS 637 MiB */
static bool read_new_kill(struct oom_text message, struct oom_daemon *ret)
{
    struct oom_text rest = oom_after(message, " to process ");
    if (!oom_begins(message, "sending SIG") || !rest.text)
        return false;
    struct ja_scan scan = ja_scan_of(rest.text, rest.length);
    struct oom_text name = oom_after(rest, "\"");
    if (!ja_scan_u63(&scan, &ret->pid) || !name.text)
        return false;
    size_t end = ja_text_find(name.text, name.length, "\": ");
    if (end == 0 || end >= name.length)
        return false;
    ret->name = (struct oom_text){name.text, end};
    ret->rss_mib = oom_number_after(name, "VmRSS ");
    return true;
}

/* Killed /user.slice/app.scope due to memory pressure for /user.slice being 51.07% > 50.00% for >
 * 20s with reclaim activity
 * Killed /app.slice due to memory used (8101) / total (8192) and swap used (..) / total (..) ... */
static bool read_oomd(struct oom_text message, struct oom_daemon *ret)
{
    struct oom_text rest = oom_after(message, "Killed /");
    struct oom_text why = oom_after(message, " due to ");
    if (!oom_begins(message, "Killed /") || !oom_begins(why, "memory "))
        return false;
    rest.text--; /* the path's own slash */
    rest.length++;
    ret->name = oom_word(rest, " ");
    ret->why = why;
    ret->group = true;
    ret->unit = 1;
    struct oom_text memory = oom_after(why, "memory used (");
    struct oom_text swap = oom_after(why, "swap used (");
    if (!memory.text || !swap.text)
        return true;
    ret->total = oom_number_after(memory, "total (");
    ret->swap_total = oom_number_after(swap, "total (");
    int64_t used = JA_UNKNOWN, ignored = JA_UNKNOWN;
    read_pair(swap, &used, &ignored);
    if (ret->swap_total >= used && used != JA_UNKNOWN)
        ret->swap_free = ret->swap_total - used;
    return true;
}

static bool is_tag(const struct oom_line *line, const char *name)
{
    return !line->tag.text || ja_text_begins(line->tag.text, line->tag.length, name);
}

static bool same_text(struct oom_text a, struct oom_text b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

bool oom_daemon_line(struct oom_log *log, const struct oom_line *line)
{
    struct oom_daemon found = {.line = *line,
                               .system = log->system,
                               .pid = JA_UNKNOWN,
                               .rss_mib = JA_UNKNOWN,
                               .avail = JA_UNKNOWN,
                               .total = JA_UNKNOWN,
                               .swap_free = JA_UNKNOWN,
                               .swap_total = JA_UNKNOWN};
    bool early = is_tag(line, "earlyoom") &&
                 (read_available(line->message, &found) || read_old_kill(line->message, &found) ||
                  read_new_kill(line->message, &found));
    if (!early && !(is_tag(line, "systemd-oomd") && read_oomd(line->message, &found)))
        return false;
    for (size_t i = log->daemon_count; i > 0 && !found.figures_only; i--) {
        const struct oom_daemon *before = &log->daemons[i - 1];
        if (before->figures_only)
            continue;
        found.again = !found.group && before->pid == found.pid && before->system == found.system &&
                      same_text(before->name, found.name);
        break;
    }
    struct oom_daemon *added =
        JA_APPEND(log->parse->scratch, log->daemons, log->daemon_count, log->daemon_capacity);
    *added = found;
    log->systems[log->system].told = true;
    return true;
}
