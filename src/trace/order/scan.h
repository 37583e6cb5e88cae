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
#ifndef RLN_TRACE_ORDER_SCAN_H
#define RLN_TRACE_ORDER_SCAN_H

#include "base/alloc.h"
#include "base/fail.h"
#include "trace/decode/deferred_events.h"
#include "trace/decode/stream.h"

/* Items of a thread that no visitor has seen: `last`, and those recorded before it with
 * later times (docs/reference/FORMAT.md 4, "Order"). */
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

/* Consecutive words of a chunk. */
struct rln__word_run {
    const uint64_t *words;
    size_t n_words;
    uint64_t base_ticks;
    uint64_t offset;                /* of the first, in the file */
    uint32_t part, process, thread; /* indices */
};

/* Visits the front of a run, as far as it can: short records that no record after them
 * precedes in time. `*n_taken` is their number of words; `*last_word` of the last
 * record, the one with its time. */
typedef rln_status rln__visit_run(void *context, const struct rln__word_run *run,
                                  size_t *n_taken, uint64_t *last_word, rln_error *err);

/* Returns RLN_OK to go on. */
typedef rln_status rln__visit(void *context, const struct rln__item *item, int64_t t_ns,
                              uint32_t part, rln_error *err);

/* scan.c */
struct rln__scan_thread *rln__scan_thread(struct rln__scan *scan, uint32_t thread);
rln_status rln__scan_hold(struct rln__scan *scan, struct rln__scan_thread *t,
                          const struct rln__item *item, rln__visit *visit,
                          void *context, rln_error *err);
/* Visits the earliest of a thread's items that were held back; there is one. */
rln_status rln__scan_visit_last(struct rln__scan *scan, struct rln__scan_thread *t,
                                rln__visit *visit, void *context, rln_error *err);
/* Visits what is left of overwritten chunks, which comes first. */
rln_status rln__scan_kept(const rln_reader *reader, rln__visit *visit, void *context,
                          rln_error *err);
rln_status rln__scan_flush(struct rln__scan *scan, rln__visit *visit, void *context,
                           rln_error *err);
void rln__scan_clear(struct rln__scan *scan);

/* What an item does not say about a deferred event. */
struct rln__deferred_source {
    struct rln__record_address address; /* of its payloads */
    struct rln__event_origin origin;
};

typedef rln_status rln__visit_deferred(void *context, const struct rln__item *item,
                                       const struct rln__deferred_source *deferred,
                                       int64_t t_ns, rln_error *err);

/* Visits deferred events in time order. Their threads are lanes, numbered after all
 * threads. `*n_unplaced` events are left out. */
rln_status rln__scan_deferred(rln_reader *reader, rln__visit_deferred *visit,
                              void *context, uint64_t *n_unplaced, rln_error *err);

/* How many words a short record of an event has; `word` is the first. */
RLN__INLINE size_t rln__short_words(uint64_t word)
{
    return (word & 15) < RLN__MARK_VALUE ? 1 : 2;
}

/* Whether the record that begins with `next` is short and not earlier than the short
 * one of `word`. */
RLN__INLINE int rln__is_later(uint64_t next, uint64_t word)
{
    return ((RLN__SHORT_KINDS >> (next & 15)) & 1) &&
           next >> RLN__TICKS_SHIFT >= word >> RLN__TICKS_SHIFT;
}

RLN__INLINE rln_status rln__scan_run(struct rln__scan *scan, rln__visit_run *visit,
                                     void *context, rln_error *err)
{
    struct rln__stream *s = &scan->stream;
    const struct rln__word_run run = {
        .words = s->cursor.window + s->cursor.at,
        .n_words = s->cursor.n_words - s->cursor.at,
        .base_ticks = s->chunk.base_ticks,
        .offset = rln__cursor_offset(&s->cursor),
        .part = s->chunk.part,
        .process = s->process,
        .thread = s->thread,
    };
    uint64_t last_word = 0;
    size_t n_taken = 0;
    const rln_status status = visit(context, &run, &n_taken, &last_word, err);

    s->cursor.at += n_taken;
    if (n_taken)
        s->seen = run.base_ticks + (last_word >> RLN__TICKS_SHIFT);
    return status;
}

/* `visit_run` is NULL, or is tried first wherever nothing is held back. */
RLN__INLINE rln_status rln__scan_chunk(struct rln__scan *scan, rln__visit *visit,
                                       rln__visit_run *visit_run, void *context,
                                       rln_error *err)
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
        rln__stream_keep_order(&scan->stream, &item);
        if (t->n == 0 && rln__stream_is_next_later(&scan->stream, item.ticks)) {
            scan->stream.seen = item.ticks;
            status = visit(context, &item,
                           rln__reader_ns(scan->reader, part, item.ticks), part, err);
        } else {
            status = rln__scan_hold(scan, t, &item, visit, context, err);
        }
        if (!status && visit_run && t->n == 0)
            status = rln__scan_run(scan, visit_run, context, err);
        if (status)
            return status;
    }
    return status == RLN_END ? RLN_OK : status;
}

/* A scan of all chunks, which its caller goes through step by step. */
struct rln__scan_steps {
    struct rln__scan scan;
    struct rln__chunk_info *chunks; /* owned */
    size_t n, n_done;
    int has_begun;
};

/* scan.c */
rln_status rln__scan_steps_init(struct rln__scan_steps *steps, rln_reader *reader,
                                rln_error *err);
void rln__scan_steps_clear(struct rln__scan_steps *steps);

/* Visits the items of the next chunk. RLN_END: all items have been visited. */
RLN__INLINE rln_status rln__scan_step(struct rln__scan_steps *s, rln__visit *visit,
                                      rln__visit_run *visit_run, void *context,
                                      rln_error *err)
{
    rln_status status;

    if (!s->has_begun) {
        s->has_begun = 1;
        return rln__scan_kept(s->scan.reader, visit, context, err);
    }
    if (s->n_done == s->n) {
        status = rln__scan_flush(&s->scan, visit, context, err);
        return status ? status : RLN_END;
    }
    status = rln__stream_begin(&s->scan.stream, &s->chunks[s->n_done++], err);
    return status ? status : rln__scan_chunk(&s->scan, visit, visit_run, context, err);
}

/* Visits every item once. */
RLN__INLINE rln_status rln__scan_all(rln_reader *reader, rln__visit *visit,
                                     rln__visit_run *visit_run, void *context,
                                     rln_error *err)
{
    struct rln__scan_steps steps;
    rln_status status = rln__scan_steps_init(&steps, reader, err);

    while (!status)
        status = rln__scan_step(&steps, visit, visit_run, context, err);
    rln__scan_steps_clear(&steps);
    return status == RLN_END ? RLN_OK : status;
}

#endif
