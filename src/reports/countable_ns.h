/* SPDX-License-Identifier: Apache-2.0 */
/* countable_ns.h - which ranges sums count. */
#ifndef RLN_REPORTS_COUNTABLE_NS_H
#define RLN_REPORTS_COUNTABLE_NS_H

#include "rangeline/model.h"

/* The duration of a range if it counts, else -1. A range without an end counts, unless
 * events of it were lost. */
static inline int64_t rln__countable_ns(const rln_range *range)
{
    const uint32_t left_out =
        RLN_FLAG_LOST | RLN_FLAG_UNMATCHED | RLN_FLAG_INHERITED | RLN_FLAG_UNPLACED;

    return range->flags & left_out ? -1 : range->end_ns - range->start_ns;
}

#endif
