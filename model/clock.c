/* SPDX-License-Identifier: MIT */
#include "model/clock.h"
static bool one(const struct ja_stamp *s, bool hz, int off, struct ja_instant *r)
{
    *r = ja_instant_none();
    int64_t ns;
    if (s->parts & JA_STAMP_UNIX)
        ns = s->unix_ns;
    else {
        int64_t u;
        if (!(s->parts & JA_STAMP_DATE) || !(s->parts & JA_STAMP_TIME) ||
            !ja_civil_to_unix(s->year, s->month, s->day, s->hour, s->minute, s->second, &u))
            return false;
        int o = (s->parts & JA_STAMP_ZONE) ? s->offset_s : hz ? off : 0;
        ns = (u - o) * JA_NS_PER_S + s->nanosecond;
    }
    ns += s->shift_ns;
    ns -= ns % 1000;
    *r = (struct ja_instant){ns, ns - s->error_ns, ns + s->error_ns, s->clock, s->text};
    if (s->parts & JA_STAMP_NOT_AFTER) {
        r->unix_ns = JA_UNKNOWN;
        r->early_ns = JA_UNKNOWN;
    }
    return true;
}
bool ja_clock_resolve(struct ja_evidence *e, const struct ja_clock_context *c, struct ja_instant *r)
{
    for (size_t i = 0; i < e->stamp_count; i++)
        one(&e->stamps[i], c->has_zone, c->zone_offset_s, &r[i]);
    return false;
}
bool ja_clock_stated(const struct ja_stamp *s, const struct ja_statements *st, struct ja_instant *r)
{
    return s->parts && one(s, st->has_zone, st->zone_offset_s, r);
}
