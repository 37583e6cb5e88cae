/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h - builds the call tree of push/pop ranges, over all threads or per thread. */
#ifndef RLN_REPORTS_SUMMARY_TREE_H
#define RLN_REPORTS_SUMMARY_TREE_H

#include "rangeline/model.h"
#include "ranges/cpu_times.h"

/* A call tree. */
struct rln__tree;

/* All ranges of one path, over all threads or in one thread; or a thread.
 *
 * A parent is the innermost range that was open on the thread, in any domain. Ranges
 * that were never closed are timed up to the last event of their trace and counted in
 * `n_open`; those that were open before their window are timed from its opening. */
struct rln__tree_node {
    /* Index of the range that was innermost when it began; SIZE_MAX for an outermost
     * one. A parent in another domain may have ended first. */
    size_t parent;
    uint32_t level; /* 0 for an outermost one. */
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    uint64_t n_calls;
    uint64_t n_open;
    uint64_t total_ns;
    uint64_t self_ns; /* Self time: while they were innermost on their thread. */
    /* In a tree by thread: index for rln_info_thread(). A node of level 0 with a thread
     * is the thread itself, without name and calls; its `total_ns` is the sum of its
     * outermost ranges. UINT32_MAX: the node belongs to all threads, or to deferred
     * ranges, which have no thread. */
    uint32_t thread;
    /* Time in which GPUs worked for these ranges and those inside them, added up over
     * GPUs; only in the report "tree:gpu", else 0. */
    uint64_t gpu_ns;
    /* What the total was made of, only in the report "tree:cpu". */
    struct rln__cpu_split split;
};

/* Reads the traces once and builds their call tree, without start/end ranges. */
rln_status rln__tree_new(rln_reader *reader, struct rln__tree **out, rln_error *err);

/* Reads the traces once and builds the call tree of each thread that had ranges, below
 * a node of level 0 per thread, the longest total first. */
rln_status rln__tree_new_by_thread(rln_reader *reader, struct rln__tree **out,
                                   rln_error *err);

/* Frees a tree. */
void rln__tree_free(struct rln__tree *tree);

/* Counts the nodes. */
size_t rln__tree_count(const struct rln__tree *tree);

/* Gives a node. A node is followed by its children, the longest total first. NULL if
 * `index` is not below rln__tree_count(). */
const struct rln__tree_node *rln__tree_at(const struct rln__tree *tree, size_t index);

struct rln__summary;
struct rln__stats;

/* Takes what it needs from the summary. */
rln_status rln__tree_of(struct rln__summary *summary, struct rln__tree **out,
                        rln_error *err);

/* Tree and statistics from one scan. On failure both are NULL. */
rln_status rln__tree_and_stats_new(rln_reader *reader, struct rln__tree **tree,
                                   struct rln__stats **stats, rln_error *err);

/* A node before it has its index in the tree. [0] encloses all others. */
struct rln__tree_item {
    struct rln__tree_node
        node;        /* without `parent` and `level`; `thread` only of a thread */
    uint32_t parent; /* index of an item before it; 0: an outermost one */
    uint8_t is_thread;
    uint8_t is_omitted; /* as all items below it */
};

/* Omits items without calls of their own or below them. */
void rln__tree_omit(struct rln__tree_item *items, size_t n);

/* Puts the items in the order in which a tree is read. */
rln_status rln__tree_make(const struct rln__tree_item *items, size_t n,
                          struct rln__tree **out, rln_error *err);

#endif
