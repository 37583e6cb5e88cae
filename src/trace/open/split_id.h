/* SPDX-License-Identifier: Apache-2.0 */
/* split_id.h - the trace id of a window's file, derived from the trace's id and the
 * window's number: two windows are two traces, a window written again is the same
 * trace, and a reader of the whole trace recognizes a file as one of its windows.
 */
#ifndef RLN_TRACE_OPEN_SPLIT_ID_H
#define RLN_TRACE_OPEN_SPLIT_ID_H

#include "base/hash.h"

/* Of window `k` of a trace; never 0. */
static inline uint64_t rln__split_id(uint64_t trace_id, uint32_t k)
{
    const uint64_t id = rln__mix(trace_id + (k + 1ull) * 0x9e3779b97f4a7c15u);

    return id ? id : 1;
}

#endif
