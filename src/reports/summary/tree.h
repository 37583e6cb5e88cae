/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h - builds the call tree of push/pop ranges, over all threads or per thread. */
#ifndef RANGELINE_TREE_H
#define RANGELINE_TREE_H

#include "rangeline/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A call tree. */
typedef struct rln_tree rln_tree;

/** All ranges of one path, over all threads or in one thread; or a thread.
 * Library-owned; grows at its end.
 *
 * A parent is the innermost range that was open on the thread, in any domain. Ranges
 * that were never closed are timed up to the last event of their trace and counted in
 * `n_open`; those that were open before their window are timed from its opening. */
typedef struct rln_tree_node {
    /** Index of the range that was innermost when it began; SIZE_MAX for an outermost
     * one. A parent in another domain may have ended first. */
    size_t parent;
    uint32_t level; /**< 0 for an outermost one. */
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    uint64_t n_calls;
    uint64_t n_open;
    uint64_t total_ns;
    uint64_t self_ns; /**< Self time: while they were innermost on their thread. */
    /** In a tree by thread: index for rln_info_thread(). A node of level 0 with a
     * thread is the thread itself, without name and calls; its `total_ns` is the sum of
     * its outermost ranges. UINT32_MAX: the node belongs to all threads, or to deferred
     * ranges, which have no thread. */
    uint32_t thread;
    /** Time in which GPUs worked for these ranges and those inside them, added up over
     * GPUs; only in the report "tree:gpu", else 0. */
    uint64_t gpu_ns;
} rln_tree_node;

/**
 * Reads the traces once and builds their call tree, without start/end ranges.
 *
 * Ownership: the caller owns `*out` and frees it with rln_tree_free(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_tree_new(rln_reader *reader, rln_tree **out,
                                              rln_error *err);

/**
 * Reads the traces once and builds the call tree of each thread that had ranges, below
 * a node of level 0 per thread, the longest total first.
 *
 * Ownership: the caller owns `*out` and frees it with rln_tree_free(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_tree_new_by_thread(rln_reader *reader,
                                                        rln_tree **out, rln_error *err);

/**
 * Frees a tree.
 *
 * Ownership: its nodes end here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_tree_free(rln_tree *tree);

/**
 * Counts the nodes.
 *
 * Ownership: none.
 * Threads:   any, until it is freed.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_tree_count(const rln_tree *tree);

/**
 * Gives a node. A node is followed by its children, the longest total first.
 *
 * Ownership: borrowed until rln_tree_free(); its text until the reader is closed.
 * Threads:   any, until it is freed.
 * Errors:    NULL if `index` is not below rln_tree_count().
 * Since:     0.1
 */
RLN_API const rln_tree_node *rln_tree_at(const rln_tree *tree, size_t index);

#ifdef __cplusplus
}
#endif

#endif
