/* SPDX-License-Identifier: MIT
 *
 * Memory resource reports (bug_type 30, *.memory_resource.diag): EXC_RESOURCE, a process passed its
 * high water mark. No whole one was found in public; fragments give the wording:
 *
 *   EXC_RESOURCE (RESOURCE_TYPE_MEMORY: high watermark memory limit exceeded) (limit=2098 MB)
 *
 * One LIMIT event with the limit in bytes (MB = 2^20); Footprint lines -> readings (spindump.c).
 * It says that the process passed its limit, not that it was killed.
 */
#include <string.h>

#include "parsers/scan.h"
#include "parsers/spindump.h"

#define SNIFF_BYTES ((size_t)64 * 1024)

static bool contains(const struct ja_piece *piece, const char *token)
{
    size_t length = piece->length < SNIFF_BYTES ? piece->length : SNIFF_BYTES;
    return ja_text_find(piece->text, length, token) < length;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_spindump dump;
    bool text = ja_spindump_open(piece, &dump);
    if (ja_ips_is(&dump.ips, "30"))
        return 95;
    if (dump.ips.bug_type.text)
        return 0;
    bool named = contains(piece, "high watermark memory limit exceeded");
    return text && (named || ja_slice_holds(&dump.event, "memory")) ? 92 : 0;
}

/* "(limit=2098 MB)", "Limit 2098 MB". */
static int64_t stated_limit(const struct ja_piece *piece)
{
    static const char *const tokens[] = {"limit=", "Limit ", "limit "};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        for (size_t at = 0; at < piece->length;) {
            at += ja_text_find(piece->text + at, piece->length - at, tokens[i]);
            if (at >= piece->length)
                break;
            at += strlen(tokens[i]);
            struct ja_scan scan = ja_scan_of(piece->text + at, piece->length - at);
            struct ja_quantity size;
            if (ja_scan_size(&scan, &size))
                return size.value;
        }
    }
    return JA_UNKNOWN;
}

static void parse_report(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_spindump dump;
    size_t readings = 0;
    ja_spindump_open(piece, &dump);
    uint32_t record = ja_spindump_read(&dump, parse, JA_KIND_MEMORY_RESOURCE, &readings);
    int64_t limit = stated_limit(&dump.body);
    struct ja_event_seen *event = ja_spindump_event(
        &dump, parse, record, JA_EVENT_LIMIT, "high watermark memory limit exceeded", &dump.event);
    event->limit_bytes = limit;
    if (limit != JA_UNKNOWN)
        ja_add_fact(parse->evidence, record, JA_FACT_LIMIT, limit, "memory high water mark",
                    event->place)
            ->subject = event->subject;
    ja_spindump_status(parse, readings, true, "a memory limit was passed, no size is printed");
}

const struct ja_parser ja_parser_memory_resource = {
    .name = "memory_resource",
    .reads = "memory resource reports: EXC_RESOURCE (bug_type 30)",
    .whole = true,
    .bid = bid,
    .parse = parse_report,
};
