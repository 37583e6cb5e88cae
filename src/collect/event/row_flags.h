/* SPDX-License-Identifier: Apache-2.0 */
/* row_flags.h - stores per row whether its events are capture ranges, trigger snapshots
 * or are excluded.
 *
 * The flags are computed once, when the row is made, from its domain, its message and
 * its category, and kept as a byte. Only events with bits of the gate set read them.
 */
#ifndef RLN_COLLECT_EVENT_ROW_FLAGS_H
#define RLN_COLLECT_EVENT_ROW_FLAGS_H

#include "collect/event/intern.h"

enum rln__row_flag {
    RLN__ROW_CAPTURES = 1,  /* its ranges are capture ranges: capture.h */
    RLN__ROW_NEARLY = 2,    /* its ranges would be, in another domain */
    RLN__ROW_SNAPSHOTS = 4, /* the ends of its ranges trigger a snapshot */
    RLN__ROW_EXCLUDED = 8,  /* its category is excluded */
};

/* A byte for each row. Ordinary memory: a forked child keeps its parent's ids. */
extern RLN_OWN uint8_t rln__row_flags[RLN__MAX_ATTRIBUTES];

/* The flags of a row of this process; 0 if there is no such row. */
static inline unsigned rln__flags_of_row(uint32_t id)
{
    return id < RLN__MAX_ATTRIBUTES
               ? __atomic_load_n(&rln__row_flags[id], __ATOMIC_RELAXED)
               : 0;
}

/* The flags of an event without a row; `text` is its message, or NULL. */
unsigned rln__flags_of(uint64_t domain_key, const char *text, size_t n_bytes);

/* Computes the flags of a domain or a row. Call it before any event can use the id. */
void rln__flags_note_domain(uint32_t domain, const char *name, size_t n_bytes);
void rln__flags_note_row(uint32_t id, const struct rln__attributes *row);

/* Called when a category is named: the flags of its rows may change. */
void rln__flags_note_category(uint32_t domain, uint32_t category, const char *name,
                              size_t n_bytes);

/* Call once, before the other functions here. */
void rln__flags_begin(void);

#endif
