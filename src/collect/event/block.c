/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - reserves blocks in the file, cuts chunks from them, gives them back.
 *
 * Lock-free: compare-and-swap takes entries of the table and cuts chunks (on the
 * block's `cut`). A thread that finds the current block exhausted replaces it. Waiters
 * time out and make their own; a thread that loses that race cuts from the winner's
 * block and leaves its own as the spare.
 */
#include "collect/event/block.h"

enum {
    LARGEST_BLOCK_BYTES = 4 << 20,
};

/* Where space is bounded, blocks taken in advance count toward the bound. */
static uint64_t largest_block(void)
{
    const uint64_t bound = rln__collector.newest_bytes / 8;
    uint64_t n_bytes = LARGEST_BLOCK_BYTES;

    while (bound && n_bytes > bound && n_bytes > RLN__FIRST_BLOCK_BYTES)
        n_bytes /= 2;
    return n_bytes;
}

/* --- taking a block --------------------------------------------------------------- */

/* Remembers how much of the long table was ever used. */
static void note_most(uint32_t *most, uint32_t n)
{
    uint32_t seen = __atomic_load_n(most, __ATOMIC_RELAXED);

    while (n > seen && !__atomic_compare_exchange_n(most, &seen, n, 0, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED))
        ;
}

static struct rln__block *take_entry(struct rln__process_context *p)
{
    for (size_t i = 0; i < RLN__MAX_BLOCKS; i++) {
        struct rln__block *b = &p->blocks[i];
        uint32_t is_taken = 0;

        if (__atomic_load_n(&b->is_taken, __ATOMIC_RELAXED))
            continue;
        if (__atomic_compare_exchange_n(&b->is_taken, &is_taken, 1, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
            note_most(&p->most_blocks, (uint32_t)i + 1);
            return b;
        }
    }
    return NULL;
}

static void drop_entry(struct rln__block *b)
{
    __atomic_store_n(&b->is_taken, 0, __ATOMIC_RELEASE);
}

/* A program that daemonizes may have closed our descriptor and opened another file
 * under the same number. We must not write to that one; ours is reopened by its name.
 */
static int file_is_at_hand(void)
{
    struct rln__file *file = &rln__collector.file;

    if (rln__file_is_ours(file))
        return 1;
    return rln__file_reopen(file, rln__collector.config.path) == 0;
}

/* The offset of a new piece of the file of up to `*size` bytes, or a smaller one if no
 * more is left. Negative errno. */
static int64_t take_what_there_is(uint64_t *size, uint64_t need)
{
    int64_t offset = rln__file_take(&rln__collector.file, *size);

    while (offset < 0 && *size / 2 >= need && *size > RLN__FIRST_BLOCK_BYTES) {
        *size /= 2;
        offset = rln__file_take(&rln__collector.file, *size);
    }
    return offset;
}

/* A piece of the file that is not mapped yet: one that could not be mapped last time,
 * or a new one. */
static struct rln__block *take_piece(struct rln__process_context *p, uint64_t size,
                                     uint64_t need)
{
    struct rln__block *b = __atomic_exchange_n(&p->unmapped, NULL, __ATOMIC_ACQUIRE);
    int64_t offset;

    if (b && b->size >= need)
        return b;
    if (b)
        drop_entry(b); /* too small: its room is lost */
    b = take_entry(p);
    if (!b)
        return NULL;
    offset = take_what_there_is(&size, need);
    if (offset < 0) {
        drop_entry(b);
        return NULL;
    }
    b->offset = (uint64_t)offset;
    b->size = size;
    return b;
}

/* A piece that cannot be mapped is kept for later, or the file would grow with each
 * try. */
static void keep_piece(struct rln__process_context *p, struct rln__block *b)
{
    struct rln__block *before = __atomic_exchange_n(&p->unmapped, b, __ATOMIC_RELEASE);

    if (before)
        drop_entry(before);
}

/* The first `n_bytes` of a piece become a block; the rest is kept. */
static void split_piece(struct rln__process_context *p, struct rln__block *b,
                        uint64_t n_bytes)
{
    struct rln__block *rest = n_bytes < b->size ? take_entry(p) : NULL;

    if (rest) {
        rest->offset = b->offset + n_bytes;
        rest->size = b->size - n_bytes;
        keep_piece(p, rest);
    }
    b->size = n_bytes;
}

/* Maps the piece, or as much of it as the address space allows. */
static int map_piece(struct rln__process_context *p, struct rln__block *b,
                     uint64_t need)
{
    uint64_t n_bytes = b->size;

    while (n_bytes >= need && n_bytes >= RLN__FIRST_BLOCK_BYTES) {
        b->address =
            (uintptr_t)rln__sys_mmap(n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                                     rln__collector.file.fd, b->offset);
        if (b->address) {
            split_piece(p, b, n_bytes);
            return 1;
        }
        n_bytes = n_bytes / 2 & -(uint64_t)RLN__FIRST_BLOCK_BYTES;
    }
    keep_piece(p, b);
    return 0;
}

/* Resets a mapped block from which nothing has been cut. */
static void begin(struct rln__block *b)
{
    b->is_populated = 0;
    __atomic_store_n(&b->is_left, 0, __ATOMIC_RELAXED);
    b->cut = 0;
    b->retired = 0;
}

/* Whether a request of that size failed a moment ago. If all of many threads retried at
 * once, they would slow the program down. */
static int was_refused(const struct rln__process_context *p, uint64_t need)
{
    return need >= __atomic_load_n(&p->refused_bytes, __ATOMIC_RELAXED) &&
           rln__now() < __atomic_load_n(&p->no_block_before, __ATOMIC_RELAXED);
}

static void refuse(struct rln__process_context *p, uint64_t need)
{
    __atomic_store_n(&p->refused_bytes, need, __ATOMIC_RELAXED);
    __atomic_store_n(&p->no_block_before, rln__now() + rln__collector.ticks_per_100_ms,
                     __ATOMIC_RELAXED);
    __atomic_store_n(&p->next_block_bytes, RLN__FIRST_BLOCK_BYTES, __ATOMIC_RELAXED);
}

struct rln__block *rln__block_new(struct rln__process_context *p, uint64_t need)
{
    uint64_t size = __atomic_load_n(&p->next_block_bytes, __ATOMIC_RELAXED);
    struct rln__block *b;

    if (size == 0)
        size = RLN__FIRST_BLOCK_BYTES;
    while (size < need)
        size *= 2;
    if (was_refused(p, need))
        return NULL;
    b = file_is_at_hand() ? take_piece(p, size, need) : NULL;
    if (!b || !map_piece(p, b, need)) {
        refuse(p, need);
        return NULL;
    }
    /* The next size follows from what was granted this time. */
    __atomic_store_n(&p->next_block_bytes,
                     b->size < largest_block() ? b->size * 2 : largest_block(),
                     __ATOMIC_RELAXED);
    /* Many processes use only a page or two of their first block, and wait for those:
     * turn off fault-around, which would map all sixteen at the first touch. */
    if (b->size == RLN__FIRST_BLOCK_BYTES)
        rln__sys_madvise((void *)b->address, b->size, MADV_RANDOM);
    begin(b);
    return b;
}

void rln__block_first(struct rln__process_context *p)
{
    const struct rln__file *file = &rln__collector.file;
    struct rln__block *b = file->room_bytes ? take_entry(p) : NULL;

    if (!b)
        return;
    b->address = (uintptr_t)file->super + RLN__SUPERBLOCK_BYTES;
    b->offset = RLN__SUPERBLOCK_BYTES;
    b->size = file->room_bytes;
    begin(b);
    p->block = b;
    p->next_block_bytes = file->room_bytes * 2;
}

/* --- leaving a block -------------------------------------------------------------- */

static void retire(struct rln__process_context *p, struct rln__block *b)
{
    const uint32_t most =
        rln__sys_has_any_address() ? RLN_COUNT(p->retired) : RLN__RETIRED_IF_LIMITED;
    const uint32_t place =
        __atomic_fetch_add(&p->n_retired, 1, __ATOMIC_RELAXED) % most;
    struct rln__block *oldest;

    /* The pages go now, the addresses later: a late store brings back only one page. */
    rln__sys_madvise((void *)b->address, b->size, MADV_DONTNEED);
    oldest = __atomic_exchange_n(&p->retired[place], b, __ATOMIC_ACQ_REL);
    if (!oldest)
        return;
    rln__sys_munmap((void *)oldest->address, oldest->size);
    drop_entry(oldest);
}

void rln__block_leave(struct rln__process_context *p, struct rln__block *b,
                      uint64_t size)
{
    if (__atomic_add_fetch(&b->retired, size, __ATOMIC_ACQ_REL) != b->size)
        return;
    if (__atomic_load_n(&p->helper_state, __ATOMIC_RELAXED) == RLN__HELPER_RUNS)
        __atomic_store_n(&b->is_left, 1, __ATOMIC_RELEASE);
    else
        retire(p, b);
}

void rln__blocks_retire(struct rln__process_context *p)
{
    const uint32_t n = __atomic_load_n(&p->most_blocks, __ATOMIC_ACQUIRE);

    for (size_t i = 0; i < n; i++) {
        struct rln__block *b = &p->blocks[i];

        if (__atomic_load_n(&b->is_left, __ATOMIC_ACQUIRE)) {
            __atomic_store_n(&b->is_left, 0, __ATOMIC_RELAXED);
            retire(p, b);
        }
    }
}

/* --- cutting chunks --------------------------------------------------------------- */

static int cut_from(struct rln__block *b, uint64_t need, uint64_t want,
                    struct rln__chunk_extent *out)
{
    uint64_t cut = __atomic_load_n(&b->cut, __ATOMIC_RELAXED);
    uint64_t size;

    do {
        const uint64_t rest = b->size - cut;

        size = want < rest ? want : rest;
        if (size < need)
            return 0;
    } while (!__atomic_compare_exchange_n(&b->cut, &cut, cut + size, 0,
                                          __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    *out = (struct rln__chunk_extent){b, b->address + cut, b->offset + cut, size};
    return 1;
}

/* Retires the unused rest of a block that is being replaced. */
static void close_block(struct rln__process_context *p, struct rln__block *b)
{
    struct rln__chunk_extent rest;

    if (cut_from(b, RLN__CHUNK_ALIGN, b->size, &rest))
        rln__block_leave(p, b, rest.size);
}

static struct rln__block *next_block(struct rln__process_context *p, uint64_t need)
{
    struct rln__block *b = __atomic_exchange_n(&p->spare, NULL, __ATOMIC_ACQUIRE);
    const uint64_t now_ns = rln__sys_clock_ns(CLOCK_MONOTONIC);

    if (b && b->size >= need) {
        rln__helper_call(p);
    } else {
        if (b)
            close_block(p, b);
        b = rln__block_new(p, need);
        rln__count(n_waits, 1);
        rln__count(waited_ns, rln__sys_clock_ns(CLOCK_MONOTONIC) - now_ns);
        if (!b)
            return NULL;
        /* 4 MiB within a second: from now on the helper should do this. */
        if (b->size == LARGEST_BLOCK_BYTES &&
            now_ns - __atomic_load_n(&p->last_block_ns, __ATOMIC_RELAXED) < 1000000000u)
            rln__helper_call(p);
    }
    __atomic_store_n(&p->last_block_ns, now_ns, __ATOMIC_RELAXED);
    return b;
}

int rln__block_cut(struct rln__process_context *p, uint64_t need, uint64_t want,
                   struct rln__chunk_extent *out)
{
    for (;;) {
        struct rln__block *b = __atomic_load_n(&p->block, __ATOMIC_ACQUIRE);
        struct rln__block *fresh, *none = NULL;
        int was_first;

        if (b && cut_from(b, need, want, out))
            return 0;
        if (!rln__maker_election_begin(&p->block_making, (void *const *)&p->block, b))
            continue;
        fresh = next_block(p, need);
        if (!fresh) {
            rln__maker_election_end(&p->block_making);
            return -ENOSPC;
        }
        was_first = __atomic_compare_exchange_n(&p->block, &b, fresh, 0,
                                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
        rln__maker_election_end(&p->block_making);
        if (was_first) {
            /* `b` was read before the exchange, and is the one that was replaced. */
            if (b)
                close_block(p, b);
            continue;
        }
        if (!__atomic_compare_exchange_n(&p->spare, &none, fresh, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            close_block(p, fresh);
    }
}

/* Replaces `b`, which is exhausted, by the block that the helper has made. */
static void use_spare(struct rln__process_context *p, struct rln__block *b,
                      struct rln__block *spare)
{
    struct rln__block *none = NULL;

    if (__atomic_compare_exchange_n(&p->block, &b, spare, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
        close_block(p, b);
    else if (!__atomic_compare_exchange_n(&p->spare, &none, spare, 0, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED))
        close_block(p, spare);
}

int rln__block_cut_ready(struct rln__process_context *p, uint64_t need, uint64_t want,
                         struct rln__chunk_extent *out)
{
    for (;;) {
        struct rln__block *b = __atomic_load_n(&p->block, __ATOMIC_ACQUIRE);
        struct rln__block *spare;
        const int is_cut = b && cut_from(b, need, want, out);

        /* Ask for the next block long before it is needed. */
        if (!is_cut || !__atomic_load_n(&p->spare, __ATOMIC_RELAXED))
            rln__helper_call(p);
        if (is_cut)
            return 0;
        if (!b) /* the first one, of 64 KiB: there is no helper yet */
            return rln__block_cut(p, need, want, out);
        spare = __atomic_exchange_n(&p->spare, NULL, __ATOMIC_ACQUIRE);
        if (!spare)
            return -ENOSPC;
        use_spare(p, b, spare);
        if (spare->size < need)
            return -ENOSPC;
    }
}
