/* SPDX-License-Identifier: Apache-2.0 */
/* align.h - aligns the clocks of traces from several machines.
 *
 * Traces of one boot of one machine share its clock and need no alignment. The reader
 * places others by the time of day, on which machines agree to about a millisecond. For
 * more precision, it aligns them by something that all of them recorded:
 *
 *     node 0   --[ step ]--[ step ]--      a range that all leave at the same time,
 *     node 1   ---[ step ]--[ step ]-      as at a barrier
 *
 * or sync points (NVTX's nvtxTimeSyncPoint) with a clock that they share.
 */
#ifndef RLN_RANGES_ALIGN_H
#define RLN_RANGES_ALIGN_H

#include "rangeline/reader.h"

/* What aligns the clocks. */
enum rln__align_by {
    RLN__ALIGN_REALTIME = 0, /* The time of day: a reader's default. */
    RLN__ALIGN_RANGE = 1,    /* The ends of a range. */
    /* Sync points with a time domain that has the same id, in a domain of the same
     * name. */
    RLN__ALIGN_SYNC_POINTS = 2
};

/* How to align clocks. */
struct rln__alignment {
    enum rln__align_by by;
    const char *message;   /* Of the range. */
    const char *domain;    /* Its domain's name; NULL is the default one. */
    uint8_t is_any_domain; /* The range may be in any domain; `domain` is ignored. */
};

/* Aligns the traces with the clock of the first one.
 *
 * The k-th end of the range in one process is matched with the k-th end in the
 * others; of several processes on a machine the latest counts. A clock is shifted by
 * the median of its offsets; with at least four common times that extend over at least
 * a second, its speed is also matched to that of the first trace. rln_part_info has the
 * result. This lifts the restrictions of rln_reader_select_window() and
 * rln_reader_select_time(). RLN_ERR_ARGUMENT if a trace has nothing in common with the
 * first one: the message names it, and the traces are aligned by the time of day. */
rln_status rln__reader_align(rln_reader *reader, const struct rln__alignment *how,
                             rln_error *err);

#endif
