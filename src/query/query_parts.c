/* SPDX-License-Identifier: Apache-2.0 */
#include "query/query_parts.h"

#include "base/json.h"

#include <math.h>

void rln__put_text(struct rln__buf *out, const char *key, rln_text text)
{
    rln__json_key(out, key);
    rln__buf_json(out, text.bytes, text.length);
}

void rln__put_real(struct rln__buf *out, double value)
{
    if (isfinite(value))
        rln__buf_double(out, value, 0);
    else
        rln__buf_text(out, "null");
}

const struct rln__lod_filter *rln__query_filter(const struct rln__query_context *a,
                                                struct rln__lod_filter *filter)
{
    const struct rln__question *q = a->question;

    *filter =
        (struct rln__lod_filter){.name = rln__query_text(&q->filter_name),
                                 .domain = rln__query_text(&q->filter_domain),
                                 .category = rln__query_text(&q->filter_category)};
    return filter->name.length || filter->domain.bytes || filter->category.bytes
               ? filter
               : NULL;
}

void rln__query_begin_item(struct rln__buf *out, struct rln__lod *lod, uint32_t row,
                           const struct rln__range_bucket *bucket)
{
    rln__buf_format(out, "{\"row\":%u,\"start\":%lld,\"end\":%lld,\"name\":%u", row,
                    (long long)bucket->start_ns, (long long)bucket->end_ns,
                    rln__query_name(lod, bucket));
    if (rln__lod_tie_index(lod, row, bucket) != RLN__NONE)
        rln__buf_format(out, ",\"tie\":%u", rln__lod_tie_index(lod, row, bucket));
}

void rln__query_put_item(struct rln__buf *out, struct rln__lod *lod, uint32_t row,
                         const struct rln__range_bucket *bucket)
{
    rln__query_begin_item(out, lod, row, bucket);
    rln__buf_char(out, '}');
}

void rln__query_expected_span(rln_reader *reader, int64_t *from_ns, int64_t *to_ns)
{
    const struct rln__layout *layout = &reader->layout;

    *from_ns = INT64_MAX;
    *to_ns = INT64_MIN;
    for (size_t i = 0; i < layout->n_chunks; i++) {
        const struct rln__chunk_info *c = &layout->chunks[i];
        int64_t ns;

        if (c->kind != RLN__CHUNK_EVENTS && c->kind != RLN__CHUNK_RING)
            continue;
        ns = rln__reader_ns(reader, c->part, c->first_ticks);
        *from_ns = ns < *from_ns ? ns : *from_ns;
        *to_ns = ns > *to_ns ? ns : *to_ns;
    }
}
