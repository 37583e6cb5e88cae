/* SPDX-License-Identifier: Apache-2.0 */
/* nesting_settle.h - what of a nesting is known only when all ranges have ended: which
 * ranges enclose another, since those of several domains may cross, and which are
 * listed. */
#ifndef RLN_RANGES_NESTING_SETTLE_H
#define RLN_RANGES_NESTING_SETTLE_H

#include "ranges/nesting.h"

/* Of a row until it is listed, beside RLN_FLAG_... */
#define RLN__NESTED_LEFT_OUT 0x80000000u /* it is not listed */
#define RLN__NESTED_OUTSIDE 0x40000000u  /* for no part of it is in the window */

/* Lists `n_rows` rows that are in the order of reading: first those of threads, from
 * `first_deferred` on deferred ranges. `name` is the attributes, `parent` the range that
 * was innermost when the row began. Takes `rows` over, or leaves it as it is. */
rln_status rln__nesting_settle(struct rln__nesting *nesting, struct rln__spill *rows,
                               size_t n_rows, size_t first_deferred, rln_error *err);

#endif
