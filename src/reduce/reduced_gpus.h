/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_gpus.h - GPUs and collectives in sums: those of a trace, and their sections
 * of the file. */
#ifndef RLN_REDUCE_REDUCED_GPUS_H
#define RLN_REDUCE_REDUCED_GPUS_H

#include "reduce/reduced_take.h"

/* Adds those of a trace, with the filter of its reader. Tables that could not be
 * imported add nothing, and are counted in `*n_unread`. */
rln_status rln__reduced_read_gpus(struct rln__reduced *to, rln_reader *reader,
                                  uint64_t *n_unread, rln_error *err);

/* `origins` and `strings` are the numbers in the file. */
void rln__reduced_put_gpus(const struct rln__reduced *reduced, const uint32_t *origins,
                           struct rln__buf *out);
void rln__reduced_put_collectives(struct rln__reduced *reduced, const uint32_t *origins,
                                  const uint32_t *strings, struct rln__buf *out);

void rln__reduced_take_gpus(struct rln__reduced_cursor *cursor);
void rln__reduced_take_collectives(struct rln__reduced_cursor *cursor);

#endif
