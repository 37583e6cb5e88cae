/* SPDX-License-Identifier: Apache-2.0 */
#include "format/copy.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/whole_io.h"
#include "format/identity.h"

#define STEP_BYTES (1u << 20)
#define MOST_LISTINGS 64 /* until headers are stable */
#define MOST_TRIES 16    /* if many chunks are overwritten before they are copied */

struct listed_chunk {
    uint64_t offset;
    uint64_t size;
    uint64_t place; /* if it has one; for events the offset; else 0 */
    uint32_t kind;
};

struct chunk_list {
    struct listed_chunk *items; /* owned */
    size_t n, capacity;
};

struct copier {
    int from, to;
    uint64_t part_end; /* another superblock begins there; UINT64_MAX: none */
    uint64_t trace_id;
    uint64_t *buffer; /* owned, STEP_BYTES */
};

/* --- bytes ------------------------------------------------------------------------ */

/* Unused space of the trace becomes holes in the copy. */
static int copy_bytes(struct copier *c, uint64_t at, uint64_t n_bytes)
{
    while (n_bytes) {
        const size_t n = n_bytes < STEP_BYTES ? (size_t)n_bytes : STEP_BYTES;
        int result = rln__read_at(c->from, at, c->buffer, n, NULL);

        if (result == 0)
            result = rln__write_sparse(c->to, at, c->buffer, n);
        if (result < 0)
            return result;
        at += n;
        n_bytes -= n;
    }
    return 0;
}

/* --- finding chunks --------------------------------------------------------------- */

static int add(struct chunk_list *p, const struct listed_chunk *chunk)
{
    struct listed_chunk *item =
        rln__append(&p->items, &p->n, &p->capacity, sizeof(*item));

    if (!item)
        return -ENOMEM;
    *item = *chunk;
    return 0;
}

static uint64_t file_bytes(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static uint64_t last_word_at(const struct listed_chunk *p)
{
    return p->offset + p->size - sizeof(uint64_t);
}

/* Reads the header of the chunk at `at`; without a chunk, the kind is 0. */
static int read_header(struct copier *c, uint64_t at, uint64_t end,
                       struct listed_chunk *out)
{
    struct rln__chunk_header header;
    uint64_t last = 0;
    int result = rln__read_at(c->from, at, &header, sizeof(header), NULL);

    *out = (struct listed_chunk){.offset = at, .size = RLN__CHUNK_ALIGN};
    if (result < 0 || !rln__is_chunk(&header) || header.trace_id != c->trace_id ||
        end - at < sizeof(header))
        return result;
    /* After a run, zeros after its last record are truncated (trim.h). */
    out->size = header.size_bytes < end - at ? header.size_bytes : (end - at) & ~7ull;
    out->kind = header.kind;
    if (header.kind == RLN__CHUNK_EVENTS)
        out->place = at;
    if (!rln__chunk_has_place(header.kind))
        return 0;
    out->place = header.place;
    result = rln__read_at(c->from, last_word_at(out), &last, sizeof(last), NULL);
    if (last != header.place)
        out->kind = 0; /* a process is overwriting it */
    return result;
}

/* Names are copied later, so that they have what all of these use. */
static bool is_of_events(const struct listed_chunk *p)
{
    return p->kind == RLN__CHUNK_EVENTS || rln__chunk_has_place(p->kind);
}

static uint64_t end_of(const struct copier *c)
{
    const uint64_t end = file_bytes(c->from);

    return end < c->part_end ? end : c->part_end;
}

/* All chunks of events, or all others. */
static int list(struct copier *c, bool events, struct chunk_list *out)
{
    const uint64_t end = end_of(c);
    struct listed_chunk chunk;
    int result = 0;

    out->n = 0;
    for (uint64_t at = RLN__SUPERBLOCK_BYTES; at < end && result == 0;
         at += chunk.size) {
        at = rln__next_data(c->from, at, end) / RLN__CHUNK_ALIGN * RLN__CHUNK_ALIGN;
        if (at >= end)
            break;
        result = read_header(c, at, end, &chunk);
        if (result == 0 && chunk.kind && is_of_events(&chunk) == events)
            result = add(out, &chunk);
    }
    return result;
}

static bool same(const struct chunk_list *a, const struct chunk_list *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->items[i].offset != b->items[i].offset ||
            a->items[i].place != b->items[i].place)
            return false;
    return true;
}

/* Chunks that two listings in a row find existed at the same time, because no place is
 * used twice. If a run is too quick for that, a chunk may be missing in the middle of a
 * thread's record, which readers notice. */
static int list_consistently(struct copier *c, struct chunk_list *out)
{
    struct chunk_list again = {NULL, 0, 0};
    int result = list(c, true, out);

    for (int i = 0; i < MOST_LISTINGS && result == 0; i++) {
        const struct chunk_list before = *out;

        result = list(c, true, &again);
        *out = again;
        again = before;
        if (same(out, &again))
            break;
    }
    rln__free(again.items);
    return result;
}

/* The newest first: a thread's oldest chunk is overwritten before its others. */
static int by_place(const void *a, const void *b)
{
    const struct listed_chunk *x = a, *y = b;

    return (x->place < y->place) - (x->place > y->place);
}

/* --- copying ---------------------------------------------------------------------- */

/* The index of the word after the last record that begins before word `end`. */
static size_t end_of_records(const struct copier *c, size_t end, size_t n_words)
{
    size_t at = RLN__CHUNK_HEADER_BYTES / 8;

    while (at < end) {
        const uint32_t n = rln__record_words(c->buffer[at]);

        at += n && n <= n_words - at ? n : 1;
    }
    return at;
}

/* A thread may write to the chunk meanwhile: the copy may have a word and lack words
 * that were stored before it. So the chunk is copied twice, and only records in the
 * first copy count: the second copy has everything between them. */
static int copy_chunk(struct copier *c, const struct listed_chunk *p)
{
    const size_t size = (size_t)p->size;
    const size_t n_words = size / 8 - (rln__chunk_has_place(p->kind) ? 1 : 0);
    size_t end = n_words;
    int result;

    if (p->size > STEP_BYTES) /* a chunk for a single large record */
        return copy_bytes(c, p->offset, p->size);
    result = rln__read_at(c->from, p->offset, c->buffer, size, NULL);
    while (end > 0 && c->buffer[end - 1] == 0)
        end--;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (result == 0)
        result = rln__read_at(c->from, p->offset, c->buffer, size, NULL);
    end = end_of_records(c, end, n_words);
    while (end < n_words)
        c->buffer[end++] = 0;
    return result ? result : rln__write_sparse(c->to, p->offset, c->buffer, size);
}

/* If the chunk was overwritten meanwhile, clears the last word of its copy, so that
 * readers ignore it. */
static int copy_events(struct copier *c, const struct listed_chunk *p,
                       struct rln__copied *out)
{
    const uint64_t none = 0;
    uint64_t last = 0;
    int result = copy_chunk(c, p);

    out->n_chunks++;
    if (result < 0 || !rln__chunk_has_place(p->kind))
        return result;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    result = rln__read_at(c->from, last_word_at(p), &last, sizeof(last), NULL);
    if (result < 0 || last == p->place)
        return result;
    out->n_chunks--;
    out->n_overwritten++;
    return rln__write_at(c->to, last_word_at(p), &none, sizeof(none));
}

/* Switches are written in the order in which they are found, as events are. */
static int copy_other(struct copier *c, const struct listed_chunk *p)
{
    return p->kind == RLN__CHUNK_SWITCHES ? copy_chunk(c, p)
                                          : copy_bytes(c, p->offset, p->size);
}

static int copy_others(struct copier *c, struct chunk_list *chunks, uint32_t kind)
{
    int result = list(c, false, chunks);

    for (size_t i = 0; i < chunks->n && result == 0; i++)
        if ((chunks->items[i].kind == RLN__CHUNK_KEPT) == (kind == RLN__CHUNK_KEPT))
            result = copy_other(c, &chunks->items[i]);
    return result;
}

static int copy_all(struct copier *c, struct chunk_list *chunks,
                    struct rln__copied *out)
{
    int result = list_consistently(c, chunks);

    if (chunks->n)
        qsort(chunks->items, chunks->n, sizeof(*chunks->items), by_place);
    for (size_t i = 0; i < chunks->n && result == 0; i++)
        result = copy_events(c, &chunks->items[i], out);
    if (result == 0)
        result = copy_others(c, chunks, RLN__CHUNK_KEPT);
    if (result == 0)
        result = copy_others(c, chunks, RLN__CHUNK_NAMES);
    if (result == 0) /* traces consist of whole blocks */
        result = ftruncate(c->to, (off_t)file_bytes(c->from)) < 0 ? -errno : 0;
    if (result == 0 && c->part_end < file_bytes(c->from))
        result = copy_bytes(c, c->part_end, file_bytes(c->from) - c->part_end);
    return result ? result : copy_bytes(c, 0, RLN__SUPERBLOCK_BYTES);
}

/* Finds the end of the first of several concatenated traces: only that one can still be
 * written to. */
static uint64_t find_part_end(int fd)
{
    const uint64_t end = file_bytes(fd);
    char magic[8];

    for (uint64_t at = RLN__SUPERBLOCK_BYTES; at < end; at += RLN__BLOCK_ALIGN) {
        at = rln__next_data(fd, at, end) / RLN__BLOCK_ALIGN * RLN__BLOCK_ALIGN;
        if (rln__read_at(fd, at, magic, sizeof(magic), NULL) == 0 &&
            memcmp(magic, RLN__MAGIC, sizeof(magic)) == 0)
            return at;
    }
    return UINT64_MAX;
}

int rln__copy_trace(int from, int to, struct rln__copied *out)
{
    struct copier c = {.from = from, .to = to};
    struct chunk_list chunks = {NULL, 0, 0};
    struct rln__superblock super;
    int is_damaged;
    int result = rln__identity_read(from, 0, &super, &is_damaged);

    *out = (struct rln__copied){0};
    if (result < 0)
        return result;
    if (!rln__identity_is_sound(&super))
        return -ENOENT;
    c.trace_id = super.trace_id;
    c.part_end = find_part_end(from);
    c.buffer = rln__alloc(STEP_BYTES / 8, sizeof(*c.buffer));
    result = c.buffer ? 0 : -ENOMEM;
    for (int i = 0; i < MOST_TRIES && result == 0; i++) {
        *out = (struct rln__copied){0};
        result = ftruncate(to, 0) < 0 ? -errno : copy_all(&c, &chunks, out);
        if (out->n_overwritten <= out->n_chunks / 8)
            break;
    }
    out->n_bytes = file_bytes(to);
    rln__free(c.buffer);
    rln__free(chunks.items);
    return result;
}
