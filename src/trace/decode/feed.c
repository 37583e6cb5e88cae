/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/feed.h"
#include "base/alloc.h"
#include "base/fail.h"

rln_status rln__feed_new(rln_reader *reader, size_t window_words,
                         struct rln__feed **out, rln_error *err)
{
    struct rln__feed *feed = rln__alloc(1, sizeof(*feed));
    rln_status status;

    *out = NULL;
    if (!feed)
        return rln__fail_nomem(err);
    for (size_t i = 0; i <= RLN__MAX_HELD; i++)
        feed->indices[i] = (uint8_t)i;
    status = rln__stream_init(&feed->stream, reader, window_words, err);
    if (status)
        rln__free(feed);
    else
        *out = feed;
    return status;
}

void rln__feed_free(struct rln__feed *feed)
{
    if (!feed)
        return;
    rln__stream_clear(&feed->stream);
    rln__free(feed);
}

rln_status rln__feed_begin(struct rln__feed *f, const struct rln__chunk_info *chunk,
                           size_t order, rln_error *err)
{
    f->order = order;
    f->is_even = 1;
    f->n_held = 0;
    f->has_ahead = 0;
    f->has_ended = 0;
    return rln__stream_begin(&f->stream, chunk, err);
}

static struct rln__item *item_at(struct rln__feed *f, size_t at)
{
    return &f->items[f->indices[at]];
}

static rln_status read_ahead(struct rln__feed *f, rln_error *err)
{
    rln_status status;

    if (f->has_ahead || f->has_ended)
        return RLN_OK;
    status = rln__stream_next(&f->stream, item_at(f, f->n_held), err);
    f->has_ahead = status == RLN_OK;
    if (f->has_ahead)
        rln__stream_keep_order(&f->stream, item_at(f, f->n_held));
    f->has_ended = status == RLN_END;
    return status == RLN_END ? RLN_OK : status;
}

/* Makes the earliest held item the head, and holds the one ahead instead. */
static void take_top(struct rln__feed *f)
{
    const uint8_t top = f->indices[f->n_held - 1];

    rln__feed_set_head(f, &f->items[top]);
    f->indices[f->n_held - 1] = f->indices[f->n_held];
    f->indices[f->n_held] = top;
    f->n_held--;
}

rln_status rln__feed_advance_uneven(struct rln__feed *f, rln_error *err)
{
    /* Even again, once no later record can precede the item ahead. */
    if (!f->n_held && f->has_ahead &&
        rln__stream_is_next_later(&f->stream, item_at(f, 0)->ticks)) {
        f->has_ahead = 0;
        f->is_even = 1;
        rln__feed_set_head(f, item_at(f, 0));
        return RLN_OK;
    }
    for (;;) {
        const rln_status status = read_ahead(f, err);
        const struct rln__item *ahead = item_at(f, f->n_held);

        if (status)
            return status;
        if (f->n_held &&
            (!f->has_ahead || item_at(f, f->n_held - 1)->ticks <= ahead->ticks)) {
            take_top(f);
            return RLN_OK;
        }
        if (!f->has_ahead)
            return RLN_END;
        f->has_ahead = 0;
        if (f->n_held == RLN__MAX_HELD) {
            rln__feed_set_head(f, ahead);
            return RLN_OK;
        }
        f->n_held++;
    }
}

rln_status rln__feed_hold_lone(struct rln__feed *f, rln_error *err)
{
    *item_at(f, 0) = f->lone;
    f->has_ahead = 1;
    f->is_even = 0;
    return rln__feed_advance_uneven(f, err);
}
