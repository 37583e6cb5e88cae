/* SPDX-License-Identifier: Apache-2.0 */
#include "model/merge.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_WORDS 8192u     /* 64 KiB... */
#define LEAN_WINDOW_WORDS 512u /* ...and where very many chunks are open */
#define MANY_FEEDS 512
/* Signal handlers that interrupt each other in the middle of a call. A thread has no
 * more of them nested; damage may claim so, and is then handed out as it stands. */
#define MAX_HELD 64

/* A chunk that is being read. `held` are items that took their place early and read the
 * clock late; their times fall towards the top. */
struct rln__feed {
    struct rln__stream stream;
    struct rln__item head;
    struct rln__item ahead;
    struct rln__item held[MAX_HELD];
    size_t n_held;
    int64_t t_ns; /* of the head */
    size_t order; /* of the chunk */
    int has_ahead;
    int has_ended;
};

static void feed_free(struct rln__feed *feed)
{
    if (!feed)
        return;
    rln__stream_clear(&feed->stream);
    rln__free(feed);
}

static rln_status read_ahead(struct rln__feed *f, rln_error *err)
{
    rln_status status;

    if (f->has_ahead || f->has_ended)
        return RLN_OK;
    status = rln__stream_next(&f->stream, &f->ahead, err);
    f->has_ahead = status == RLN_OK;
    f->has_ended = status == RLN_END;
    return status == RLN_END ? RLN_OK : status;
}

/* Sets the head to the next item in the order of time; RLN_END if there is none. */
static rln_status feed_advance(struct rln__feed *f, rln_error *err)
{
    for (;;) {
        const rln_status status = read_ahead(f, err);

        if (status)
            return status;
        if (f->n_held &&
            (!f->has_ahead || f->held[f->n_held - 1].ticks <= f->ahead.ticks)) {
            f->head = f->held[--f->n_held];
            break;
        }
        if (!f->has_ahead)
            return RLN_END;
        f->has_ahead = 0;
        if (f->n_held == MAX_HELD) {
            f->head = f->ahead;
            break;
        }
        f->held[f->n_held++] = f->ahead;
    }
    f->t_ns = rln__reader_ns(f->stream.reader, f->stream.chunk.part, f->head.ticks);
    return RLN_OK;
}

/* --- The heap --------------------------------------------------------------------- */

static int is_before(const struct rln__feed *a, const struct rln__feed *b)
{
    return a->t_ns != b->t_ns ? a->t_ns < b->t_ns : a->order < b->order;
}

static void sift_down(struct rln__merge *m)
{
    struct rln__feed **heap = m->heap;
    struct rln__feed *feed = heap[0];
    size_t at = 0;

    for (;;) {
        size_t child = at * 2 + 1;

        if (child >= m->n_heap)
            break;
        if (child + 1 < m->n_heap && is_before(heap[child + 1], heap[child]))
            child++;
        if (!is_before(heap[child], feed))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = feed;
}

static void sift_up(struct rln__merge *m)
{
    struct rln__feed **heap = m->heap;
    size_t at = m->n_heap - 1;
    struct rln__feed *feed = heap[at];

    while (at && is_before(feed, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = feed;
}

static rln_status new_feed(struct rln__merge *m, struct rln__feed **out, rln_error *err)
{
    struct rln__feed *feed = m->spare;
    rln_status status;

    *out = NULL;
    m->spare = NULL;
    if (!feed) {
        feed = rln__alloc(1, sizeof(*feed));
        if (!feed)
            return rln__fail_nomem(err);
        status = rln__stream_init(
            &feed->stream, m->reader,
            m->n_heap < MANY_FEEDS ? WINDOW_WORDS : LEAN_WINDOW_WORDS, err);
        if (status) {
            rln__free(feed);
            return status;
        }
    }
    feed->n_held = 0;
    feed->has_ahead = 0;
    feed->has_ended = 0;
    *out = feed;
    return RLN_OK;
}

static void retire(struct rln__merge *m, struct rln__feed *feed)
{
    if (m->spare)
        feed_free(feed);
    else
        m->spare = feed;
}

/* Lets the next chunk enter. */
static rln_status enter_chunk(struct rln__merge *m, rln_error *err)
{
    struct rln__feed **heap = rln__grow(m->heap, &m->heap_capacity, m->n_heap + 1,
                                        sizeof(struct rln__feed *));
    struct rln__feed *feed;
    rln_status status;

    if (!heap)
        return rln__fail_nomem(err);
    m->heap = heap;
    status = new_feed(m, &feed, err);
    if (status)
        return status;
    feed->order = m->next_chunk;
    status = rln__stream_begin(&feed->stream, &m->chunks[m->next_chunk++], err);
    if (!status)
        status = feed_advance(feed, err);
    if (status) {
        retire(m, feed);
        return status == RLN_END ? RLN_OK : status;
    }
    heap[m->n_heap++] = feed;
    sift_up(m);
    return RLN_OK;
}

/* --- Names ------------------------------------------------------------------------ */

static int by_time(const void *a, const void *b)
{
    const struct rln__timed_name *x = a, *y = b;

    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->event.offset > y->event.offset) - (x->event.offset < y->event.offset);
}

/* A copy: the reader's own list is made anew when it looks at a growing trace again. */
static rln_status copy_names(struct rln__merge *m, rln_error *err)
{
    const struct rln__names *names = &m->reader->names;

    m->names = rln__alloc(names->n_events, sizeof(*m->names));
    if (!m->names)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < names->n_events; i++) {
        const struct rln__name_event *e = &names->events[i];

        m->names[i].event = *e;
        m->names[i].part = names->processes[e->process].part;
        m->names[i].t_ns = rln__reader_ns(m->reader, m->names[i].part, e->ticks);
    }
    m->n_names = names->n_events;
    if (m->n_names)
        qsort(m->names, m->n_names, sizeof(*m->names), by_time);
    return RLN_OK;
}

rln_status rln__merge_init(struct rln__merge *m, rln_reader *reader, rln_error *err)
{
    rln_status status;

    memset(m, 0, sizeof(*m));
    m->reader = reader;
    status = rln__reader_chunks(reader, RLN__BY_TIME, &m->chunks, &m->n_chunks, err);
    if (!status)
        status = copy_names(m, err);
    if (status)
        rln__merge_clear(m);
    return status;
}

void rln__merge_clear(struct rln__merge *m)
{
    for (size_t i = 0; i < m->n_heap; i++)
        feed_free(m->heap[i]);
    feed_free(m->spare);
    rln__free(m->heap);
    rln__free(m->chunks);
    rln__free(m->names);
    memset(m, 0, sizeof(*m));
}

static int is_chunk_due(struct rln__merge *m)
{
    const struct rln__chunk *c = &m->chunks[m->next_chunk];

    return m->next_chunk < m->n_chunks &&
           (m->n_heap == 0 ||
            rln__reader_ns(m->reader, c->part, c->base_ticks) <= m->heap[0]->t_ns);
}

rln_status rln__merge_next(struct rln__merge *m, struct rln__merged *out,
                           rln_error *err)
{
    struct rln__feed *feed;
    rln_status status;

    while (is_chunk_due(m)) {
        status = enter_chunk(m, err);
        if (status)
            return status;
    }
    if (m->next_name < m->n_names &&
        (m->n_heap == 0 || m->names[m->next_name].t_ns <= m->heap[0]->t_ns)) {
        const struct rln__timed_name *name = &m->names[m->next_name++];

        out->t_ns = name->t_ns;
        out->name = &name->event;
        out->part = name->part;
        return RLN_OK;
    }
    if (m->n_heap == 0)
        return RLN_END;

    feed = m->heap[0];
    out->t_ns = feed->t_ns;
    out->item = feed->head;
    out->name = NULL;
    out->part = feed->stream.chunk.part;
    status = feed_advance(feed, err);
    if (status && status != RLN_END)
        return status;
    if (status == RLN_END) {
        m->heap[0] = m->heap[--m->n_heap];
        retire(m, feed);
    }
    if (m->n_heap)
        sift_down(m);
    return RLN_OK;
}
