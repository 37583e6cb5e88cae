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

#include "base/spill.h"
#include "ranges/range_names.h"
#include "trace/decode/deferred_events.h"

/* A range as it is stored. */
struct rln__nested {
    int64_t start_ns, end_ns;
    union {
        uint64_t children_ns; /* in children that are listed */
        int64_t order_ns;     /* until it is listed: its start, or its parent's */
    };
    uint64_t inside_ns; /* in all children */
    uint32_t parent;    /* index; RLN__NONE */
    uint32_t level;
    uint32_t n_children;
    uint32_t name;
    uint32_t thread; /* index; of a deferred range, that of its origin */
    uint32_t flags;
};

/* All push/pop ranges of the opened traces. */
struct rln__nesting {
    const rln_reader *reader; /* borrowed */
    struct rln__spill *rows;  /* owned, as all these */
    size_t n;
    size_t n_holders;
    struct rln__range_names names;
    struct rln__event_origin *origins; /* of deferred ranges */
    size_t n_origins, origins_capacity;
};

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

/* Reads the traces once and keeps 56 bytes per push/pop range, in a spill.
 *
 * Ranges with a lost end (RLN_FLAG_LOST) and those without a known time
 * (RLN_FLAG_UNPLACED) are not included. RLN_ERR_NOMEM also for more than 2^32 - 2
 * ranges, RLN_ERR_IO also if the temporary file has no room. */
rln_status rln__nesting_new(rln_reader *reader, struct rln__nesting **out,
                            rln_error *err);

/* Frees the ranges. */
void rln__nesting_free(struct rln__nesting *nesting);

/* Counts the ranges. */
static inline size_t rln__nesting_count(const struct rln__nesting *nesting)
{
    return nesting->n;
}

/* Counts the names: rln__nesting_row.name is below this number. */
static inline size_t rln__nesting_count_names(const struct rln__nesting *nesting)
{
    return nesting->names.n;
}

/* Gives a range that there is. Ranges are ordered by their beginning; of those that begin
 * at the same time, the outer one comes first.
 *
 * Inlined, because a pass over millions of ranges mostly needs two or three members. */
static inline __attribute__((always_inline)) struct rln__nesting_row
rln__nesting_at(const struct rln__nesting *n, size_t index)
{
    const struct rln__nested *row = (const struct rln__nested *)n->rows->items + index;
    const struct rln__range_name *name = &n->names.items[row->name];
    struct rln__event_origin origin;

    rln__spill_touch(n->rows);
    if (row->flags & RLN_FLAG_DEFERRED) {
        origin = n->origins[row->thread];
    } else {
        const struct rln__trace_thread *thread = &n->reader->threads[row->thread];

        origin = (struct rln__event_origin){thread->process, row->thread, thread->tid};
    }
    return (struct rln__nesting_row){
        .start_ns = row->start_ns,
        .end_ns = row->end_ns,
        .children_ns = row->children_ns,
        .parent = row->parent == RLN__NONE ? SIZE_MAX : row->parent,
        .level = row->level,
        .n_children = row->n_children,
        .flags = row->flags,
        .name = row->name,
        .thread = origin.thread,
        .process = origin.process,
        .pid = n->reader->names.processes[origin.process].record.pid,
        .tid = origin.tid,
        .is_default_domain = name->domain == 0,
        .domain_name = name->domain_name,
        .message = name->message,
        .self_ns = (uint64_t)(row->end_ns - row->start_ns) - row->inside_ns,
    };
}

/* The same; 0 past the last range. */
static inline __attribute__((always_inline)) int
rln__nesting_get(const struct rln__nesting *n, size_t index,
                 struct rln__nesting_row *out)
{
    if (index >= n->n)
        return 0;
    *out = rln__nesting_at(n, index);
    return 1;
}

/* How long a range took. */
static inline uint64_t rln__nesting_row_ns(const struct rln__nesting_row *range)
{
    return (uint64_t)(range->end_ns - range->start_ns);
}

/* Returns it, for a report that reads it while it is printed: from now on one more
 * rln__nesting_free() is needed. */
struct rln__nesting *rln__nesting_hold(struct rln__nesting *nesting);

#endif
