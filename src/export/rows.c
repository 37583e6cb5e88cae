/* SPDX-License-Identifier: Apache-2.0 */
#include "export/rows.h"
#include "base/alloc.h"

static rln_status grow(struct rln__rows *r, rln_error *err)
{
    const size_t capacity = r->capacity ? r->capacity * 2 : 64;
    struct rln__waiting *ring = rln__alloc(capacity, sizeof(*ring));

    if (!ring)
        return rln__fail_nomem(err);
    for (uint64_t i = r->first; i < r->next; i++)
        ring[i & (capacity - 1)] = *rln__rows_at(r, i);
    rln__free(r->ring);
    r->ring = ring;
    r->capacity = capacity;
    return RLN_OK;
}

/* Yields the complete rows at the front. */
static rln_status advance(struct rln__rows *r, rln_error *err)
{
    while (r->first < r->next) {
        struct rln__waiting *w = rln__rows_at(r, r->first);
        rln_status status = RLN_OK;

        if (w->state == RLN__ROW_OPEN)
            return RLN_OK;
        if (w->state == RLN__ROW_DONE) {
            w->row.range = &w->range;
            status = r->take(r->context, &w->row, err);
        }
        r->n_bytes -= w->row.json.length + w->row.blob.length;
        rln__free(w->payloads);
        w->payloads = NULL;
        r->first++;
        if (status)
            return status;
    }
    return RLN_OK;
}

/* The first one has been open for so long that the others do not wait for it. */
static rln_status set_aside(struct rln__rows *r, rln_error *err)
{
    struct rln__waiting *w = rln__rows_at(r, r->first);
    rln_status status;

    w->state = RLN__ROW_ASIDE;
    w->row.json = w->row.blob = (rln_text){NULL, 0};
    status = r->aside(r->context, r->first + 1, &w->range, err);
    return status ? status : advance(r, err);
}

rln_status rln__rows_make_room(struct rln__rows *r, rln_error *err)
{
    return r->next - r->first < RLN__MAX_WAITING ? grow(r, err) : set_aside(r, err);
}

static rln_status keep_payloads(struct rln__rows *r, struct rln__waiting *w,
                                const struct rln__row *row, rln_error *err)
{
    const size_t n_bytes = row->json.length + row->blob.length;

    if (!n_bytes)
        return RLN_OK;
    w->payloads = rln__alloc(n_bytes, 1);
    if (!w->payloads)
        return rln__fail_nomem(err);
    if (row->json.length)
        memcpy(w->payloads, row->json.bytes, row->json.length);
    if (row->blob.length)
        memcpy(w->payloads + row->json.length, row->blob.bytes, row->blob.length);
    w->row.json = (rln_text){row->json.length ? w->payloads : NULL, row->json.length};
    w->row.blob = (rln_text){row->blob.length ? w->payloads + row->json.length : NULL,
                             row->blob.length};
    r->n_bytes += n_bytes;
    return RLN_OK;
}

rln_status rln__rows_close_among(struct rln__rows *r, uint64_t number,
                                 struct rln__row *row, rln_error *err)
{
    struct rln__waiting *w = rln__rows_at(r, number);
    rln_status status = RLN_OK;

    if (number < r->first) { /* it was set aside: no other row waits for it */
        row->aside = number + 1;
        return r->take(r->context, row, err);
    }
    w->state = RLN__ROW_DONE;
    if (number == r->first) { /* nothing has to be kept */
        status = r->take(r->context, row, err);
        r->first++;
    } else {
        w->row = *row;
        w->range = *row->range;
        w->row.json = w->row.blob = (rln_text){NULL, 0};
        status = keep_payloads(r, w, row, err);
    }
    while (!status && r->n_bytes > RLN__MAX_WAITING_BYTES)
        status = set_aside(r, err);
    return status ? status : advance(r, err);
}

rln_status rln__rows_add(struct rln__rows *r, struct rln__row *row, rln_error *err)
{
    uint64_t number;
    rln_status status;

    if (r->first == r->next)
        return r->take(r->context, row, err);
    status = rln__rows_open(r, row->range, &number, err);
    return status ? status : rln__rows_close(r, number, row, err);
}

void rln__rows_clear(struct rln__rows *r)
{
    for (uint64_t i = r->first; i < r->next; i++)
        rln__free(rln__rows_at(r, i)->payloads);
    rln__free(r->ring);
    memset(r, 0, sizeof(*r));
}
