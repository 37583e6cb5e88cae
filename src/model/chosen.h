/* SPDX-License-Identifier: Apache-2.0 */
/* chosen.h - which events a filter wants: for who sees ranges begin and end apart.
 *
 *   trace --first reading--> ranges that pass as they end: a bit for each
 *         --second---------> push: is its range one of them?   mark: asked by itself
 *
 * A range's payloads may come with its end, and how long it took is known only then;
 * who writes down its beginning must know. Filters that ask neither need no first
 * reading.
 */
#ifndef RLN_MODEL_CHOSEN_H
#define RLN_MODEL_CHOSEN_H

#include "model/event_filter.h"
#include "model/events.h"

struct rln__chosen {
    rln_reader *reader;              /* borrowed, as the next */
    const struct rln_filter *filter; /* NULL: all is wanted */
    uint8_t *bits;                   /* owned; by rln__range_key() */
    size_t n_bytes;
};

/* On failure there is nothing to clear. */
rln_status rln__chosen_init(struct rln__chosen *chosen, rln_reader *reader,
                            const struct rln_filter *filter, rln_error *err);
void rln__chosen_clear(struct rln__chosen *chosen);

/* Whether the last event of an iteration is wanted; of one that begins or ends a range,
 * whether that is. */
rln_status rln__chosen_ask(const struct rln__chosen *chosen, rln_events *events,
                           const rln_event *event, int *is_wanted, rln_error *err);

/* Whether a range passes what is asked only as ranges end, by its key. */
int rln__chosen_passes(const struct rln__chosen *chosen, uint64_t key);

#endif
