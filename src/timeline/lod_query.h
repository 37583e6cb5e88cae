/* SPDX-License-Identifier: Apache-2.0 */
/* lod_query.h - queries of an index: a span of time, a name, or a single range.
 *
 * Where a bucket holds several ranges (range_buckets.h), their number and the time they
 * fill stay exact, and the whole bucket counts for its longest range.
 */
#ifndef RLN_TIMELINE_LOD_QUERY_H
#define RLN_TIMELINE_LOD_QUERY_H

#include "ranges/gpu_owner.h"
#include "timeline/lod.h"

/* A search. `name` matches any part, in any case, `category` a whole category as shown.
 * A domain or category without bytes matches all, an empty one matches events without
 * one. */
struct rln__lod_filter {
    rln_text name, domain, category;
    const uint8_t *rows; /* borrowed; of sums: enum rln__lod_row_counts; NULL: all do */
};

enum rln__lod_row_counts {
    RLN__LOD_ROW_IS_SKIPPED,
    RLN__LOD_ROW_COUNTS,
    RLN__LOD_ROW_IS_INSIDE, /* counts for nothing, but inside others it is not theirs */
};

/* Verdicts on attributes: each is tested once. Zeroed: none tested yet. */
struct rln__lod_filter_cache {
    const struct rln__lod_filter *filter; /* borrowed; NULL: all are */
    uint8_t *answers;                     /* owned: by index of attributes */
    size_t n;
};
/* -1: no memory. */
int rln__lod_matches(struct rln__lod *lod, struct rln__lod_filter_cache *cache,
                     uint32_t attr);
void rln__lod_filter_cache_clear(struct rln__lod_filter_cache *cache);

/* Whether `text` contains `part`, ignoring the case of ASCII letters. */
int rln__lod_holds(rln_text text, rln_text part);
/* Adds a category as shown, by filters as well: domain:io, or domain:category 7 if it
 * has no name. */
void rln__lod_put_category(struct rln__buf *out,
                           const struct rln__lod_kinship *kinship);
/* Whether a name as shown contains `part`. */
int rln__lod_name_holds(const struct rln__lod_name *name, rln_text part);

struct rln__lod_sum {
    uint32_t name;
    uint32_t parent; /* of a path: index, which is smaller; RLN__NONE: none */
    uint64_t total_ns, n;
    uint64_t nested_ns;  /* of names: of those inside others of it, in the total too */
    int64_t self_ns;     /* without inner ranges; of paths, without matching ones */
    uint64_t longest_ns; /* the longest range, whole */
};

struct rln__lod_sums {
    struct rln__lod_sum *names; /* owned, as the next; the longest total first */
    size_t n_names, names_capacity;
    struct rln__lod_sum *paths;
    size_t n_paths, paths_capacity;
    /* A bucket of several names counts for the longest range's: in names, in paths. */
    int are_names_rough, are_paths_rough;
};

struct rln__lod_found {
    uint32_t row;
    const struct rln__range_bucket *bucket; /* borrowed until the index changes */
};

/* Ranges and marks are in the order of their starts, then of their rows, then as their
 * row has them: `tie_index` counts those that begin at the same time in one row. */
struct rln__lod_position {
    int64_t start_ns;
    uint32_t row;       /* RLN__NONE: after all that begin then */
    uint32_t tie_index; /* RLN__NONE: the last */
};

/* Ranges and marks of some names, in some rows, that a filter matches. */
struct rln__lod_sought {
    const uint8_t *names; /* borrowed, as the next: nonzero at their numbers */
    const uint8_t *rows;  /* likewise; NULL: all rows */
    struct rln__lod_filter_cache *cache; /* borrowed; NULL: no filter */
};

/* What is projected on a stream is in the row of its thread, too. */
static inline int rln__lod_is_row_sought(const struct rln__lod *lod,
                                         const struct rln__lod_sought *sought,
                                         uint32_t row)
{
    return lod->rows[row].kind != RLN__LOD_PROJECTED &&
           (!sought->rows || sought->rows[row]);
}

/* Whether a row has ranges of threads, not work of GPUs. */
static inline int rln__lod_is_of_ranges(const struct rln__lod_row *row)
{
    return !row->is_stream &&
           (row->kind == RLN__LOD_PUSHED || row->kind == RLN__LOD_STARTED);
}

/* The number of a bucket's name; RLN__NONE: it is unknown, in an index that has it only
 * of a part. */
static inline uint32_t rln__lod_name_of(const struct rln__lod *lod,
                                        const struct rln__range_bucket *bucket)
{
    return bucket->attr < lod->n_attrs && lod->attrs[bucket->attr].name
               ? lod->attrs[bucket->attr].name - 1
               : RLN__NONE;
}

/* Whether a bucket of a sought row is sought. */
static inline int rln__lod_is_sought(struct rln__lod *lod,
                                     const struct rln__lod_sought *sought,
                                     const struct rln__range_bucket *bucket)
{
    const uint32_t name = rln__lod_name_of(lod, bucket);

    return name != RLN__NONE && sought->names[name] &&
           (!sought->cache || rln__lod_matches(lod, sought->cache, bucket->attr) > 0);
}

#define RLN__LOD_LONGEST 200u

struct rln__lod_longest {
    struct rln__lod_found *items; /* owned; the longest first */
    size_t n;                     /* RLN__LOD_LONGEST at most */
    uint64_t n_all;               /* how many there are in all */
    struct rln__lod *narrow;      /* where rows are that were read again */
    int is_rough; /* some are merged, perhaps with ranges of other names: a bucket
                   * stands for the longest in it, and `n_all` counts all as that one */
};

/* Adds the durations of all ranges of names that are nonzero at their numbers. 0, or -1:
 * no memory. */
int rln__lod_merge_durations(const struct rln__lod *lod, const uint8_t *names,
                             struct rln__duration_histogram *out);

/* How many ranges and marks are sought. `is_rough`: some are merged with others. */
uint64_t rln__lod_count(struct rln__lod *lod, const struct rln__lod_sought *sought,
                        int *is_rough);

/* The nearest range or mark sought after a position, or before it. 0: none. */
int rln__lod_next(struct rln__lod *lod, const struct rln__lod_sought *sought,
                  const struct rln__lod_position *from, int is_earlier,
                  struct rln__lod_found *out);

/* How many ranges and marks of a name begin before a time. */
size_t rln__lod_count_before(struct rln__lod *lod, uint32_t name, int64_t ns);
/* When the n-th of them begins; the first is 1. 1, 0: there are fewer, or -1: no
 * memory. */
int rln__lod_nth(struct rln__lod *lod, uint32_t name, uint64_t n, int64_t *start_ns);

/* The bucket at a position of a row, or NULL. */
const struct rln__range_bucket *rln__lod_item(struct rln__lod *lod,
                                              const struct rln__lod_position *at);
/* The tie index of a row's bucket; RLN__NONE: the last, or the only one. */
uint32_t rln__lod_tie_index(const struct rln__lod *lod, uint32_t row,
                            const struct rln__range_bucket *bucket);

/* Whether rln__lod_refine() reads this row again. */
static inline int rln__lod_is_close(const struct rln__lod_row *row)
{
    return (row->kind == RLN__LOD_PUSHED || row->kind == RLN__LOD_MARKS) &&
           !row->is_deferred && !row->is_stream && row->thread != RLN__NONE;
}

/* The thread that ended a start/end range, if another one than began it; else
 * RLN__NONE. */
static inline uint32_t rln__lod_end_thread(const struct rln__lod_row *row,
                                           const struct rln__range_bucket *bucket)
{
    return bucket->n == 1 && bucket->end_thread != row->thread && !row->is_deferred &&
                   !row->is_stream && row->kind == RLN__LOD_STARTED
               ? bucket->end_thread
               : RLN__NONE;
}

/* Whether a bucket is an operation of a GPU whose call is known. */
static inline int rln__lod_has_call(const struct rln__lod_row *row,
                                    const struct rln__range_bucket *bucket)
{
    return row->is_stream && bucket->n == 1 && bucket->caller;
}

/* Of such an operation: the thread of its call, an index. */
static inline uint32_t rln__lod_caller(const struct rln__range_bucket *bucket)
{
    return (uint32_t)bucket->caller - 1u;
}

/* Whether buckets of a row have the time and the thread of something else: that of an
 * operation's call, or of the range that is projected. */
static inline int rln__lod_has_others_times(const struct rln__lod_row *row)
{
    return row->is_stream || row->kind == RLN__LOD_PROJECTED;
}

/* What of its call a range must enclose. */
static inline struct rln__gpu_call_span
rln__lod_call_span(const struct rln__range_bucket *bucket)
{
    return rln__gpu_call_span(bucket->call_ns, bucket->call_ns + bucket->call_took,
                              bucket->is_by_other_clock);
}

/* While an index is built: the range that is open at an index of the pairing's pool,
 * with its end where the index has got to, if it belongs to `row`. */
int rln__lod_open(struct rln__lod *lod, size_t index, uint32_t row,
                  struct rln__range_bucket *out);

/* Whether ranges of a row may be directly inside those of `above`: with a filter, levels
 * between them may be empty. And whether what begins at a time is, if it is inside. */
int rln__lod_may_be_in(const struct rln__lod *lod, uint32_t above, uint32_t row);
int rln__lod_is_directly_in(struct rln__lod *lod, uint32_t above, uint32_t row,
                            int64_t ns);

/* The bucket of a row at a time; NULL: none. */
const struct rln__range_bucket *rln__lod_at(struct rln__lod *lod, uint32_t row,
                                            int64_t ns);

#endif
