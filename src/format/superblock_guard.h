/* SPDX-License-Identifier: Apache-2.0 */
/* superblock_guard.h - restores words of a superblock that programs have overwritten.
 *
 * The superblock is mapped into every process of the run, and a stray store in one of
 * them may change any word. The launcher restores words that are constant and words
 * that only grow. It cannot restore others, such as the gate, because any value is
 * valid.
 */
#ifndef RLN_FORMAT_SUPERBLOCK_GUARD_H
#define RLN_FORMAT_SUPERBLOCK_GUARD_H

#include "format/layout.h"

struct rln__superblock_guard {
    struct rln__superblock saved;
    uint64_t n_restored; /* words, so far */
};

/* Copies the superblock of a trace that was just created. */
void rln__guard_begin(struct rln__superblock_guard *guard,
                      const struct rln__superblock *super);

/* Restores overwritten words. Call once per second, so that processes can join the run,
 * and after the run. */
void rln__guard_restore(struct rln__superblock_guard *guard,
                        struct rln__superblock *super);

#endif
