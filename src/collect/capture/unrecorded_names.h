/* SPDX-License-Identifier: Apache-2.0 */
/* unrecorded_names.h - keeps the messages of unrecorded ranges (gate.h) that have no
 * row. Most of these ranges end unrecorded, and their texts should not fill the table.
 * So a text stays in the thread's memory and gets a row only when the range is written.
 *
 *     rln__kept.unrecorded        {domain, id} {domain, 0} {domain, 0} {domain, id}
 *     rln__kept.unrecorded_names                  |            |
 *     rln__kept.unrecorded_texts       {keys, n, text...} {keys, n, text...}
 *
 * Texts are in the order of their ranges, which also end nearly in that order.
 */
#ifndef RLN_COLLECT_CAPTURE_UNRECORDED_NAMES_H
#define RLN_COLLECT_CAPTURE_UNRECORDED_NAMES_H

#include "collect/capture/gate_word.h"

/* Keeps the text of the thread's `n`-th unrecorded range, counted from 0. */
void rln__unrecorded_name_keep(uint32_t n, const struct rln__gated_event *e);

/* {domain:32, id:32} of that range. With signals blocked. */
uint64_t rln__unrecorded_range(uint32_t n);

#endif
