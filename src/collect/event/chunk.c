/* SPDX-License-Identifier: Apache-2.0 */
/* chunk.c - moves a thread to its next chunk.
 *
 * Everything here is the cold path: it runs with signals blocked, calls no libc, takes
 * no lock, and is no cancellation point. A thread comes here for its first event, after
 * a fork, when its chunk is full, and for each event while the disk is full; the last
 * case must be cheap, or a full disk would slow the program down.
 */
#include "collect/event/chunk.h"

#include "collect/capture/excluded_pushes.h"
#include "collect/capture/unrecorded_names.h"
#include "collect/event/helper.h"
#include "collect/event/intern.h"
#include "collect/event/overload.h"
#include "collect/process/process.h"
#include "collect/ring/open_range_carry.h"

#include <sys/prctl.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum {
    LARGEST_CHUNK_BYTES = 1 << 20,
    RECORD_ROOM_BYTES = 4096, /* for the first records of a chunk */
};

/* A dummy chunk for dropped words. All threads write to it, and none reads it. */
static uint64_t bucket_words[2];
struct rln__chunk_cursor rln__bucket;

static struct rln__reserved_slot into_bucket(void)
{
    /* `end` is the address of its words, so that a dropped range gets the id 0. */
    __atomic_store_n(&rln__bucket.end, (uintptr_t)bucket_words, __ATOMIC_RELAXED);
    __atomic_store_n(&rln__bucket.base_ticks, rln__now(), __ATOMIC_RELAXED);
    return (struct rln__reserved_slot){bucket_words, &rln__bucket};
}

/* The bytes left in a chunk, negated. */
static uintptr_t *minus_left(struct rln__chunk_cursor *c)
{
    return rln__collector.has_counter ? &c->minus_left : &c->slow_minus_left;
}

/* --- the first records of a chunk ------------------------------------------------- */

static void mark_hole(uint64_t *at, size_t n_words)
{
    __atomic_store_n(at, rln__long_word(RLN__HOLE, 0, n_words), __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* The caller has checked that the chunk has space, and has blocked signals. */
static uint64_t *reserve_blocked(size_t n_bytes)
{
    struct rln__chunk_cursor *c = rln__own_chunk();
    uintptr_t *left = minus_left(c);
    uint64_t *at = (uint64_t *)(c->end + *left);

    *left += n_bytes;
    return at;
}

static uint64_t *append(size_t n_words)
{
    uint64_t *at = reserve_blocked(n_words * 8);

    mark_hole(at, n_words);
    return at;
}

static void put_thread_record(struct rln__thread_context *t)
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

/* The number of the domain's open ranges that are unrecorded; "resumed" lists them
 * later. (Excluded ranges are never recorded.) */
static uint32_t unrecorded_in(uint32_t domain)
{
    const uint32_t n = rln__n_unrecorded(rln__own_thread());
    uint32_t n_here = 0;

    for (uint32_t i = 0; i < n; i++)
        n_here += (uint32_t)rln__own_kept()->unrecorded[i] == domain;
    return n_here;
}

/* Writes the domains in which ranges are open, as {domain, depth} words; returns their
 * number. */
static size_t open_domains(uint64_t *to, size_t room)
{
    const uint32_t *depth = rln__own_kept()->depth;
    const uint32_t n_domains = rln__intern_n_domains();
    size_t n = 0;

    for (uint32_t d = 0; d < n_domains && n < room; d++) {
        const uint32_t n_open =
            depth[d] ? depth[d] - unrecorded_in(d) - rln__excluded_pushes_in(d) : 0;

        if (n_open)
            to[n++] = rln__pair32(d, n_open);
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

static void fill_header(struct rln__chunk_header *header,
                        const struct rln__process_context *p,
                        struct rln__thread_context *t,
                        const struct rln__chunk_extent *extent)
{
    const uint32_t n_before = t->sequence;

    /* Populates all pages at once if the helper has not: page faults would cost more
     * and delay events. Not for a thread's first chunk, because many threads record
     * little. */
    if (!extent->block->is_populated && n_before > 0)
        rln__sys_madvise((void *)extent->address, extent->size, MADV_POPULATE_WRITE);
    rln__chunk_header_now(header, &rln__collector.file);
    header->kind = RLN__CHUNK_EVENTS;
    header->size_bytes = (uint32_t)extent->size;
    header->process = p->index;
    header->thread = t->index;
    header->tid = rln__tid(t);
    header->sequence = n_before;
    __atomic_store_n(&t->sequence, n_before + 1, __ATOMIC_RELAXED);
}

/* Makes the thread write to the extent from now on: `size` bytes, header included.
 * `end_id` is the id that a start right after them would have. */
static void describe(struct rln__thread_context *t,
                     const struct rln__chunk_extent *extent, uint64_t size,
                     uint64_t base_ticks, uint64_t end_id)
{
    struct rln__chunk_cursor *d =
        &t->descriptors[t->n_descriptors++ % RLN__DESCRIPTORS];

    d->end = extent->address + size;
    d->end_id = end_id;
    d->base_ticks = base_ticks;
    d->late = base_ticks + (1ull << RLN__TICKS_BITS);
    d->minus_left = 0;
    *minus_left(d) = RLN__CHUNK_HEADER_BYTES - size;
    rln__use_chunk(d);
}

static void use_chunk(struct rln__process_context *p, struct rln__thread_context *t,
                      const struct rln__chunk_extent *extent)
{
    struct rln__chunk_header header;

    fill_header(&header, p, t, extent);
    rln__chunk_begin((void *)extent->address, &header);
    describe(t, extent, extent->size, header.base_ticks,
             (extent->offset + extent->size) / 8);
    if (t->block)
        rln__block_leave(p, t->block, t->extent_bytes);
    t->block = extent->block;
    t->extent_bytes = extent->size;
}

/* --- a chunk of a ring buffer ----------------------------------------------------- */

static void use_ring_chunk(struct rln__process_context *p,
                           struct rln__thread_context *t,
                           const struct rln__ring_buffer_chunk *chunk)
{
    const uint64_t size =
        chunk->extent.size - sizeof(uint64_t); /* without the last word */
    struct rln__chunk_header *there = (void *)chunk->extent.address;
    struct rln__chunk_header header;

    fill_header(&header, p, t, &chunk->extent);
    header.kind = RLN__CHUNK_RING;
    header.place = chunk->place;
    /* Readers must find the end of a reused chunk at any time. */
    if (there->magic == RLN__CHUNK_MAGIC)
        *there = header;
    else
        rln__chunk_begin(there, &header);
    describe(t, &chunk->extent, size, header.base_ticks, chunk->place + size / 8);
}

/* The domains in which more ranges are open than are carried. */
static size_t domains_below(struct rln__carried *carried)
{
    uint64_t *to = carried->below;
    const size_t n_open = open_domains(to, RLN_COUNT(carried->below));
    size_t n = 0;

    for (size_t i = 0; i < n_open; i++) {
        const uint32_t domain = (uint32_t)to[i];
        const uint64_t n_carried = rln__open_range_carry_in(carried, domain);

        if (to[i] >> 32 > n_carried)
            to[n++] = rln__pair32(domain, (to[i] >> 32) - n_carried);
    }
    return n;
}

static void put_continued(uint64_t place_before, const struct rln__chunk_extent *before,
                          struct rln__carried *carried)
{
    const size_t n_ranges = rln__open_range_carry_words(before, carried);
    const size_t n = domains_below(carried);
    const size_t n_words = RLN__CONTINUED_WORDS + n + n_ranges;
    uint64_t *at = append(n_words);

    at[1] = rln__now();
    at[2] = place_before;
    at[3] = at[4] = 0;
    rln__sys_prctl(PR_GET_NAME, (unsigned long)&at[3]);
    at[5] = n;
    for (size_t i = 0; i < n; i++)
        at[RLN__CONTINUED_WORDS + i] = carried->below[i];
    rln__open_range_carry_put(at + RLN__CONTINUED_WORDS + n, before, carried);
    rln__put_word(at, rln__long_word(RLN__LONG, RLN__SUB_CONTINUED, n_words));
}

/* Makes the chunk full for good: a call that was interrupted before it reserved a slot
 * finds none. Returns how many of the `size` bytes are reserved; the failed reservation
 * of `n_bytes` has been counted, too. */
static uint64_t close_chunk(struct rln__chunk_cursor *c, uint64_t size, size_t n_bytes)
{
    const intptr_t left = (intptr_t)rln__signal_atomic_add(minus_left(c), size);

    return size + (uint64_t)left - (left > 0 ? n_bytes : 0);
}

/* Whether bytes were reserved after the last record. A payload's record may have been
 * tried twice. */
static int has_gap_at_end(const struct rln__found *found, uint64_t given,
                          size_t n_bytes)
{
    return found->end_bytes != given &&
           !(n_bytes > 16 && found->end_bytes == given - n_bytes);
}

/* Called when the chunk has no space for `n_bytes`. */
static __attribute__((noinline)) int next_ring_chunk(struct rln__process_context *p,
                                                     struct rln__thread_context *t,
                                                     size_t n_bytes)
{
    const uint32_t left = t->ring_chunk;
    const uint64_t place_before = t->place;
    struct rln__carried *carried = &rln__own_kept()->carried;
    struct rln__ring_buffer_chunk chunk;
    struct rln__found found;
    struct rln__chunk_extent before;
    uint64_t given;

    if (!rln__ring_buffer_take(p, t, &chunk))
        return 0;
    if (left) {
        before = rln__ring_buffer_at(p, left);
        given = close_chunk(rln__own_chunk(), before.size - sizeof(uint64_t), n_bytes);
        rln__open_range_carry_find(&before, carried, &found);
        found.has_gaps |= (uint32_t)has_gap_at_end(&found, given, n_bytes);
    }
    use_ring_chunk(p, t, &chunk);
    if (left && !t->must_announce)
        put_continued(place_before, &before, carried);
    rln__ring_buffer_begin(&chunk);
    rln__ring_buffer_own(p, t, &chunk);
    if (left)
        rln__ring_buffer_leave(p, left, &found);
    return 1;
}

/* Lists unrecorded ranges before anything is recorded again, but not while only pops
 * are recorded. What counts is whether a window was open when the gate judged the
 * event, not whether one is open now. */
static void put_resumed(struct rln__thread_context *t)
{
    const uint32_t n = rln__n_unrecorded(t);
    uint64_t *at;

    if (n == 0 || (t->keeps_unrecorded && rln__gate() & RLN__GATE_CLOSED))
        return;
    at = append(3 + n);
    at[1] = rln__now();
    at[2] = 0;
    for (uint32_t i = 0; i < n; i++)
        at[3 + i] = rln__unrecorded_range(i);
    rln__put_word(at, rln__long_word(RLN__LONG, RLN__SUB_RESUMED, 3 + n));
    __atomic_store_n(&t->n_unrecorded, 0, __ATOMIC_RELAXED);
}

static int next_unbounded(struct rln__process_context *p, struct rln__thread_context *t,
                          size_t n_bytes)
{
    const uint64_t need = (n_bytes + RECORD_ROOM_BYTES + RLN__CHUNK_ALIGN - 1) &
                          -(uint64_t)RLN__CHUNK_ALIGN;
    struct rln__chunk_extent extent;
    uint64_t want;

    if (t->chunk_bytes < RLN__CHUNK_ALIGN)
        t->chunk_bytes = RLN__CHUNK_ALIGN;
    want = need > t->chunk_bytes ? need : t->chunk_bytes;
    if ((rln__drops_on_overload() ? rln__block_extent_ready(p, need, want, &extent)
                                  : rln__block_extent(p, need, want, &extent)) < 0)
        return 0;
    use_chunk(p, t, &extent);
    if (t->chunk_bytes < LARGEST_CHUNK_BYTES)
        t->chunk_bytes *= 2;
    return 1;
}

/* Moves the thread to a chunk with space for `n_bytes`, which include an event of
 * `n_wanted` bytes. 0 if there is none. */
static int next_chunk(struct rln__process_context *p, struct rln__thread_context *t,
                      size_t n_bytes, size_t n_wanted)
{
    if (rln__process_has_record(p) &&
        (rln__is_bounded() ? next_ring_chunk(p, t, n_wanted)
                           : next_unbounded(p, t, n_bytes))) {
        t->retry_ticks = 0;
        rln__overload_ends(p);
        return 1;
    }
    /* The helper makes a block sooner than a full disk gets space. */
    t->retry_ticks = rln__now() + rln__collector.ticks_per_100_ms /
                                      (rln__drops_on_overload() ? 1000 : 1);
    return 0;
}

static int fits(size_t n_bytes)
{
    return -(intptr_t)*minus_left(rln__own_chunk()) >= (intptr_t)n_bytes;
}

/* The unfinished chunk of the dead thread that had this structure before; the empty one
 * if it had none. The new owner writes there only after its thread record. */
static struct rln__chunk_cursor *inherited_chunk(struct rln__thread_context *t)
{
    const uint32_t last = (t->n_descriptors - 1) % RLN__DESCRIPTORS;

    return t->n_descriptors ? &t->descriptors[last] : &t->unset;
}

/* The calling thread with space for `n_bytes` in its chunk, or NULL. Writes the records
 * that must precede the thread's next event. */
static struct rln__thread_context *with_room(size_t n_bytes)
{
    struct rln__process_context *p = rln__process_ready();
    struct rln__thread_context *t = p ? rln__thread_ready() : NULL;
    const size_t n_wanted = n_bytes;

    if (!t)
        return NULL;
    if (t->must_announce)
        rln__process_note_title(p);
    if (t->must_announce || t->n_dropped)
        n_bytes += RECORD_ROOM_BYTES / 2;
    if (rln__n_unrecorded(t))
        n_bytes += (3 + rln__n_unrecorded(t)) * sizeof(uint64_t);
    if (rln__own_chunk() == &t->unset)
        rln__use_chunk(inherited_chunk(t));
    if (!fits(n_bytes) && !next_chunk(p, t, n_bytes, n_wanted)) {
        if (t->must_announce)
            rln__use_chunk(&t->unset);
        return NULL;
    }
    if (t->must_announce) {
        put_thread_record(t);
        if (rln__is_bounded())
            rln__count(n_threads, 1);
        if (p->parent) /* otherwise the gap record has the open ranges */
            put_depths(RLN__SUB_INHERITED, 0);
        t->must_announce = 0;
    }
    if (t->n_dropped) {
        put_depths(RLN__SUB_GAP, t->n_dropped);
        t->n_dropped = 0;
    }
    return t;
}

/* Forgets unrecorded ranges when an event is dropped: the gap record counts them. */
static void drop_unrecorded(void)
{
    struct rln__thread_context *t = rln__own_thread();

    if (rln__n_unrecorded(t) &&
        !(t->keeps_unrecorded && rln__gate() & RLN__GATE_CLOSED))
        __atomic_store_n(&t->n_unrecorded, 0, __ATOMIC_RELAXED);
}

/* Makes each event take the cold path while there are unrecorded ranges. */
static void park_if_unrecorded(struct rln__thread_context *t)
{
    if (rln__n_unrecorded(t))
        rln__use_chunk(&t->unset);
}

/* --- the entry points ------------------------------------------------------------- */

void rln__count_dropped(void)
{
    struct rln__process_context *p = rln__collector.process;
    struct rln__process_record *record =
        p ? __atomic_load_n(&p->record, __ATOMIC_ACQUIRE) : NULL;

    rln__signal_atomic_add(&rln__own_thread()->n_dropped, 1);
    if (record)
        __atomic_fetch_add(&record->n_dropped, 1, __ATOMIC_RELAXED);
    else if (rln__collector.file.super)
        __atomic_fetch_add(&rln__collector.file.super->dropped_events, 1,
                           __ATOMIC_RELAXED);
}

/* After a failure, no retry for 100 ms. */
static int must_wait(void)
{
    const struct rln__thread_context *t = rln__own_thread();

    if (!rln__tid(t))
        return rln__threads_must_wait();
    return t->retry_ticks && rln__now() < t->retry_ticks;
}

/* Whether a record is too long for a ring buffer's chunk. The next event writes the gap
 * record. */
static int is_too_long(size_t n_bytes)
{
    if (!rln__is_bounded() || n_bytes <= RLN__LONGEST_RING_RECORD_BYTES)
        return 0;
    if (rln__tid(rln__own_thread()))
        rln__use_chunk(&rln__own_thread()->unset);
    return 1;
}

/* A slot in the current chunk or a new one; the bucket if there is none. */
RLN_COLD static struct rln__reserved_slot reserve_slow(size_t n_bytes)
{
    struct rln__reserved_slot slot;
    struct rln__thread_context *t;
    rln__sigmask mask;

    if (must_wait() || is_too_long(n_bytes)) {
        drop_unrecorded();
        rln__count_dropped();
        return into_bucket();
    }
    mask = rln__block_signals();
    do
        t = with_room(n_bytes);
    while (!t && rln__overload_wait(mask));
    if (t) {
        put_resumed(t);
        slot = (struct rln__reserved_slot){reserve_blocked(n_bytes), rln__own_chunk()};
        park_if_unrecorded(t);
        rln__helper_start(rln__collector.process, mask);
    } else {
        drop_unrecorded();
        rln__count_dropped();
        slot = into_bucket();
        if (rln__drops_on_overload() && rln__collector.process)
            rln__helper_start(rln__collector.process, mask);
    }
    rln__restore_signals(mask);
    return slot;
}

uint32_t rln__thread_announced(void)
{
    struct rln__thread_context *t = rln__own_thread();
    rln__sigmask mask;

    if (RLN_LIKELY(rln__tid(t) != 0 && !t->must_announce))
        return t->index;
    if (must_wait())
        return 0;
    mask = rln__block_signals();
    t = with_room(8);
    if (t)
        park_if_unrecorded(t);
    rln__restore_signals(mask);
    return t ? t->index : 0;
}

/* The same, with the fast path first. */
static struct rln__reserved_slot take(size_t n_bytes)
{
    struct rln__chunk_cursor *c = rln__own_chunk();
    uintptr_t at = n_bytes, end;

    if (!rln__signal_atomic_reserve(minus_left(c), &at)) {
        end = __atomic_load_n(&c->end, __ATOMIC_RELAXED);
        if (end) /* not wiped: this may be a child that a handler forked */
            return (struct rln__reserved_slot){(uint64_t *)(end + at), c};
    }
    return reserve_slow(n_bytes);
}

struct rln__reserved_slot rln__take_long(size_t n_words)
{
    const struct rln__reserved_slot slot = take(n_words * 8);

    if (!rln__is_lost(slot))
        mark_hole(slot.at, n_words);
    return slot;
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

/* Writes an event with its full time. Returns its slot, or the bucket. */
static struct rln__reserved_slot put_late(unsigned kind, uint32_t shifted_id,
                                          uint64_t value)
{
    const int has_value = rln__has_value(kind);
    const size_t n_words = has_value ? 4 : 3;
    const struct rln__reserved_slot slot = rln__take_long(n_words);

    if (rln__is_lost(slot))
        return slot;
    slot.at[1] = rln__now();
    slot.at[2] =
        rln__pair32(plain_kind(kind) | (has_value ? RLN__EVENT_HAS_VALUE << 8 : 0u),
                    shifted_id >> RLN__ID_SHIFT);
    if (has_value)
        slot.at[3] = value;
    rln__put_word(slot.at, rln__long_word(RLN__LONG, RLN__SUB_EVENT, n_words));
    return slot;
}

RLN_COLD uint64_t rln__put_slow(struct rln__reserved_slot slot, uint32_t what,
                                uint32_t shifted_id, uint64_t value)
{
    const unsigned kind = what & 0xff;
    const size_t n_bytes = rln__has_value(kind) ? 16 : 8;
    uint64_t ticks;

    /* Wiped: a handler that interrupted this call has forked, and this is the child.
     * The slot belongs to the parent, which will fill it. Without a counter that
     * programs may read, every event comes here, and usually the chunk has space. */
    if (!slot.at || slot.chunk->end == 0)
        slot = rln__collector.has_counter ? reserve_slow(n_bytes) : take(n_bytes);
    ticks = rln__now() - slot.chunk->base_ticks;
    if (!(ticks >> RLN__TICKS_BITS))
        rln__put_words(slot.at, ticks, kind, shifted_id, value);
    else if (!rln__is_lost(slot))
        slot = put_late(kind, shifted_id, value);
    return rln__call_result(slot, what >> 8, kind);
}
