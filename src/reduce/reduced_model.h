/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_model.h - the sums of traces in memory: what rln__reduced is inside.
 *
 *   trace --> parts: id, host, ranks
 *
 *   origin: a rank of the job, or a      ---> sums, of a struct per kind:
 *           process of a part without one     reduced_kind.h
 *
 * Numbers of strings and origins are those of this object, in no order. The file
 * has others (reduced_write.c), and so has another object (reduced_merge.c).
 */
#ifndef RLN_REDUCE_REDUCED_MODEL_H
#define RLN_REDUCE_REDUCED_MODEL_H

#include "base/buf.h"
#include "base/key_index.h"
#include "format/strings.h"
#include "reduce/reduced.h"
#include "reduce/reduced_kind.h"

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

/* What says what the time of a part's ranges was made of; 0: nothing does. By readings of
 * clocks, they are not compared. */
enum { RLN__REDUCED_SWITCHES = 1, RLN__REDUCED_READINGS = 2 };

struct rln__reduced_part {
    uint64_t id;
    int64_t start_ns;   /* of CLOCK_REALTIME */
    uint32_t host;      /* string */
    uint32_t n_windows; /* of its run: each may also be in a file of its own */
    uint8_t has_processes;
    uint8_t cpu_times; /* RLN__REDUCED_SWITCHES, ... */
    uint32_t *ranks;   /* owned: of its processes, ascending, each once */
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

struct rln__reduced {
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
    struct rln__key_index origins; /* {RANK, rank} or {PROCESS, id of the part, pid} */
    void *sums[RLN__N_REDUCED_KINDS]; /* owned: the struct of each kind */
    struct rln__buf bytes;            /* of the file; empty if it has changed since */
    struct rln__reduced_trace_info trace; /* lent, like the next */
    struct rln__reduced_unreadable lent_unreadable;
};

/* Without a filter and rules. NULL: no memory. */
struct rln__reduced *rln__reduced_alloc(void);

/* The number of a string, 0 for none; the domain of the default one, and a missing
 * message, are none. `*failed` is set when there is no memory. */
uint32_t rln__reduced_string(struct rln__reduced *reduced, rln_text text, int *failed);

/* The number of an origin, new or not. UINT32_MAX: no memory. */
uint32_t rln__reduced_origin(struct rln__reduced *reduced, unsigned kind,
                             uint64_t rank_or_id, uint32_t pid);

/* That of a process of a trace: its rank, or itself. */
uint32_t rln__reduced_origin_of(struct rln__reduced *reduced, const rln_reader *reader,
                                uint32_t process);

/* Takes what `trace` owns, also on failure; its ids are not there yet. 0, or -1. */
int rln__reduced_append(struct rln__reduced *reduced, struct rln__reduced_trace *trace);
int rln__reduced_add_unreadable(struct rln__reduced *reduced, uint32_t name,
                                uint32_t reason);

/* How many parts there are: traces that are in one file count each. */
size_t rln__reduced_count_parts(const struct rln__reduced *reduced);
/* How many of them have what the time of ranges was made of, from context switches or from
 * readings. */
size_t rln__reduced_count_cpu_times(const struct rln__reduced *reduced, unsigned from);

void rln__reduced_trace_clear(struct rln__reduced_trace *trace);

/* Puts traces and unreadable files in the order of the file. */
void rln__reduced_sort(struct rln__reduced *reduced);
int rln__reduced_compare_traces(const struct rln__reduced *reduced,
                                const struct rln__reduced_trace *a,
                                const struct rln__reduced_trace *b);

#endif
