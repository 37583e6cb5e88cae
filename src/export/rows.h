/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h - ranges and marks, whole, in the order in which they began.
 *
 *   begun  [a open][b done][c open][d done]   d, b and c wait until a is done
 *            ^first                    ^next
 *
 * At most RLN__MAX_WAITING wait: then the first is set aside, and yielded when it ends.
 * So only ranges open for longer than that come late, and memory is bounded.
 */
#ifndef RLN_EXPORT_ROWS_H
#define RLN_EXPORT_ROWS_H

#include "export/exporter.h"

#define RLN__MAX_WAITING 65536u                   /* a power of two */
#define RLN__MAX_WAITING_BYTES ((size_t)64 << 20) /* of payloads */

enum rln__waiting_state { RLN__ROW_OPEN, RLN__ROW_DONE, RLN__ROW_ASIDE };

struct rln__waiting {
    struct rln__row row; /* its range is `range` once it is yielded */
    rln_range range;     /* while it is open: as it began */
    char *payloads;      /* owned: the row's texts, or NULL */
    enum rln__waiting_state state;
};

struct rln__rows {
    struct rln__waiting *ring; /* owned; grows up to its largest size */
    size_t capacity;           /* a power of two */
    uint64_t first, next;      /* numbers, the ring's slots are their low bits */
    size_t n_bytes;            /* of payloads that wait */
    rln_status (*take)(void *context, const struct rln__row *row, rln_error *err);
    rln_status (*aside)(void *context, uint64_t number, const rln_range *range,
                        rln_error *err);
    void *context; /* of both */
};

static inline struct rln__waiting *rln__rows_at(const struct rln__rows *r,
                                                uint64_t number)
{
    return &r->ring[number & (r->capacity - 1)];
}

/* Where as many wait as there is room for. */
rln_status rln__rows_make_room(struct rln__rows *rows, rln_error *err);
/* Where others wait. */
rln_status rln__rows_close_among(struct rln__rows *rows, uint64_t number,
                                 struct rln__row *row, rln_error *err);

/* `*number` is for rln__rows_close(), the range for aside(); NULL if that has no use
 * for it. */
static inline rln_status rln__rows_open(struct rln__rows *r, const rln_range *range,
                                        uint64_t *number, rln_error *err)
{
    const rln_status status =
        r->next - r->first < r->capacity ? RLN_OK : rln__rows_make_room(r, err);

    *number = 0;
    if (status)
        return status;
    rln__rows_at(r, r->next)->state = RLN__ROW_OPEN;
    if (range)
        rln__rows_at(r, r->next)->range = *range;
    *number = r->next++;
    return RLN_OK;
}

/* Texts that the row borrows are copied if it has to wait. */
static inline rln_status rln__rows_close(struct rln__rows *r, uint64_t number,
                                         struct rln__row *row, rln_error *err)
{
    if (number != r->first || number + 1 != r->next)
        return rln__rows_close_among(r, number, row, err);
    r->first++;
    return r->take(r->context, row, err);
}

/* A row that is complete at once. */
rln_status rln__rows_add(struct rln__rows *rows, struct rln__row *row, rln_error *err);
void rln__rows_clear(struct rln__rows *rows);

#endif
