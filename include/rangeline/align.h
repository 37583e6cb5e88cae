/* SPDX-License-Identifier: Apache-2.0 */
/* align.h - one time line for traces of several machines.
 *
 * Traces of one boot of one machine share its clock, and need nothing. Those of others
 * are put side by side by the time of day, which machines agree on to a millisecond or
 * so. Where more is wanted, something says it that all of them recorded:
 *
 *     node 0   --[ step ]--[ step ]--      a range that all leave at the same time,
 *     node 1   ---[ step ]--[ step ]-      as behind a barrier
 *
 * or synchronisation points (NVTX's nvtxTimeSyncPoint) with a clock that they share.
 */
#ifndef RANGELINE_ALIGN_H
#define RANGELINE_ALIGN_H

#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** By what clocks are aligned. Values are never renumbered. */
typedef enum rln_align_by {
    RLN_ALIGN_REALTIME = 0, /**< The time of day, as a reader begins with. */
    RLN_ALIGN_RANGE = 1,    /**< The ends of a range. */
    /** Synchronisation points with a time domain that has the same id in a domain of
     * the same name. */
    RLN_ALIGN_SYNC_POINTS = 2
} rln_align_by;

/** How to align clocks. */
typedef struct rln_alignment {
    rln_align_by by;
    const char *message;   /**< Of the range. */
    const char *domain;    /**< Its domain's name; NULL is the default one. */
    uint8_t is_any_domain; /**< Whatever its domain is called. */
} rln_alignment;

/**
 * Puts the traces on the time line of the first one.
 *
 * The k-th end of the range in a process belongs to the k-th in any other; of several
 * processes on a machine the latest counts. A clock is moved by the median of what it
 * is off; from four common moments and a second on it is also made as fast as the first
 * one's. What was done is in rln_part_info. What was selected with
 * rln_reader_select_window() or rln_reader_select_time() is selected no more.
 *
 * Ownership: nothing changes; `how` is not kept. Close iterations before.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT if a trace has nothing in common with the first one; it
 *            is named, and the time of day counts. RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_align(rln_reader *reader,
                                                  const rln_alignment *how,
                                                  rln_error *err);

#ifdef __cplusplus
}
#endif

#endif
