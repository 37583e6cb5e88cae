/* SPDX-License-Identifier: Apache-2.0 */
/* losses.h - describes what the opened traces lack and which events they contain twice.
 */
#ifndef RLN_TRACE_OPEN_LOSSES_H
#define RLN_TRACE_OPEN_LOSSES_H

#include "rangeline/model.h"

/* Damage: a part of a file that cannot be read. */
struct rln__damage_info {
    const char *path;
    uint64_t offset;
    const char *reason; /* Static; lower case, no full stop. */
};

/* Missing events, as far as known so far. */
struct rln__losses {
    uint64_t n_dropped;     /* Events for which the trace had no room. */
    uint64_t n_overwritten; /* Chunks that a ring buffer replaced by newer ones. */
    /* All events after this time are present; INT64_MIN: none were overwritten. */
    int64_t complete_since_ns;
    uint64_t n_unlisted; /* Windows that rln__reader_count_windows() omits. */
    uint64_t n_damages;  /* Unreadable parts of files, found so far. */
    struct rln__damage_info damage; /* The first of them; zeros if there is none. */
    /* Launches of CUDA graphs that were traced as a whole: their kernels are unknown.
     */
    uint64_t n_graph_launches;
    /* GPU operations and calls that were not recorded, or not whole, and what the last
     * was: "GPU work that CUPTI dropped". */
    uint64_t n_gpu_lost;
    rln_text gpu_loss;
    /* Why a process recorded no GPU work at all, although it was asked for; or none. */
    rln_text gpu_refusal;
    /* GPU operations of traces without any call of CUDA: they belong to no range. */
    uint64_t n_gpu_without_calls;
};

/* A file with events that are also in another one. */
struct rln__duplicate {
    const char *path;
    const char *of;   /* Path of the other file. */
    const char *what; /* "the same trace as", or "a window of" (`profile --split`). */
};

/* Describes what the opened traces lack. Damage is found only while reading, so call
 * this after reading. */
const struct rln__losses *rln__reader_get_losses(rln_reader *reader);

/* Finds the first opened file with events that are also in another one, so that they
 * are read and counted twice. RLN_END if there is none. */
rln_status rln__reader_find_duplicate(rln_reader *reader,
                                      const struct rln__duplicate **out,
                                      rln_error *err);

#endif
