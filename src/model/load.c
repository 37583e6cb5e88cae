/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - opens traces: files, chunks, names, and what time it was. */
#include "model/load.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_FUTILE 3

/* --- Time ------------------------------------------------------------------------- */

static int is_same_boot(const struct rln__part *a, const struct rln__part *b)
{
    return a->super.boot_id[0] &&
           !memcmp(a->super.boot_id, b->super.boot_id, sizeof(a->super.boot_id));
}

/* What to add to CLOCK_MONOTONIC of `part` to get the time since the first part began.
 */
static int64_t offset_of(const struct rln__part *first, const struct rln__part *part)
{
    const struct rln__clock_tuple *zero = &first->super.created[0];
    const struct rln__clock_tuple *own = &part->super.created[0];

    if (part == first || is_same_boot(first, part))
        return (int64_t)(0 - zero->monotonic_ns);
    return (int64_t)(own->realtime_ns - own->monotonic_ns - zero->realtime_ns);
}

#if defined(__x86_64__)
static uint64_t ticks_now(uint32_t clock_kind)
{
    return clock_kind == RLN__CLOCK_TSC ? __builtin_ia32_rdtsc() : 0;
}
#elif defined(__aarch64__)
static uint64_t ticks_now(uint32_t clock_kind)
{
    uint64_t ticks = 0;

    if (clock_kind == RLN__CLOCK_CNTVCT)
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
static uint64_t ticks_now(uint32_t clock_kind)
{
    (void)clock_kind;
    return 0;
}
#endif

/* Takes a tuple of this moment if the trace is of this boot; else it is all zero. */
static struct rln__clock_tuple tuple_of_now(const struct rln__part *part)
{
    struct rln__clock_tuple now = {0, 0, 0, 0};
    char boot_id[sizeof(part->super.boot_id)] = {0};
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    struct timespec ts;

    if (fd < 0)
        return now;
    if (read(fd, boot_id, 36) == 36 && !memcmp(boot_id, part->super.boot_id, 36) &&
        clock_gettime(CLOCK_MONOTONIC, &ts) == 0) {
        now.ticks = ticks_now(part->super.clock_kind);
        now.monotonic_ns = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
        now.uncertainty_ticks = 1000;
    }
    (void)close(fd);
    return now;
}

static size_t collect_tuples(const rln_reader *r, uint32_t index,
                             struct rln__clock_tuple *out)
{
    const struct rln__part *part = &r->layout.parts[index];
    size_t n = 0;

    out[n++] = part->super.created[0];
    out[n++] = part->super.created[1];
    for (size_t i = 0; i < r->names.n_tuples; i++) {
        if (r->names.tuples[i].part == index)
            out[n++] = r->names.tuples[i].tuple;
    }
    for (size_t i = 0; i < r->layout.n_chunks; i++) {
        const struct rln__chunk *c = &r->layout.chunks[i];

        if (c->part == index)
            out[n++] = (struct rln__clock_tuple){c->base_ticks, c->base_monotonic_ns,
                                                 c->base_realtime_ns,
                                                 c->uncertainty_16ticks * 16u};
    }
    return n;
}

/* A trace of a few milliseconds says little about the clock's rate; the hours since
 * then on the same machine say more. One that the launcher has finished says enough,
 * and is read the same way each time. */
static int needs_now(const struct rln__part *part, const struct rln__clock_tuple *t,
                     size_t n)
{
    uint64_t first = UINT64_MAX, last = 0;

    for (size_t i = 0; i < n; i++) {
        if (t[i].monotonic_ns == 0)
            continue;
        first = t[i].monotonic_ns < first ? t[i].monotonic_ns : first;
        last = t[i].monotonic_ns > last ? t[i].monotonic_ns : last;
    }
    return part->super.ticks_per_s == 0 && !part->super.finished && last >= first &&
           last - first < 1000000000u;
}

static rln_status build_timelines(rln_reader *r, rln_error *err)
{
    struct rln__clock_tuple *tuples =
        rln__alloc(3 + r->names.n_tuples + r->layout.n_chunks, sizeof(*tuples));

    if (!tuples)
        return rln__fail_nomem(err);
    for (uint32_t i = 0; i < r->layout.n_parts; i++) {
        const struct rln__part *part = &r->layout.parts[i];
        size_t n = collect_tuples(r, i, tuples);

        if (needs_now(part, tuples, n))
            tuples[n++] = tuple_of_now(part);
        if (rln__timeline_build(&r->timelines[i], tuples, n, part->super.ticks_per_s,
                                offset_of(r->layout.parts, part))) {
            rln__free(tuples);
            return rln__fail_nomem(err);
        }
    }
    rln__free(tuples);
    return RLN_OK;
}

/* --- Opening ---------------------------------------------------------------------- */

static rln_status find_layout(rln_reader *r, struct rln__layout *layout, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < r->n_files && !status; i++) {
        status = rln__input_refresh(r->files[i], err);
        if (!status)
            status = rln__layout_add(layout, r->files[i], err);
    }
    if (!status && layout->n_parts >= (1u << 16))
        status = rln__fail(err, RLN_ERR_FORMAT, 0,
                           "too many parts: n=%zu, supported=65535", layout->n_parts);
    return status;
}

static rln_status add_threads(rln_reader *r, rln_error *err)
{
    for (size_t i = 0; i < r->layout.n_chunks; i++) {
        const struct rln__chunk *c = &r->layout.chunks[i];
        uint32_t process;

        if (c->kind != RLN__CHUNK_EVENTS)
            continue;
        process = rln__names_process(&r->names, c->part, c->process);
        if (process == RLN__NONE ||
            rln__reader_thread(r, process, c->thread, c->tid) == RLN__NONE)
            return rln__fail_nomem(err);
    }
    return RLN_OK;
}

static rln_status open_files(rln_reader *r, const char *const *paths, size_t n_paths,
                             rln_error *err)
{
    r->files = rln__alloc(n_paths, sizeof(struct rln__input *));
    if (!r->files)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < n_paths; i++) {
        struct rln__input *file = rln__alloc(1, sizeof(*file));
        rln_status status;

        if (!file)
            return rln__fail_nomem(err);
        status = rln__input_open(file, paths[i], &r->damages, err);
        if (status) {
            rln__free(file);
            return status;
        }
        r->files[r->n_files++] = file;
        r->names.cache_bytes_left += file->size * 8;
    }
    return RLN_OK;
}

static rln_status load(rln_reader *r, rln_error *err)
{
    rln_status status = rln__names_load(&r->names, &r->layout, err);

    if (!status)
        status = add_threads(r, err);
    if (!status)
        status = build_timelines(r, err);
    return status;
}

rln_status rln_reader_open(const char *const *paths, size_t n_paths, rln_reader **out,
                           rln_error *err)
{
    rln_reader *r; /* owned until it is handed to the caller */
    rln_status status;

    *out = NULL;
    if (n_paths == 0)
        return rln__fail(err, RLN_ERR_ARGUMENT, 0, "cannot open traces: no path given");
    r = rln__alloc(1, sizeof(*r));
    if (!r)
        return rln__fail_nomem(err);
    status = rln__names_init(&r->names, err);
    if (!status)
        status = open_files(r, paths, n_paths, err);
    if (!status)
        status = find_layout(r, &r->layout, err);
    if (status)
        goto fail;
    r->timelines = rln__alloc(r->layout.n_parts, sizeof(*r->timelines));
    status = r->timelines ? load(r, err) : rln__fail_nomem(err);
    if (status)
        goto fail;
    *out = r;
    return RLN_OK;

fail:
    rln_reader_close(r);
    return status;
}

void rln_reader_close(rln_reader *r)
{
    if (!r)
        return;
    for (size_t i = 0; r->timelines && i < r->layout.n_parts; i++)
        rln__timeline_clear(&r->timelines[i]);
    rln__free(r->timelines);
    for (size_t i = 0; i < r->n_files; i++) {
        rln__input_close(r->files[i]);
        rln__free(r->files[i]);
    }
    rln__free(r->files);
    rln__layout_clear(&r->layout);
    rln__names_clear(&r->names);
    rln__map_clear(&r->threads_by_number);
    rln__free(r->threads);
    rln__free(r);
}

rln_status rln_reader_refresh(rln_reader *r, rln_error *err)
{
    struct rln__layout layout = {0};
    struct rln__layout old = r->layout;
    rln_status status = find_layout(r, &layout, err);

    if (!status && layout.n_parts != old.n_parts)
        status = rln__fail(err, RLN_ERR_ARGUMENT, 0,
                           "cannot refresh: a part was appended; open the trace again");
    if (status) {
        rln__layout_clear(&layout);
        return status;
    }
    r->layout = layout;
    rln__layout_clear(&old);
    rln__names_forget_unknown(&r->names);
    r->n_futile = 0;
    return load(r, err);
}

int rln_reader_is_finished(const rln_reader *r)
{
    for (size_t i = 0; i < r->layout.n_parts; i++) {
        if (!r->layout.parts[i].super.finished)
            return 0;
    }
    return 1;
}

/* --- Asked while events are read -------------------------------------------------- */

uint32_t rln__reader_thread(rln_reader *r, uint32_t process, uint32_t number,
                            uint32_t tid)
{
    const uint64_t key = ((uint64_t)process << 32) | number;
    const uint64_t found = rln__map_get(&r->threads_by_number, key);
    struct rln__thread *threads;

    if (found)
        return (uint32_t)found - 1;
    threads =
        rln__grow(r->threads, &r->threads_capacity, r->n_threads + 1, sizeof(*threads));
    if (!threads)
        return RLN__NONE;
    r->threads = threads;
    if (rln__map_put(&r->threads_by_number, key, r->n_threads + 1))
        return RLN__NONE;
    threads[r->n_threads] = (struct rln__thread){process, number, tid, 0};
    return (uint32_t)r->n_threads++;
}

/* A name is stored before its first use: whoever saw the use finds it now. */
static rln_status read_names_again(rln_reader *r)
{
    struct rln__layout layout = {0};
    rln_status status = find_layout(r, &layout, NULL);

    if (!status && layout.n_parts == r->layout.n_parts)
        status = rln__names_load(&r->names, &layout, NULL);
    rln__layout_clear(&layout);
    return status;
}

uint32_t rln__reader_attr_slow(rln_reader *r, uint32_t process, uint32_t id)
{
    uint32_t index = rln__names_attr_slow(&r->names, process, id);

    if (index == RLN__NONE || !r->names.attrs[index].is_unknown ||
        r->n_futile >= MAX_FUTILE || rln_reader_is_finished(r))
        return index;
    if (read_names_again(r) == RLN_ERR_NOMEM)
        return RLN__NONE;
    rln__names_forget_unknown(&r->names);
    index = rln__names_attr_slow(&r->names, process, id);
    if (index != RLN__NONE && r->names.attrs[index].is_unknown)
        r->n_futile++;
    return index;
}

/* --- Chunks ----------------------------------------------------------------------- */

struct placed_chunk {
    struct rln__chunk chunk;
    int64_t t_ns;
};

static int by_time(const void *a, const void *b)
{
    const struct placed_chunk *x = a, *y = b;

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
    const struct rln__chunk *x = &((const struct placed_chunk *)a)->chunk;
    const struct rln__chunk *y = &((const struct placed_chunk *)b)->chunk;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->first_ticks != y->first_ticks)
        return x->first_ticks < y->first_ticks ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

rln_status rln__reader_chunks(rln_reader *r, enum rln__chunk_order order,
                              struct rln__chunk **out, size_t *n, rln_error *err)
{
    struct placed_chunk *placed = rln__alloc(r->layout.n_chunks, sizeof(*placed));
    struct rln__chunk *chunks = rln__alloc(r->layout.n_chunks, sizeof(*chunks));
    size_t n_placed = 0;

    *out = NULL;
    *n = 0;
    if (!placed || !chunks) {
        rln__free(placed);
        rln__free(chunks);
        return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < r->layout.n_chunks; i++) {
        const struct rln__chunk *c = &r->layout.chunks[i];

        if (c->kind == RLN__CHUNK_EVENTS)
            placed[n_placed++] =
                (struct placed_chunk){*c, rln__reader_ns(r, c->part, c->base_ticks)};
    }
    if (n_placed)
        qsort(placed, n_placed, sizeof(*placed),
              order == RLN__BY_TIME ? by_time : by_thread);
    for (size_t i = 0; i < n_placed; i++)
        chunks[i] = placed[i].chunk;
    rln__free(placed);
    *out = chunks;
    *n = n_placed;
    return RLN_OK;
}
