/* SPDX-License-Identifier: Apache-2.0 */
/* row_flags.h - what the run has in mind for the events of a row.
 *
 * That is decided once, when the row is made, from its domain, its message and its
 * category; after that it is a byte. Only events that the gate concerns look at it.
 */
#ifndef RLN_COLLECT_ROW_FLAGS_H
#define RLN_COLLECT_ROW_FLAGS_H

#include "collect/intern.h"

enum rln__row_flag {
    RLN__ROW_CAPTURES = 1,  /* its ranges are capture ranges: capture.h */
    RLN__ROW_NEARLY = 2,    /* they would be in another domain */
    RLN__ROW_SNAPSHOTS = 4, /* their ends ask for a snapshot */
    RLN__ROW_LEFT_OUT = 8,  /* of a category that the run is not about */
};

/* A byte for each row. Ordinary memory: a forked child has its parent's ids. */
extern RLN_OWN uint8_t rln__row_flags[RLN__MAX_ATTRIBUTES];

/* The flags of a row of this process; 0 if there is no such row. */
static inline unsigned rln__flags_of_row(uint32_t id)
{
    return id < RLN__MAX_ATTRIBUTES
               ? __atomic_load_n(&rln__row_flags[id], __ATOMIC_RELAXED)
               : 0;
}

/* Those of an event that has no row: `where` is its rln__where(), `text` its message,
 * or NULL. */
unsigned rln__flags_of(uint64_t where, const char *text, size_t n_bytes);

/* Notes a domain, or a row, before anybody can use its id. */
void rln__flags_note_domain(uint32_t domain, const char *name, size_t n_bytes);
void rln__flags_note_row(uint32_t id, const struct rln__attributes *row);

/* A category was named: its rows may be others now. */
void rln__flags_note_category(uint32_t domain, uint32_t category, const char *name,
                              size_t n_bytes);

/* Once, before the first of these. */
void rln__flags_begin(void);

#endif
