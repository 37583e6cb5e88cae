/* SPDX-License-Identifier: Apache-2.0 */
/* lod.h - the level-of-detail index of a trace: rows, and the merged ranges in them.
 *
 *   thread 7 --+-- row: level 0   |--------------------|    range_buckets.h
 *              +-- row: level 1     |---|  |--| [ 5  ]
 *              +-- row: marks        |  |     |
 *              +-- row: lane 0    |-----------|             start/end ranges
 *              +-- row: lane 1      |--|  |-|               begun in those of lane 0
 *   process 2 --- row: a counter  . . ..  .                 sample_buckets.h
 *
 * One pass over the trace, thread by thread (trace/order/scan.h), builds it; meanwhile
 * it answers queries with what it has. A range's level is one more than that of the
 * enclosing range, in any domain, so the ranges of a row never overlap. A start/end
 * range takes the first free lane of its thread, or, if it says in which other range it
 * was begun (rln__outer_range()), the first free one of those that belong to that lane.
 *
 * Memory: the number of buckets is limited; at the limit, every row's resolution is
 * halved. Rows are limited, too: further ones share one row with a name of its own.
 *
 * Names, rows and groups are numbered in the order in which they are met, and keep
 * their numbers: the index of a trace that has grown begins with those of the last
 * index.
 */
#ifndef RLN_TIMELINE_LOD_H
#define RLN_TIMELINE_LOD_H

#include "base/key_index.h"
#include "format/locations.h"
#include "ranges/counter_samples.h"
#include "ranges/engine.h"
#include "ranges/predicate.h"
#include "statistics/duration_histogram.h"
#include "timeline/lod_kinds.h"
#include "timeline/range_buckets.h"
#include "timeline/sample_buckets.h"
#include "trace/decode/event_payloads.h"
#include "trace/open/load.h"

#define RLN__LOD_LEVELS 255u /* deeper ranges, and more lanes, share the last row */
#define RLN__LOD_ROWS 20000u /* all ranges of further threads share one row */
#define RLN__LOD_LAST_KINSHIP 63u /* bits of a row */
#define RLN__LOD_ENDS                                                                  \
    (1u << 20) /* that have payloads; of further ones none are shown */
#define RLN__LOD_OTHERS RLN__NONE /* as a thread: those further ones */

enum rln__lod_kind {
    RLN__LOD_PUSHED = 'p',
    RLN__LOD_STARTED = 's',
    RLN__LOD_MARKS = 'm',
    RLN__LOD_COUNTER = 'c',
    RLN__LOD_CALLS = 'a',     /* of CUDA, of a thread */
    RLN__LOD_PROJECTED = 'r', /* ranges, as a stream carried out what was requested */
};

struct rln__lod_name {
    rln_text domain, message, field; /* borrowed from the reader */
    struct rln__location function;   /* that it names, likewise */
    uint32_t color;                  /* 0xRRGGBB + 1; 0: the program gave none */
    uint8_t is_of_gpu;               /* of a kernel: its numbers say which it is */
    uint64_t n_marks;
    /* Of all its ranges, whatever the resolution; `nested_ns` of those inside another one
     * of it, which `total_ns` has as well. */
    uint64_t total_ns, self_ns, nested_ns;
    struct rln__duration_histogram durations;
};

struct rln__lod_group {
    uint32_t process; /* index; RLN__NONE: of others */
    uint32_t thread;  /* index; RLN__NONE: of none */
};

/* A pair of domain and category, as attributes have one. */
struct rln__lod_kinship {
    rln_text domain, category; /* borrowed from the reader; names */
    uint32_t number;           /* of the category; 0: none */
};

struct rln__lod_row {
    enum rln__lod_kind kind;
    uint32_t level; /* or lane */
    uint32_t group;
    uint32_t above;          /* of the level, or lane, around it; RLN__NONE: none */
    uint32_t thread;         /* index; RLN__NONE: of none, or of several */
    uint32_t lane;           /* of deferred events: deferred_events.h */
    rln_text scope;          /* of these */
    uint8_t is_deferred;     /* submitted afterwards: a lane of deferred_events.h */
    uint8_t is_stream;       /* of a GPU: lod_gpu.c */
    uint8_t is_of_waits;     /* of a stream: synchronization, no operations */
    uint32_t name;           /* of a counter */
    uint64_t kinships;       /* bits of those that occur; the last is all from 63 on */
    rln_semantics semantics; /* of a counter */
    struct rln__range_buckets buckets;
    struct rln__sample_buckets sample_buckets; /* of a counter */
};

/* Events of a thread that are lost. */
struct rln__lod_gap {
    int64_t t_ns;
    uint64_t n_lost;
    uint32_t thread;
};

#define RLN__LOD_GAPS 10000u /* further ones are not listed */

/* Where an event is recorded. */
struct rln__lod_event {
    uint64_t address; /* {part:16, offset:48}; 0: unknown */
    uint32_t element; /* of a batch of deferred events */
};

struct rln__lod_thread;
struct rln__lod_begun;
struct rln__lod_building;
struct rln__lod_segment;
struct rln__lod_narrow;
struct rln__lod_saved;
struct rln__deferred_source;
struct rln__gpu_batches;
struct rln__cpu_times;

/* How many ranges of a name are open on the thread whose turn it is: lod_nested.h. */
struct rln__lod_open_count {
    uint32_t like; /* the first attributes with that name, + 1; 0: not known yet */
    uint32_t n_open, turn;
};

struct rln__lod_nested {
    struct rln__map likes;              /* domain, message -> such attributes, + 1 */
    struct rln__lod_open_count *counts; /* owned: by index of attributes */
    size_t n;
    uint32_t thread, turn;
};

struct rln__lod {
    rln_reader *reader;           /* borrowed; NULL: of what was saved */
    struct rln__lod_saved *saved; /* owned; what stands for the trace then */
    int is_filtered;
    struct rln__key_index name_keys, row_keys, group_keys, kinship_keys;
    struct rln__lod_name *names; /* owned, as all these */
    size_t n_names, names_capacity;
    struct rln__lod_kinds kinds; /* of names */
    struct rln__lod_row *rows;
    size_t n_rows, rows_capacity;
    struct rln__lod_group *groups;
    size_t n_groups, groups_capacity;
    struct rln__lod_kinship *kinships;
    size_t n_kinships, kinships_capacity;
    struct rln__lod_attr *attrs; /* by index of attributes */
    size_t n_attrs;
    struct rln__lod_event *ends; /* of ranges; those with payloads */
    size_t n_ends, ends_capacity;
    struct rln__lod_gap *gaps;
    size_t n_gaps, gaps_capacity;
    struct rln__map threads_by_tid;       /* of owners of GPU work */
    struct rln__gpu_batches *gpu_batches; /* owned: to read it again; NULL: not yet */
    struct rln__lod_segment
        *segments; /* lod_narrow.c; each one's stack is owned, too */
    size_t n_segments, segments_capacity;
    struct rln__lod_narrow *narrow;   /* the part last read again */
    struct rln__cpu_times *cpu_times; /* owned: lod_states.c; NULL: not asked for yet */
    int is_narrow;                    /* this index is such a part */

    int64_t resolution_ns; /* of buckets; 0: one bucket per range or sample */
    size_t n_buckets, most_buckets;
    int64_t first_ns, last_ns; /* of events */
    uint64_t n_events;
    int is_complete;

    /* While it is built. */
    struct rln__engine engine;
    struct rln__lod_begun *begun; /* by index in the pool of open ranges */
    size_t begun_capacity;
    struct rln__lod_thread *threads; /* by index; then lanes of deferred events */
    size_t n_threads, threads_capacity;
    struct rln__counters counters;
    struct rln__event_payloads payloads;
    struct rln__predicate predicate;
    struct rln__lod_nested nested;
    uint8_t is_at_deferred_end;         /* the item is a pop or an end */
    struct rln__lod_building *building; /* owned; NULL: not begun, or over */
};

/* Bytes that an index of these traces may take: a tenth of their size, at least 500
 * MiB. */
uint64_t rln__lod_budget(const rln_reader *reader);

/* An empty index; `old`, if not NULL, is one whose numbers it takes over. */
rln_status rln__lod_init(struct rln__lod *lod, rln_reader *reader,
                         const struct rln__lod *old, uint64_t budget_bytes,
                         rln_error *err);

void rln__lod_clear(struct rln__lod *lod);

/* --- Inside ------------------------------------------------------------------------
 */

/* What an index caches of attributes. */
struct rln__lod_attr {
    uint32_t name;  /* + 1; 0: not known yet */
    uint32_t color; /* 0xRRGGBB + 1, or 0 */
    uint32_t kinship;
};

struct rln__lod_row_key {
    uint32_t thread; /* index; RLN__NONE: unknown */
    uint32_t lane;   /* of deferred events; RLN__NONE: not deferred */
    uint32_t level;
    rln_text scope; /* of deferred events; a path */
};

/* Frees what only the pass needs. */
void rln__lod_end_building(struct rln__lod *lod);

#endif
