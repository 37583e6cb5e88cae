/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/order/merge.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/heap.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW_WORDS 8192u     /* 64 KiB... */
#define LEAN_WINDOW_WORDS 512u /* ...or less, with very many chunks open */
#define MANY_FEEDS 512

/* --- The heap --------------------------------------------------------------------- */

static int is_before(const void *a, const void *b)
{
    const struct rln__merge_entry *x = a, *y = b;

    return x->t_ns != y->t_ns ? x->t_ns < y->t_ns : x->feed->order < y->feed->order;
}

/* The earliest time of the feeds below the top; the end of time if there are none. */
static int64_t second_ns(const struct rln__merge *m)
{
    int64_t t_ns = INT64_MAX;

    for (size_t i = 1; i < 3 && i < m->n_heap; i++)
        t_ns = m->heap[i].t_ns < t_ns ? m->heap[i].t_ns : t_ns;
    return t_ns;
}

static rln_status take_feed(struct rln__merge *m, struct rln__feed **out,
                            rln_error *err)
{
    *out = m->spare;
    m->spare = NULL;
    if (*out)
        return RLN_OK;
    return rln__feed_new(
        m->reader, m->n_heap < MANY_FEEDS ? WINDOW_WORDS : LEAN_WINDOW_WORDS, out, err);
}

static void retire(struct rln__merge *m, struct rln__feed *feed)
{
    if (m->spare)
        rln__feed_free(feed);
    else
        m->spare = feed;
}

static void check_next_chunk(struct rln__merge *m)
{
    const struct rln__chunk_info *c = &m->chunks[m->next_chunk];

    m->next_chunk_ns = m->next_chunk < m->n_chunks
                           ? rln__reader_ns(m->reader, c->part, c->enter_ticks)
                           : INT64_MAX;
}

/* Lets the next chunk enter. */
static rln_status enter_chunk(struct rln__merge *m, rln_error *err)
{
    const size_t order = m->next_chunk;
    struct rln__merge_entry *heap =
        rln__grow(m->heap, &m->heap_capacity, m->n_heap + 1, sizeof(*heap));
    struct rln__merge_entry entry;
    struct rln__feed *feed;
    rln_status status;

    if (!heap)
        return rln__fail_nomem(err);
    m->heap = heap;
    status = take_feed(m, &feed, err);
    if (status)
        return status;
    m->next_chunk++;
    check_next_chunk(m);
    status = rln__feed_begin(feed, &m->chunks[order], order, err);
    if (!status)
        status = rln__feed_advance(feed, err);
    if (status) {
        retire(m, feed);
        return status == RLN_END ? RLN_OK : status;
    }
    entry = (struct rln__merge_entry){feed->t_ns, feed};
    rln__heap_add(heap, ++m->n_heap, &entry, sizeof(entry), is_before);
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

/* A copy, because the reader rebuilds its list when it reads a growing trace again. */
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

/* A copy, for the same reason. */
static rln_status copy_kept(struct rln__merge *m, rln_error *err)
{
    const struct rln__overwritten_chunks *overwritten = &m->reader->overwritten;

    m->kept = rln__alloc(overwritten->n_kept, sizeof(*m->kept));
    if (!m->kept)
        return rln__fail_nomem(err);
    if (overwritten->n_kept)
        memcpy(m->kept, overwritten->kept, overwritten->n_kept * sizeof(*m->kept));
    m->n_kept = overwritten->n_kept;
    return RLN_OK;
}

static int64_t next_name_ns(const struct rln__merge *m)
{
    return m->next_name < m->n_names ? m->names[m->next_name].t_ns : INT64_MAX;
}

static int64_t next_kept_ns(const struct rln__merge *m)
{
    return m->next_kept < m->n_kept ? m->kept[m->next_kept].t_ns : INT64_MAX;
}

static int64_t next_deferred_ns(const struct rln__merge *m)
{
    return m->next_deferred < m->deferred.n ? m->deferred.events[m->next_deferred].t_ns
                                            : INT64_MAX;
}

static int has_known(const struct rln__merge *m)
{
    return m->next_name < m->n_names || m->next_kept < m->n_kept ||
           m->next_deferred < m->deferred.n || rln__gpu_order_ns(&m->gpu) != INT64_MAX;
}

static void check_names(struct rln__merge *m)
{
    const int64_t times[] = {next_name_ns(m), next_kept_ns(m), next_deferred_ns(m),
                             rln__gpu_order_ns(&m->gpu)};

    m->known_ns = INT64_MAX;
    for (size_t i = 0; i < RLN_COUNT(times); i++)
        m->known_ns = times[i] < m->known_ns ? times[i] : m->known_ns;
}

rln_status rln__merge_init(struct rln__merge *m, rln_reader *reader, rln_error *err)
{
    rln_status status;

    memset(m, 0, sizeof(*m));
    m->reader = reader;
    status = rln__reader_chunks(reader, RLN__BY_TIME, &m->chunks, &m->n_chunks, err);
    if (!status)
        check_next_chunk(m);
    if (!status)
        status = copy_names(m, err);
    if (!status)
        status = copy_kept(m, err);
    if (!status)
        status = rln__deferred_events_load(&m->deferred, reader, err);
    if (!status)
        status = rln__gpu_order_init(&m->gpu, reader, err);
    if (status)
        rln__merge_clear(m);
    else
        check_names(m);
    return status;
}

void rln__merge_clear(struct rln__merge *m)
{
    for (size_t i = 0; i < m->n_heap; i++)
        rln__feed_free(m->heap[i].feed);
    rln__feed_free(m->spare);
    rln__free(m->heap);
    rln__free(m->chunks);
    rln__free(m->names);
    rln__free(m->kept);
    rln__deferred_events_clear(&m->deferred);
    rln__gpu_order_clear(&m->gpu);
    memset(m, 0, sizeof(*m));
}

/* --- The next item ---------------------------------------------------------------- */

static int is_chunk_due(const struct rln__merge *m)
{
    return m->next_chunk < m->n_chunks &&
           (m->n_heap == 0 || m->next_chunk_ns <= m->heap[0].t_ns);
}

static rln_status take_gpu(struct rln__merge *m, struct rln__merged *out,
                           rln_error *err)
{
    const struct rln__gpu_event *event;
    const struct rln__gpu_batch *batch;
    const rln_status status = rln__gpu_order_next(&m->gpu, &event, &batch, err);

    if (status)
        return status;
    m->gpu_item = (struct rln__item){
        .ticks = batch->ticks, .kind = RLN__ITEM_GPU, .ref = event->attr, .n_words = 1};
    *out = (struct rln__merged){.t_ns = event->start_ns,
                                .item = &m->gpu_item,
                                .gpu = event,
                                .gpu_batch = batch,
                                .part = batch->part};
    return RLN_OK;
}

static void take_deferred(struct rln__merge *m, struct rln__merged *out)
{
    const struct rln__deferred_event *deferred =
        &m->deferred.events[m->next_deferred++];

    rln__deferred_events_item(&m->deferred, m->reader, deferred, &m->deferred_item);
    *out = (struct rln__merged){.t_ns = deferred->t_ns,
                                .item = &m->deferred_item,
                                .deferred = deferred,
                                .part = m->deferred.records[deferred->record].part};
}

/* Names come first, then kept items, then deferred events, then GPU work. */
static rln_status take_known(struct rln__merge *m, struct rln__merged *out,
                             rln_error *err)
{
    const int64_t t_ns = m->known_ns;

    if (next_name_ns(m) == t_ns && m->next_name < m->n_names) {
        const struct rln__timed_name *name = &m->names[m->next_name++];

        *out = (struct rln__merged){
            .t_ns = name->t_ns, .name = &name->event, .part = name->part};
    } else if (next_kept_ns(m) == t_ns && m->next_kept < m->n_kept) {
        const struct rln__kept_item *kept = &m->kept[m->next_kept++];

        *out = (struct rln__merged){
            .t_ns = kept->t_ns, .item = &kept->item, .part = kept->part};
    } else if (next_deferred_ns(m) == t_ns && m->next_deferred < m->deferred.n) {
        take_deferred(m, out);
    } else {
        return take_gpu(m, out, err);
    }
    return RLN_OK;
}

/* Updates the heap after the lead was advanced: it may have ended, or lead no more. */
static void settle_lead(struct rln__merge *m, rln_status advanced)
{
    struct rln__merge_entry entry = {m->lead->t_ns, m->lead};

    if (advanced == RLN_END) {
        entry = m->heap[--m->n_heap];
        retire(m, m->lead);
    }
    m->lead = NULL;
    rln__heap_replace(m->heap, m->n_heap, &entry, sizeof(entry), is_before);
}

static void take_first_feed(struct rln__merge *m, struct rln__merged *out)
{
    struct rln__feed *feed = m->heap[0].feed;
    int64_t rival_ns = second_ns(m);

    rival_ns = m->known_ns < rival_ns ? m->known_ns : rival_ns;
    m->rival_ns = m->next_chunk_ns < rival_ns ? m->next_chunk_ns : rival_ns;
    m->lead = feed;
    *out = (struct rln__merged){
        .t_ns = feed->t_ns, .item = feed->head, .part = feed->stream.chunk.part};
}

rln_status rln__merge_choose(struct rln__merge *m, rln_status advanced,
                             struct rln__merged *out, rln_error *err)
{
    if (advanced && advanced != RLN_END)
        return advanced;
    if (m->lead)
        settle_lead(m, advanced);
    while (is_chunk_due(m)) {
        const rln_status status = enter_chunk(m, err);

        if (status)
            return status;
    }
    if (has_known(m) && (m->n_heap == 0 || m->known_ns <= m->heap[0].t_ns)) {
        const rln_status status = take_known(m, out, err);

        if (status && status != RLN_END)
            return status;
        check_names(m);
        if (status)
            return rln__merge_choose(m, RLN_OK, out, err);
    } else if (m->n_heap) {
        take_first_feed(m, out);
    } else {
        return RLN_END;
    }
    return RLN_OK;
}
