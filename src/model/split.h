/* SPDX-License-Identifier: Apache-2.0 */
/* split.h - one window of a trace as a trace of its own: split_plan.h says what is in
 * it.
 *
 * What is kept lies where it lay, because that is what ranges are known by: the files
 * have holes, and take no more room than what is in them. Names are in each of them,
 * and what the program said about its memory; what was submitted with times of its own
 * is in that of the window in which it was submitted.
 */
#ifndef RLN_MODEL_SPLIT_H
#define RLN_MODEL_SPLIT_H

#include "model/split_plan.h"

struct rln__split {
    struct rln__damages damages;
    struct rln__input file;
    struct rln__layout layout;
    struct rln__names names;
    struct rln__split_plan plan;
};

/* Opens a trace that nobody writes any more and finds out what is of which window.
 * RLN_ERR_ARGUMENT if it keeps its newest events only. On failure nothing is owned. */
rln_status rln__split_open(struct rln__split *split, const char *path, rln_error *err);
void rln__split_close(struct rln__split *split);

/* Writes window `k` to an empty file. */
rln_status rln__split_write(struct rln__split *split, uint32_t k, int to,
                            rln_error *err);

#endif
