/* SPDX-License-Identifier: Apache-2.0 */
/* summary.h - one scan that feeds the statistics and the call tree.
 *
 *   engine --> tag      node of (the enclosing node, domain, message); or of the name
 *          --> close    samples of (style, domain, message); times of the node
 *
 * With a window, only the time inside it counts. Ranges outside it are still paired,
 * and names that occur only there stay without samples and calls.
 *
 * Ranges that do not match the filter are still paired, too. The payload tests that a
 * begin passes are kept with the open range.
 *
 * Payloads of a pop or an end may rename its range: the statistics have the new name;
 * the tree, which was built while the range was open, has the old one.
 */
#ifndef RLN_REPORTS_SUMMARY_SUMMARY_H
#define RLN_REPORTS_SUMMARY_SUMMARY_H

#include "ranges/engine.h"
#include "ranges/predicate.h"
#include "reports/summary/stats.h"
#include "reports/summary/summary_sums.h"
#include "reports/summary/tree.h"
#include "trace/decode/event_payloads.h"
#include "trace/decode/stream.h"
#include "trace/open/load.h"

/* A name: all ranges of one style, domain and message. */
struct rln__summary_row {
    uint64_t n_open;
    uint32_t domain;
    uint32_t message;
    rln_range_style style;
    uint32_t
        node; /* the newest; without paths, that of all its push/pop ranges, or 0 */
};

struct rln__summary_node {
    uint64_t n_open;
    uint32_t parent; /* index; node 0 is its own parent */
    uint32_t row;
    uint32_t attr;                 /* of the first range */
    uint32_t last_row, last_child; /* the last lookup; node 0 is no child */
};

/* When something happened on a thread: in which path? */
struct rln__summary_moment {
    int64_t t_ns;
    uint32_t thread; /* index */
    uint32_t node;   /* the answer: of the range that was innermost then */
    uint32_t of;     /* the asker's */
};

/* Takes each range that counts, in place of the sums. */
struct rln__summary_taker {
    void *context; /* borrowed */
    /* A range of `row`'s name that took `ns`: with `closing->tag`, a push/pop range,
     * its node. `process` began it. 0, or -1: no memory. */
    int (*take)(void *context, const struct rln__closing *closing, uint64_t ns,
                uint32_t row, uint32_t process);
};

struct rln__summary {
    rln_reader *reader; /* borrowed */
    struct rln__engine engine;
    struct rln__summary_row *rows; /* owned, as all these */
    size_t n_rows, rows_capacity;
    /* [0] encloses everything; by thread, [1 + i] encloses all of thread i, without a
     * row. */
    struct rln__summary_node *nodes;
    size_t n_thread_nodes; /* 0: all threads' ranges of one path are one node */
    int leaves_paths_out;  /* a node for each name, below [0] */
    size_t n_nodes, nodes_capacity;
    struct rln__summary_sums sums; /* of rows and nodes, when all has been read */
    uint32_t *row_of_attr;         /* by attributes and style, row + 1 */
    size_t n_row_of_attr, row_of_attr_capacity;
    struct rln__map by_name;  /* style, domain, message -> row + 1 */
    struct rln__map children; /* parent's node, row -> node */
    struct rln__stats_totals totals;
    struct rln__span span;
    struct rln__predicate predicate;
    struct rln__summary_moment *moments; /* borrowed; NULL: none */
    size_t n_moments;
    size_t *next_moment;    /* owned: of each thread */
    const uint64_t *gpu_ns; /* borrowed; of each node, for the tree; NULL: none */
    const struct rln__cpu_split *splits;    /* the same */
    const struct rln__summary_taker *taker; /* borrowed; NULL: none */
    uint32_t *process_of_lane; /* owned: of deferred ranges, if there is a taker */
    size_t n_lanes, lanes_capacity;
};

rln_status rln__summary_read(struct rln__summary *summary, rln_reader *reader,
                             rln_error *err);
/* The same without paths: a tree would be of names only. */
rln_status rln__summary_read_names(struct rln__summary *summary, rln_reader *reader,
                                   rln_error *err);
/* The same as the first, with separate nodes for each thread. */
rln_status rln__summary_read_threads(struct rln__summary *summary, rln_reader *reader,
                                     rln_error *err);
/* As the first or, by thread, as the second; and finds the nodes of moments, which are
 * in the order of threads and, of each, of time. A range is innermost from its begin on
 * and at its end. */
rln_status rln__summary_read_at(struct rln__summary *summary, rln_reader *reader,
                                int is_by_thread, struct rln__summary_moment *moments,
                                size_t n, rln_error *err);
/* As the first, but gives ranges to a taker, which stays without sums of its own. */
rln_status rln__summary_read_to(struct rln__summary *summary, rln_reader *reader,
                                const struct rln__summary_taker *taker, rln_error *err);
/* The same with separate nodes for each thread. */
rln_status rln__summary_read_threads_to(struct rln__summary *summary,
                                        rln_reader *reader,
                                        const struct rln__summary_taker *taker,
                                        rln_error *err);
/* The first without paths. */
rln_status rln__summary_read_names_to(struct rln__summary *summary, rln_reader *reader,
                                      const struct rln__summary_taker *taker,
                                      rln_error *err);
void rln__summary_clear(struct rln__summary *summary);

#endif
