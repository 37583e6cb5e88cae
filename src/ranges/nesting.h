/* SPDX-License-Identifier: Apache-2.0 */
/* nesting.h - lists every push/pop range with its parent and its children.
 *
 *     step  |------------------------|     level 0, two children
 *     load    |----|                       level 1, its parent is step
 *     solve          |-------------|       level 1
 *
 * The parent of a range is the innermost range of the thread, in any domain, that was
 * open when it began and did not end before it. Deferred ranges (RLN_FLAG_DEFERRED) are
 * on no thread's stack: they nest among themselves.
 */
#ifndef RLN_RANGES_NESTING_H
#define RLN_RANGES_NESTING_H

#include "rangeline/model.h"

/* All push/pop ranges of the opened traces. */
struct rln__nesting;

/* One range. */
struct rln__nesting_row {
    int64_t start_ns;
    int64_t end_ns;       /* If never closed: time of its trace's last event. */
    uint64_t children_ns; /* Time in its children. */
    size_t parent;        /* Its index; SIZE_MAX for an outermost one. */
    uint32_t level;       /* 0 for an outermost one. */
    uint32_t n_children;  /* Number of ranges with this one as parent. */
    uint32_t flags;       /* RLN_FLAG_OPEN, RLN_FLAG_RESUMED, RLN_FLAG_DEFERRED. */
    uint32_t name;        /* Equal numbers: same domain and message. */
    uint32_t thread;      /* Index for rln_info_thread(); UINT32_MAX if unknown. */
    uint32_t process;     /* Index for rln_info_process(). */
    uint32_t pid, tid;
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    /* Without all its children, also those that a filter excludes. A range of another
     * domain that crosses its end is no child: both have the time that they share,
     * which rln__tree gives to the inner one alone. */
    uint64_t self_ns;
};

/* Reads the traces once and keeps 64 bytes per push/pop range; beyond 16 MiB, they are
 * in a temporary file in TMPDIR.
 *
 * Ranges with a lost end (RLN_FLAG_LOST) and those without a known time
 * (RLN_FLAG_UNPLACED) are not included. RLN_ERR_NOMEM also for more than 2^32 - 2
 * ranges, RLN_ERR_IO also if the temporary file has no room. */
rln_status rln__nesting_new(rln_reader *reader, struct rln__nesting **out,
                            rln_error *err);

/* Frees the ranges. */
void rln__nesting_free(struct rln__nesting *nesting);

/* Counts the ranges. */
size_t rln__nesting_count(const struct rln__nesting *nesting);

/* Counts the names: rln__nesting_row.name is below this number. */
size_t rln__nesting_count_names(const struct rln__nesting *nesting);

/* Gives a range. Ranges are ordered by their beginning; of those that begin at the same
 * time, the outer one comes first. 1, or 0 past the last one. */
int rln__nesting_get(const struct rln__nesting *nesting, size_t index,
                     struct rln__nesting_row *out);

/* How long a range took. */
static inline uint64_t rln__nesting_row_ns(const struct rln__nesting_row *range)
{
    return (uint64_t)(range->end_ns - range->start_ns);
}

/* Returns it, for a report that reads it while it is printed: from now on one more
 * rln__nesting_free() is needed. */
struct rln__nesting *rln__nesting_hold(struct rln__nesting *nesting);

#endif
