/* SPDX-License-Identifier: Apache-2.0 */
/* losses.h - describes what the opened traces lack and which events they contain twice.
 */
#ifndef RANGELINE_LOSSES_H
#define RANGELINE_LOSSES_H

#include "rangeline/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Missing events, as far as known so far. Library-owned; grows at its end. */
typedef struct rln_losses {
    uint64_t n_dropped;     /**< Events for which the trace had no room. */
    uint64_t n_overwritten; /**< Chunks that a ring buffer replaced by newer ones. */
    /** All events after this time are present; INT64_MIN: none were overwritten. */
    int64_t complete_since_ns;
    uint64_t n_unlisted;    /**< Windows that rln_reader_count_windows() omits. */
    uint64_t n_damages;     /**< Unreadable parts of files, found so far. */
    rln_damage_info damage; /**< The first of them; zeros if there is none. */
    /** Launches of CUDA graphs that were traced as a whole: their kernels are unknown.
     */
    uint64_t n_graph_launches;
    /** GPU operations and calls that were not recorded, or not whole, and what the last
     * was: "GPU work that CUPTI dropped". */
    uint64_t n_gpu_lost;
    rln_text gpu_loss;
    /** Why a process recorded no GPU work at all, although it was asked for; or none.
     */
    rln_text gpu_refusal;
    /** GPU operations of traces without any call of CUDA: they belong to no range. */
    uint64_t n_gpu_without_calls;
} rln_losses;

/** A file with events that are also in another one. Library-owned; grows at its end. */
typedef struct rln_duplicate {
    const char *path;
    const char *of;   /**< Path of the other file. */
    const char *what; /**< "the same trace as", or "a window of" (`profile --split`). */
} rln_duplicate;

/**
 * Describes what the opened traces lack. Damage is found only while reading, so call
 * this after reading.
 *
 * Ownership: borrowed until the next call, or rln_reader_close().
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_losses *rln_reader_get_losses(rln_reader *reader);

/**
 * Finds the first opened file with events that are also in another one, so that they
 * are read and counted twice.
 *
 * Ownership: `*out` is borrowed until the next call, or rln_reader_close(). It is NULL
 *            unless RLN_OK is returned.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_END if there is none; RLN_ERR_NOMEM. `err` may be NULL.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_find_duplicate(rln_reader *reader,
                                                           const rln_duplicate **out,
                                                           rln_error *err);

#ifdef __cplusplus
}
#endif

#endif
