/* SPDX-License-Identifier: Apache-2.0 */
/* unrecorded_names.h - messages of hidden ranges (gate.h) whose events would carry
 * their text in line. Most of these ranges end unrecorded, and their texts should not
 * fill the table. So a text stays in the thread's memory and gets a row only when the
 * range is written.
 *
 *     rln__kept.hidden        {domain, id}   {domain, 0}   {domain, 0}   {domain, id}
 *     rln__kept.hidden_names                      |             |
 *     rln__kept.hidden_texts               {where, look, n, text...} {where, ...}
 *
 * Texts lie in the order of their ranges, which end nearly in that order, too.
 */
#ifndef RLN_COLLECT_CAPTURE_UNRECORDED_NAMES_H
#define RLN_COLLECT_CAPTURE_UNRECORDED_NAMES_H

#include "collect/capture/gate.h"

/* Keeps the text of the thread's `n`-th hidden range, counted from 0. */
void rln__unrecorded_name_keep(uint32_t n, const struct rln__gated_event *e);

/* {domain:32, id:32} of that range. With signals blocked. */
uint64_t rln__unrecorded_range(uint32_t n);

#endif
