/* SPDX-License-Identifier: Apache-2.0 */
/* range_buckets.h - the ranges of one row, at a resolution that fits memory.
 *
 *   ranges   |--| |-|||-|  |--------|  |||||||       disjoint, in the order of starts
 *   buckets  |--| [   5   ] |--------|  [  7  ]      40 bytes each, however many ranges
 *
 * A bucket is one range, or several neighbors that together are not longer than the
 * row's resolution: their number, the time they fill, and the longest one. The
 * resolution is 0 until there are too many buckets; then all rows get a coarser one.
 * Where ranges are few or long, each keeps its own bucket.
 *
 * So sums of `n` are exact at any resolution: no range is ever left out.
 */
#ifndef RLN_TIMELINE_RANGE_BUCKETS_H
#define RLN_TIMELINE_RANGE_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

struct rln__range_bucket {
    int64_t start_ns, end_ns;
    union {
        uint64_t covered_ns; /* of several */
        uint64_t address;    /* of one: where its begin is recorded; 0 if unknown */
        int64_t call_ns;     /* of GPU work: when the call that requested it began */
    };
    union {
        uint64_t longest_ns;
        struct {
            union {
                uint32_t end_thread; /* index of the thread that ended it */
                uint32_t element; /* of the batch at `address`, of a deferred range */
                uint32_t
                    call_took; /* of GPU work: ns of its call, UINT32_MAX at most */
            };
            union {
                struct {
                    uint32_t value_type : 8;   /* enum rln_payload_type, at `address` */
                    uint32_t has_payloads : 1; /* the event there has extended ones */
                    uint32_t end : 23; /* if its end has any: index + 1 in the index */
                };
                struct {
                    uint32_t caller : 30; /* of GPU work: the thread of its call, + 1 */
                    uint32_t is_by_other_clock : 1; /* the call, than ranges */
                    uint32_t is_adopted : 1;        /* by the main thread */
                };
            };
        };
    };
    uint32_t attr; /* index of attributes; of several ranges, those of the longest */
    uint32_t n : 30;
    uint32_t is_varied : 1; /* of several: their attributes differ */
    uint32_t is_open : 1;   /* never closed */
};

_Static_assert(sizeof(struct rln__range_bucket) == 40, "memory is reckoned in these");

#define RLN__MOST_IN_BUCKET 0x3fffffffu

struct rln__range_buckets {
    struct rln__range_bucket *items; /* owned */
    size_t n, capacity;
    /* Each 64 buckets merged into one, for coarse views. Owned; dropped on any change.
     */
    struct rln__range_bucket *blocks;
    size_t n_blocks;
    /* Some overlap, or came late: sorted by start at the next query. */
    uint8_t is_mixed, is_unsorted;
};

static inline int64_t rln__range_bucket_ns(const struct rln__range_bucket *bucket)
{
    return bucket->end_ns - bucket->start_ns;
}

static inline uint64_t rln__range_bucket_covered(const struct rln__range_bucket *bucket)
{
    return bucket->n > 1 ? bucket->covered_ns : (uint64_t)rln__range_bucket_ns(bucket);
}

/* The longest of its ranges. */
static inline uint64_t rln__range_bucket_longest(const struct rln__range_bucket *bucket)
{
    return bucket->n > 1 ? bucket->longest_ns : (uint64_t)rln__range_bucket_ns(bucket);
}

static inline void rln__range_bucket_merge(struct rln__range_bucket *into,
                                           const struct rln__range_bucket *from)
{
    const uint64_t longest = rln__range_bucket_longest(into),
                   other = rln__range_bucket_longest(from);
    const uint64_t covered =
        rln__range_bucket_covered(into) + rln__range_bucket_covered(from);

    into->is_varied |= from->is_varied | (into->attr != from->attr);
    if (other > longest)
        into->attr = from->attr;
    into->covered_ns = covered;
    into->longest_ns = other > longest ? other : longest;
    into->end_ns = from->end_ns > into->end_ns ? from->end_ns : into->end_ns;
    into->is_open |= from->is_open;
    into->n += from->n;
}

/* Whether a later one fits into it, at that resolution. */
static inline int rln__range_bucket_fits(const struct rln__range_bucket *into,
                                         const struct rln__range_bucket *from,
                                         int64_t most_ns)
{
    /* Times may be absurd: the difference may not fit, so it is unsigned. */
    const uint64_t ns = (uint64_t)from->end_ns - (uint64_t)into->start_ns;

    return ns <= (uint64_t)most_ns && into->n <= RLN__MOST_IN_BUCKET - from->n;
}

void rln__range_buckets_unsettle(struct rln__range_buckets *buckets);
/* Adds a bucket of its own to what is not settled. 0, or -1: no memory. */
int rln__range_buckets_append(struct rln__range_buckets *buckets,
                              const struct rln__range_bucket *bucket);

/* Adds a range; it may become a part of the last bucket. 0, or -1: no memory. */
static inline int rln__range_buckets_add(struct rln__range_buckets *buckets,
                                         const struct rln__range_bucket *bucket,
                                         int64_t resolution_ns)
{
    struct rln__range_bucket *last;

    if (buckets->blocks)
        rln__range_buckets_unsettle(buckets);
    last = buckets->n ? &buckets->items[buckets->n - 1] : NULL;
    if (!resolution_ns || !last || bucket->start_ns < last->end_ns ||
        !rln__range_bucket_fits(last, bucket, resolution_ns))
        return rln__range_buckets_append(buckets, bucket);
    rln__range_bucket_merge(last, bucket);
    return 0;
}

/* Estimates how many buckets there would be at that resolution. */
size_t rln__range_buckets_estimate(struct rln__range_buckets *buckets,
                                   int64_t resolution_ns);

/* Merges buckets that fit into that resolution; gives memory back. */
void rln__range_buckets_coarsen(struct rln__range_buckets *buckets,
                                int64_t resolution_ns);

/* Call when all is added: makes queries faster. 0, or -1: no memory, and only speed is
 * lost. */
int rln__range_buckets_settle(struct rln__range_buckets *buckets);

/* The first bucket that ends at or after a time; if buckets are mixed, simply the
 * first. */
size_t rln__range_buckets_from(struct rln__range_buckets *buckets, int64_t ns);

/* The buckets of [from_ns, to_ns] for a picture: those narrower than `pixel_ns` are
 * merged while the result is not wider. Start with *at from rln__range_buckets_from().
 * 1, or 0 at the end. */
int rln__range_buckets_next(const struct rln__range_buckets *buckets, size_t *at,
                            int64_t to_ns, int64_t pixel_ns,
                            struct rln__range_bucket *out);

void rln__range_buckets_clear(struct rln__range_buckets *buckets);

#endif
