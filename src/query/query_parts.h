/* SPDX-License-Identifier: Apache-2.0 */
/* query_parts.h - what the answers to queries share: the question, limits, and parts of
 * their JSON. */
#ifndef RLN_QUERY_QUERY_PARTS_H
#define RLN_QUERY_QUERY_PARTS_H

#include "base/buf.h"
#include "query/question.h"
#include "timeline/lod_query.h"

/* Beyond these limits an answer has only their number, or a flag that there are more:
 * it stays small for any trace. */
#define RLN__MOST_NAMES_SENT 20000u   /* others are sent on request */
#define RLN__MOST_THREADS_SENT 20000u /* only groups name the others */
#define RLN__MOST_SUMS_SENT 2000u     /* the longest */
#define RLN__MOST_PATHS_SENT 20000u   /* the longest */
#define RLN__MOST_HITS_SENT 100000u   /* names; the number of ranges counts all */

struct rln__query_context {
    const struct rln__question *question;
    struct rln__lod *lod;
    const char *title;
    const char *filter;             /* the filter of the index in words; or "" */
    int64_t from_ns, to_ns;         /* the time that the index will cover, at least */
    int is_live, is_compared;       /* with another trace */
    struct rln__asked_report *kept; /* of a trace; for the next question */
    int can_diff;                   /* it is the first of two, both whole */
    /* The second, which the caller has to itself, too; only for rln__query_is_diff().
     * NULL: its index is not complete. */
    rln_reader *compared;
};

/* The time that an index will cover, by the beginnings of chunks: no event has to be
 * read for it. */
void rln__query_expected_span(rln_reader *reader, int64_t *from_ns, int64_t *to_ns);

static inline rln_text rln__query_text(const struct rln__question_text *text)
{
    return text->is_given ? (rln_text){text->bytes, text->length} : (rln_text){NULL, 0};
}

/* The number of a bucket's name. */
static inline uint32_t rln__query_name(const struct rln__lod *lod,
                                       const struct rln__range_bucket *bucket)
{
    return lod->attrs[bucket->attr].name - 1;
}

/* {"row":0,"start":0,"end":9,"name":3,"tie":1}, the last only where it is needed; the
 * caller adds members and closes it. `bucket` is the row's. */
void rln__query_begin_item(struct rln__buf *out, struct rln__lod *lod, uint32_t row,
                           const struct rln__range_bucket *bucket);
void rln__query_put_item(struct rln__buf *out, struct rln__lod *lod, uint32_t row,
                         const struct rln__range_bucket *bucket);

/* The filter of a request; NULL: none. */
const struct rln__lod_filter *rln__query_filter(const struct rln__query_context *asked,
                                                struct rln__lod_filter *filter);

/* "key": and text. */
void rln__put_text(struct rln__buf *out, const char *key, rln_text text);
/* A number, or null if it is not finite. */
void rln__put_real(struct rln__buf *out, double value);

#endif
