/* SPDX-License-Identifier: MIT
 *
 * Parts of the JSON document (json.c): one object each, under no key. index: in the case's array.
 */
#ifndef JA_REPORTS_JSON_PARTS_H
#define JA_REPORTS_JSON_PARTS_H

#include "model/case.h"
#include "reports/json_out.h"

/* json.c: the document's number of an index (from 1; JA_NONE: null), and "E012" of a cite. */
void ja_json_id(struct ja_json_out *json, const char *key, uint32_t index);
void ja_json_ref(struct ja_json_out *json, const char *key, const struct ja_case *item,
                 uint32_t cite);

/* json_series.c: a process or service with its series and their growth. */
void ja_json_process(struct ja_json_out *json, const struct ja_case *item, uint32_t index);
void ja_json_service(struct ja_json_out *json, const struct ja_case *item,
                     const struct ja_service *service);

/* json_states.c: states and groups, and the timeline: events and incidents. */
void ja_json_state(struct ja_json_out *json, const struct ja_case *item,
                   const struct ja_state *state);
void ja_json_group(struct ja_json_out *json, const struct ja_group *group);
void ja_json_event(struct ja_json_out *json, struct ja_case *item, uint32_t index);
void ja_json_incident(struct ja_json_out *json, const struct ja_case *item, uint32_t index);

#endif
