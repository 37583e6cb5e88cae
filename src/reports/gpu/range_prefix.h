/* SPDX-License-Identifier: Apache-2.0 */
/* range_prefix.h - names kernels by the range that launched them, "forward/gemm": what
 * the argument `nvtx-name` of nsys's reports asks for. It is the shortest range around
 * the launching call, the inner one of two, without its domain. */
#ifndef RLN_REPORTS_GPU_RANGE_PREFIX_H
#define RLN_REPORTS_GPU_RANGE_PREFIX_H

#include "reports/gpu/gpu_ranges.h"

/* Empty when zeroed: then no kernel has a prefix. */
struct rln__range_prefix {
    struct rln__range_names names;
    struct rln__map by_call;   /* process, correlation -> number of the name + 1 */
    struct rln__strings texts; /* the names with a prefix */
    struct rln__buf scratch;   /* for one of them */
};

/* Finds the ranges of all kernels, if a report's argument asks for that. */
rln_status rln__range_prefix_read(struct rln__range_prefix *prefix, rln_reader *reader,
                                  const char *argument, rln_error *err);

/* Puts the range in front of the name of a kernel, by the call that launched it. The
 * text is valid until the prefixes are cleared. 0, or -1 when there is no memory. */
int rln__range_prefix_add(struct rln__range_prefix *prefix, uint32_t process,
                          uint32_t correlation, rln_text *name);

void rln__range_prefix_clear(struct rln__range_prefix *prefix);

#endif
