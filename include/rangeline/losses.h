/* SPDX-License-Identifier: Apache-2.0 */
/* losses.h - what the opened traces lack or contain twice: whether counts can be
 * trusted.
 */
#ifndef RANGELINE_LOSSES_H
#define RANGELINE_LOSSES_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is missing, as far as known by now. Library-owned; grows at its end. */
typedef struct rln_losses {
    uint64_t n_dropped; /**< Events for which the trace had no room. */
    uint64_t
        n_overwritten; /**< Chunks of older events, of runs that keep the newest. */
    int64_t
        complete_since_ns; /**< No later ones were overwritten. INT64_MIN: none were. */
    uint64_t n_unlisted;   /**< Windows that rln_reader_count_windows() omits. */
    uint64_t n_damages;    /**< Places in files found unreadable so far. */
    rln_damage_info damage;    /**< The first of them; zeros if there is none. */
    uint64_t n_graph_launches; /**< Of CUDA graphs in Nsight's exports, which reports on
                                  GPU work leave out. */
} rln_losses;

/** A file whose events are also in another one. Library-owned; grows at its end. */
typedef struct rln_duplicate {
    const char *path;
    const char *of;
    const char *what; /**< "the same trace as", or "a window of" (`profile --split`). */
} rln_duplicate;

/**
 * Says what the opened traces lack. Damage is found only while reading, so call it
 * after you have read.
 *
 * Ownership: borrowed until the next call, or rln_reader_close().
 * Threads:   as rln_reader_open().
 * Errors:    none.
 * Since:     0.1
 */
RLN_API const rln_losses *rln_reader_get_losses(rln_reader *reader);

/**
 * Finds the first of the opened files whose events are also in another one, so that
 * they are read and counted twice.
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
