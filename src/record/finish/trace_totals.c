/* SPDX-License-Identifier: Apache-2.0 */
/* trace_totals.c - only counts records: no names, no pairing, no memory that grows with
 * the trace except a few bytes per chunk of a ring buffer. `rangeline info` has the
 * rest. */
#include "record/finish/trace_totals.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thousands.h"
#include "base/whole_io.h"
#include "format/identity.h"

#define WINDOW_BYTES (1u << 20)

/* A chunk of the newest events. Events that a thread's first chunk repeats
 * (trace/open/overwritten_chunks.h) are events of the trace. */
struct newest {
    uint64_t thread; /* {index:32, process:32} */
    uint64_t place, end;
    uint64_t place_before; /* 0: none, or nothing is repeated */
    uint64_t n_events, n_repeated;
};

/* Reads the file through a window that moves forward. */
struct view {
    int fd;
    uint64_t file_bytes;
    uint64_t at; /* of the window's first byte */
    uint64_t n_bytes;
    bool is_bounded;  /* its oldest events get overwritten */
    bool ends_early;  /* after a chunk with events */
    uint32_t sampler; /* index of a process that is none of the program's; or 0 */
    int (*is_stopped)(void); /* or NULL */
    uint64_t *window;        /* owned */
    struct newest *newest;   /* owned */
    size_t n_newest, newest_capacity;
};

/* The bytes at `at`, or NULL if fewer than `n_bytes` are left. `at` is a multiple of 8.
 */
static const void *view_at(struct view *v, uint64_t at, uint64_t n_bytes)
{
    if (at > v->file_bytes || n_bytes > v->file_bytes - at)
        return NULL;
    if (at < v->at || at + n_bytes > v->at + v->n_bytes) {
        const ssize_t n = pread(v->fd, v->window, WINDOW_BYTES, (off_t)at);

        v->at = at;
        v->n_bytes = n > 0 ? (uint64_t)n : 0;
        if (v->n_bytes < n_bytes)
            return NULL;
    }
    return (const char *)v->window + (at - v->at);
}

static void count_long(struct view *v, uint64_t at, uint64_t word, uint32_t n_words,
                       struct rln__trace_totals *out)
{
    const unsigned sub = (unsigned)(word >> RLN__SUB_SHIFT) & 255;
    const struct rln__process_record *p;

    /* The number of events in a batch depends on its schema. */
    if (sub == RLN__SUB_EVENT_BATCH || sub == RLN__SUB_COUNTER_BATCH)
        out->n_batches++;
    if (sub == RLN__SUB_EVENT || sub == RLN__SUB_PAYLOADS || sub == RLN__SUB_MEMORY ||
        sub == RLN__SUB_SUBMITTED)
        out->n_events++;
    if (sub == RLN__SUB_THREAD && !v->is_bounded) /* else the process has counted */
        out->n_threads++;
    if (sub != RLN__SUB_PROCESS || n_words < RLN__OLD_PROCESS_WORDS)
        return;
    p = view_at(v, at, sizeof(*p));
    if (!p)
        return;
    out->n_dropped += p->n_dropped;
    if (p->flags & RLN__PROCESS_SAMPLER) {
        v->sampler = p->process;
        return;
    }
    out->n_processes += !(p->flags & RLN__PROCESS_LAUNCHER);
    out->is_at_size_limit |= (p->flags & RLN__PROCESS_SIZE_LIMIT) != 0;
    if (n_words < RLN__RING_PROCESS_WORDS)
        return;
    out->n_overwritten += p->n_overwritten;
    out->n_threads += (uint32_t)p->n_threads;
    if (n_words >= RLN__PROCESS_WORDS)
        out->n_modules_refused += p->n_modules_refused;
}

/* The end of the events in a chunk; 0: the chunk is being reused, or was when its
 * process was killed. */
static uint64_t end_of_events(struct view *v, const struct rln__chunk_header *header,
                              uint64_t end)
{
    const uint64_t place = header->place;
    const uint64_t *last = view_at(v, end - sizeof(uint64_t), sizeof(uint64_t));

    return last && *last == place ? end - sizeof(uint64_t) : 0;
}

static void count_chunk(struct view *v, uint64_t at, uint64_t end,
                        struct rln__trace_totals *out)
{
    while (at < end) {
        const uint64_t *word = view_at(v, at, 8);
        uint32_t n_words;

        if (!word)
            return;
        n_words = rln__record_words(*word);
        if (n_words == 0 || n_words > (end - at) / 8) {
            at += 8; /* damage */
            continue;
        }
        if ((*word & 15) == RLN__LONG)
            count_long(v, at, *word, n_words, out);
        else if (*word && (*word & 15) != RLN__HOLE)
            out->n_events++;
        at += (uint64_t)n_words * 8;
    }
}

/* --- The newest events ------------------------------------------------------------ */

static uint64_t count_repeated(struct view *v, uint64_t at, const uint64_t *head)
{
    const uint64_t end = at + (uint64_t)rln__record_words(head[0]) * 8;
    uint64_t n = 0;

    at += (RLN__CONTINUED_WORDS + (head[5] & UINT32_MAX)) * 8;
    while (at < end) {
        const uint64_t *word = view_at(v, at, 8);

        if (!word)
            break;
        n += rln__sub_of(*word) == RLN__SUB_EVENT;
        at += (uint64_t)rln__record_words(*word) * 8;
    }
    return n;
}

static struct newest *add_newest(struct view *v)
{
    const size_t capacity = v->newest_capacity ? v->newest_capacity * 2 : 64;
    struct newest *more;

    if (v->n_newest == v->newest_capacity) {
        more = reallocarray(v->newest, capacity, sizeof(*more));
        if (!more)
            return NULL;
        v->newest = more;
        v->newest_capacity = capacity;
    }
    return &v->newest[v->n_newest++];
}

static void count_newest(struct view *v, uint64_t at, uint64_t size,
                         const struct rln__chunk_header *there,
                         struct rln__trace_totals *out)
{
    const struct rln__chunk_header header = *there;
    const uint64_t end = end_of_events(v, &header, at + size);
    const uint64_t n_before = out->n_events;
    struct newest *chunk;
    const uint64_t *head;

    count_chunk(v, at + RLN__CHUNK_HEADER_BYTES, end, out);
    chunk = end ? add_newest(v) : NULL;
    if (!chunk)
        return;
    *chunk = (struct newest){
        .thread = rln__pair32(header.thread, header.process),
        .place = header.place,
        .end = header.place + size / 8,
        .n_events = out->n_events - n_before,
    };
    out->n_events = n_before; /* add_begun() decides which of them count */
    head = view_at(v, at + RLN__CHUNK_HEADER_BYTES, RLN__CONTINUED_WORDS * 8);
    if (!head || (head[0] & 15) != RLN__LONG ||
        rln__sub_of(head[0]) != RLN__SUB_CONTINUED)
        return;
    chunk->place_before = head[2];
    chunk->n_repeated = count_repeated(v, at + RLN__CHUNK_HEADER_BYTES, head);
}

static int by_thread_and_place(const void *left, const void *right)
{
    const struct newest *a = left, *b = right;

    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static bool follows(const struct newest *chunk, const struct newest *before)
{
    return before->thread == chunk->thread && chunk->place_before >= before->place &&
           chunk->place_before < before->end;
}

/* Counts, for each thread, the chunks without a gap up to its newest one. */
static void add_begun(const struct view *v, struct rln__trace_totals *out)
{
    uint64_t n = 0;

    if (v->n_newest)
        qsort(v->newest, v->n_newest, sizeof(*v->newest), by_thread_and_place);
    for (size_t i = 0; i < v->n_newest; i++) {
        const struct newest *chunk = &v->newest[i];
        const bool begins =
            chunk->place_before && !(i > 0 && follows(chunk, &chunk[-1]));

        if (begins || (i > 0 && chunk[-1].thread != chunk->thread)) {
            out->n_events += i > 0 && chunk[-1].thread != chunk->thread ? n : 0;
            n = begins ? chunk->n_repeated : 0;
        }
        n += chunk->n_events;
    }
    out->n_events += n;
}

/* Whether there are only zeros up to the next place where a chunk may begin. */
static bool is_empty(struct view *v, uint64_t at)
{
    const uint64_t left = v->file_bytes - at;
    const uint64_t n_bytes = left < RLN__CHUNK_ALIGN ? left : RLN__CHUNK_ALIGN;
    const uint64_t *words = view_at(v, at, n_bytes);
    uint64_t any = !words;

    for (uint64_t i = 0; words && i < n_bytes / 8; i++)
        any |= words[i];
    return any == 0;
}

/* Of a sampler, whose record comes before its events. */
static uint64_t count_samples(struct view *v, uint64_t at, uint64_t n_bytes,
                              unsigned kind)
{
    struct rln__trace_totals of_chunk = {.n_events = 0};

    if (kind == RLN__CHUNK_EVENTS)
        count_chunk(v, at + RLN__CHUNK_HEADER_BYTES, at + n_bytes, &of_chunk);
    return of_chunk.n_events;
}

static void count_file(struct view *v, struct rln__trace_totals *out)
{
    uint64_t at = RLN__SUPERBLOCK_BYTES;
    struct rln__superblock super;
    int is_damaged;

    if (rln__identity_read(v->fd, 0, &super, &is_damaged) < 0)
        return;
    out->has_damage = is_damaged || !rln__identity_is_sound(&super);
    v->is_bounded = super.ring.buffer_bytes != 0;
    out->n_dropped += super.dropped_events;
    out->n_windows += super.control.gate >> 32;
    while (at < v->file_bytes &&
           !(v->ends_early && (out->n_events || out->n_batches || v->n_newest)) &&
           !(v->is_stopped && v->is_stopped())) {
        const struct rln__chunk_header *header;
        uint64_t n_bytes = RLN__CHUNK_ALIGN;

        at = rln__next_data(v->fd, at, v->file_bytes) / RLN__CHUNK_ALIGN *
             RLN__CHUNK_ALIGN;
        header = view_at(v, at, sizeof(*header));

        if (header && rln__is_chunk(header) && header->trace_id == super.trace_id) {
            n_bytes = header->size_bytes;
            if (n_bytes > v->file_bytes - at)
                n_bytes = v->file_bytes - at;
            if (v->sampler && header->process == v->sampler)
                out->n_samples += count_samples(v, at, n_bytes, header->kind);
            else if (header->kind >= RLN__CHUNK_EVENTS &&
                     header->kind <= RLN__CHUNK_DEFERRED)
                count_chunk(v, at + RLN__CHUNK_HEADER_BYTES, at + n_bytes, out);
            else if (header->kind == RLN__CHUNK_RING)
                count_newest(v, at, n_bytes, header, out);
        } else if (!is_empty(v, at)) {
            out->has_damage = true;
        }
        at += n_bytes;
    }
    add_begun(v, out);
}

static int read_totals(const char *path, bool ends_early, int (*is_stopped)(void),
                       struct rln__trace_totals *out)
{
    struct view v = {.fd = open(path, O_RDONLY | O_CLOEXEC),
                     .ends_early = ends_early,
                     .is_stopped = is_stopped};
    struct stat st;
    int result = 0;

    *out = (struct rln__trace_totals){0};
    if (v.fd < 0)
        return -errno;
    v.window = malloc(WINDOW_BYTES);
    if (!v.window || fstat(v.fd, &st) < 0) {
        result = -errno;
    } else {
        v.file_bytes = (uint64_t)st.st_size & ~7ull;
        out->disk_bytes = (uint64_t)st.st_blocks * 512;
        count_file(&v, out);
        result = is_stopped && is_stopped() ? -EINTR : 0;
    }
    free(v.window);
    free(v.newest);
    (void)close(v.fd);
    return result;
}

int rln__trace_totals_read(const char *path, struct rln__trace_totals *out)
{
    return read_totals(path, false, NULL, out);
}

int rln__trace_totals_until(const char *path, int (*is_stopped)(void),
                            struct rln__trace_totals *out)
{
    return read_totals(path, false, is_stopped, out);
}

bool rln__trace_has_events(const char *path)
{
    struct rln__trace_totals totals;

    return read_totals(path, true, NULL, &totals) == 0 &&
           (totals.n_events || totals.n_batches);
}

static void add_count(struct rln__buf *out, const char *before, uint64_t n,
                      const char *one, const char *many)
{
    rln__buf_text(out, before);
    rln__buf_counted(out, n, one, many);
}

static void add_size(struct rln__buf *out, uint64_t n_bytes)
{
    if (n_bytes < 1u << 20)
        rln__buf_format(out, "%" PRIu64 " KiB", (n_bytes + 1023) >> 10);
    else if (n_bytes < 1u << 30)
        rln__buf_format(out, "%.1f MiB", (double)n_bytes / (1u << 20));
    else
        rln__buf_format(out, "%.1f GiB", (double)n_bytes / (1u << 30));
}

void rln__trace_totals_format(const struct rln__trace_totals *t, char *out, size_t size)
{
    struct rln__buf line = {0};

    add_size(&line, t->disk_bytes);
    if (t->n_events || !t->n_batches)
        add_count(&line, ", ", t->n_events, "event", "events");
    if (t->n_batches)
        add_count(&line, ", ", t->n_batches, "batch of events", "batches of events");
    if (t->n_samples)
        add_count(&line, ", ", t->n_samples, "sample of GPUs", "samples of GPUs");
    add_count(&line, ", ", t->n_processes, "process", "processes");
    add_count(&line, ", ", t->n_threads, "thread", "threads");
    if (t->n_windows)
        add_count(&line, ", ", t->n_windows, "window", "windows");
    if (t->n_overwritten)
        rln__buf_text(&line, "; older events were overwritten");
    if (t->has_damage)
        rln__buf_text(&line, "; DAMAGED: `rangeline check` lists where");
    if (t->n_dropped)
        add_count(&line, "; DROPPED: ", t->n_dropped, "event", "events");
    (void)snprintf(out, size, "%.*s", (int)line.length, line.bytes ? line.bytes : "");
    rln__buf_clear(&line);
}
