/* SPDX-License-Identifier: MIT
 *
 * Kubernetes' and docker's JSON: the metrics API, pods with their last end, docker stats by
 * --format json (one object a line).
 *
 *   { "kind": "PodMetricsList", "items": [ { "metadata": { "name": "web-0" },
 *     "timestamp": "2022-08-02T15:16:00Z", "window": "15.953s",
 *     "containers": [ { "name": "app", "usage": { "memory": "19732Ki" } } ] } ] }
 *   { "kind": "Pod", "status": { "containerStatuses": [ { "name": "app", "lastState": {
 *     "terminated": { "reason": "OOMKilled", "exitCode": 137, "finishedAt": "..." } } } ] } }
 *   {"Name":"unifi","MemUsage":"795.4MiB / 1GiB", ...}
 *
 * usage.memory (working set; a sum printed without loss) -> cgroup_current of "pod/container" at
 * the timestamp, of a node with scope host. A container that ended OOMKilled -> an OOM kill at
 * finishedAt, its memory limit -> limit. MemUsage as in docker_stats.
 * Left out: CPU, windows (the reading stands at their end), other ends.
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/docker_stats.h"
#include "parsers/json.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"

#define MOST_DOCUMENTS 100000

struct kube {
    struct ja_parse *parse;
    const struct ja_piece *piece;
    int line; /* of the document */
};

/* "19732Ki", "128Mi", "12M", "20205568", "128974848000m". */
static bool read_quantity(const char *text, struct ja_quantity *ret)
{
    static const struct {
        const char *suffix;
        int64_t bytes;
    } units[] = {{"", 1},        {"Ki", JA_KIB},    {"Mi", JA_MIB},
                 {"Gi", JA_GIB}, {"Ti", JA_TIB},    {"k", 1000},
                 {"M", 1000000}, {"G", 1000000000}, {"T", INT64_C(1000000000000)}};
    if (!text)
        return false;
    size_t length = strlen(text);
    struct ja_scan scan = ja_scan_of(text, length);
    int64_t mantissa = 0;
    int decimals = 0;
    if (!ja_scan_decimal(&scan, &mantissa, &decimals))
        return false;
    if (ja_text_is(text + scan.at, length - scan.at, "m") && decimals == 0) {
        *ret = (struct ja_quantity){mantissa / 1000, 1, JA_ROUNDING_DOWN};
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (ja_text_is(text + scan.at, length - scan.at, units[i].suffix)) {
            bool good = ja_scale(mantissa, decimals, units[i].bytes, ret);
            /* printed in the largest unit that loses nothing: the step is no unit */
            ret->rounding = JA_ROUNDING_EXACT;
            if (ret->resolution > JA_KIB)
                ret->resolution = JA_KIB;
            return good;
        }
    return false;
}

static uint32_t stamp_of(const struct kube *kube, const char *text)
{
    struct ja_evidence *evidence = kube->parse->evidence;
    struct ja_stamp stamp;
    if (!text || !ja_stamp_exact(text, strlen(text), evidence->arena, &stamp))
        return JA_NONE;
    stamp.clock = JA_CLOCK_REPORT;
    return ja_add_stamp(evidence, &stamp);
}

static uint32_t add_record(const struct kube *kube, enum ja_kind kind, uint32_t stamp)
{
    struct ja_evidence *evidence = kube->parse->evidence;
    uint32_t record = ja_add_record(evidence, kind, stamp);
    uint32_t place = ja_add_place_line(evidence, kube->line);
    evidence->records[record].place = place;
    evidence->records[record].system = kube->parse->carry.system;
    if (evidence->captured == JA_NONE)
        evidence->captured = stamp;
    ja_set_kind(evidence, kind);
    return record;
}

static uint32_t add_subject(const struct kube *kube, uint32_t record, const char *pod,
                            const char *name, enum ja_scope scope)
{
    struct ja_evidence *evidence = kube->parse->evidence;
    const char *full =
        pod && name ? ja_arena_print(evidence->arena, "%s/%s", pod, name) : (name ? name : pod);
    uint32_t subject = ja_add_subject(evidence, record, full, JA_UNKNOWN);
    evidence->subjects[subject].scope = (uint8_t)scope;
    evidence->subjects[subject].place = evidence->records[record].place;
    return subject;
}

static void add_usage(const struct kube *kube, uint32_t record, const cJSON *holder,
                      const char *pod, const char *name, enum ja_scope scope)
{
    struct ja_evidence *evidence = kube->parse->evidence;
    const char *printed = ja_json_string(ja_json_get(holder, "usage"), "memory");
    struct ja_quantity memory;
    if (!printed)
        return;
    if (!read_quantity(printed, &memory)) {
        ja_diagnose(evidence, JA_ERROR, "bad-number", kube->line, NULL,
                    "memory usage %.40s is no quantity, left out", printed);
        return;
    }
    if (!ja_room_for_reading(kube->parse, kube->line))
        return;
    uint32_t subject = add_subject(kube, record, pod, name, scope);
    struct ja_reading *reading = ja_add_reading(evidence, subject, JA_METRIC_CGROUP_CURRENT, memory,
                                                evidence->records[record].place);
    reading->unit = JA_UNIT_TEXT;
    reading->printed = ja_arena_string(evidence->arena, printed);
}

/* One PodMetrics or NodeMetrics object. */
static void take_metrics(const struct kube *kube, const cJSON *item)
{
    const char *name = ja_json_string(ja_json_get(item, "metadata"), "name");
    const cJSON *containers = ja_json_get(item, "containers");
    uint32_t stamp = stamp_of(kube, ja_json_string(item, "timestamp"));
    uint32_t record =
        add_record(kube, JA_KIND_KUBECTL_TOP, stamp == JA_NONE ? kube->piece->stamp : stamp);
    if (!containers) {
        add_usage(kube, record, item, NULL, name, JA_SCOPE_HOST);
        return;
    }
    const cJSON *container = NULL;
    cJSON_ArrayForEach(container, containers) add_usage(
        kube, record, container, name, ja_json_string(container, "name"), JA_SCOPE_CONTAINER);
}

/* The memory limit of a container in the pod's spec; JA_UNKNOWN. */
static int64_t limit_of(const cJSON *pod, const char *name)
{
    const cJSON *container = NULL;
    struct ja_quantity limit;
    static const char *const lists[] = {"containers", "initContainers"};
    for (size_t i = 0; name && i < sizeof lists / sizeof *lists; i++)
        cJSON_ArrayForEach(container, ja_json_get(ja_json_get(pod, "spec"), lists[i]))
        {
            const char *found = ja_json_string(container, "name");
            const cJSON *limits = ja_json_get(ja_json_get(container, "resources"), "limits");
            if (found && strcmp(found, name) == 0 &&
                read_quantity(ja_json_string(limits, "memory"), &limit))
                return limit.value;
        }
    return JA_UNKNOWN;
}

/* A container's end by the OOM killer, from state or lastState. */
static void take_end(const struct kube *kube, const cJSON *pod, const cJSON *status,
                     const char *which)
{
    struct ja_evidence *evidence = kube->parse->evidence;
    const cJSON *end = ja_json_get(ja_json_get(status, which), "terminated");
    const char *reason = ja_json_string(end, "reason");
    const char *name = ja_json_string(status, "name");
    if (!reason || strcmp(reason, "OOMKilled") != 0)
        return;
    uint32_t stamp = stamp_of(kube, ja_json_string(end, "finishedAt"));
    uint32_t record = add_record(kube, JA_KIND_OOM_LOG, stamp);
    uint32_t subject =
        add_subject(kube, record, ja_json_string(ja_json_get(pod, "metadata"), "name"), name,
                    JA_SCOPE_CONTAINER);
    uint32_t started = stamp_of(kube, ja_json_string(end, "startedAt"));
    ja_subject_more(&evidence->subjects[subject], evidence->arena)->start_stamp = started;
    uint32_t place = evidence->records[record].place;
    struct ja_event_seen *seen = ja_add_event(evidence, JA_EVENT_OOM_KILL, record, stamp, place);
    seen->subject = subject;
    seen->order = 1;
    seen->reason = "container OOMKilled";
    seen->limit_bytes = limit_of(pod, name);
    double restarts = 0, code = 0;
    const char *exited = ja_json_double(end, "exitCode", &code)
                             ? ja_arena_print(evidence->arena, "exit code %.0f", code)
                             : NULL;
    const char *restarted = ja_json_double(status, "restartCount", &restarts)
                                ? ja_arena_print(evidence->arena, "%.0f restarts", restarts)
                                : NULL;
    if (exited || restarted)
        seen->detail = ja_arena_print(evidence->arena, "%s%s%s", exited ? exited : "",
                                      exited && restarted ? "; " : "", restarted ? restarted : "");
    if (seen->limit_bytes != JA_UNKNOWN)
        ja_add_fact(evidence, record, JA_FACT_LIMIT, seen->limit_bytes, "resources.limits.memory",
                    place)
            ->subject = subject;
}

static void take_pod(const struct kube *kube, const cJSON *pod)
{
    static const char *const lists[] = {"initContainerStatuses", "containerStatuses"};
    ja_set_kind(kube->parse->evidence, JA_KIND_OOM_LOG);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const cJSON *status = NULL;
        cJSON_ArrayForEach(status, ja_json_get(ja_json_get(pod, "status"), lists[i]))
        {
            take_end(kube, pod, status, "lastState");
            take_end(kube, pod, status, "state");
        }
    }
}

static bool is_kind(const cJSON *object, const char *kind)
{
    const char *found = ja_json_string(object, "kind");
    return found && strcmp(found, kind) == 0;
}

static void take_docker(const struct kube *kube, const cJSON *object)
{
    struct ja_evidence *evidence = kube->parse->evidence;
    const char *usage = ja_json_string(object, "MemUsage");
    const char *name = ja_json_string(object, "Name");
    if (!name)
        name = ja_json_string(object, "Container");
    if (strncmp(usage, "--", 2) == 0)
        return; /* stopped */
    uint32_t record = add_record(kube, JA_KIND_DOCKER_STATS, kube->piece->stamp);
    if (!ja_docker_usage(kube->parse, record, name ? name : "?", usage, strlen(usage), kube->line))
        ja_diagnose(evidence, JA_ERROR, "bad-row", kube->line, NULL,
                    "MemUsage without usage and limit, left out");
}

static void take_object(const struct kube *kube, const cJSON *object)
{
    if (ja_json_string(object, "MemUsage"))
        take_docker(kube, object);
    else if (is_kind(object, "PodMetrics") || is_kind(object, "NodeMetrics"))
        take_metrics(kube, object);
    else if (is_kind(object, "Pod"))
        take_pod(kube, object);
}

/* The items of a list by kind do not say theirs again; those of a plain List do. */
static void take_document(const struct kube *kube, const cJSON *object)
{
    bool pods = is_kind(object, "PodList");
    bool metrics = is_kind(object, "PodMetricsList") || is_kind(object, "NodeMetricsList");
    if (!pods && !metrics && !is_kind(object, "List")) {
        take_object(kube, object);
        return;
    }
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, ja_json_get(object, "items"))
    {
        if (pods)
            take_pod(kube, item);
        else if (metrics)
            take_metrics(kube, item);
        else
            take_object(kube, item);
    }
}

static int bid(const struct ja_piece *piece)
{
    static const char *const marks[] = {"\"PodMetrics", "\"NodeMetrics", "\"containerStatuses\"",
                                        "\"MemUsage\""};
    size_t at = 0;
    while (at < piece->length && strchr(" \t\r\n", piece->text[at]))
        at++;
    if (at >= piece->length || piece->text[at] != '{')
        return 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (ja_text_find(piece->text, piece->length, marks[i]) < piece->length)
            return 92;
    return 0;
}

static int lines_in(const char *text, size_t length)
{
    int lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

static void parse_documents(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct kube kube = {.parse = parse, .piece = piece, .line = piece->first_line};
    size_t at = 0;
    for (size_t n = 0; n < MOST_DOCUMENTS && at < piece->length; n++) {
        size_t used = 0, begin = at;
        while (begin < piece->length && piece->text[begin] != '{')
            begin++;
        kube.line += lines_in(piece->text + at, begin - at);
        at = begin;
        if (at >= piece->length)
            return;
        const cJSON *object = ja_json_parse(piece->text + at, piece->length - at, &used);
        if (!object) {
            ja_diagnose(parse->evidence, JA_ERROR, "bad-json", kube.line, NULL,
                        "not whole JSON from here on, the rest left out");
            ja_set_status(parse->evidence, JA_STATUS_DAMAGED, "JSON cut or broken");
            return;
        }
        take_document(&kube, object);
        kube.line += lines_in(piece->text + at, used);
        at += used;
    }
    if (at < piece->length && memchr(piece->text + at, '{', piece->length - at))
        ja_diagnose(parse->evidence, JA_ERROR, "too-many-documents", kube.line, NULL,
                    "more than %d JSON documents in one file: the rest was left out",
                    MOST_DOCUMENTS);
}

const struct ja_parser ja_parser_kube_json = {
    .name = "kube_json",
    .reads = "Kubernetes metrics API, pods (kubectl get -o json), docker stats as JSON",
    .bid = bid,
    .parse = parse_documents,
};
