/* SPDX-License-Identifier: Apache-2.0 */
/* unplaced.h - time domains whose deferred events cannot be placed, with the cause and
 * the number of events. */
#ifndef RLN_TRACE_DECODE_UNPLACED_H
#define RLN_TRACE_DECODE_UNPLACED_H

#include "rangeline/model.h"
#include "trace/decode/deferred_events.h"

/* Empty when zeroed. */
struct rln__unplaced {
    struct rln__key_index keys; /* process, why and domain, time domain -> index */
    rln_unplaced_info *clocks;  /* owned; in the order of their first events */
    size_t n, capacity;
};

/* Counts an event that cannot be placed. 0, or -1 when there is no memory. */
int rln__unplaced_add(struct rln__unplaced *unplaced, rln_reader *reader,
                      const struct rln__deferred_record *record,
                      const struct rln__deferred_event *event);
void rln__unplaced_clear(struct rln__unplaced *unplaced);

#endif
