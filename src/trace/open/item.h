/* SPDX-License-Identifier: Apache-2.0 */
/* item.h - a decoded record: what trace/decode makes of one. */
#ifndef RLN_TRACE_OPEN_ITEM_H
#define RLN_TRACE_OPEN_ITEM_H

#include <stdint.h>

#include "format/input.h"
#include "format/layout.h"

/* Kinds of items without a short record. A memory call is an event; the others state
 * something about the events around them. */
enum {
    RLN__ITEM_MEMORY = 16,
    RLN__ITEM_THREAD = 32,
    RLN__ITEM_GAP,
    RLN__ITEM_INHERITED,
    RLN__ITEM_RESUMED,
    RLN__ITEM_CONTINUED, /* the thread's record begins here: overwritten_chunks.h */
    RLN__ITEM_GPU,       /* stands for GPU work: gpu_batches.h */
};

struct rln__item {
    uint64_t ticks;
    /* The payload, the id of the range that ends, a counter's value, the operation of a
     * memory call, or the tid of a thread that begins. */
    uint64_t value;
    uint64_t offset; /* of the record's first word, in the file */
    /* Index of attributes; of POP, END and MEMORY the process's domain id; of SAMPLE,
     * NO_VALUE and SYNC the short record's id; of THREAD the string of its name. */
    uint32_t ref;
    uint32_t thread;  /* index */
    uint32_t n_words; /* of a long record; 1 of any other */
    uint8_t kind;
    uint8_t has_value;
    uint16_t n_payloads; /* of a long record: rln__item_payloads() */
};

/* The words before the list in gap, inherited, resumed and continued. */
static inline uint32_t rln__reset_words(const struct rln__item *item)
{
    return item->kind == RLN__ITEM_CONTINUED ? RLN__CONTINUED_WORDS : 3;
}

/* A start or an end whose record was overwritten: overwritten_chunks.h. */
struct rln__kept_item {
    struct rln__item item;
    int64_t t_ns;
    uint32_t part;
};

static inline unsigned rln__item_payloads(const struct rln__item *item)
{
    return item->n_words > 1 ? item->n_payloads : 0;
}

/* Reads the words of a record again: a gap's do not fit into an item. `*out` is owned
 * and has `item->n_words` words. */
rln_status rln__stream_words(const struct rln__input *file,
                             const struct rln__item *item, uint64_t **out,
                             rln_error *err);

#endif
