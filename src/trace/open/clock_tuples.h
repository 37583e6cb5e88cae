/* SPDX-License-Identifier: Apache-2.0 */
/* clock_tuples.h - what a trace says of its clocks: tuples of each part's superblock,
 * of its names, and of the beginnings of its chunks. */
#ifndef RLN_TRACE_OPEN_CLOCK_TUPLES_H
#define RLN_TRACE_OPEN_CLOCK_TUPLES_H

#include "rangeline/reader.h"
#include "trace/open/load.h"

/* Each part's lie together, in no order of time. */
struct rln__clock_tuples {
    struct rln__clock_tuple *all; /* owned, like the next */
    size_t *begins;               /* by part */
    size_t *n;
};

/* Reads only what is open already. 0, or -1: no memory; clear it in either case. */
int rln__clock_tuples_gather(const rln_reader *reader, struct rln__clock_tuples *out);
void rln__clock_tuples_clear(struct rln__clock_tuples *tuples);

#endif
