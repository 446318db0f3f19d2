/* SPDX-License-Identifier: MIT
 *
 * CoreAnalytics (bug_type 211, Analytics-*.ips.ca): a header line, then one JSON message a line.
 * Seen: iOS 13.2. Only the jetsam messages are taken:
 *
 *   {"message":{"Count":3,"name":"assetsd","reason":"highwater",...},"name":"JetsamAggregationV2"}
 *
 * Count -> a DAILY_KILLS fact: kills of one day by name and reason, with no sizes and no times, so
 * they are no events. V3 repeats the counts of V2 in other words; V2 is taken, V3 only where a file
 * has no V2.
 */
#include "parsers/ips.h"
#include "parsers/json.h"
#include "parsers/scan.h"

#include <string.h>

#define MOST_FACTS 2000

static bool is_message(const char *text, size_t length)
{
    return ja_text_find(text, length, "\"JetsamAggregationV") < length;
}

static int bid(const struct ja_piece *piece)
{
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    if (ja_ips_is(&ips, "211"))
        return 95;
    size_t length = piece->length < 65536 ? piece->length : 65536;
    return !ips.bug_type.text && is_message(piece->text, length) ? 85 : 0;
}

static void take(struct ja_parse *parse, uint32_t record, const struct ja_line *line,
                 const char *wanted)
{
    size_t used;
    const cJSON *root = ja_json_parse(line->text, line->length, &used);
    const char *kind = ja_json_string(root, "name");
    if (!kind || strcmp(kind, wanted) != 0)
        return;
    const cJSON *message = ja_json_get(root, "message");
    const char *name = ja_json_string(message, "name"), *reason = ja_json_string(message, "reason");
    int64_t count;
    if (!name ||
        !ja_json_int(parse->evidence, message, "Count", "/message", -1, -1, 0, 1000000000, &count))
        return;
    ja_add_fact(parse->evidence, record, JA_FACT_DAILY_KILLS, count,
                ja_arena_print(parse->scratch, "%s (%s)", name, reason ? reason : "no reason"),
                ja_add_place_line(parse->evidence, line->number));
}

static void parse_analytics(const struct ja_piece *piece, struct ja_parse *parse)
{
    struct ja_evidence *evidence = parse->evidence;
    struct ja_ips ips;
    ja_ips_of(piece, &ips);
    ja_set_kind(evidence, JA_KIND_ANALYTICS);
    ja_ips_apply(&ips, parse);
    evidence->captured = evidence->written;
    const char *v2 = "JetsamAggregationV2", *v3 = "JetsamAggregationV3";
    const char *wanted =
        ja_text_find(piece->text, piece->length, "\"JetsamAggregationV2\"") < piece->length ? v2
                                                                                            : v3;
    ja_set_status(evidence, JA_STATUS_NO_MEMORY_CONTENT,
                  "daily counts at most, no sizes and no times");
    if (!is_message(piece->text, piece->length))
        return;
    uint32_t record = ja_add_record(evidence, JA_KIND_ANALYTICS, evidence->written);
    evidence->records[record].system = ja_add_system(evidence);
    evidence->systems[evidence->records[record].system].os = evidence->os;
    struct ja_slice key;
    if (ja_ips_find(piece->text, piece->length, "crashreporter_key", &key, NULL))
        evidence->systems[evidence->records[record].system].host_key =
            ja_ips_text(&key, evidence->arena);
    size_t at = 0;
    int number = 0;
    struct ja_line line;
    while (ja_piece_line(piece, &at, &number, &line)) {
        if (!is_message(line.text, line.length))
            continue;
        if (evidence->fact_count >= MOST_FACTS) {
            ja_diagnose(evidence, JA_WARNING, "too-many-counts", line.number, NULL,
                        "more than %d counts in one file: the rest was left out", MOST_FACTS);
            return;
        }
        take(parse, record, &line, wanted);
    }
}

const struct ja_parser ja_parser_analytics = {
    .name = "analytics",
    .reads = "CoreAnalytics (bug_type 211): daily counts of jetsam kills",
    .whole = true,
    .bid = bid,
    .parse = parse_analytics,
};
