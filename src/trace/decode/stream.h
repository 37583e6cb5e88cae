/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h - decodes the records of one chunk, in file order.
 *
 * Callers that need time order hold an item back until the next one of its thread has
 * come (docs/reference/FORMAT.md 4, "Order"), as feed.h and scan.h do.
 */
#ifndef RLN_TRACE_DECODE_STREAM_H
#define RLN_TRACE_DECODE_STREAM_H

#include "trace/open/item.h"
#include "trace/open/load.h"

#ifdef __OPTIMIZE_SIZE__ /* a page: a fifth smaller, and a twentieth slower */
#define RLN__INLINE static inline
#else
#define RLN__INLINE static inline __attribute__((always_inline))
#endif

#define RLN__SHORT_KINDS 0x3e7eu /* a bit for each of 1-6 and 9-13 */
#define RLN__OWN_ID_KINDS                                                              \
    0x3068u /* 3, 5, 6, 12 and 13: the id is not of attributes                         \
             */

struct rln__stream {
    rln_reader *reader; /* borrowed */
    struct rln__cursor cursor;
    struct rln__chunk_info chunk;
    uint32_t process; /* index */
    uint32_t thread;  /* index; changes where the chunk changes hands */
    uint64_t seen;    /* ticks of the last item in time order that a caller took */
};

rln_status rln__stream_init(struct rln__stream *stream, rln_reader *reader,
                            size_t window_words, rln_error *err);
void rln__stream_clear(struct rln__stream *stream);
rln_status rln__stream_begin(struct rln__stream *stream,
                             const struct rln__chunk_info *chunk, rln_error *err);

/* Notes what an item of kind RLN__ITEM_THREAD says. A stream does so itself, unless the
 * tables of its reader are fixed. */
void rln__stream_name_thread(rln_reader *reader, uint32_t thread,
                             const struct rln__item *item);

/* Handles everything but short records inside the window. */
rln_status rln__stream_next_slow(struct rln__stream *stream, struct rln__item *out,
                                 rln_error *err);

/* Decodes a short record, and looks up its attributes if its kind has them. Returns 0
 * if the record is not short. */
RLN__INLINE int rln__stream_short(struct rln__stream *s, const uint64_t *words,
                                  struct rln__item *out)
{
    const uint64_t word = words[0];
    const unsigned kind = (unsigned)(word & 15);
    const uint32_t id = (uint32_t)(word >> RLN__ID_SHIFT) & RLN__MAX_ID;

    if (!((RLN__SHORT_KINDS >> kind) & 1))
        return 0;
    out->has_value = kind >= RLN__MARK_VALUE;
    out->value = out->has_value ? words[1] : 0;
    out->kind = (uint8_t)kind;
    if (kind >= RLN__MARK_VALUE && kind <= RLN__PUSH_VALUE)
        out->kind = (uint8_t)(kind - RLN__MARK_VALUE + RLN__MARK);
    else if (kind == RLN__START_VALUE)
        out->kind = RLN__START;
    out->ticks = s->chunk.base_ticks + (word >> RLN__TICKS_SHIFT);
    out->thread = s->thread;
    out->n_words = 1;
    out->ref = (RLN__OWN_ID_KINDS >> kind) & 1
                   ? id
                   : rln__reader_attr(s->reader, s->process, id);
    return 1;
}

/* RLN_OK, RLN_END, RLN_ERR_IO or RLN_ERR_NOMEM. */
RLN__INLINE rln_status rln__stream_next(struct rln__stream *s, struct rln__item *out,
                                        rln_error *err)
{
    struct rln__cursor *c = &s->cursor;

    if (c->at + 2 <= c->n_words) {
        const uint64_t *words = c->window + c->at;
        const int has_value = (words[0] & 15) >= RLN__MARK_VALUE;

        if (has_value <= c->has_operands && rln__stream_short(s, words, out) &&
            out->ref != RLN__NONE) {
            out->offset = c->window_offset + c->at * 8;
            c->at += has_value ? 2 : 1;
            return RLN_OK;
        }
    }
    return rln__stream_next_slow(s, out, err);
}

/* A record may be earlier than records before it that no caller has taken yet. If it is
 * earlier than the last item taken, it is damaged, and gets that item's time. */
void rln__stream_put_right(struct rln__stream *stream, struct rln__item *item);
RLN__INLINE void rln__stream_keep_order(struct rln__stream *s, struct rln__item *item)
{
    if (__builtin_expect(item->ticks < s->seen, 0))
        rln__stream_put_right(s, item);
}

/* Whether the next record is in the window, short, and not earlier than `ticks`. Then
 * no later record can precede the item before it. */
RLN__INLINE int rln__stream_is_next_later(const struct rln__stream *s, uint64_t ticks)
{
    const struct rln__cursor *c = &s->cursor;
    uint64_t word;

    if (c->at >= c->n_words)
        return 0;
    word = c->window[c->at];
    return ((RLN__SHORT_KINDS >> (word & 15)) & 1) &&
           s->chunk.base_ticks + (word >> RLN__TICKS_SHIFT) >= ticks;
}

#endif
