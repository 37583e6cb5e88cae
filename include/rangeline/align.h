/* SPDX-License-Identifier: Apache-2.0 */
/* align.h - puts traces of several machines on one time line.
 *
 * Traces of one boot of one machine share its clock and need no alignment. Others are
 * placed by the time of day, which machines agree on to about a millisecond. For more
 * precision, they are aligned by something that all of them recorded:
 *
 *     node 0   --[ step ]--[ step ]--      a range that all leave at the same time,
 * node 1   ---[ step ]--[ step ]-      as at a barrier
 *
 * or synchronisation points (NVTX's nvtxTimeSyncPoint) with a clock that they share.
 */
#ifndef RANGELINE_ALIGN_H
#define RANGELINE_ALIGN_H

#include "reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What clocks are aligned by. Values are never renumbered. */
typedef enum rln_align_by {
    RLN_ALIGN_REALTIME = 0, /**< The time of day: a reader's default. */
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
    uint8_t is_any_domain; /**< The range may be in any domain. */
} rln_alignment;

/**
 * Puts the traces on the time line of the first one.
 *
 * The k-th end of the range in one process is matched with the k-th end in the others;
 * of several processes on a machine the latest counts. A clock is shifted by the median
 * of its offsets; if there are at least four common moments over at least a second, its
 * speed is also matched to the first trace's. rln_part_info has the result. A window or
 * time selected with rln_reader_select_window() or rln_reader_select_time() is no
 * longer selected.
 *
 * Ownership: nothing changes; `how` is not kept. Close iterations before.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT if a trace has nothing in common with the first one; the
 *            message names it, and the traces are aligned by the time of day.
 *            RLN_ERR_NOMEM, RLN_ERR_IO.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_reader_align(rln_reader *reader,
                                                  const rln_alignment *how,
                                                  rln_error *err);

#ifdef __cplusplus
}
#endif

#endif
