/* SPDX-License-Identifier: Apache-2.0 */
/* superblock_guard.h - the launcher's copy of what a run's superblock must say.
 *
 * The superblock is mapped into every process of the run, and a stray store of one of
 * them may change any word. The launcher restores words that have no reason to
 * change, and words that only grow. Others, as the gate, may say anything.
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

/* Restores what was overwritten. Call each second, so that processes can join the run,
 * and at its end. */
void rln__guard_restore(struct rln__superblock_guard *guard,
                        struct rln__superblock *super);

#endif
