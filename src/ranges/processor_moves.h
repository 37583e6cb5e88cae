/* SPDX-License-Identifier: Apache-2.0 */
/* processor_moves.h - when the threads of a program came to processors and left them.
 *
 *   processor 3   |--17--||-18-|        |--17--|      | others, or none
 *                 came   handed over
 */
#ifndef RLN_RANGES_PROCESSOR_MOVES_H
#define RLN_RANGES_PROCESSOR_MOVES_H

#include "base/hash.h"
#include "trace/decode/switches.h"

struct rln__move {
    int64_t t_ns;
    int64_t busy_ns;      /* how long threads of the program had had the processor */
    uint32_t processor;   /* of a part: a number of its own */
    uint32_t thread : 31; /* the caller's number */
    uint32_t came : 1;
};

/* Zeroed, it is empty. */
struct rln__moves {
    struct rln__move *items; /* owned: by processor, then by time */
    size_t n, capacity;
    struct rln__map processors; /* part, processor -> number + 1 */
    uint64_t last_key;          /* the last question to it, and its answer */
    uint32_t last_number;
    size_t last_found; /* the last answer about a time */
};

/* Makes room in an empty one. 0, or -1: no memory. */
int rln__moves_reserve(struct rln__moves *moves, size_t n);
/* Takes a switch, if it is one of a processor, whose number is put at `*processor`, or
 * RLN__NONE. 0, or -1: no memory. */
int rln__moves_add(struct rln__moves *moves, const struct rln__switch *s,
                   uint32_t thread, uint32_t *processor);
/* After all of them. */
void rln__moves_sort(struct rln__moves *moves);
void rln__moves_clear(struct rln__moves *moves);

/* Best asked in the order of time, thread by thread.
 *
 * Since when a thread that came to a processor has had it: since another one of the
 * program had left it just before, to which the kernel does not count the switch. */
int64_t rln__moves_came_ns(struct rln__moves *moves, uint32_t processor,
                           uint32_t thread, int64_t t_ns);
/* How long threads of the program had it between two times. */
int64_t rln__moves_busy_ns(struct rln__moves *moves, uint32_t processor,
                           int64_t from_ns, int64_t to_ns);

#endif
