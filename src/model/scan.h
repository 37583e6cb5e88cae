/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - all items, thread by thread: faster than a merge, where time across threads
 * does not matter.
 *
 *   chunk --> item --> the thread's last item is held back --> visit(item, t_ns)
 *
 * Each thread's items come in the order of time. Chunks of a process come in the order
 * in which they were begun, so a thread's chunks do, too.
 *
 * The loop is inlined into its caller together with the visitor, which is why it lives
 * in a header. Budget: 60 M events/s with the pairing of ranges.
 */
#ifndef RLN_MODEL_SCAN_H
#define RLN_MODEL_SCAN_H

#include "base/alloc.h"
#include "base/fail.h"
#include "model/stream.h"

#define RLN__INLINE static inline __attribute__((always_inline))

/* What a thread has recorded and nobody has visited: `last`, and what took its place
 * before and has a later time (docs/FORMAT.md 4, "Order"). */
struct rln__scan_thread {
    struct rln__item last;
    struct rln__item *more; /* owned; almost always NULL */
    uint32_t n;
    uint32_t part;
};

struct rln__scan {
    rln_reader *reader;
    struct rln__stream stream;
    struct rln__scan_thread *threads; /* owned */
    size_t n_threads, threads_capacity;
};

/* Returns RLN_OK to go on. */
typedef rln_status rln__visit(void *context, const struct rln__item *item, int64_t t_ns,
                              uint32_t part, rln_error *err);

/* scan.c */
struct rln__scan_thread *rln__scan_thread(struct rln__scan *scan, uint32_t thread);
rln_status rln__scan_hold(struct rln__scan *scan, struct rln__scan_thread *t,
                          const struct rln__item *item, rln__visit *visit,
                          void *context, rln_error *err);
rln_status rln__scan_flush(struct rln__scan *scan, rln__visit *visit, void *context,
                           rln_error *err);
void rln__scan_clear(struct rln__scan *scan);

/* Is the next record in the window, short, and not of an earlier time? Then nothing
 * that comes can precede the item before it. */
RLN__INLINE int rln__scan_is_next_later(const struct rln__stream *s, uint64_t ticks)
{
    const struct rln__cursor *c = &s->cursor;
    uint64_t word;

    if (c->at >= c->n_words)
        return 0;
    word = c->window[c->at];
    return ((RLN__SHORT_KINDS >> (word & 15)) & 1) &&
           s->chunk.base_ticks + (word >> RLN__TICKS_SHIFT) >= ticks;
}

RLN__INLINE rln_status rln__scan_chunk(struct rln__scan *scan, rln__visit *visit,
                                       void *context, rln_error *err)
{
    const uint32_t part = scan->stream.chunk.part;
    struct rln__scan_thread *t = NULL;
    uint32_t thread = RLN__NONE;
    struct rln__item item;
    rln_status status;

    while ((status = rln__stream_next(&scan->stream, &item, err)) == RLN_OK) {
        if (item.thread != thread) {
            thread = item.thread;
            t = rln__scan_thread(scan, thread);
            if (!t)
                return rln__fail_nomem(err);
            t->part = part;
        }
        if (t->n == 0 && rln__scan_is_next_later(&scan->stream, item.ticks))
            status = visit(context, &item,
                           rln__reader_ns(scan->reader, part, item.ticks), part, err);
        else
            status = rln__scan_hold(scan, t, &item, visit, context, err);
        if (status)
            return status;
    }
    return status == RLN_END ? RLN_OK : status;
}

/* Visits every item once. */
RLN__INLINE rln_status rln__scan_all(rln_reader *reader, rln__visit *visit,
                                     void *context, rln_error *err)
{
    struct rln__scan scan = {.reader = reader};
    struct rln__chunk *chunks; /* owned */
    size_t n;
    rln_status status = rln__reader_chunks(reader, RLN__BY_THREAD, &chunks, &n, err);

    if (!status)
        status = rln__stream_init(&scan.stream, reader, 32768, err);
    for (size_t i = 0; i < n && !status; i++) {
        status = rln__stream_begin(&scan.stream, &chunks[i], err);
        if (!status)
            status = rln__scan_chunk(&scan, visit, context, err);
    }
    if (!status)
        status = rln__scan_flush(&scan, visit, context, err);
    rln__scan_clear(&scan);
    rln__free(chunks);
    return status;
}

#endif
