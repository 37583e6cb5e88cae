/* SPDX-License-Identifier: Apache-2.0 */
/* shared_chunk.c - writes chunks that the threads of a process share: for names, for
 * statements about names, and for deferred events.
 *
 * An atomic add reserves a slot; a thread with a slot beyond the end makes the next
 * chunk. Chunks of names stay mapped until the process ends, because interned text is
 * compared with the copy in them. Other chunks are unlimited in number: each writer
 * retires its record when it is done (rln__block_leave()), and the first one beyond the
 * end retires the rest.
 */
#include "collect/event/shared_chunk.h"

#include "collect/event/block.h"
#include "collect/event/ids.h"

enum { LARGEST_SHARED_BYTES = 1 << 20, MOST_NAMES_BYTES = 64 << 20 };

/* With a ring buffer, all space is bounded. Deferred events have chunks as large as a
 * batch, which other batches could not reuse: the first ones stay. */
static int is_in_bounds(const struct rln__shared *shared, int is_names,
                        uint64_t n_bytes)
{
    const uint64_t bound = rln__collector.ring_bytes;

    return !bound || __atomic_load_n(&shared->n_bytes, __ATOMIC_RELAXED) + n_bytes <=
                         (is_names ? MOST_NAMES_BYTES : bound);
}

/* Retires the header and the unused bytes after `used`. */
static void leave_rest(struct rln__process_context *p, const struct rln__shared *shared,
                       const struct rln__shared_chunk *c, uint64_t used)
{
    if (shared != &p->names && used <= c->size)
        rln__block_leave(p, c->block, c->size - used + RLN__CHUNK_HEADER_BYTES);
}

/* Ensures that no thread reserves more slots in a chunk that is being replaced. */
static void close_chunk(struct rln__process_context *p,
                        const struct rln__shared *shared, struct rln__shared_chunk *c)
{
    leave_rest(p, shared, c,
               __atomic_fetch_add(&c->used, c->size + 1, __ATOMIC_RELAXED));
}

static void fill_in(struct rln__shared_chunk *c, uint32_t number,
                    const struct rln__chunk_extent *extent)
{
    __atomic_store_n(&c->number, number, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&c->begin, extent->address + RLN__CHUNK_HEADER_BYTES,
                     __ATOMIC_RELAXED);
    __atomic_store_n(&c->size, extent->size - RLN__CHUNK_HEADER_BYTES,
                     __ATOMIC_RELAXED);
    __atomic_store_n(&c->block, extent->block, __ATOMIC_RELAXED);
    __atomic_store_n(&c->used, 0, __ATOMIC_RELEASE);
}

/* Replaces `full` by a new chunk. 0 if the file has no space for one. */
static int make_chunk(struct rln__process_context *p, struct rln__shared *shared,
                      struct rln__shared_chunk *full, size_t n_bytes)
{
    const uint32_t n_made = __atomic_load_n(&shared->n_chunks, __ATOMIC_RELAXED);
    const int is_kept = shared == &p->names;
    const uint64_t need = (n_bytes + RLN__CHUNK_HEADER_BYTES + RLN__CHUNK_ALIGN - 1) &
                          -(uint64_t)RLN__CHUNK_ALIGN;
    uint64_t want =
        n_made < 6 ? (uint64_t)RLN__CHUNK_ALIGN << n_made : LARGEST_SHARED_BYTES;
    struct rln__chunk_header header;
    struct rln__shared_chunk *c;
    struct rln__chunk_extent extent;
    uint32_t n;

    if (want < need)
        want = need;
    if ((is_kept && n_made >= RLN__MAX_SHARED_CHUNKS) ||
        !is_in_bounds(shared, shared != &p->deferred, want) ||
        rln__block_extent(p, need, want, &extent) < 0)
        return 0;
    __atomic_fetch_add(&shared->n_bytes, extent.size, __ATOMIC_RELAXED);
    rln__chunk_header_now(&header, &rln__collector.file);
    header.kind = shared == &p->deferred ? RLN__CHUNK_DEFERRED : RLN__CHUNK_NAMES;
    header.size_bytes = (uint32_t)extent.size;
    header.process = p->index;
    header.tid = rln__sys_gettid();
    rln__chunk_begin((void *)extent.address, &header);

    n = __atomic_fetch_add(&shared->n_chunks, 1, __ATOMIC_RELAXED);
    if (is_kept && n >= RLN__MAX_SHARED_CHUNKS)
        return 0;
    c = &shared->chunks[n % RLN__MAX_SHARED_CHUNKS];
    fill_in(c, n, &extent);
    /* A thread that loses the race leaves its chunk empty and uses the winner's. */
    if (!__atomic_compare_exchange_n(&shared->now, &full, c, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        close_chunk(p, shared, c);
    else if (full)
        close_chunk(p, shared, full);
    return 1;
}

static int next_chunk(struct rln__process_context *p, struct rln__shared *shared,
                      struct rln__shared_chunk *full, size_t n_bytes)
{
    int result;

    if (!rln__maker_election_begin(&shared->election, (void *const *)&shared->now,
                                   full))
        return 1; /* another thread has made it */
    result = make_chunk(p, shared, full, n_bytes);
    rln__maker_election_end(&shared->election);
    return result;
}

/* A slot in this chunk; none if it is full, or if its entry was reused meanwhile. In
 * that case the reserved words stay zero. */
static struct rln__shared_room take_of(struct rln__process_context *p,
                                       const struct rln__shared *shared,
                                       struct rln__shared_chunk *c, size_t n_bytes)
{
    const uint32_t number = __atomic_load_n(&c->number, __ATOMIC_ACQUIRE);
    const struct rln__shared_chunk now = {
        .begin = __atomic_load_n(&c->begin, __ATOMIC_RELAXED),
        .size = __atomic_load_n(&c->size, __ATOMIC_RELAXED),
        .block = __atomic_load_n(&c->block, __ATOMIC_RELAXED),
    };
    uint64_t at = __atomic_load_n(&c->used, __ATOMIC_RELAXED);

    if (at + n_bytes > now.size)
        return (struct rln__shared_room){NULL, NULL};
    at = __atomic_fetch_add(&c->used, n_bytes, __ATOMIC_RELAXED);
    /* Pairs with the fence in fill_in(): a thread that saw any new field sees the new
     * number. */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&c->number, __ATOMIC_RELAXED) != number)
        return (struct rln__shared_room){NULL, NULL};
    if (at + n_bytes > now.size) {
        leave_rest(p, shared, &now, at);
        return (struct rln__shared_room){NULL, NULL};
    }
    return (struct rln__shared_room){(uint64_t *)(now.begin + at), now.block};
}

struct rln__shared_room rln__shared_take(struct rln__process_context *p,
                                         struct rln__shared *shared, size_t n_words)
{
    const size_t n_bytes = n_words * 8;

    for (;;) {
        struct rln__shared_chunk *c = __atomic_load_n(&shared->now, __ATOMIC_ACQUIRE);
        const struct rln__shared_room none = {NULL, NULL};
        const struct rln__shared_room room = c ? take_of(p, shared, c, n_bytes) : none;

        if (room.at) {
            rln__names_put(room.at, 0, n_words);
            return room;
        }
        /* After a failure, no retry for 100 ms, or a full disk would slow the program
         * down. */
        if (rln__now() < __atomic_load_n(&shared->retry_ticks, __ATOMIC_RELAXED))
            return none;
        if (!next_chunk(p, shared, c, n_bytes)) {
            __atomic_store_n(&shared->retry_ticks,
                             rln__now() + rln__collector.ticks_per_100_ms,
                             __ATOMIC_RELAXED);
            return none;
        }
    }
}

void rln__shared_give_back(struct rln__shared *shared, uint64_t *at, size_t n_words)
{
    struct rln__shared_chunk *c = __atomic_load_n(&shared->now, __ATOMIC_ACQUIRE);
    const uint64_t from = (uintptr_t)at - c->begin;
    uint64_t to = from + n_words * 8;

    if (!n_words || (from < c->size &&
                     __atomic_compare_exchange_n(&c->used, &to, from, 0,
                                                 __ATOMIC_RELEASE, __ATOMIC_RELAXED)))
        return;
    rln__names_put(at, 0, n_words);
}

void rln__names_put(uint64_t *at, unsigned sub, size_t n_words)
{
    const unsigned kind = sub ? RLN__LONG : RLN__HOLE;

    __atomic_store_n(at, rln__long_word(kind, sub, n_words), __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static char *put_bytes(char *to, const char *from, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        to[i] = from[i];
    return to + n_bytes;
}

/* Writes bytes, preceded by an id from the strings' numbering. */
static const char *put_text(struct rln__process_context *p, enum rln__name_sub sub,
                            const char *text, size_t n_bytes, size_t length)
{
    const size_t n_words = 2 + (n_bytes + 7) / 8;
    uint64_t *at = rln__names_take(p, n_words);

    if (!at)
        return NULL;
    at[1] = rln__pair32(rln__next_string_id(), length);
    put_bytes((char *)(at + 2), text, n_bytes);
    rln__names_put(at, sub, n_words);
    return (const char *)(at + 2);
}

const char *rln__names_append_string(struct rln__process_context *p, const char *text,
                                     size_t n_bytes)
{
    return put_text(p, RLN__SUB_STRING, text, n_bytes, n_bytes);
}

const char *rln__names_semantics(struct rln__process_context *p, const char *words,
                                 size_t n_bytes)
{
    return put_text(p, RLN__SUB_SEMANTICS, words, n_bytes, 0);
}

void rln__names_note(struct rln__process_context *p, const char *key, const char *value,
                     size_t n_bytes)
{
    size_t key_bytes = 0, n_words;
    uint64_t *at;

    while (key[key_bytes])
        key_bytes++;
    n_words = 2 + (key_bytes + n_bytes + 7) / 8;
    at = rln__names_take(p, n_words);
    if (!at)
        return;
    at[1] = rln__pair32(key_bytes, n_bytes);
    put_bytes(put_bytes((char *)(at + 2), key, key_bytes), value, n_bytes);
    rln__names_put(at, RLN__SUB_NOTE, n_words);
}
