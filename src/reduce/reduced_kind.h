/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_kind.h - a kind of sums: what is kept of traces besides what each of them
 * was.
 *
 *     trace --add, take--> sums --put--> a section of the file
 *                           ^  |              |
 *      sums of others --merge  '--report      '--read--> sums
 *
 * A kind is one file and a line below. It has a struct per object, which is empty when
 * zeroed; only the file knows it. Rows belong to origins.
 */
#ifndef RLN_REDUCE_REDUCED_KIND_H
#define RLN_REDUCE_REDUCED_KIND_H

#include "base/buf.h"
#include "ranges/cpu_times.h"
#include "reduce/reduced.h"

/* In the order of the file. */
#define RLN__REDUCED_KINDS(X)                                                          \
    X(paths)                                                                           \
    X(steps)                                                                           \
    X(gpus)                                                                            \
    X(collectives)

#define X(name) RLN__KIND_##name,
enum { RLN__REDUCED_KINDS(X) RLN__N_REDUCED_KINDS };
#undef X

struct rln__reduced_cursor;
struct rln__reduced_numbers;
struct rln__reduced_ranks;
struct rln__report_parts;
struct rln__summary;

struct rln__reduced_range;
struct rln__reduced_reading;

/* Adds a range of the trace that is read. 0, or -1: no memory. */
typedef int rln__reduced_adder(void *sums, struct rln__reduced_reading *reading,
                               const struct rln__reduced_range *range);

/* While a trace is read. */
struct rln__reduced_reading {
    struct rln__reduced *to;         /* sums of this trace only */
    rln_reader *reader;              /* borrowed, with the filter */
    struct rln__cpu_times cpu_times; /* owned; only if it has any */
    uint8_t has_cpu_times;
    struct rln__summary *summary;
    uint64_t n_gpu_unread; /* tables of GPU work that could not be imported */
    struct {
        rln__reduced_adder *add;
        void *sums;
    } adders[RLN__N_REDUCED_KINDS + 1]; /* of the kinds that have one, up to NULL */
};

/* A range that counts: it has ended, or was never closed. */
struct rln__reduced_range {
    uint32_t node, row; /* of the summary; node 0: a start/end range */
    uint32_t process;
    uint8_t is_open;  /* never closed */
    int64_t start_ns; /* CLOCK_REALTIME */
    uint64_t ns, self_ns;
    struct rln__cpu_split
        split;             /* of `ns`; all 0 in a trace without context switches */
    uint8_t is_comparable; /* as rln__cpu_times_are_comparable() */
};

/* From numbers of the object to those of the file. */
struct rln__reduced_orders {
    struct rln__reduced *r;
    uint32_t *strings;        /* owned, as all these: 0 for none, else from 1 on */
    uint32_t *sorted_strings; /* in the order of the file */
    uint32_t *origins;        /* from 0 on */
    uint32_t *sorted_origins;
    int64_t base_ns; /* the earliest start of a range: set by paths */
};

struct rln__reduced_kind {
    size_t size;             /* of its struct, which each function gets first */
    rln__reduced_adder *add; /* or NULL */
    /* Adds what else the trace has, when its ranges are read, or NULL. */
    rln_status (*take)(void *sums, struct rln__reduced_reading *reading,
                       rln_error *err);
    /* RLN_ERR_FORMAT and RLN_ERR_ARGUMENT: more than 64 bits. */
    rln_status (*merge)(void *into, const void *from,
                        struct rln__reduced_numbers *numbers, rln_error *err);
    /* Sorts what it puts. Without memory `out->has_failed` is set. */
    void (*put)(void *sums, struct rln__reduced_orders *orders, struct rln__buf *out);
    void (*read)(void *sums, struct rln__reduced_cursor *cursor);
    /* Makes parts of reports. */
    rln_status (*report)(const void *sums, const struct rln__reduced_ranks *ranks,
                         struct rln__report_parts *parts, rln_error *err);
    void (*clear)(void *sums);
};

#define X(name) extern const struct rln__reduced_kind rln__reduced_##name##_kind;
RLN__REDUCED_KINDS(X)
#undef X

extern const struct rln__reduced_kind *const rln__reduced_kinds[RLN__N_REDUCED_KINDS];

/* The struct of a kind. */
void *rln__reduced_sums(const struct rln__reduced *reduced,
                        const struct rln__reduced_kind *kind);

#endif
