/* SPDX-License-Identifier: Apache-2.0 */
/* unpaired_records.h - keeps starts and ends from chunks that are reused, because their
 * other halves may still be recorded, or yet to come, from any thread of any process of
 * the run.
 *
 * They lie in a table in the file, shared by all processes. A half that finds its other
 * half there removes it, and neither is needed any more; otherwise it is added. So the
 * table holds the pairs of which one half was overwritten. Cold, signals blocked;
 * docs/FORMAT.md 10.
 */
#ifndef RLN_COLLECT_RING_UNPAIRED_RECORDS_H
#define RLN_COLLECT_RING_UNPAIRED_RECORDS_H

#include "collect/event/block.h"

/* Keeps the halves found in the chunk at `cut`, which has that place. */
void rln__unpaired_records_keep(struct rln__process_context *p,
                                const struct rln__chunk_extent *extent, uint64_t place);

#endif
