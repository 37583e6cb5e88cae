/* SPDX-License-Identifier: Apache-2.0 */
/* continued.h - the ranges that are open where a thread's chunk is full, for the next
 * one to begin with: the hot path keeps no list of them, the full chunk has it all.
 *
 *   full   |continued: a b| ... pop b ... push c ... push d ... pop d ... |
 *   next   |continued: a c|
 *
 * Cold, signals blocked; docs/FORMAT.md 10.
 */
#ifndef RLN_COLLECT_CONTINUED_H
#define RLN_COLLECT_CONTINUED_H

#include "collect/newest.h"

/* Reads a chunk that its thread has left. `carried` may be NULL. */
void rln__continued_find(const struct rln__cut *cut, struct rln__carried *carried,
                         struct rln__found *found);

/* Words that these ranges' records take, at most RLN__CONTINUED_BYTES of them: outer
 * ranges that do not fit are left out. */
size_t rln__continued_words(const struct rln__cut *cut, struct rln__carried *carried);

/* How many of them are of a domain. */
uint32_t rln__continued_in(const struct rln__carried *carried, uint32_t domain);

/* Writes them behind each other. */
void rln__continued_put(uint64_t *to, const struct rln__cut *cut,
                        const struct rln__carried *carried);

/* What a start or an end says, wherever it stands. 0: the record is neither. */
struct rln__half {
    uint64_t ticks;
    uint64_t range; /* an end's */
    uint32_t kind;
    uint32_t id; /* of attributes, 0 if it has them in line; or a domain */
    const uint64_t *in_line;
};
int rln__half_read(const uint64_t *words, uint64_t base_ticks, struct rln__half *out);

#endif
