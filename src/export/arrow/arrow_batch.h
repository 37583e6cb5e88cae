/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_batch.h - rows, collected by column, and handed over as Arrow's structures.
 *
 *   put a value for each column, left to right --> n_rows grows --> take the batch
 *
 * Texts are kept once in a batch: a column of texts has their numbers, and a dictionary
 * with those that it uses. A column of plain texts, or of bytes, has them row by row.
 *
 * A null costs nothing: columns are full of them until a value is put.
 */
#ifndef RLN_EXPORT_ARROW_ARROW_BATCH_H
#define RLN_EXPORT_ARROW_ARROW_BATCH_H

#include "base/buf.h"
#include "base/hash.h"
#include "rangeline/arrow.h"

enum rln__arrow_type {
    RLN__ARROW_I64,
    RLN__ARROW_U64,
    RLN__ARROW_U32,
    RLN__ARROW_F64,
    RLN__ARROW_BOOL,
    RLN__ARROW_TEXT,
    RLN__ARROW_PLAIN_TEXT, /* only for batches that arrow_ipc.h writes, as the next */
    RLN__ARROW_BYTES,
};

struct rln__arrow_field {
    const char *name; /* static */
    enum rln__arrow_type type;
};

struct rln__arrow_column {
    enum rln__arrow_type type;
    void *values;      /* owned, as the next; of BOOL bits; of plain texts their ends as
                        * int32, behind a 0 */
    uint8_t *validity; /* bits */
    int64_t n_valid;
    int64_t n_ends; /* of plain texts: rows that have theirs; others end with them */
    const char *last_text; /* of the last lookup, and its number */
    int32_t last_number;
    struct rln__map by_address; /* of a text -> its number + 1 */
    struct rln__buf text;
    struct rln__buf offsets; /* int32: where texts begin, and the end */
    int32_t n_texts;
};

struct rln__arrow_batch {
    const struct rln__arrow_field *fields; /* static */
    size_t n_fields;
    struct rln__arrow_column *columns; /* owned */
    size_t at;                         /* the next value's column */
    int64_t n_rows, capacity;
    size_t n_bytes; /* of plain texts and bytes */
    int has_failed; /* no memory */
};

/* 0, or -1 when there is no memory. */
int rln__arrow_batch_init(struct rln__arrow_batch *batch,
                          const struct rln__arrow_field *fields, size_t n_fields);
void rln__arrow_batch_clear(struct rln__arrow_batch *batch);

/* arrow_batch.c, for the functions below: room for one row more. 0, or -1: no memory. */
int rln__arrow_grow(struct rln__arrow_batch *batch);

/* The column of the next value, with a valid one; NULL when there is no memory. */
static inline struct rln__arrow_column *rln__arrow_begin(struct rln__arrow_batch *b)
{
    struct rln__arrow_column *c = &b->columns[b->at];

    if (b->n_rows == b->capacity && rln__arrow_grow(b))
        b->has_failed = 1;
    if (b->has_failed)
        return NULL;
    c->validity[b->n_rows / 8] |= (uint8_t)(1u << b->n_rows % 8);
    c->n_valid++;
    return c;
}

/* On to the next column. */
static inline void rln__arrow_end(struct rln__arrow_batch *b)
{
    if (++b->at == b->n_fields) {
        b->at = 0;
        b->n_rows++;
    }
}

/* Each puts the value of the next column, which has that type. */
static inline void rln__arrow_u64(struct rln__arrow_batch *batch, uint64_t value)
{
    struct rln__arrow_column *c = rln__arrow_begin(batch);

    if (c)
        ((uint64_t *)c->values)[batch->n_rows] = value;
    rln__arrow_end(batch);
}

static inline void rln__arrow_i64(struct rln__arrow_batch *batch, int64_t value)
{
    rln__arrow_u64(batch, (uint64_t)value);
}

static inline void rln__arrow_null(struct rln__arrow_batch *batch)
{
    if (batch->n_rows == batch->capacity && rln__arrow_grow(batch))
        batch->has_failed = 1;
    rln__arrow_end(batch);
}

void rln__arrow_u32(struct rln__arrow_batch *batch, uint32_t value);
void rln__arrow_f64(struct rln__arrow_batch *batch, double value);
void rln__arrow_bool(struct rln__arrow_batch *batch, int value);
/* No text is null; a text is known by its address as long as the batch is filled. */
void rln__arrow_text(struct rln__arrow_batch *batch, rln_text text);
/* Plain text, or bytes. */
void rln__arrow_bytes(struct rln__arrow_batch *batch, rln_text bytes);

/* Moves the rows to `out`, which owns them from then on, and begins an empty batch. 0
 * or ENOMEM. */
int rln__arrow_batch_take(struct rln__arrow_batch *batch, struct ArrowArray *out);

#define RLN__ARROW_MOST_BUFFERS 3

/* Arrow's buffers of a column without a dictionary, borrowed until the next value: the
 * validity, the values or offsets, and the bytes of plain texts. Returns how many. */
size_t rln__arrow_buffers(const struct rln__arrow_batch *batch, size_t column,
                          rln_text out[RLN__ARROW_MOST_BUFFERS]);
int64_t rln__arrow_n_null(const struct rln__arrow_batch *batch, size_t column);
/* Forgets the rows, in columns without dictionaries. */
void rln__arrow_batch_empty(struct rln__arrow_batch *batch);

/* The schema of all batches of these fields. 0 or ENOMEM. */
int rln__arrow_schema(const struct rln__arrow_field *fields, size_t n_fields,
                      struct ArrowSchema *out);

#endif
