/* SPDX-License-Identifier: Apache-2.0 */
/* stretches.c - who reads which stretch, and when.
 *
 *   n_stitched                 n_taken                      n
 *   ---|------------------------|----------------------------
 *      read, or being read       not read yet
 *      at most n_slots
 */
#include "trace/order/stretches.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#define WINDOW_WORDS 32768
#define MOST_THREADS 256 /* that share a chunk: they are looked for one by one */

/* --- A reader --------------------------------------------------------------------- */

int rln__stretch_reader_init(struct rln__stretch_reader *r, const rln_reader *whole,
                             void *visitor, rln_error *err)
{
    memset(r, 0, sizeof(*r));
    if (rln__view_init(&r->view, whole))
        return -1;
    r->visitor = visitor;
    r->scan.reader = &r->view.reader;
    return rln__stream_init(&r->scan.stream, &r->view.reader, WINDOW_WORDS, err) ? -1
                                                                                 : 0;
}

void rln__stretch_reader_clear(struct rln__stretch_reader *r)
{
    rln__scan_clear(&r->scan);
    rln__view_clear(&r->view);
    memset(r, 0, sizeof(*r));
}

rln_status rln__stretch_begin(struct rln__stretch_reader *r,
                              struct rln__stretch *stretch)
{
    struct rln__stream *stream = &r->scan.stream;

    stretch->n_threads = 0;
    stretch->is_whole = 0;
    memset(&stretch->left_off, 0, sizeof(stretch->left_off));
    rln__view_renew(&r->view);
    /* What is still being written may have names that the tables lack. */
    if (!stretch->chunk.is_settled ||
        rln__stream_begin(stream, &stretch->chunk, NULL) != RLN_OK)
        return RLN_END;
    stream->cursor.file = rln__view_file(&r->view, stretch->chunk.part);
    return RLN_OK;
}

struct rln__stretch_thread *rln__stretch_thread(struct rln__stretch *stretch,
                                                uint32_t thread)
{
    struct rln__stretch_thread *t;

    for (size_t i = stretch->n_threads; i-- > 0;) {
        if (stretch->threads[i].thread == thread)
            return &stretch->threads[i];
    }
    if (stretch->n_threads == MOST_THREADS)
        return NULL;
    t = rln__append(&stretch->threads, &stretch->n_threads, &stretch->threads_capacity,
                    sizeof(*t));
    if (t)
        *t = (struct rln__stretch_thread){.thread = thread, .first_ticks = UINT64_MAX};
    return t;
}

void rln__stretch_end(struct rln__stretch_reader *r, struct rln__stretch *stretch)
{
    for (size_t i = 0; i < stretch->n_threads; i++) {
        struct rln__scan_thread *held = &r->scan.threads[stretch->threads[i].thread];

        stretch->threads[i].held = *held;
        memset(held, 0, sizeof(*held));
    }
}

/* --- Who reads what --------------------------------------------------------------- */

struct crew {
    struct rln__stretches *s;
    const struct rln__chunk_info *chunks; /* borrowed */
    size_t n;                             /* of chunks, as the next two */
    size_t n_taken, n_stitched;
    pthread_mutex_t mutex; /* for all that follows, and the two above */
    pthread_cond_t changed;
    size_t n_reading; /* readers other than the caller */
    size_t n_waiting;
    int is_paused, is_over;
};

/* A reader other than the caller. */
struct hand {
    struct crew *crew;
    struct rln__stretch_reader *reader;
    pthread_t thread;
};

static void lock(struct crew *c)
{
    (void)pthread_mutex_lock(&c->mutex);
}

static void unlock(struct crew *c)
{
    (void)pthread_mutex_unlock(&c->mutex);
}

static void wait(struct crew *c)
{
    c->n_waiting++;
    (void)pthread_cond_wait(&c->changed, &c->mutex);
    c->n_waiting--;
}

static void changed(struct crew *c)
{
    if (c->n_waiting)
        (void)pthread_cond_broadcast(&c->changed);
}

static struct rln__stretch *slot_of(const struct crew *c, size_t i)
{
    return &c->s->slots[i % c->s->n_slots];
}

static int can_take(const struct crew *c)
{
    return c->n_taken < c->n && c->n_taken < c->n_stitched + c->s->n_slots;
}

/* Takes the next stretch and reads it. Locked before and after. */
static void read_next(struct crew *c, struct rln__stretch_reader *reader)
{
    struct rln__stretch *stretch = slot_of(c, c->n_taken);

    stretch->chunk = c->chunks[c->n_taken++];
    unlock(c);
    stretch->status = c->s->ops->read(reader, stretch, &stretch->err);
    lock(c);
    stretch->is_read = 1;
    changed(c);
}

static void *work(void *hand)
{
    const struct hand *h = hand;
    struct crew *c = h->crew;

    lock(c);
    while (!c->is_over) {
        if (c->is_paused || !can_take(c)) {
            wait(c);
            continue;
        }
        c->n_reading++;
        read_next(c, h->reader);
        c->n_reading--;
        changed(c);
    }
    unlock(c);
    return NULL;
}

/* Returns how many threads could be created. */
static size_t start(struct crew *c, struct hand *hands)
{
    sigset_t all, before;
    size_t n = 0;

    (void)sigfillset(&all); /* signals go to the caller */
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; n + 1 < c->s->n_readers; n++) {
        hands[n].crew = c;
        hands[n].reader = &c->s->readers[n + 1];
        if (pthread_create(&hands[n].thread, NULL, work, &hands[n]))
            break;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

static void finish(struct crew *c, const struct hand *hands, size_t n)
{
    lock(c);
    c->is_over = 1;
    changed(c);
    unlock(c);
    for (size_t i = 0; i < n; i++)
        (void)pthread_join(hands[i].thread, NULL);
}

/* Waits until a stretch has been read, and reads others meanwhile. */
static struct rln__stretch *await(struct crew *c, size_t i)
{
    struct rln__stretch *stretch = slot_of(c, i);

    lock(c);
    while (i >= c->n_taken || !stretch->is_read) {
        if (can_take(c))
            read_next(c, &c->s->readers[0]);
        else
            wait(c);
    }
    unlock(c);
    return stretch;
}

static void give_back(struct crew *c, struct rln__stretch *stretch)
{
    lock(c);
    stretch->is_read = 0;
    c->n_stitched++;
    changed(c);
    unlock(c);
}

static void pause_others(struct crew *c)
{
    lock(c);
    c->is_paused = 1;
    while (c->n_reading)
        wait(c);
    unlock(c);
}

static void go_on(struct crew *c)
{
    lock(c);
    c->is_paused = 0;
    changed(c);
    unlock(c);
}

/* --- The caller ------------------------------------------------------------------- */

/* Whether visiting an item might add to the tables. */
static int may_add(const struct rln__item *item)
{
    return rln__item_payloads(item) || item->kind >= RLN__ITEM_THREAD;
}

/* Visits what the thread held back before this stretch, which is now known to be
 * earlier. RLN_END if it is not. */
static rln_status release(struct crew *c, struct rln__scan *scan,
                          const struct rln__stretch_thread *t, rln_error *err)
{
    struct rln__scan_thread *held = rln__scan_thread(scan, t->thread);
    rln_status status = RLN_OK;

    if (!held)
        return rln__fail_nomem(err);
    while (held->n && held->last.ticks <= t->first_ticks && !status) {
        const int has_to_pause = may_add(&held->last);

        if (has_to_pause)
            pause_others(c);
        status = rln__scan_visit_last(scan, held, c->s->ops->visit, c->s->context, err);
        if (has_to_pause)
            go_on(c);
    }
    return status ? status : held->n ? RLN_END : RLN_OK;
}

/* Holds back what the stretch held back. */
static void hold(struct rln__scan *scan, struct rln__stretch_thread *t)
{
    struct rln__scan_thread *held = &scan->threads[t->thread];

    rln__free(held->more);
    *held = t->held;
    t->held.more = NULL;
}

static rln_status stitch(struct crew *c, struct rln__scan *scan,
                         struct rln__stretch *stretch, rln_error *err)
{
    const struct rln__stretches *s = c->s;
    rln_status status = stretch->status;

    if (status) {
        if (err)
            *err = stretch->err;
        return status;
    }
    for (size_t i = 0; i < stretch->n_threads && !status; i++)
        status = release(c, scan, &stretch->threads[i], err);
    if (!status)
        status = s->ops->stitch(s->context, stretch, err);
    for (size_t i = 0; i < stretch->n_threads && !status; i++)
        hold(scan, &stretch->threads[i]);
    return status;
}

static rln_status read_rest(struct rln__stretches *s, struct rln__scan *scan,
                            const struct rln__stretch *stretch, rln_error *err)
{
    const struct rln__left_off *from = &stretch->left_off;
    struct rln__stream *stream = &scan->stream;
    const rln_status status = rln__stream_begin(stream, &stretch->chunk, err);

    if (status)
        return status;
    if (from->offset) {
        rln__cursor_resume(&stream->cursor, stream->cursor.file, &stretch->chunk,
                           from->offset);
        stream->thread = from->thread;
        stream->seen = from->seen;
    }
    return s->ops->read_on(s->context, scan, err);
}

static rln_status stitch_all(struct crew *c, struct rln__scan *scan, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < c->n && !status; i++) {
        struct rln__stretch *stretch = await(c, i);

        status = stitch(c, scan, stretch, err);
        if (!status && !stretch->is_whole) {
            pause_others(c);
            status = read_rest(c->s, scan, stretch, err);
            go_on(c);
        } else if (scan->reader->progress) {
            rln__reader_show_progress(scan->reader);
        }
        if (!status) /* else no reader goes on, and what it holds is freed */
            give_back(c, stretch);
    }
    return status;
}

/* With the hands at work. */
static rln_status scan_with(struct crew *c, rln_reader *reader, rln_error *err)
{
    struct rln__scan scan = {.reader = reader};
    struct hand *hands = rln__alloc(c->s->n_readers, sizeof(*hands)); /* owned */
    rln_status status = hands
                            ? rln__stream_init(&scan.stream, reader, WINDOW_WORDS, err)
                            : rln__fail_nomem(err);

    if (!status) {
        const size_t n = start(c, hands);

        status = stitch_all(c, &scan, err);
        finish(c, hands, n);
    }
    if (!status)
        status = rln__scan_flush(&scan, c->s->ops->visit, c->s->context, err);
    rln__scan_clear(&scan);
    rln__free(hands);
    return status;
}

rln_status rln__stretches_scan(rln_reader *reader, struct rln__stretches *s,
                               rln_error *err)
{
    struct rln__chunk_info *chunks; /* owned */
    struct crew c = {.s = s};
    rln_status status = rln__reader_chunks(reader, RLN__BY_THREAD, &chunks, &c.n, err);

    c.chunks = chunks;
    (void)pthread_mutex_init(&c.mutex, NULL);
    (void)pthread_cond_init(&c.changed, NULL);
    if (!status)
        status = rln__scan_kept(reader, s->ops->visit, s->context, err);
    if (!status)
        status = scan_with(&c, reader, err);
    (void)pthread_cond_destroy(&c.changed);
    (void)pthread_mutex_destroy(&c.mutex);
    for (size_t i = 0; i < s->n_slots; i++) {
        for (size_t k = 0; k < s->slots[i].n_threads; k++)
            rln__free(s->slots[i].threads[k].held.more);
        rln__free(s->slots[i].threads);
        s->slots[i].threads = NULL;
        s->slots[i].n_threads = s->slots[i].threads_capacity = 0;
    }
    rln__free(chunks);
    return status;
}
