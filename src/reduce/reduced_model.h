/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_model.h - the sums of traces in memory: what rln_reduced is inside.
 *
 *   trace --> parts: id, host, ranks         path: parent, style, domain, message
 *                                              |    '--> histogram, over all origins
 *   origin: a rank of the job, or a       \    |
 *           process of a part without one  +---+---> row: ranges, times
 *           '-- other kinds of sums (reduced_kind.h)
 *
 * A path of style RLN__RENAMED has no ranges of its own in the tree: it contains those
 * ranges of its parent that payloads of their end renamed. They count as their parent's
 * in the tree, and by their own name elsewhere.
 *
 * Numbers of strings, paths and origins are those of this object, in no order. The file
 * has others (reduced_write.c), and so has another object (reduced_merge.c).
 */
#ifndef RLN_REDUCE_REDUCED_MODEL_H
#define RLN_REDUCE_REDUCED_MODEL_H

#include "base/buf.h"
#include "base/duration_histogram.h"
#include "base/key_index.h"
#include "base/wide_int.h"
#include "format/strings.h"
#include "rangeline/reduced.h"
#include "reduce/reduced_kind.h"

/* Styles of paths; RLN_RANGE_PUSH_POP and RLN_RANGE_START_END are the others. */
#define RLN__RENAMED 3u

/* Kinds of origins. */
enum { RLN__ORIGIN_RANK = 0, RLN__ORIGIN_PROCESS = 1 };

/* Counts of a trace, in the order of the file. */
enum rln__reduced_count {
    RLN__COUNT_EVENTS,
    RLN__COUNT_MARKS,
    RLN__COUNT_UNMATCHED,
    RLN__COUNT_INHERITED,
    RLN__COUNT_LOST_RANGES,
    RLN__COUNT_GAPS,
    RLN__COUNT_LOST_EVENTS,
    RLN__COUNT_UNPLACED,
    RLN__COUNT_RESUMED,
    RLN__COUNT_DROPPED,
    RLN__COUNT_OVERWRITTEN,
    RLN__COUNT_DAMAGES,
    RLN__COUNT_GPU_LOST,
    RLN__N_REDUCED_COUNTS
};

struct rln__reduced_part {
    uint64_t id;
    int64_t start_ns;   /* of CLOCK_REALTIME */
    uint32_t host;      /* string */
    uint32_t n_windows; /* of its run: each may also be in a file of its own */
    uint8_t has_processes;
    uint32_t *ranks; /* owned: of its processes, ascending, each once */
    size_t n_ranks;
};

struct rln__reduced_trace {
    uint32_t name;                   /* string */
    uint32_t source;                 /* string of `sources`: where it was read */
    struct rln__reduced_part *parts; /* owned; at least one, as in the file */
    size_t n_parts;
    uint8_t is_finished;
    int64_t first_ns, last_ns; /* of its events, CLOCK_REALTIME; 0 without events */
    uint64_t counts[RLN__N_REDUCED_COUNTS];
    uint64_t damage_offset; /* of the first damage, like the next */
    uint32_t damage;        /* string: why */
};

struct rln__unreadable {
    uint32_t name, reason; /* strings */
};

/* The sums of the ranges of a path and an origin. */
struct rln__reduced_row {
    uint32_t path, origin;
    uint64_t n, n_open; /* n is at least 1 */
    uint64_t total_ns, self_ns, min_ns, max_ns;
    rln__u128 squares;         /* of the durations */
    int64_t first_ns, last_ns; /* starts, of CLOCK_REALTIME */
};

/* Of a path, over all origins: a merge fails before they exceed 64 bits. */
struct rln__reduced_whole {
    struct rln__reduced_row sum; /* n is 0 without ranges */
    struct rln__duration_histogram durations;
};

struct rln_reduced {
    const rln_filter *filter; /* borrowed; NULL: none, or read from a file */
    char **rules;             /* owned, as each is */
    size_t n_rules;
    struct rln__buf filters, renames, steps_name; /* as text; end with a zero byte */
    struct rln__strings strings;                  /* all that the file has */
    struct rln__strings sources;
    uint32_t source; /* of what is read from a file; 0: each trace has its own */
    struct rln__reduced_trace *traces; /* owned, as all arrays */
    size_t n_traces, traces_capacity;
    struct rln__map traces_by_id; /* id of a part -> index of its trace + 1 */
    struct rln__unreadable *unreadable;
    size_t n_unreadable, unreadable_capacity;
    struct rln__key_index paths;       /* {parent + 1, style, domain, message} */
    struct rln__reduced_whole *wholes; /* by path */
    size_t n_wholes, wholes_capacity;
    struct rln__key_index origins; /* {RANK, rank} or {PROCESS, id of the part, pid} */
    struct rln__reduced_row *rows;
    size_t n_rows, rows_capacity;
    struct rln__map rows_by_key;      /* path, origin -> index + 1 */
    void *sums[RLN__N_REDUCED_KINDS]; /* owned: the struct of each kind */
    struct rln__buf bytes;            /* of the file; empty if it has changed since */
    rln_reduced_trace trace;          /* lent, like the next */
    rln_reduced_unreadable lent_unreadable;
};

/* Without a filter and rules. NULL: no memory. */
rln_reduced *rln__reduced_alloc(void);

/* The number of a string, 0 for none; the domain of the default one, and a missing
 * message, are none. `*failed` is set when there is no memory. */
uint32_t rln__reduced_string(rln_reduced *reduced, rln_text text, int *failed);

/* The number of a path, new or not; `parent` is UINT32_MAX for an outermost one.
 * UINT32_MAX: no memory. */
uint32_t rln__reduced_path(rln_reduced *reduced, uint32_t parent, uint32_t style,
                           uint32_t domain, uint32_t message);
static inline uint32_t rln__reduced_parent(const rln_reduced *reduced, uint32_t path)
{
    return (uint32_t)reduced->paths.entries[path].key.words[0] - 1;
}

static inline uint32_t rln__reduced_style(const rln_reduced *reduced, uint32_t path)
{
    return (uint32_t)reduced->paths.entries[path].key.words[1];
}

/* The number of an origin, new or not. UINT32_MAX: no memory. */
uint32_t rln__reduced_origin(rln_reduced *reduced, unsigned kind, uint64_t rank_or_id,
                             uint32_t pid);

/* That of a process of a trace: its rank, or itself. */
uint32_t rln__reduced_origin_of(rln_reduced *reduced, const rln_reader *reader,
                                uint32_t process);

/* Adds to the row of its path and origin, and to the whole of the path, but not to the
 * durations. RLN_ERR_ARGUMENT, with a message: more than 64 bits. */
rln_status rln__reduced_add_row(rln_reduced *reduced,
                                const struct rln__reduced_row *row, rln_error *err);

/* Adds b to a. 0, or -1: more than 64 bits. */
int rln__reduced_row_add(struct rln__reduced_row *a, const struct rln__reduced_row *b);

/* Takes what `trace` owns, also on failure; its ids are not there yet. 0, or -1. */
int rln__reduced_add_trace(rln_reduced *reduced, struct rln__reduced_trace *trace);
int rln__reduced_add_unreadable(rln_reduced *reduced, uint32_t name, uint32_t reason);

void rln__reduced_trace_clear(struct rln__reduced_trace *trace);

/* RLN_ERR_ARGUMENT, with a message, if a part is in both. */
rln_status rln__reduced_refuse_twice(const rln_reduced *into, const rln_reduced *from,
                                     rln_error *err);

/* Puts traces and unreadable files in the order of the file. */
void rln__reduced_sort(rln_reduced *reduced);
int rln__reduced_compare_traces(const rln_reduced *reduced,
                                const struct rln__reduced_trace *a,
                                const struct rln__reduced_trace *b);

#endif
