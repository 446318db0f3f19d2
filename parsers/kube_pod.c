/* SPDX-License-Identifier: MIT
 *
 * How containers of a pod ended, as kubectl describe pod and kubectl get pod -o yaml tell it.
 *
 *   Name:             web-0                                    describe
 *   Containers:
 *     app:
 *       Last State:     Terminated
 *         Reason:       OOMKilled
 *         Exit Code:    137
 *         Started:      Thu, 09 Apr 2026 14:00:00 +0000
 *         Finished:     Thu, 09 Apr 2026 15:02:03 +0000
 *       Restart Count:  3
 *       Limits:
 *         memory:  512Mi
 *
 *     lastState:                                               YAML, keys in the order of letters
 *       terminated:
 *         exitCode: 137
 *         finishedAt: "2026-04-09T15:02:03Z"
 *         reason: OOMKilled
 *         startedAt: "2026-04-09T14:00:00Z"
 *     name: app
 * after, in the spec:
 *   - image: app:1
 *     name: app
 *     resources:
 *       limits:
 *         memory: 512Mi
 *
 * Each end by OOMKilled -> an OOM kill of the container "pod/name" at its finish, with the memory
 * limit where it is printed. Left out: other ends, events, everything else of the pod.
 */
#include "parsers/parser.h"

#include <string.h>

#include "parsers/columns.h"
#include "parsers/scan.h"
#include "parsers/stamp.h"
#include "parsers/tool_row.h"

struct text {
    const char *text;
    size_t length;
};

/* The memory limit of a container in a YAML spec. */
struct limit {
    struct text name, value;
    struct ja_line line;
};

/* Where a YAML document is read. */
struct yaml {
    enum { ELSEWHERE, METADATA, SPEC } section;
    bool in_list;        /* of containers */
    size_t list_indent;  /* of the key that the list stands behind */
    size_t field_indent; /* of a container's own keys; 0: no container yet */
    bool in_limits;
    struct text name;
    struct limit *limits; /* of the pod at hand, in scratch */
    size_t limit_count, limit_capacity;
};

struct pod {
    struct ja_parse *parse;
    struct text pod, container;
    struct text started, finished;
    bool killed;         /* the end at hand was OOMKilled */
    int line;            /* where it was said */
    uint32_t last_event; /* of the container at hand, for the limit printed below; JA_NONE */
};

/* "  Key:   value" or "- key: value": both trimmed, quotes off; false when the line is no pair. */
static bool pair(const struct ja_line *line, struct text *ret_key, struct text *ret_value)
{
    size_t colon = ja_text_find(line->text, line->length, ":");
    if (colon >= line->length)
        return false;
    ret_key->text = line->text;
    ret_key->length = colon;
    ja_text_trim(&ret_key->text, &ret_key->length);
    if (ja_text_begins(ret_key->text, ret_key->length, "- ")) {
        ret_key->text += 2;
        ret_key->length -= 2;
        ja_text_trim(&ret_key->text, &ret_key->length);
    }
    ret_value->text = line->text + colon + 1;
    ret_value->length = line->length - colon - 1;
    ja_text_trim(&ret_value->text, &ret_value->length);
    if (ret_value->length > 1 && ret_value->text[0] == '"') {
        ret_value->text++;
        ret_value->length -= 2;
    }
    return ret_key->length > 0;
}

static bool is(struct text text, const char *word)
{
    return ja_text_is(text.text, text.length, word);
}

static uint32_t stamp_of(struct ja_evidence *evidence, struct text text)
{
    struct ja_stamp stamp;
    size_t comma = ja_text_find(text.text, text.length, ", ");
    if (comma == 3 && text.length > 5) { /* "Thu, 09 Apr 2026": without the weekday */
        text.text += 5;
        text.length -= 5;
    }
    if (!text.text || !ja_stamp_exact(text.text, text.length, evidence->arena, &stamp))
        return JA_NONE;
    stamp.clock = JA_CLOCK_REPORT;
    return ja_add_stamp(evidence, &stamp);
}

static void add_kill(struct pod *pod)
{
    struct ja_evidence *evidence = pod->parse->evidence;
    uint32_t stamp = stamp_of(evidence, pod->finished);
    uint32_t record = ja_tool_record(pod->parse, JA_KIND_OOM_LOG, stamp, pod->line);
    uint32_t started = stamp_of(evidence, pod->started);
    const char *name = ja_arena_print(
        evidence->arena, "%.*s%s%.*s", (int)pod->pod.length, pod->pod.text ? pod->pod.text : "",
        pod->pod.length && pod->container.length ? "/" : "", (int)pod->container.length,
        pod->container.text ? pod->container.text : "");
    uint32_t subject = ja_add_subject(evidence, record, *name ? name : NULL, JA_UNKNOWN);
    evidence->subjects[subject].name_cut = pod->container.length == 0; /* which one is not said */
    evidence->subjects[subject].scope = JA_SCOPE_CONTAINER;
    ja_subject_more(&evidence->subjects[subject], evidence->arena)->start_stamp = started;
    evidence->subjects[subject].place = evidence->records[record].place;
    struct ja_event_seen *seen =
        ja_add_event(evidence, JA_EVENT_OOM_KILL, record, stamp, evidence->records[record].place);
    seen->subject = subject;
    seen->order = 1;
    seen->reason = "container OOMKilled";
    pod->last_event = (uint32_t)evidence->event_count - 1;
}

/* The end at hand is complete. */
static void close_end(struct pod *pod)
{
    if (pod->killed)
        add_kill(pod);
    pod->killed = false;
    pod->started = pod->finished = (struct text){NULL, 0};
}

static void add_limit(struct pod *pod, const struct ja_line *line, struct text value)
{
    struct ja_evidence *evidence = pod->parse->evidence;
    struct ja_words words;
    struct ja_quantity limit;
    ja_words_split(value.text, value.length, &words);
    if (pod->last_event == JA_NONE || words.count != 1 || !ja_word_size(&words, 0, 1, &limit))
        return;
    struct ja_event_seen *seen = &evidence->events[pod->last_event];
    seen->limit_bytes = limit.value;
    ja_add_fact(evidence, seen->record, JA_FACT_LIMIT, limit.value, "memory limit of the container",
                ja_add_place_line(evidence, line->number))
        ->subject = seen->subject;
    pod->last_event = JA_NONE;
}

static size_t indent_of(const struct ja_line *line)
{
    size_t indent = 0;
    while (indent < line->length && line->text[indent] == ' ')
        indent++;
    return indent;
}

/* kubectl describe pod. */
static void take_described(struct pod *pod, const struct ja_line *line, bool *in_limits)
{
    struct text key, value;
    if (!pair(line, &key, &value))
        return;
    size_t indent = indent_of(line);
    bool end_key = is(key, "State") || is(key, "Last State") || is(key, "Ready");
    if (end_key || indent <= 2)
        close_end(pod);
    if (is(key, "Name") && indent == 0)
        pod->pod = value;
    else if (indent == 2 && value.length == 0)
        pod->container = key;
    else if (is(key, "Reason"))
        pod->killed = is(value, "OOMKilled");
    else if (is(key, "Started"))
        pod->started = value;
    else if (is(key, "Finished"))
        pod->finished = value;
    if (pod->killed && is(key, "Reason"))
        pod->line = line->number;
    if (indent <= 4)
        *in_limits = is(key, "Limits");
    else if (*in_limits && is(key, "memory"))
        add_limit(pod, line, value);
}

/* The containers of a spec. A container's own keys stand at one indent: its ports and variables
 * have names, too. */
static void take_spec(struct pod *pod, struct yaml *yaml, const struct ja_line *line,
                      struct text key, struct text value)
{
    size_t indent = indent_of(line);
    bool item = ja_text_begins(line->text + indent, line->length - indent, "- ");
    if (is(key, "containers") || is(key, "initContainers")) {
        yaml->in_list = true;
        yaml->list_indent = indent;
        yaml->field_indent = 0;
        return;
    }
    if (indent < yaml->list_indent || (indent == yaml->list_indent && !item))
        yaml->in_list = false;
    if (!yaml->in_list)
        return;
    if (item && !yaml->field_indent)
        yaml->field_indent = indent + 2;
    if (item && indent + 2 == yaml->field_indent)
        yaml->name = (struct text){NULL, 0};
    if (indent + (item ? 2 : 0) == yaml->field_indent) {
        yaml->in_limits = false;
        if (is(key, "name"))
            yaml->name = value;
    } else if (value.length == 0) {
        yaml->in_limits = is(key, "limits");
    } else if (yaml->in_limits && is(key, "memory") && yaml->name.text) {
        *JA_APPEND(pod->parse->scratch, yaml->limits, yaml->limit_count, yaml->limit_capacity) =
            (struct limit){yaml->name, value, *line};
    }
}

static void close_yaml_end(struct pod *pod, const struct yaml *yaml, struct text name)
{
    pod->container = name;
    close_end(pod);
    for (size_t i = 0; i < yaml->limit_count; i++) {
        const struct limit *limit = &yaml->limits[i];
        if (limit->name.length == name.length &&
            ja_text_same(limit->name.text, name.text, name.length))
            add_limit(pod, &limit->line, limit->value);
    }
    pod->container = (struct text){NULL, 0}; /* of the next end nothing is known yet */
}

static void enter_section(struct yaml *yaml, struct text key)
{
    yaml->section = is(key, "metadata") ? METADATA : is(key, "spec") ? SPEC : ELSEWHERE;
    if (yaml->section != SPEC)
        return;
    yaml->in_list = false;
    yaml->limit_count = 0;
}

/* kubectl get pod -o yaml: the name of the container comes after its last state. */
static void take_yaml(struct pod *pod, const struct ja_line *line, struct yaml *yaml)
{
    struct text key, value;
    if (!pair(line, &key, &value))
        return;
    if (value.length == 0 && (is(key, "metadata") || is(key, "spec") || is(key, "status")))
        enter_section(yaml, key);
    if (yaml->section == SPEC)
        take_spec(pod, yaml, line, key, value);
    if (is(key, "startedAt"))
        pod->started = value;
    else if (is(key, "finishedAt"))
        pod->finished = value;
    else if (is(key, "reason") && is(value, "OOMKilled")) {
        pod->killed = true;
        pod->line = line->number;
    } else if (is(key, "name") && yaml->section == METADATA) {
        pod->pod = value;
    } else if (is(key, "name") && pod->killed) {
        close_yaml_end(pod, yaml, value);
    } else if (is(key, "containerID") && !pod->killed) {
        pod->started = pod->finished = (struct text){NULL, 0};
    }
}

static int bid(const struct ja_piece *piece)
{
    static const char *const forms[] = {"Last State:", "containerStatuses:"};
    if (ja_text_find(piece->text, piece->length, "OOMKilled") == piece->length)
        return 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (ja_text_find(piece->text, piece->length, forms[i]) < piece->length)
            return 85;
    return 0;
}

static void parse_pod(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct pod pod = {.parse = parse, .last_event = JA_NONE};
    struct ja_line line;
    size_t at = 0;
    int number = 0;
    bool in_limits = false;
    struct yaml document = {.section = ELSEWHERE};
    bool yaml = ja_text_find(piece->text, piece->length, "containerStatuses:") < piece->length;
    ja_set_kind(parse->evidence, JA_KIND_OOM_LOG);
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (yaml)
            take_yaml(&pod, &line, &document);
        else
            take_described(&pod, &line, &in_limits);
    }
    close_end(&pod);
}

const struct ja_parser ja_parser_kube_pod = {
    .name = "kube_pod",
    .reads = "kubectl describe pod, kubectl get pod -o yaml: containers that were OOMKilled",
    .whole = true,
    .bid = bid,
    .most = 85,
    .parse = parse_pod,
};
