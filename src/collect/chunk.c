/* SPDX-License-Identifier: Apache-2.0 */
/* chunk.c - hands a thread its next piece of the file.
 *
 * Everything here is the cold path: it runs with signals blocked, calls no libc, takes
 * no lock, is no cancellation point. A thread comes here for its first event, after a
 * fork, when its chunk is full, and for each event while there is no room on disk; the
 * last case must be cheap, or a full disk would slow the program down.
 */
#include "collect/chunk.h"

#include "collect/block.h"
#include "collect/intern.h"
#include "collect/lifecycle.h"

#include <sys/prctl.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum {
    LARGEST_CHUNK_BYTES = 1 << 20,
    RECORD_ROOM_BYTES = 4096, /* for the records that open a chunk */
};

/* Where words go that have no room. All threads write it, nobody reads it. */
static uint64_t bucket_words[2];
struct rln__chunk rln__bucket;

static struct rln__taken into_bucket(void)
{
    /* The address is its end, so that a range that is lost has the id 0. */
    __atomic_store_n(&rln__bucket.end, (uintptr_t)bucket_words, __ATOMIC_RELAXED);
    __atomic_store_n(&rln__bucket.base_ticks, rln__now(), __ATOMIC_RELAXED);
    return (struct rln__taken){bucket_words, &rln__bucket};
}

/* What is left of a chunk, negated. */
static uintptr_t *minus_left(struct rln__chunk *c)
{
    return rln__collector.has_counter ? &c->minus_left : &c->slow_minus_left;
}

/* --- the records that open a chunk ------------------------------------------------ */

static void mark_hole(uint64_t *at, size_t n_words)
{
    __atomic_store_n(at, rln__long_word(RLN__HOLE, 0, n_words), __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* Only for callers that have made sure of the room, and whom no handler interrupts. */
static uint64_t *take_blocked(size_t n_bytes)
{
    struct rln__chunk *c = rln__self.chunk;
    uintptr_t *left = minus_left(c);
    uint64_t *at = (uint64_t *)(c->end + *left);

    *left += n_bytes;
    return at;
}

static uint64_t *append(size_t n_words)
{
    uint64_t *at = take_blocked(n_words * 8);

    mark_hole(at, n_words);
    return at;
}

static void put_thread_record(struct rln__thread *t)
{
    uint64_t *at = append(5);
    uint64_t name[2] = {0, 0};

    rln__sys_prctl(PR_GET_NAME, (unsigned long)name);
    at[1] = rln__now();
    at[2] = rln__pair32(t->index, rln__tid(t));
    at[3] = name[0];
    at[4] = name[1];
    rln__put_word(at, rln__long_word(RLN__LONG, RLN__SUB_THREAD, 5));
}

/* The domains in which ranges are open, as {domain, depth} words; their number. */
static size_t open_domains(uint64_t *to, size_t room)
{
    const uint32_t *depth = rln__self.kept->depth;
    const uint32_t n_domains = rln__intern_n_domains();
    size_t n = 0;

    for (uint32_t d = 0; d < n_domains && n < room; d++) {
        if (depth[d])
            to[n++] = rln__pair32(d, depth[d]);
    }
    return n;
}

static void put_depths(enum rln__event_sub sub, uint64_t n_lost)
{
    uint64_t domains[64]; /* small: this may be a signal stack */
    const size_t n = open_domains(domains, RLN_COUNT(domains));
    uint64_t *at;

    if (sub == RLN__SUB_INHERITED && n == 0)
        return;
    at = append(3 + n);
    at[1] = rln__now();
    at[2] = n_lost;
    for (size_t i = 0; i < n; i++)
        at[3 + i] = domains[i];
    rln__put_word(at, rln__long_word(RLN__LONG, sub, 3 + n));
}

/* --- a new chunk ------------------------------------------------------------------ */

static void use_chunk(struct rln__process *p, struct rln__thread *t,
                      const struct rln__cut *cut)
{
    struct rln__chunk *d = &t->descriptors[t->n_descriptors++ % RLN__DESCRIPTORS];
    struct rln__chunk_header header;

    /* Touched at once what the helper has not: page by page it would be more, and in
     * the way of events. Not a thread's first chunk: many threads record little. */
    if (!cut->block->is_populated && t->sequence > 0)
        rln__sys_madvise((void *)cut->address, cut->size, MADV_POPULATE_WRITE);
    rln__chunk_header_now(&header, rln__collector.file.super);
    header.kind = RLN__CHUNK_EVENTS;
    header.size_bytes = (uint32_t)cut->size;
    header.process = p->index;
    header.thread = t->index;
    header.tid = rln__tid(t);
    header.sequence = t->sequence++;
    rln__chunk_begin((void *)cut->address, &header);

    d->end = cut->address + cut->size;
    d->end_id = (cut->offset + cut->size) / 8;
    d->base_ticks = header.base_ticks;
    d->late = header.base_ticks + (1ull << RLN__TICKS_BITS);
    d->minus_left = 0;
    *minus_left(d) = RLN__CHUNK_HEADER_BYTES - cut->size;
    if (t->block)
        rln__block_leave(p, t->block, t->cut_bytes);
    t->block = cut->block;
    t->cut_bytes = cut->size;
    __atomic_store_n(&rln__self.chunk, d, __ATOMIC_RELEASE);
}

/* Moves the thread to a chunk with room for `n_bytes`. 0 if there is none. */
static int next_chunk(struct rln__process *p, struct rln__thread *t, size_t n_bytes)
{
    const uint64_t need = (n_bytes + RECORD_ROOM_BYTES + RLN__CHUNK_ALIGN - 1) &
                          -(uint64_t)RLN__CHUNK_ALIGN;
    struct rln__cut cut;

    if (t->chunk_bytes < RLN__CHUNK_ALIGN)
        t->chunk_bytes = RLN__CHUNK_ALIGN;
    if (!rln__process_has_record(p) ||
        rln__block_cut(p, need, need > t->chunk_bytes ? need : t->chunk_bytes, &cut) <
            0) {
        t->retry_ticks = rln__now() + rln__collector.ticks_per_100_ms;
        return 0;
    }
    use_chunk(p, t, &cut);
    if (t->chunk_bytes < LARGEST_CHUNK_BYTES)
        t->chunk_bytes *= 2;
    return 1;
}

static int fits(size_t n_bytes)
{
    return -(intptr_t)*minus_left(rln__self.chunk) >= (intptr_t)n_bytes;
}

/* What a dead thread left of its chunk; nothing if there was none. Its heir writes
 * there only once it is announced there. */
static struct rln__chunk *inherited_chunk(struct rln__thread *t)
{
    const uint32_t last = (t->n_descriptors - 1) % RLN__DESCRIPTORS;

    return t->n_descriptors ? &t->descriptors[last] : &t->unset;
}

/* The calling thread with room for `n_bytes`, or NULL. What a thread has to say before
 * its next event is said here. */
static struct rln__thread *with_room(size_t n_bytes)
{
    struct rln__process *p = rln__process_ready();
    struct rln__thread *t = p ? rln__thread_ready() : NULL;

    if (!t)
        return NULL;
    if (t->must_announce || t->n_dropped)
        n_bytes += RECORD_ROOM_BYTES / 2;
    if (t->must_announce)
        rln__self.chunk = inherited_chunk(t);
    if (!fits(n_bytes) && !next_chunk(p, t, n_bytes)) {
        if (t->must_announce)
            rln__self.chunk = &t->unset;
        return NULL;
    }
    if (t->must_announce) {
        put_thread_record(t);
        put_depths(RLN__SUB_INHERITED, 0);
        t->must_announce = 0;
    }
    if (t->n_dropped) {
        put_depths(RLN__SUB_GAP, t->n_dropped);
        t->n_dropped = 0;
    }
    return t;
}

/* --- the two ways in -------------------------------------------------------------- */

void rln__count_dropped(void)
{
    struct rln__process *p = rln__collector.process;
    struct rln__process_record *record =
        p ? __atomic_load_n(&p->record, __ATOMIC_ACQUIRE) : NULL;

    rln__add_unsplit(&rln__self.thread->n_dropped, 1);
    if (record)
        __atomic_fetch_add(&record->n_dropped, 1, __ATOMIC_RELAXED);
    else if (rln__collector.file.super)
        __atomic_fetch_add(&rln__collector.file.super->dropped_events, 1,
                           __ATOMIC_RELAXED);
}

/* No room a moment ago: not asked for again before a tenth of a second has passed. */
static int must_wait(void)
{
    const struct rln__thread *t = rln__self.thread;

    return t->retry_ticks && rln__tid(t) && rln__now() < t->retry_ticks;
}

/* Room in a chunk that has it; the bucket if there is none. */
RLN_COLD static struct rln__taken take_anew(size_t n_bytes)
{
    struct rln__taken taken;
    struct rln__thread *t;
    rln__sigmask mask;

    if (must_wait()) {
        rln__count_dropped();
        return into_bucket();
    }
    mask = rln__block_signals();
    t = with_room(n_bytes);
    if (t) {
        taken = (struct rln__taken){take_blocked(n_bytes), rln__self.chunk};
        rln__helper_start(rln__collector.process, mask);
    } else {
        rln__count_dropped();
        taken = into_bucket();
    }
    rln__restore_signals(mask);
    return taken;
}

struct rln__taken rln__take_long(size_t n_words)
{
    struct rln__chunk *c = rln__self.chunk;
    uintptr_t at = n_words * 8;
    struct rln__taken taken;

    if (rln__take_unsplit(minus_left(c), &at))
        taken = take_anew(n_words * 8);
    else
        taken = (struct rln__taken){(uint64_t *)(c->end + at), c};
    if (!rln__is_lost(taken))
        mark_hole(taken.at, n_words);
    return taken;
}

/* The kind of the same event without a value. */
static unsigned plain_kind(unsigned kind)
{
    switch (kind) {
    case RLN__MARK_VALUE:
        return RLN__MARK;
    case RLN__PUSH_VALUE:
        return RLN__PUSH;
    case RLN__START_VALUE:
        return RLN__START;
    default:
        return kind;
    }
}

/* An event with all of its time. Where it went; the bucket without room. */
static struct rln__taken put_late(unsigned kind, uint32_t placed_id, uint64_t value)
{
    const int has_value = rln__has_value(kind);
    const size_t n_words = has_value ? 4 : 3;
    const struct rln__taken taken = rln__take_long(n_words);

    if (rln__is_lost(taken))
        return taken;
    taken.at[1] = rln__now();
    taken.at[2] =
        rln__pair32(plain_kind(kind) | (has_value ? RLN__EVENT_HAS_VALUE << 8 : 0u),
                    placed_id >> RLN__ID_SHIFT);
    if (has_value)
        taken.at[3] = value;
    rln__put_word(taken.at, rln__long_word(RLN__LONG, RLN__SUB_EVENT, n_words));
    return taken;
}

RLN_COLD uint64_t rln__put_slow(struct rln__taken taken, uint32_t what,
                                uint32_t placed_id, uint64_t value)
{
    const unsigned kind = what & 0xff;
    const size_t n_bytes = rln__has_value(kind) ? 16 : 8;
    uint64_t ticks;

    /* Wiped: the process was forked by a handler that interrupted this very call. The
     * room is its parent's, who comes back to it. */
    if (!taken.at || taken.chunk->end == 0)
        taken = take_anew(n_bytes);
    ticks = rln__now() - taken.chunk->base_ticks;
    if (!(ticks >> RLN__TICKS_BITS))
        rln__put_words(taken.at, ticks, kind, placed_id, value);
    else if (!rln__is_lost(taken))
        taken = put_late(kind, placed_id, value);
    return rln__answer(taken, what >> 8, kind);
}
