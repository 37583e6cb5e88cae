/* SPDX-License-Identifier: Apache-2.0 */
/* resets.h - records that say anew what a thread has open: where it begins, where
 * events were lost or overwritten, in a forked child, and as a window opens. */
#ifndef RLN_MODEL_RESETS_H
#define RLN_MODEL_RESETS_H

#include "model/pair.h"
#include "model/stream.h"

/* Told of each range that goes on as a window opens: its place in the pool, and that of
 * the thread's newest range before, RLN__NONE if there was none. 0, or -1: no memory.
 */
typedef int rln__goes_on(void *context, uint32_t range, uint32_t around);

/* Reads the record of such an item, of RLN__ITEM_THREAD or more, and makes the pairing
 * say so. `goes_on` may be NULL. */
rln_status rln__resets_read(struct rln__pairing *pairing, rln_reader *reader,
                            const struct rln__item *item, uint32_t part, int64_t t_ns,
                            rln__goes_on *goes_on, void *context, rln_error *err);

#endif
