/* SPDX-License-Identifier: Apache-2.0 */
/* nesting_held.h - ranges that a report reads while it is printed. */
#ifndef RLN_RANGES_NESTING_HELD_H
#define RLN_RANGES_NESTING_HELD_H

#include "ranges/nesting.h"

/* Returns it: from now on one more rln__nesting_free() is needed. */
struct rln__nesting *rln__nesting_hold(struct rln__nesting *nesting);

#endif
