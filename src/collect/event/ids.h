/* SPDX-License-Identifier: Apache-2.0 */
/* ids.h - numbers strings, domains and rows of attributes, and finds a row by its id.
 * intern.h finds it by its content.
 *
 * Numbers and rows lie in ordinary memory that only grows: a forked child keeps its
 * parent's and continues with a copy. Any state, any thread, from handlers too.
 */
#ifndef RLN_COLLECT_EVENT_IDS_H
#define RLN_COLLECT_EVENT_IDS_H

#include "collect/collector.h"

enum { RLN__MAX_ATTRIBUTES = 1 << 18 }; /* rows per process */

/* One row; a cache line. Never modified once it can be found. */
struct rln__attributes {
    uint64_t domain_key; /* {domain:32, category:32} */
    uint64_t style_key;  /* {color:32, types:24, row kind:8} */
    uint64_t
        head[2]; /* plain: the first 16 bytes of the text; registered: the handle */
    uint64_t mask[2]; /* plain: the bytes of `head` that count, terminator included */
    const char *text; /* in the mapped file, lives as long as the process; or NULL */
    uint32_t shifted_id; /* rln__shift_id() of the row's id; 0: not complete yet */
    uint32_t length;     /* of the text */
};

_Static_assert(sizeof(struct rln__attributes) == 64, "a row is a cache line");

static inline uint64_t rln__domain_key(uint32_t domain, uint32_t category)
{
    return rln__pair32(domain, category);
}

static inline uint64_t rln__style_key(uint32_t color, uint64_t types)
{
    return rln__pair32(color, types);
}

/* The row with that id, made by this process or one it was forked from; or NULL. */
const struct rln__attributes *rln__attributes_at(uint32_t id);

/* A row that has been made, although it may not be complete yet. */
const struct rln__attributes *rln__attributes_made(uint32_t id);

/* A new row of zeros, with its id, if there are fewer than `most`; or NULL. Assigns a
 * number only after there is memory for its row, so that a failure uses none. */
struct rln__attributes *rln__attributes_make(uint32_t most, uint32_t *id);

/* Whether there are `most` rows. */
int rln__has_attributes(uint32_t most);

/* A fresh id for a string, or for a domain. */
uint32_t rln__next_string_id(void);
uint32_t rln__next_domain_id(void);

/* The number of domains, including the default one. */
uint32_t rln__intern_n_domains(void);

/* The next ids: a child forked now knows all lower ones. */
void rln__intern_limits(uint32_t *strings, uint32_t *attributes, uint32_t *domains);

/* The memory at `*slot`, zeroed at first: the first thread that needs it allocates it.
 * NULL without memory. */
void *rln__grown(void **slot, size_t n_bytes);

#endif
