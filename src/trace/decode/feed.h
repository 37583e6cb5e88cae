/* SPDX-License-Identifier: Apache-2.0 */
/* feed.h - the items of one chunk after the other, each chunk's in time order.
 *
 * Items that reserved their slot early and read the clock late are held, the earliest
 * on top. Items stay where they were decoded; only their indices are sorted:
 *
 *     indices  held ... held top | ahead | the head's, until the next advance | free
 *              0                   n_held
 *
 * Almost always nothing is held and the record after the head is later: the feed is
 * then even, has read nothing ahead, and its head is `lone`.
 */
#ifndef RLN_TRACE_DECODE_FEED_H
#define RLN_TRACE_DECODE_FEED_H

#include "trace/decode/stream.h"

/* Signal handlers that interrupt each other during one call. No thread nests more; a
 * damaged file may claim to, and its items then come out unsorted. */
#define RLN__MAX_HELD 64

struct rln__feed {
    struct rln__stream stream;
    const struct rln__item *head; /* until the next advance */
    int64_t t_ns;                 /* of the head */
    size_t order;                 /* of the chunk */
    struct rln__item lone;
    uint8_t is_even; /* nothing is held or ahead, and it has not ended */
    uint8_t has_ahead;
    uint8_t has_ended;
    uint8_t n_held;
    uint8_t indices[RLN__MAX_HELD + 1];
    struct rln__item items[RLN__MAX_HELD + 1];
};

rln_status rln__feed_new(rln_reader *reader, size_t window_words,
                         struct rln__feed **out, rln_error *err);
void rln__feed_free(struct rln__feed *feed);

/* Starts a chunk; what the feed read before does not matter. */
rln_status rln__feed_begin(struct rln__feed *feed, const struct rln__chunk_info *chunk,
                           size_t order, rln_error *err);

/* For a feed that is not even. The next item may have been read ahead. */
rln_status rln__feed_advance_uneven(struct rln__feed *feed, rln_error *err);
/* The item in `lone` must wait: a later record may precede it. */
rln_status rln__feed_hold_lone(struct rln__feed *feed, rln_error *err);

static inline void rln__feed_set_head(struct rln__feed *f, const struct rln__item *head)
{
    f->head = head;
    f->stream.seen = head->ticks;
    f->t_ns = rln__reader_ns(f->stream.reader, f->stream.chunk.part, head->ticks);
}

/* Sets the head to the next item in time order; RLN_END if there is none. */
static inline rln_status rln__feed_advance(struct rln__feed *f, rln_error *err)
{
    rln_status status;

    if (!f->is_even)
        return rln__feed_advance_uneven(f, err);
    status = rln__stream_next(&f->stream, &f->lone, err);
    if (status) {
        f->has_ended = status == RLN_END;
        f->is_even = !f->has_ended;
        return status;
    }
    if (!rln__stream_is_next_later(&f->stream, f->lone.ticks))
        return rln__feed_hold_lone(f, err);
    rln__feed_set_head(f, &f->lone);
    return RLN_OK;
}

#endif
