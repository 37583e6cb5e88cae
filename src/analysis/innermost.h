/* SPDX-License-Identifier: Apache-2.0 */
/* innermost.h - the range that a thread is in at some time. */
#ifndef RLN_ANALYSIS_INNERMOST_H
#define RLN_ANALYSIS_INNERMOST_H

#include "rangeline/model.h"
#include "ranges/nesting.h"

struct rln__moment {
    int64_t at_ns;
    uint32_t thread;
    size_t range;  /* found: in the nesting; SIZE_MAX: none */
    double weight; /* the caller's */
};

/* Finds the range of each moment; they are by time. 0, or -1 when there is no memory.
 */
int rln__find_innermost(const struct rln__nesting *nesting, const rln_info *info,
                        struct rln__moment *moments, size_t n);

#endif
