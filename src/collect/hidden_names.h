/* SPDX-License-Identifier: Apache-2.0 */
/* hidden_names.h - what hidden ranges are called whose events would carry their message
 * themselves: gate.h. Most of them end unrecorded, and then their texts should not have
 * filled the table. So a text stays in the thread's memory, and gets a row as the range
 * is told of.
 *
 *     rln__kept.hidden        {domain, id}   {domain, 0}   {domain, 0}   {domain, id}
 *     rln__kept.hidden_names                      |             |
 *     rln__kept.hidden_texts               {where, look, n, text...} {where, ...}
 *
 * Texts lie in the order of their ranges, which end nearly in that order, too.
 */
#ifndef RLN_COLLECT_HIDDEN_NAMES_H
#define RLN_COLLECT_HIDDEN_NAMES_H

#include "collect/gate.h"

/* Keeps the text of the thread's `n`-th hidden range, counted from 0. */
void rln__hidden_name_keep(uint32_t n, const struct rln__concern *e);

/* {domain:32, id:32} of that range. With signals blocked. */
uint64_t rln__hidden_range(uint32_t n);

#endif
