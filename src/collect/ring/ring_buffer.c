/* SPDX-License-Identifier: Apache-2.0 */
/* ring_buffer.c - chooses the chunk that a thread overwrites next. Compare-and-swap on
 * the time at which a chunk was filled claims it; a thread that loses the race searches
 * again.
 *
 * When a chunk is reused, its last word is cleared first, then everything else except
 * the header's size and magic: readers always find its end, and never mix up old and
 * new content.
 */
#include "collect/ring/ring_buffer.h"

#include "collect/event/intern.h"
#include "collect/ring/open_range_carry.h"
#include "collect/ring/unpaired_records.h"

enum {
    MANY_CHUNKS = 4096, /* the search for the oldest visits all */
    LARGEST_BYTES = 1 << 20,
    ROOM_FOR_THREADS = 8192,
    LATE_TURNS = RLN__DESCRIPTORS, /* chunks that one handler can fill */
    UNSETTLED = 1,                 /* the lowest bit of `filled` */
};

struct pool_chunk {
    struct rln__chunk_extent extent;
    struct rln__thread_context *owner; /* the thread that wrote it last */
    uint64_t place;
    uint32_t sequence; /* the owner's, when the chunk was full */
    uint32_t has_pairs;
};

struct rln__pool {
    uint32_t most;        /* chunks, unless threads need more */
    uint32_t n_room;      /* capacity in entries */
    uint32_t n_made;      /* atomic: entries in use */
    uint32_t n_written;   /* atomic: those that a thread is writing */
    uint32_t hand;        /* atomic: the owner to be checked next */
    uint64_t retry_ticks; /* atomic: after a failure, no retry before this time */
    struct pool_chunk *chunks;
    uint64_t *filled; /* atomic: ticks of the newest event; 0: being written, or none */
};

/* --- sizes ------------------------------------------------------------------------ */

void rln__ring_buffer_limit(struct rln__collector *c)
{
    c->ring_bytes = c->file.super->ring.buffer_bytes;
    if (!c->ring_bytes)
        return;
    rln__limit_texts(RLN__LONGEST_RING_RECORD_BYTES / 2);
    c->config.has_helper = 0;
    if (c->config.payload_bytes > RLN__LONGEST_RING_RECORD_BYTES / 2)
        c->config.payload_bytes = RLN__LONGEST_RING_RECORD_BYTES / 2;
}

static uint64_t chunk_bytes(void)
{
    uint64_t n_bytes = RLN__RING_CHUNK_BYTES;

    while (n_bytes < LARGEST_BYTES && rln__collector.ring_bytes / n_bytes > MANY_CHUNKS)
        n_bytes *= 2;
    return n_bytes;
}

static struct rln__pool *make_pool(void)
{
    const uint64_t most = rln__collector.ring_bytes / chunk_bytes();
    const uint32_t n_room =
        (uint32_t)(most < 1u << 24 ? most : 1u << 24) + ROOM_FOR_THREADS;
    const size_t n_bytes = sizeof(struct rln__pool) +
                           n_room * (sizeof(struct pool_chunk) + sizeof(uint64_t));
    struct rln__pool *pool = rln__sys_zeros((n_bytes + 65535) & ~(size_t)65535);

    if (!pool)
        return NULL;
    pool->most = n_room - ROOM_FOR_THREADS;
    pool->n_room = n_room;
    pool->filled = (uint64_t *)(void *)(pool + 1);
    pool->chunks = (struct pool_chunk *)(void *)(pool->filled + n_room);
    return pool;
}

/* A forked child has no pool and makes its own. */
static struct rln__pool *pool_of(struct rln__process_context *p)
{
    struct rln__pool *pool = __atomic_load_n(&p->pool, __ATOMIC_ACQUIRE);
    struct rln__pool *fresh;

    if (pool)
        return pool;
    fresh = make_pool();
    if (!fresh || __atomic_compare_exchange_n(&p->pool, &pool, fresh, 0,
                                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return fresh;
    return pool; /* another thread was faster; `fresh` is never touched */
}

/* --- a new chunk ------------------------------------------------------------------ */

static uint32_t most_now(const struct rln__pool *pool,
                         const struct rln__thread_context *t)
{
    const uint32_t n_written = __atomic_load_n(&pool->n_written, __ATOMIC_RELAXED);
    const uint32_t needed = 2 * (n_written + (t->ring_chunk == 0));

    return needed < pool->most     ? pool->most
           : needed < pool->n_room ? needed
                                   : pool->n_room;
}

/* Returns the index of a new entry, less than `most`; UINT32_MAX if all are in use. */
static uint32_t new_entry(struct rln__pool *pool, uint32_t most)
{
    uint32_t n = __atomic_load_n(&pool->n_made, __ATOMIC_RELAXED);

    do {
        if (n >= most)
            return UINT32_MAX;
    } while (!__atomic_compare_exchange_n(&pool->n_made, &n, n + 1, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return n;
}

/* The index of a new chunk; UINT32_MAX if the pool or the disk is full. */
static uint32_t make_chunk(struct rln__process_context *p, struct rln__pool *pool,
                           uint32_t most)
{
    struct rln__chunk_extent extent;
    uint32_t at, n;

    if (rln__now() < __atomic_load_n(&pool->retry_ticks, __ATOMIC_RELAXED))
        return UINT32_MAX;
    at = new_entry(pool, most);
    if (at == UINT32_MAX)
        return at;
    if (rln__block_extent(p, RLN__LEAST_CHUNK_BYTES, chunk_bytes(), &extent) < 0) {
        n = at + 1; /* return the entry, if it is still the last one */
        __atomic_compare_exchange_n(&pool->n_made, &n, at, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
        __atomic_store_n(&pool->retry_ticks,
                         rln__now() + rln__collector.ticks_per_100_ms,
                         __ATOMIC_RELAXED);
        return UINT32_MAX;
    }
    pool->chunks[at].extent = extent;
    return at;
}

/* --- reusing a chunk -------------------------------------------------------------- */

/* Whether an interrupted call may still store into the chunk: its thread has used fewer
 * than LATE_TURNS chunks since. The sequence of a structure restarts when its thread
 * ends or changes. */
static int may_be_stored_to(const struct pool_chunk *c)
{
    const struct rln__thread_context *owner =
        __atomic_load_n(&c->owner, __ATOMIC_RELAXED);
    const uint32_t n_now = __atomic_load_n(&owner->sequence, __ATOMIC_RELAXED);

    return n_now - __atomic_load_n(&c->sequence, __ATOMIC_RELAXED) < LATE_TURNS;
}

/* The index of the chunk with the oldest last event, among settled ones if there are
 * any. */
static uint32_t find_oldest(struct rln__pool *pool, uint64_t *filled)
{
    const uint32_t n_made = __atomic_load_n(&pool->n_made, __ATOMIC_ACQUIRE);
    uint32_t oldest[2] = {UINT32_MAX, UINT32_MAX};
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX};
    int which;

    for (uint32_t i = 0; i < n_made; i++) {
        const uint64_t at = __atomic_load_n(&pool->filled[i], __ATOMIC_ACQUIRE);

        if (at == 0 || (at >= least[0] && at >= least[1]))
            continue;
        which = at & UNSETTLED && may_be_stored_to(&pool->chunks[i]);
        if (at >= least[which])
            continue;
        least[which] = at;
        oldest[which] = i;
    }
    which = oldest[0] == UINT32_MAX;
    *filled = least[which];
    return oldest[which];
}

static void note_overwritten(struct rln__process_context *p, uint64_t filled)
{
    struct rln__process_record *record = __atomic_load_n(&p->record, __ATOMIC_ACQUIRE);
    uint64_t since;

    if (!record)
        return;
    __atomic_fetch_add(&record->n_overwritten, 1, __ATOMIC_RELAXED);
    since = __atomic_load_n(&record->whole_since, __ATOMIC_RELAXED);
    while (since < filled &&
           !__atomic_compare_exchange_n(&record->whole_since, &since, filled, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void fill_with_zeros(uint64_t *to, size_t n_words)
{
#if defined(__x86_64__)
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(n_words) : "a"(0ull) : "memory");
#else
    for (size_t i = 0; i < n_words; i++)
        ((volatile uint64_t *)to)[i] = 0;
#endif
}

static uint64_t *last_word(const struct rln__chunk_extent *extent)
{
    return (uint64_t *)(extent->address + extent->size) - 1;
}

/* Makes the chunk invalid for readers. Keeps its starts and ends before that: readers
 * may find one twice, and recognize it by its place. */
static void invalidate(struct rln__process_context *p, const struct pool_chunk *c,
                       uint64_t filled)
{
    if (c->has_pairs)
        rln__unpaired_records_keep(p, &c->extent, c->place);
    note_overwritten(p, filled & ~(uint64_t)UNSETTLED);
    __atomic_store_n(last_word(&c->extent), 0, __ATOMIC_RELAXED);
    /* Later stores follow this one, for readers that check the last word again. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static void wipe(const struct rln__chunk_extent *extent)
{
    fill_with_zeros((uint64_t *)(extent->address + RLN__CHUNK_HEADER_BYTES),
                    (extent->size - RLN__CHUNK_HEADER_BYTES) / 8 - 1);
}

static uint32_t reuse_chunk(struct rln__process_context *p, struct rln__pool *pool)
{
    uint64_t filled;
    uint32_t at;

    do
        at = find_oldest(pool, &filled);
    while (at != UINT32_MAX &&
           !__atomic_compare_exchange_n(&pool->filled[at], &filled, 0, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    if (at != UINT32_MAX)
        invalidate(p, &pool->chunks[at], filled);
    return at;
}

/* --- chunks of ended threads ------------------------------------------------------ */

static void release(struct rln__pool *pool, uint32_t at, const struct rln__found *found)
{
    struct pool_chunk *c = &pool->chunks[at];

    c->has_pairs = found->has_pairs;
    __atomic_store_n(&c->sequence,
                     __atomic_load_n(&c->owner->sequence, __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
    __atomic_fetch_sub(&pool->n_written, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&pool->filled[at],
                     (found->last_ticks & ~(uint64_t)UNSETTLED) |
                         (found->has_gaps ? UNSETTLED : 0u),
                     __ATOMIC_RELEASE);
}

/* Checks the owners of a few chunks, and releases the chunks of threads that have
 * ended. New threads can use their structures, without a chunk. */
static void release_ended(struct rln__process_context *p, struct rln__pool *pool,
                          uint32_t n_checks)
{
    const uint32_t n_made = __atomic_load_n(&pool->n_made, __ATOMIC_ACQUIRE);

    for (uint32_t i = 0; i < n_checks && i < n_made; i++) {
        const uint32_t at =
            __atomic_fetch_add(&pool->hand, 1, __ATOMIC_RELAXED) % n_made;
        struct rln__thread_context *owner =
            __atomic_load_n(&pool->chunks[at].owner, __ATOMIC_ACQUIRE);
        struct rln__found found;
        uint32_t tid;

        if (!owner || __atomic_load_n(&pool->filled[at], __ATOMIC_RELAXED))
            continue;
        tid = rln__thread_claim_dead(p, owner);
        if (!tid)
            continue;
        if (owner->ring_chunk == at + 1) {
            rln__open_range_carry_find(&pool->chunks[at].extent, NULL, &found);
            found.has_gaps = 0; /* the thread that left them is gone */
            owner->ring_chunk = 0;
            owner->n_descriptors = 0;
            release(pool, at, &found);
        }
        rln__thread_unclaim(owner, tid);
    }
}

/* --- the interface ---------------------------------------------------------------- */

static uint32_t choose(struct rln__process_context *p, struct rln__pool *pool,
                       const struct rln__thread_context *t)
{
    uint32_t at;

    release_ended(p, pool, 1);
    at = make_chunk(p, pool, most_now(pool, t));
    if (at == UINT32_MAX)
        at = reuse_chunk(p, pool);
    if (at != UINT32_MAX)
        return at;
    /* All chunks are being written, and the disk is full: some threads may have ended.
     */
    release_ended(p, pool, pool->n_room);
    return reuse_chunk(p, pool);
}

/* Serialized: a thread that is interrupted while it searches might claim a chunk that
 * is no longer the oldest, while older ones stay valid; then a thread's history would
 * have a hole in the middle. */
static uint32_t take(struct rln__process_context *p, struct rln__pool *pool,
                     const struct rln__thread_context *t)
{
    uint32_t at;

    (void)rln__maker_election_begin(&p->pool_election, (void *const *)&p->pool, pool);
    at = choose(p, pool, t);
    rln__maker_election_end(&p->pool_election);
    if (at != UINT32_MAX && pool->chunks[at].place)
        wipe(&pool->chunks[at].extent);
    return at;
}

int rln__ring_buffer_take(struct rln__process_context *p, struct rln__thread_context *t,
                          struct rln__ring_buffer_chunk *out)
{
    struct rln__pool *pool = pool_of(p);
    const uint32_t at = pool ? take(p, pool, t) : UINT32_MAX;

    if (at == UINT32_MAX)
        return 0;
    out->extent = pool->chunks[at].extent;
    out->number = at + 1;
    out->place =
        rln__file_next_place(&rln__collector.file, out->extent.size / 8, t->place);
    return 1;
}

void rln__ring_buffer_begin(const struct rln__ring_buffer_chunk *chunk)
{
    /* Pairs with the acquire of readers: they may read everything written so far. */
    __atomic_store_n(last_word(&chunk->extent), chunk->place, __ATOMIC_RELEASE);
}

void rln__ring_buffer_own(struct rln__process_context *p, struct rln__thread_context *t,
                          const struct rln__ring_buffer_chunk *chunk)
{
    struct rln__pool *pool = pool_of(p);
    struct pool_chunk *c = &pool->chunks[chunk->number - 1];

    c->place = chunk->place;
    t->ring_chunk = chunk->number;
    t->place = chunk->place;
    __atomic_store_n(&c->owner, t, __ATOMIC_RELEASE);
    __atomic_fetch_add(&pool->n_written, 1, __ATOMIC_RELAXED);
}

void rln__ring_buffer_leave(struct rln__process_context *p, uint32_t number,
                            const struct rln__found *found)
{
    release(pool_of(p), number - 1, found);
}

struct rln__chunk_extent rln__ring_buffer_at(struct rln__process_context *p,
                                             uint32_t number)
{
    return pool_of(p)->chunks[number - 1].extent;
}
