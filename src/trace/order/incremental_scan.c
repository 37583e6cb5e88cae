/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/order/incremental_scan.h"

#include <string.h>

enum {
    WINDOW_WORDS = 2048,
    /* No more zeros than this lie between two stored records: longer records are holes
     * until they are complete. */
    MOST_ZEROS = 2 * WINDOW_WORDS,
};

rln_status rln__incremental_scan_init(struct rln__incremental_scan *f,
                                      rln_reader *reader, rln_error *err)
{
    rln_status status;

    memset(f, 0, sizeof(*f));
    f->scan.reader = reader;
    status = rln__stream_init(&f->scan.stream, reader, WINDOW_WORDS, err);
    f->scan.stream.cursor.most_zeros = MOST_ZEROS;
    return status;
}

void rln__incremental_scan_clear(struct rln__incremental_scan *f)
{
    rln__scan_clear(&f->scan);
    rln__map_clear(&f->by_chunk);
    rln__free(f->positions);
    rln__free(f->newest);
    memset(f, 0, sizeof(*f));
}

/* --- Chunks ----------------------------------------------------------------------- */

/* The index of the thread that a chunk was begun for; RLN__NONE without memory. */
static uint32_t thread_of(struct rln__incremental_scan *f,
                          const struct rln__chunk_info *chunk)
{
    rln_reader *r = f->scan.reader;
    const uint32_t process = rln__names_process(&r->names, chunk->part, chunk->process);

    return process == RLN__NONE
               ? RLN__NONE
               : rln__reader_thread(r, process, chunk->thread, chunk->tid);
}

/* Finds the chunk that each thread writes in now. 0, or -1: no memory. */
static int find_newest(struct rln__incremental_scan *f,
                       const struct rln__chunk_info *chunks, size_t n)
{
    if (f->n_newest)
        memset(f->newest, 0, f->n_newest * sizeof(*f->newest));
    for (size_t i = 0; i < n; i++) {
        const uint32_t thread = thread_of(f, &chunks[i]);
        uint32_t *newest;

        if (thread == RLN__NONE)
            return -1;
        newest = rln__grow_to(f->newest, &f->n_newest, &f->newest_capacity, thread,
                              sizeof(*newest));
        if (!newest)
            return -1;
        f->newest = newest;
        newest[thread] = (uint32_t)i + 1;
    }
    return 0;
}

/* NULL: no memory. */
static struct rln__position *position_of(struct rln__incremental_scan *f,
                                         const struct rln__chunk_info *chunk)
{
    const uint64_t key = (uint64_t)chunk->part << 48 | chunk->offset / RLN__CHUNK_ALIGN;
    const uint64_t found = rln__map_get(&f->by_chunk, key);
    struct rln__position *positions = f->positions;

    if (!found) {
        positions = rln__grow(positions, &f->positions_capacity, f->n_positions + 1,
                              sizeof(*positions));
        if (!positions)
            return NULL;
        f->positions = positions;
        if (rln__map_put(&f->by_chunk, key, f->n_positions + 1))
            return NULL;
        positions += f->n_positions++;
    } else {
        positions += found - 1;
        if (positions->place == chunk->place)
            return positions;
    }
    *positions = (struct rln__position){.place = chunk->place, .thread = RLN__NONE};
    return positions;
}

/* --- Records ---------------------------------------------------------------------- */

static rln_status visit_one(struct rln__incremental_scan *f,
                            const struct rln__item *item, uint32_t part, int64_t t_ns,
                            rln_error *err)
{
    struct rln__scan *scan = &f->scan;
    struct rln__scan_thread *t = rln__scan_thread(scan, item->thread);

    if (!t)
        return rln__fail_nomem(err);
    t->part = part;
    if (t->n == 0 && rln__stream_is_next_later(&scan->stream, item->ticks))
        return f->visit(f->context, item, t_ns, part, err);
    return rln__scan_hold(scan, t, item, f->visit, f->context, err);
}

/* Goes on where the chunk was left, as far as its content is certain. */
static rln_status read_on(struct rln__incremental_scan *f, struct rln__position *p,
                          int is_settled, rln_error *err)
{
    struct rln__stream *s = &f->scan.stream;
    const uint64_t passed = p->gap;
    struct rln__item item;
    rln_status status;

    p->next = rln__cursor_offset(&s->cursor);
    p->gap = 0;
    p->is_cut = 0;
    for (;;) {
        int64_t t_ns;

        s->cursor.empty = 0;
        status = rln__stream_next(s, &item, err);
        if (status)
            return status == RLN_END ? RLN_OK : status;
        if (s->cursor.empty && s->cursor.empty < item.offset && !is_settled &&
            s->cursor.empty != passed) {
            p->gap = s->cursor.empty;
            return RLN_OK;
        }
        t_ns = rln__reader_ns(f->scan.reader, s->chunk.part, item.ticks);
        p->is_cut = t_ns > f->until_ns;
        if (p->is_cut)
            return RLN_OK;
        p->next = rln__cursor_offset(&s->cursor);
        p->thread = s->thread;
        status = visit_one(f, &item, s->chunk.part, t_ns, err);
        if (status)
            return status;
    }
}

static rln_status read_chunk(struct rln__incremental_scan *f,
                             const struct rln__chunk_info *chunk, int is_newest,
                             rln_error *err)
{
    struct rln__stream *s = &f->scan.stream;
    struct rln__position *p = position_of(f, chunk);
    rln_status status;

    if (!p)
        return rln__fail_nomem(err);
    if (p->is_done)
        return RLN_OK;
    status = rln__stream_begin(s, chunk, err);
    if (status)
        return status;
    if (p->next)
        rln__cursor_resume(&s->cursor, s->cursor.file, chunk, p->next);
    if (p->thread != RLN__NONE)
        s->thread = p->thread;
    status = read_on(f, p, !f->has_begun || !is_newest, err);
    /* A thread stores nothing more in a chunk that it has left, but may have done so
     * between reading the layout and reading the chunk. */
    p->is_done = p->is_left && !p->is_cut;
    p->is_left = !is_newest;
    return status;
}

rln_status rln__incremental_scan_step(struct rln__incremental_scan *f, int64_t until_ns,
                                      rln__visit *visit, void *context, rln_error *err)
{
    struct rln__chunk_info *chunks; /* owned */
    size_t n;
    rln_status status =
        rln__reader_chunks(f->scan.reader, RLN__BY_THREAD, &chunks, &n, err);

    f->until_ns = until_ns;
    f->visit = visit;
    f->context = context;
    if (!status && find_newest(f, chunks, n))
        status = rln__fail_nomem(err);
    if (!status && !f->has_begun)
        status = rln__scan_kept(f->scan.reader, visit, context, err);
    for (size_t i = 0; i < n && !status; i++) {
        const uint32_t thread = thread_of(f, &chunks[i]);

        status = read_chunk(f, &chunks[i], f->newest[thread] == i + 1, err);
    }
    if (!status)
        status = rln__scan_flush(&f->scan, visit, context, err);
    f->has_begun = 1;
    rln__free(chunks);
    return status;
}
