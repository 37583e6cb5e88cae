/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h - what victim.c does and nothing_lost.c expects to find.
 *
 * Every worker goes through the same cycle of five calls. Those that can carry a
 * payload carry {worker, serial}, so that each event of the trace can be told from all
 * others.
 */
#ifndef RLN_TESTS_CALLS_H
#define RLN_TESTS_CALLS_H

#include <stdint.h>

enum { WORKERS = 4, EVENTS_PER_S = 100000 };

enum call { CALL_PUSH, CALL_MARK, CALL_START, CALL_END, CALL_POP, CALLS };

/* Shared by the victim and its judge: it outlives the victim. */
struct score {
    uint64_t returned[WORKERS]; /* atomic: calls that have returned */
    uint32_t pid;               /* atomic: of the victim, once it runs */
};

static inline uint64_t payload_of(unsigned worker, uint64_t serial)
{
    return (uint64_t)worker << 40 | serial;
}

#endif
