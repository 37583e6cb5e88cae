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
#ifndef RANGELINE_NESTING_H
#define RANGELINE_NESTING_H

#include "rangeline/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** All push/pop ranges of the opened traces. */
typedef struct rln_nesting rln_nesting;

/** One range. Library-owned; grows at its end. */
typedef struct rln_nesting_row {
    int64_t start_ns;
    int64_t end_ns;       /**< If never closed: time of its trace's last event. */
    uint64_t children_ns; /**< Time in its children. */
    size_t parent;        /**< Its index; SIZE_MAX for an outermost one. */
    uint32_t level;       /**< 0 for an outermost one. */
    uint32_t n_children;  /**< Number of ranges with this one as parent. */
    uint32_t flags;       /**< RLN_FLAG_OPEN, RLN_FLAG_RESUMED, RLN_FLAG_DEFERRED. */
    uint32_t name;        /**< Equal numbers: same domain and message. */
    uint32_t thread;      /**< Index for rln_info_thread(); UINT32_MAX if unknown. */
    uint32_t process;     /**< Index for rln_info_process(). */
    uint32_t pid, tid;
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    /** Without all its children, also those that a filter excludes. A range of another
     * domain that crosses its end is no child: both have the time that they share,
     * which rln_tree gives to the inner one alone. */
    uint64_t self_ns;
} rln_nesting_row;

/**
 * Reads the traces once and keeps 64 bytes per push/pop range; beyond 16 MiB, they are
 * in a temporary file in TMPDIR.
 *
 * Ranges with a lost end (RLN_FLAG_LOST) and those without a known time
 * (RLN_FLAG_UNPLACED) are not included.
 *
 * Ownership: the caller owns `*out` and frees it with rln_nesting_free(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, also for more than 2^32 - 2 ranges; RLN_ERR_IO, also if
 *            the temporary file has no room.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_nesting_new(rln_reader *reader, rln_nesting **out,
                                                 rln_error *err);

/**
 * Frees the ranges.
 *
 * Ownership: what was borrowed from it ends here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_nesting_free(rln_nesting *nesting);

/**
 * Counts the ranges.
 *
 * Ownership: none.
 * Threads:   any, until it is freed.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_nesting_count(const rln_nesting *nesting);

/**
 * Counts the names: rln_nesting_row.name is below this number.
 *
 * Ownership: none.
 * Threads:   any, until it is freed.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_nesting_count_names(const rln_nesting *nesting);

/**
 * Gives a range. Ranges are ordered by their beginning; of those that begin at the same
 * time, the outer one comes first.
 *
 * Ownership: `*out` is the caller's; its text is borrowed until the reader is closed.
 * Threads:   any, until it is freed.
 * Errors:    0 if `index` is not below rln_nesting_count(), else 1.
 * Since:     0.1
 */
RLN_API int rln_nesting_get(const rln_nesting *nesting, size_t index,
                            rln_nesting_row *out);

#ifdef __cplusplus
}
#endif

#endif
