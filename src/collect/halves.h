/* SPDX-License-Identifier: Apache-2.0 */
/* halves.h - starts and ends of chunks that are used again, while their other halves
 * may still be recorded, or to come: from any thread, of any process of the run.
 *
 * They lie in a table in the file, which all processes share. A half that finds its
 * other half there takes it out, and neither is needed any more; else it goes in. So
 * what is there are the pairs of which one half was overwritten. Cold, signals blocked;
 * docs/FORMAT.md 10.
 */
#ifndef RLN_COLLECT_HALVES_H
#define RLN_COLLECT_HALVES_H

#include "collect/block.h"

/* Keeps what the chunk at `cut`, with that place, has of such halves. */
void rln__halves_keep(struct rln__process *p, const struct rln__cut *cut,
                      uint64_t place);

#endif
