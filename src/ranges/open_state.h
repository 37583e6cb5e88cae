/* SPDX-License-Identifier: Apache-2.0 */
/* open_state.h - records that restate the open ranges of a thread: where it
 * begins, where events were lost or overwritten, in a forked child, and when a window
 * opens. */
#ifndef RLN_RANGES_OPEN_STATE_H
#define RLN_RANGES_OPEN_STATE_H

#include "ranges/pair.h"
#include "trace/decode/stream.h"

/* Called for each range that is open when a window opens, with its index in the pool
 * and that of the enclosing range on its thread, or RLN__NONE. 0, or -1: no memory. */
typedef int rln__goes_on(void *context, uint32_t range, uint32_t enclosing);

/* Reads the record of an item of kind RLN__ITEM_THREAD or above, and updates the
 * pairing. `goes_on` may be NULL. */
rln_status rln__open_state_read(struct rln__pairing *pairing, rln_reader *reader,
                                const struct rln__item *item, uint32_t part,
                                int64_t t_ns, rln__goes_on *goes_on, void *context,
                                rln_error *err);

#endif
