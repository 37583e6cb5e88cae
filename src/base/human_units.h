/* SPDX-License-Identifier: Apache-2.0 */
/* human_units.h - numbers as people read them. */
#ifndef RLN_BASE_HUMAN_UNITS_H
#define RLN_BASE_HUMAN_UNITS_H

#include "base/buf.h"

/* "853 ns", "12.3 us", "4.0 ms", "1.50 s", "3 min 12 s". */
void rln__buf_duration(struct rln__buf *buf, double ns);

/* "1.2 MiB". */
void rln__buf_size(struct rln__buf *buf, uint64_t bytes);

/* "   0.000012345": seconds since the trace's start. */
void rln__buf_seconds(struct rln__buf *buf, int64_t ns);

#endif
