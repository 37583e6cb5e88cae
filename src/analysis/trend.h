/* SPDX-License-Identifier: Apache-2.0 */
/* trend.h - how the calls of a track become longer: by a line, or by a level.
 *
 *      a line      ..--''        a level         ....''''
 *
 * The calls after the warm-up are cut into blocks, and both are fitted to the blocks'
 * medians, by least absolute error.
 */
#ifndef RLN_ANALYSIS_TREND_H
#define RLN_ANALYSIS_TREND_H

#include "analysis/run.h"

#define RLN__TREND_BLOCKS 20u

struct rln__trend {
    double medians[RLN__TREND_BLOCKS];
    size_t first[RLN__TREND_BLOCKS + 1]; /* index of a block's first call; the end */
    double slope, start;  /* Theil and Sen's line: per block; in the first block */
    double rise;          /* of the line from the first block to the last, of `start` */
    double agreement;     /* share of all slopes that rise */
    double before, after; /* the levels */
    size_t split;         /* the block where the second level begins */
    bool is_line;         /* it fits better than a level */
};

/* For tracks with two calls a block at least. 0, or -1 when there is no memory. */
int rln__trend_read(const struct rln__track *track, struct rln__trend *out);

#endif
