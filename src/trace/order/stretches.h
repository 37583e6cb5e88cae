/* SPDX-License-Identifier: Apache-2.0 */
/* stretches.h - all items, thread by thread as in scan.h, with chunks read ahead by
 * several processors.
 *
 *   chunks      0        1        2        3        4 ...       in the order of scan.h
 *   readers     a: 0     b: 1     a: 2     b: 3 ...             each with its own sums
 *   caller        stitch 0, 1, 2 ...                            in that order
 *
 * A *stretch* is a chunk, read by someone who does not know what came before it. What it
 * can decide alone, it adds to its reader's sums; the rest it leaves to the caller, who
 * stitches stretches together and knows everything before them. So results depend on the
 * chunks, never on the number of readers or on who was faster. With one reader there is
 * no second thread, and the caller does the same work in turns.
 *
 * Readers see fixed tables (trace/open/view.h). A reader that meets what it cannot read,
 * such as a new name or damage, leaves off before it; the caller reads the rest of the
 * chunk as scan.h does, while the readers pause.
 */
#ifndef RLN_TRACE_ORDER_STRETCHES_H
#define RLN_TRACE_ORDER_STRETCHES_H

#include "trace/open/view.h"
#include "trace/order/scan.h"

/* A thread with items in a stretch. */
struct rln__stretch_thread {
    uint32_t thread; /* index */
    uint64_t first_ticks;
    struct rln__scan_thread held; /* its last items, which no visitor has seen; owned */
};

/* Where a reader left off. */
struct rln__left_off {
    uint64_t offset; /* of the next record, in the file */
    uint64_t seen;   /* as in struct rln__stream, like the next */
    uint32_t thread;
};

struct rln__stretch {
    struct rln__chunk_info chunk;
    struct rln__stretch_thread *threads; /* owned */
    size_t n_threads, threads_capacity;
    struct rln__left_off left_off;
    int is_whole;      /* the chunk was read to its end */
    void *result;      /* borrowed: what the visitor has of it */
    rln_status status; /* of a reader that failed, with `err` */
    rln_error err;
    int is_read;
};

/* What reads one stretch after the other, perhaps beside others. */
struct rln__stretch_reader {
    struct rln__view view;
    struct rln__scan scan;
    void *visitor; /* borrowed */
};

/* The operations of a visitor. */
struct rln__stretch_ops {
    /* Reads a stretch with rln__stretch_read(): called by several threads, each with a
     * reader of its own. */
    rln_status (*read)(struct rln__stretch_reader *reader, struct rln__stretch *stretch,
                       rln_error *err);
    /* What follows is called by the caller's thread, with its context. */
    rln_status (*stitch)(void *context, const struct rln__stretch *stretch,
                         rln_error *err);
    /* As rln__scan_chunk(): the rest of a chunk. */
    rln_status (*read_on)(void *context, struct rln__scan *scan, rln_error *err);
    rln__visit *visit; /* a single item */
};

/* Who takes part. The caller reads with the first reader, and fills the array of
 * results: there are as many stretches at once. */
struct rln__stretches {
    const struct rln__stretch_ops *ops;
    void *context;
    struct rln__stretch_reader *readers;
    size_t n_readers;
    struct rln__stretch *slots; /* zeroed, except `result` */
    size_t n_slots;
};

int rln__stretch_reader_init(struct rln__stretch_reader *reader,
                             const rln_reader *whole, void *visitor, rln_error *err);
void rln__stretch_reader_clear(struct rln__stretch_reader *reader);

/* Reads everything. RLN_END: a thread's items are out of order across chunks, so only
 * scan.h can read this trace; what was read does not count. */
rln_status rln__stretches_scan(rln_reader *reader, struct rln__stretches *stretches,
                               rln_error *err);

/* stretches.c, for the function below */
rln_status rln__stretch_begin(struct rln__stretch_reader *reader,
                              struct rln__stretch *stretch);
/* NULL: there are too many, or there is no memory. */
struct rln__stretch_thread *rln__stretch_thread(struct rln__stretch *stretch,
                                                uint32_t thread);
void rln__stretch_end(struct rln__stretch_reader *reader, struct rln__stretch *stretch);

/* Reads as much of a stretch as it can. `may_visit` says whether an item may be visited
 * in a stretch, and may change it. */
RLN__INLINE rln_status rln__stretch_read(
    struct rln__stretch_reader *reader, struct rln__stretch *stretch,
    int (*may_visit)(void *context, struct rln__item *item, uint32_t part),
    rln__visit *visit, rln__visit_run *visit_run, rln_error *err)
{
    struct rln__scan *scan = &reader->scan;
    struct rln__stream *stream = &scan->stream;
    const struct rln__damages *damages = &reader->view.reader.damages;
    const uint32_t part = stretch->chunk.part;
    struct rln__stretch_thread *t = NULL;
    struct rln__scan_thread *held = NULL;
    rln_status status = rln__stretch_begin(reader, stretch);

    while (!status) {
        struct rln__left_off *left_off = &stretch->left_off;
        struct rln__item item;

        left_off->offset = rln__cursor_offset(&stream->cursor);
        left_off->thread = stream->thread;
        left_off->seen = stream->seen;
        status = rln__stream_next(stream, &item, NULL);
        if (status == RLN_END && !damages->n_found)
            stretch->is_whole = 1;
        if (status || damages->n_found || item.ticks < stream->seen ||
            !may_visit(reader->visitor, &item, part))
            break;
        if (!t || item.thread != t->thread) {
            held = rln__scan_thread(scan, item.thread);
            t = held ? rln__stretch_thread(stretch, item.thread) : NULL;
            if (!t)
                break;
            held->part = part;
        }
        if (item.ticks < t->first_ticks)
            t->first_ticks = item.ticks;
        if (held->n == 0 && rln__stream_is_next_later(stream, item.ticks)) {
            stream->seen = item.ticks;
            status = visit(reader->visitor, &item,
                           rln__reader_ns(scan->reader, part, item.ticks), part, err);
        } else {
            status = rln__scan_hold(scan, held, &item, visit, reader->visitor, err);
        }
        if (!status && held->n == 0)
            status = rln__scan_run(scan, visit_run, reader->visitor, err);
        if (status)
            return status;
    }
    rln__stretch_end(reader, stretch);
    return RLN_OK;
}

#endif
