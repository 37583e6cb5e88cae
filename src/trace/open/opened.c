/* SPDX-License-Identifier: Apache-2.0 */
/* opened.c - what readers of events ask the opened traces. */
#include "trace/open/opened.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/live_layout.h"

#include <stdlib.h>

#define MAX_FUTILE 3
#define FIRST_STREAM (1u << 30)        /* number of a stream */
#define STREAM_KEY ((uint64_t)1 << 63) /* in threads_by_number, beside threads */

rln_status rln__reader_find_layout(rln_reader *r, struct rln__layout *layout,
                                   rln_error *err)
{
    rln_status status = rln__layout_find(layout, r->files, r->n_files, err);

    if (!status && layout->n_parts >= (1u << 16))
        status = rln__fail(err, RLN_ERR_FORMAT, 0,
                           "too many parts: n=%zu, supported=65535", layout->n_parts);
    return status;
}

void rln__reader_show_progress(rln_reader *reader)
{
    const uint64_t n_chunks = reader->layout.n_chunks;

    reader->progress(reader->progress_context,
                     (double)(reader->n_chunks_begun++ % n_chunks) / (double)n_chunks);
}

int rln_reader_is_finished(const rln_reader *r)
{
    for (size_t i = 0; i < r->layout.n_parts; i++) {
        if (!r->layout.parts[i].super.finished)
            return 0;
    }
    return 1;
}

uint64_t rln__reader_dropped(const rln_reader *reader)
{
    uint64_t n = 0;

    for (size_t i = 0; i < reader->layout.n_parts; i++)
        n += reader->layout.parts[i].super.dropped_events;
    for (size_t i = 0; i < reader->names.n_processes; i++)
        n += reader->names.processes[i].record.n_dropped;
    return n;
}

/* Whether the files may grow while we read them, as those being written do; a copy does
 * not. */
static int may_grow(const rln_reader *r)
{
    for (size_t i = 0; i < r->n_files; i++) {
        if (r->files[i]->live_fd >= 0)
            return 0;
    }
    return !rln_reader_is_finished(r);
}

/* --- Look-ups while events are read ----------------------------------------------- */

/* Adds it, unless the key is known. */
static uint32_t thread_of(rln_reader *r, uint64_t key,
                          const struct rln__trace_thread *thread)
{
    const uint64_t found = rln__map_get(&r->threads_by_number, key);
    struct rln__trace_thread *threads;

    if (found || r->names.is_fixed)
        return found ? (uint32_t)found - 1 : RLN__NONE;
    threads =
        rln__grow(r->threads, &r->threads_capacity, r->n_threads + 1, sizeof(*threads));
    if (!threads)
        return RLN__NONE;
    r->threads = threads;
    if (rln__map_put(&r->threads_by_number, key, r->n_threads + 1))
        return RLN__NONE;
    threads[r->n_threads] = *thread;
    return (uint32_t)r->n_threads++;
}

uint32_t rln__reader_thread(rln_reader *r, uint32_t process, uint32_t number,
                            uint32_t tid)
{
    const struct rln__trace_thread thread = {process, number, tid, 0, 0};

    return thread_of(r, (uint64_t)process << 32 | number, &thread);
}

/* A trace may say any number of a thread. */
static uint64_t stream_key(uint32_t process, size_t scope)
{
    return STREAM_KEY | (uint64_t)process << 32 | (uint32_t)scope;
}

uint32_t rln__reader_add_stream(rln_reader *r, uint32_t process, size_t scope)
{
    const uint32_t number = FIRST_STREAM + (uint32_t)scope;
    const struct rln__trace_thread thread = {process, number, number, 0, 1};

    return thread_of(r, stream_key(process, scope), &thread);
}

uint32_t rln__reader_stream(const rln_reader *r, uint32_t process, size_t scope)
{
    return (uint32_t)rln__map_get(&r->threads_by_number, stream_key(process, scope)) -
           1;
}

uint32_t rln__reader_thread_of_tid(const rln_reader *r, struct rln__map *known,
                                   uint32_t process, uint32_t tid)
{
    const uint64_t key = ((uint64_t)process << 32) | tid;
    const uint64_t found = rln__map_get(known, key);

    if (found)
        return found > r->n_threads ? RLN__NONE : (uint32_t)found - 1;
    for (uint32_t i = (uint32_t)r->n_threads; i-- > 0;) {
        if (r->threads[i].process != process || r->threads[i].tid != tid ||
            r->threads[i].is_stream)
            continue;
        (void)rln__map_put(known, key, (uint64_t)i + 1);
        return i;
    }
    (void)rln__map_put(known, key, UINT64_MAX);
    return RLN__NONE;
}

/* A name is stored before its first use, so once the use is seen the name is there. */
static rln_status read_names_again(rln_reader *r)
{
    struct rln__layout layout = {0};
    rln_status status = rln__reader_find_layout(r, &layout, NULL);

    if (!status && layout.n_parts == r->layout.n_parts)
        status = rln__names_load(&r->names, &layout, NULL);
    rln__layout_clear(&layout);
    return status;
}

uint32_t rln__reader_attr_slow(rln_reader *r, uint32_t process, uint32_t id)
{
    uint32_t index = rln__names_attr_slow(&r->names, process, id);

    if (index == RLN__NONE || !r->names.attrs[index].is_unknown || r->names.is_fixed ||
        r->n_futile >= MAX_FUTILE || !may_grow(r))
        return index;
    if (read_names_again(r) == RLN_ERR_NOMEM)
        return RLN__NONE;
    rln__names_forget_unknown(&r->names);
    index = rln__names_attr_slow(&r->names, process, id);
    if (index != RLN__NONE && r->names.attrs[index].is_unknown)
        r->n_futile++;
    return index;
}

int rln__reader_names_grew(rln_reader *r)
{
    const size_t n_before = r->names.registry.n_ids;

    if (r->n_futile >= MAX_FUTILE || !may_grow(r) || read_names_again(r))
        return 0;
    if (r->names.registry.n_ids > n_before)
        return 1;
    r->n_futile++;
    return 0;
}

/* --- Chunks ----------------------------------------------------------------------- */

struct timed_chunk {
    struct rln__chunk_info chunk;
    int64_t t_ns;
};

static int by_time(const void *a, const void *b)
{
    const struct timed_chunk *x = a, *y = b;

    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    if (x->chunk.part != y->chunk.part)
        return x->chunk.part < y->chunk.part ? -1 : 1;
    return (x->chunk.offset > y->chunk.offset) - (x->chunk.offset < y->chunk.offset);
}

/* A thread's chunks begin one after the other, and where it takes over the rest of
 * another thread's chunk, that is its first. */
static int by_thread(const void *a, const void *b)
{
    const struct rln__chunk_info *x = &((const struct timed_chunk *)a)->chunk;
    const struct rln__chunk_info *y = &((const struct timed_chunk *)b)->chunk;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->first_ticks != y->first_ticks)
        return x->first_ticks < y->first_ticks ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

rln_status rln__reader_chunks(rln_reader *r, enum rln__chunk_order order,
                              struct rln__chunk_info **out, size_t *n, rln_error *err)
{
    struct timed_chunk *timed = rln__alloc(r->layout.n_chunks, sizeof(*timed));
    struct rln__chunk_info *chunks = rln__alloc(r->layout.n_chunks, sizeof(*chunks));
    size_t n_timed = 0;

    *out = NULL;
    *n = 0;
    if (!timed || !chunks) {
        rln__free(timed);
        rln__free(chunks);
        return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < r->layout.n_chunks; i++) {
        const struct rln__chunk_info *c = &r->layout.chunks[i];

        if (c->kind == RLN__CHUNK_EVENTS || c->kind == RLN__CHUNK_RING)
            timed[n_timed++] =
                (struct timed_chunk){*c, rln__reader_ns(r, c->part, c->enter_ticks)};
    }
    if (n_timed)
        qsort(timed, n_timed, sizeof(*timed),
              order == RLN__BY_TIME ? by_time : by_thread);
    for (size_t i = 0; i < n_timed; i++)
        chunks[i] = timed[i].chunk;
    rln__free(timed);
    *out = chunks;
    *n = n_timed;
    return RLN_OK;
}
