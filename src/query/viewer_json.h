/* SPDX-License-Identifier: Apache-2.0 */
/* viewer_json.h - JSON that several answers have: viewer/README.md. */
#ifndef RLN_QUERY_VIEWER_JSON_H
#define RLN_QUERY_VIEWER_JSON_H

#include "base/buf.h"
#include "base/count.h"
#include "base/json.h"
#include "timeline/lod.h"
#include "trace/open/losses.h"

/* A word for the interpolation of rln_semantics; NULL: the program does not say. */
static inline const char *rln__interpolation_name(uint8_t interpolation)
{
    static const char *const words[] = {NULL, "point", "back", "until", "line"};

    return interpolation < RLN_COUNT(words) ? words[interpolation] : NULL;
}

/* Copies JSON for a browser. Integers beyond the range of its numbers become texts. */
void rln__viewer_json(struct rln__buf *out, const char *json, size_t length);

/* A number of `type` (rln_payload_type) for a browser: a text if it is nan or infinite,
 * or too long. */
void rln__viewer_json_number(struct rln__buf *out, uint8_t type, uint64_t bits);

static inline void rln__viewer_json_gaps(struct rln__buf *out,
                                         const struct rln__lod_gap *gaps, size_t n)
{
    rln__buf_text(out, "\"gaps\":[");
    for (size_t i = 0; i < n; i++)
        rln__buf_format(out, "%s[%lld,%u,%llu]", i ? "," : "", (long long)gaps[i].t_ns,
                        gaps[i].thread, (unsigned long long)gaps[i].n_lost);
    rln__buf_text(out, "],\n");
}

/* What is missing, as far as the trace has been read: events that were dropped; from
 * when on none was overwritten, null if none was; parts that are damaged, likewise. */
static inline void rln__viewer_json_losses(struct rln__buf *out, rln_reader *reader)
{
    const struct rln__losses *losses = rln__reader_get_losses(reader);

    rln__json_u64(out, "dropped", losses->n_dropped);
    if (losses->n_overwritten)
        rln__json_i64(out, "wholeSince", losses->complete_since_ns);
    else
        rln__buf_text(out, ",\"wholeSince\":null");
    if (losses->n_damages) {
        rln__json_begin(out, "damage", '{');
        rln__json_u64(out, "n", losses->n_damages);
        rln__json_u64(out, "offset", losses->damage.offset);
        rln__json_text(out, "reason", losses->damage.reason);
        rln__buf_char(out, '}');
    } else {
        rln__buf_text(out, ",\"damage\":null");
    }
    rln__buf_text(out, ",\n");
}

#endif
