/* SPDX-License-Identifier: Apache-2.0 */
/* nesting.h - every push/pop range by itself, with what is around it and inside of it.
 *
 *     step  |------------------------|     level 0, two children
 *     load    |----|                       level 1, its parent is step
 *     solve          |-------------|       level 1
 *
 * A parent is the innermost range of the thread, of whatever domain, that is around
 * this one: that was open as it began and did not end before it. Ranges that were
 * submitted afterwards (RLN_FLAG_DEFERRED) are on no thread's stack: they nest among
 * each other.
 */
#ifndef RANGELINE_NESTING_H
#define RANGELINE_NESTING_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** All push/pop ranges of the opened traces. */
typedef struct rln_nesting rln_nesting;

/** One range. Library-owned; grows at its end. */
typedef struct rln_nested {
    int64_t start_ns;
    int64_t end_ns; /**< Of one that nobody closed, that of its trace's last event. */
    uint64_t children_ns; /**< In any range that has it for its parent. */
    size_t parent;        /**< Its index; SIZE_MAX for an outermost one. */
    uint32_t level;       /**< 0 for an outermost one. */
    uint32_t n_children;  /**< How many have it for their parent. */
    uint32_t flags;       /**< RLN_FLAG_OPEN, RLN_FLAG_RESUMED, RLN_FLAG_DEFERRED. */
    uint32_t name;        /**< The same number means the same domain and message. */
    uint32_t thread;      /**< Index for rln_info_thread(); UINT32_MAX if unknown. */
    uint32_t process;     /**< Index for rln_info_process(). */
    uint32_t pid, tid;
    uint8_t is_default_domain;
    rln_text domain_name;
    rln_text message;
    uint64_t self_ns; /**< In no range directly inside, not in those either that a
                           filter leaves out. */
} rln_nested;

/**
 * Reads the traces once and keeps each push/pop range: 64 bytes of memory for one.
 *
 * Ranges whose end was lost are left out, and so are those that have no place in time
 * (RLN_FLAG_UNPLACED).
 *
 * Ownership: the caller owns `*out` and frees it with rln_nesting_free(), before the
 *            reader. On failure `*out` is NULL.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_NOMEM, RLN_ERR_IO; also more than 2^32 - 2 ranges are
 *            RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_nesting_new(rln_reader *reader, rln_nesting **out,
                                                 rln_error *err);

/**
 * Frees them.
 *
 * Ownership: what was borrowed from it ends here. NULL is accepted.
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_nesting_free(rln_nesting *nesting);

/**
 * Says how many ranges there are.
 *
 * Ownership: none.
 * Threads:   any, while nobody frees it.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_nesting_count(const rln_nesting *nesting);

/**
 * Says how many names there are: rln_nested.name is below that.
 *
 * Ownership: none.
 * Threads:   any, while nobody frees it.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API size_t rln_nesting_count_names(const rln_nesting *nesting);

/**
 * Tells of a range; ranges stand in the order in which they began, those of one time
 * with the outer one first.
 *
 * Ownership: `*out` is the caller's; its text is borrowed until the reader is closed.
 * Threads:   any, while nobody frees it.
 * Errors:    0 if `index` is not below rln_nesting_count(), else 1.
 * Since:     0.1
 */
RLN_API int rln_nesting_get(const rln_nesting *nesting, size_t index, rln_nested *out);

#ifdef __cplusplus
}
#endif

#endif
