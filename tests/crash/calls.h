/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h - the calls that victim.c makes and nothing_lost.c expects in the trace.
 *
 * Every worker goes through the same cycle of five calls. Those that can have a payload
 * have {worker, serial}, so that each event of the trace is unique.
 */
#ifndef RLN_TESTS_CALLS_H
#define RLN_TESTS_CALLS_H

#include <stdint.h>

enum { WORKERS = 4, EVENTS_PER_S = 100000 };

enum call { CALL_PUSH, CALL_MARK, CALL_START, CALL_END, CALL_POP, CALLS };

/* Shared by the victim and nothing_lost.c; it outlives the victim. */
struct score {
    uint64_t returned[WORKERS]; /* atomic: calls that have returned */
    uint32_t pid;               /* atomic: of the victim, once it runs */
};

static inline uint64_t payload_of(unsigned worker, uint64_t serial)
{
    return (uint64_t)worker << 40 | serial;
}

#endif
