/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_batch.h - rows, collected by column, and handed over as Arrow's structures.
 *
 *   put a value for each column, left to right --> n_rows grows --> take the batch
 *
 * Texts are kept once in a batch: a column of texts has their numbers, and a dictionary
 * with those that it uses.
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
};

struct rln__arrow_field {
    const char *name; /* static */
    enum rln__arrow_type type;
};

struct rln__arrow_column {
    enum rln__arrow_type type;
    void *values;      /* owned, as the next; of BOOL bits */
    uint8_t *validity; /* bits */
    int64_t n_null;
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
    int has_failed; /* no memory */
};

/* 0, or -1 when there is no memory. */
int rln__arrow_batch_init(struct rln__arrow_batch *batch,
                          const struct rln__arrow_field *fields, size_t n_fields);
void rln__arrow_batch_clear(struct rln__arrow_batch *batch);

/* Each puts the value of the next column, which has that type. */
void rln__arrow_i64(struct rln__arrow_batch *batch, int64_t value);
void rln__arrow_u64(struct rln__arrow_batch *batch, uint64_t value);
void rln__arrow_u32(struct rln__arrow_batch *batch, uint32_t value);
void rln__arrow_f64(struct rln__arrow_batch *batch, double value);
void rln__arrow_bool(struct rln__arrow_batch *batch, int value);
/* No text is null; a text is known by its address as long as the batch is filled. */
void rln__arrow_text(struct rln__arrow_batch *batch, rln_text text);
void rln__arrow_null(struct rln__arrow_batch *batch);

/* Moves the rows to `out`, which owns them from then on, and begins an empty batch. 0
 * or ENOMEM. */
int rln__arrow_batch_take(struct rln__arrow_batch *batch, struct ArrowArray *out);

/* The schema of all batches of these fields. 0 or ENOMEM. */
int rln__arrow_schema(const struct rln__arrow_field *fields, size_t n_fields,
                      struct ArrowSchema *out);

#endif
