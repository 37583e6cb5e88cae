/* SPDX-License-Identifier: Apache-2.0 */
/* unpaired_records.h - keeps starts and ends from chunks that are overwritten, because
 * the other end of their range may be in another chunk, or yet to come, in any thread
 * of any process of the run.
 *
 * They are in a table in the file, which all processes share. A record that finds the
 * other end of its range there removes it, and neither is needed any more; otherwise it
 * is added. So the table has the ranges with one end overwritten. Cold, signals
 * blocked; docs/reference/FORMAT.md 10.
 */
#ifndef RLN_COLLECT_RING_UNPAIRED_RECORDS_H
#define RLN_COLLECT_RING_UNPAIRED_RECORDS_H

#include "collect/event/block.h"

/* Keeps the starts and ends in the chunk, which has that place. */
void rln__unpaired_records_keep(struct rln__process_context *p,
                                const struct rln__chunk_extent *extent, uint64_t place);

#endif
