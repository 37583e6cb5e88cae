/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - reserves blocks in the file and extents of blocks for chunks, and unmaps
 * blocks.
 *
 * Lock-free: compare-and-swap claims entries of the table (`is_used`) and extents
 * (`n_reserved`). A thread that finds the current block exhausted replaces it. Waiters
 * time out and make their own block; a thread that loses that race uses the winner's
 * block and leaves its own as the spare.
 */
#include "collect/event/block.h"

enum {
    LARGEST_BLOCK_BYTES = 4 << 20,
    LARGEST_IF_LIMITED_BYTES = 1 << 20, /* a chunk has as many */
};

/* Without a ring buffer. Address space that is limited belongs to the program. */
static uint64_t usual_block(const struct rln__process_context *p)
{
    if (rln__sys_has_any_address())
        return LARGEST_BLOCK_BYTES;
    return __atomic_load_n(&p->lacks_addresses, __ATOMIC_RELAXED)
               ? RLN__FIRST_BLOCK_BYTES
               : LARGEST_IF_LIMITED_BYTES;
}

/* Blocks that are reserved in advance count toward the size of a ring buffer. */
static uint64_t largest_block(const struct rln__process_context *p)
{
    const uint64_t bound = rln__collector.ring_bytes / 8;
    uint64_t n_bytes = usual_block(p);

    while (bound && n_bytes > bound && n_bytes > RLN__FIRST_BLOCK_BYTES)
        n_bytes /= 2;
    return n_bytes;
}

/* --- reserving a block ------------------------------------------------------------ */

/* Records how many entries of the long table were ever used. */
static void note_most(uint32_t *most, uint32_t n)
{
    uint32_t seen = __atomic_load_n(most, __ATOMIC_RELAXED);

    while (n > seen && !__atomic_compare_exchange_n(most, &seen, n, 0, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED))
        ;
}

static struct rln__block *reserve_entry(struct rln__process_context *p)
{
    for (size_t i = 0; i < RLN__MAX_BLOCKS; i++) {
        struct rln__block *b = &p->blocks[i];
        uint32_t is_used = 0;

        if (__atomic_load_n(&b->is_used, __ATOMIC_RELAXED))
            continue;
        if (__atomic_compare_exchange_n(&b->is_used, &is_used, 1, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
            note_most(&p->most_blocks, (uint32_t)i + 1);
            return b;
        }
    }
    return NULL;
}

static void drop_entry(struct rln__block *b)
{
    __atomic_store_n(&b->is_used, 0, __ATOMIC_RELEASE);
}

/* A program that daemonizes may have closed our descriptor and opened another file with
 * the same number. We must not write to that one; ours is opened again by its name. */
static int has_own_file(void)
{
    struct rln__file *file = &rln__collector.file;

    if (rln__file_is_ours(file))
        return 1;
    return rln__file_reopen(file, rln__collector.config.path) == 0;
}

/* Reserves `*size` bytes of the file, or fewer if the disk is nearly full. Returns
 * their offset, or a negative errno. */
static int64_t reserve_largest(uint64_t *size, uint64_t need)
{
    int64_t offset = rln__file_take(&rln__collector.file, *size);

    while (offset < 0 && *size / 2 >= need && *size > RLN__FIRST_BLOCK_BYTES) {
        *size /= 2;
        offset = rln__file_take(&rln__collector.file, *size);
    }
    return offset;
}

static void note_size_limit(const struct rln__process_context *p)
{
    struct rln__process_record *record = __atomic_load_n(&p->record, __ATOMIC_ACQUIRE);

    if (record)
        __atomic_fetch_or(&record->flags, RLN__PROCESS_SIZE_LIMIT, __ATOMIC_RELAXED);
}

/* A block that is not mapped yet: one that could not be mapped last time, or a new
 * one. */
static struct rln__block *unmapped_block(struct rln__process_context *p, uint64_t size,
                                         uint64_t need)
{
    struct rln__block *b = __atomic_exchange_n(&p->unmapped, NULL, __ATOMIC_ACQUIRE);
    int64_t offset;

    if (b && b->size >= need)
        return b;
    if (b)
        drop_entry(b); /* too small: its space stays unused */
    b = reserve_entry(p);
    if (!b)
        return NULL;
    offset = reserve_largest(&size, need);
    if (offset == -EFBIG)
        note_size_limit(p);
    if (offset < 0) {
        drop_entry(b);
        return NULL;
    }
    b->offset = (uint64_t)offset;
    b->size = size;
    return b;
}

/* Keeps a block that cannot be mapped for later; otherwise the file would grow with
 * each attempt. */
static void keep_unmapped(struct rln__process_context *p, struct rln__block *b)
{
    struct rln__block *before = __atomic_exchange_n(&p->unmapped, b, __ATOMIC_RELEASE);

    if (before)
        drop_entry(before);
}

/* Puts `b` in place of the `n`th retired block, which is unmapped if it still is there.
 */
static void unmap_and_keep(struct rln__process_context *p, uint32_t n,
                           struct rln__block *b)
{
    struct rln__block *before = __atomic_exchange_n(
        &p->retired[n % RLN_COUNT(p->retired)], b, __ATOMIC_ACQ_REL);

    if (!before)
        return;
    rln__sys_munmap((void *)before->address, before->size);
    drop_entry(before);
}

/* All but the newest ones, into which calls that a handler has interrupted may still
 * store. A block that another thread retires meanwhile is newer, too. */
static void unmap_retired(struct rln__process_context *p)
{
    enum { N_KEPT = 8 };
    const uint32_t n = __atomic_load_n(&p->n_retired, __ATOMIC_RELAXED);

    __atomic_store_n(&p->lacks_addresses, 1, __ATOMIC_RELAXED);
    for (uint32_t i = N_KEPT; i < RLN__RETIRED_IF_LIMITED; i++)
        unmap_and_keep(p, n - 1 - i, NULL);
}

/* Truncates a block to `n_bytes`, and keeps the rest for later. */
static void split_block(struct rln__process_context *p, struct rln__block *b,
                        uint64_t n_bytes)
{
    struct rln__block *rest = n_bytes < b->size ? reserve_entry(p) : NULL;

    if (rest) {
        rest->offset = b->offset + n_bytes;
        rest->size = b->size - n_bytes;
        keep_unmapped(p, rest);
    }
    b->size = n_bytes;
}

/* Maps the block, or as much of it as the address space allows. */
static int map_most(struct rln__process_context *p, struct rln__block *b, uint64_t need)
{
    const uint64_t usual = usual_block(p);
    uint64_t n_bytes = usual < need ? (need + RLN__FIRST_BLOCK_BYTES - 1) &
                                          -(uint64_t)RLN__FIRST_BLOCK_BYTES
                                    : usual;

    if (n_bytes > b->size)
        n_bytes = b->size;
    while (n_bytes >= need && n_bytes >= RLN__FIRST_BLOCK_BYTES) {
        b->address =
            (uintptr_t)rln__sys_mmap(n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                                     rln__collector.file.fd, b->offset);
        if (b->address) {
            split_block(p, b, n_bytes);
            return 1;
        }
        n_bytes = n_bytes / 2 & -(uint64_t)RLN__FIRST_BLOCK_BYTES;
    }
    return 0;
}

/* Without address space, older blocks are given up, and from now on blocks are small:
 * the program needs some, too. */
static int map_block(struct rln__process_context *p, struct rln__block *b,
                     uint64_t need)
{
    int is_mapped = map_most(p, b, need);

    if (!is_mapped && !rln__sys_has_any_address()) {
        unmap_retired(p);
        is_mapped = map_most(p, b, need);
    }
    if (!is_mapped)
        keep_unmapped(p, b);
    return is_mapped;
}

/* Resets a mapped block without extents. */
static void begin(struct rln__block *b)
{
    b->is_populated = 0;
    __atomic_store_n(&b->is_left, 0, __ATOMIC_RELAXED);
    b->n_reserved = 0;
    b->retired = 0;
}

/* Whether a request of that size failed less than 100 ms ago. If many threads retried
 * at the same time, they would slow the program down. */
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
    const uint64_t largest = largest_block(p);
    uint64_t size = __atomic_load_n(&p->next_block_bytes, __ATOMIC_RELAXED);
    struct rln__block *b;

    if (size == 0)
        size = RLN__FIRST_BLOCK_BYTES;
    if (size > largest) /* the limit is new */
        size = largest;
    while (size < need)
        size *= 2;
    if (was_refused(p, need))
        return NULL;
    b = has_own_file() ? unmapped_block(p, size, need) : NULL;
    if (!b || !map_block(p, b, need)) {
        refuse(p, need);
        return NULL;
    }
    /* The next size depends on the size of this block. */
    __atomic_store_n(&p->next_block_bytes, b->size < largest ? b->size * 2 : largest,
                     __ATOMIC_RELAXED);
    /* Many processes use only one or two pages of their first block, and wait for them:
     * turn off fault-around, which would map all sixteen at the first access. */
    if (b->size == RLN__FIRST_BLOCK_BYTES)
        rln__sys_madvise((void *)b->address, b->size, MADV_RANDOM);
    begin(b);
    return b;
}

void rln__block_first(struct rln__process_context *p)
{
    const struct rln__file *file = &rln__collector.file;
    struct rln__block *b = file->room_bytes ? reserve_entry(p) : NULL;

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
    const uint32_t n = __atomic_fetch_add(&p->n_retired, 1, __ATOMIC_RELAXED);

    /* Frees the pages now and the addresses later: a late store maps only one page
     * again. */
    rln__sys_madvise((void *)b->address, b->size, MADV_DONTNEED);
    unmap_and_keep(p, n - most, NULL);
    unmap_and_keep(p, n, b);
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

/* --- extents ---------------------------------------------------------------------- */

static int extent_from(struct rln__block *b, uint64_t need, uint64_t want,
                       struct rln__chunk_extent *out)
{
    uint64_t n_reserved = __atomic_load_n(&b->n_reserved, __ATOMIC_RELAXED);
    uint64_t size;

    do {
        const uint64_t rest = b->size - n_reserved;

        size = want < rest ? want : rest;
        if (size < need)
            return 0;
    } while (!__atomic_compare_exchange_n(&b->n_reserved, &n_reserved,
                                          n_reserved + size, 0, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
    *out = (struct rln__chunk_extent){b, b->address + n_reserved,
                                      b->offset + n_reserved, size};
    return 1;
}

/* Retires the unused rest of a block that is being replaced. */
static void close_block(struct rln__process_context *p, struct rln__block *b)
{
    struct rln__chunk_extent rest;

    if (extent_from(b, RLN__CHUNK_ALIGN, b->size, &rest))
        rln__block_leave(p, b, rest.size);
}

/* Requests a spare block. If there is no helper yet, the caller of this file starts it
 * with rln__helper_start(). */
static void call_helper(struct rln__process_context *p)
{
    if (!rln__collector.config.has_helper)
        return;
    __atomic_fetch_add(&p->helper_calls, 1, __ATOMIC_RELEASE);
    if (__atomic_load_n(&p->helper_state, __ATOMIC_ACQUIRE) == RLN__HELPER_RUNS)
        rln__sys_futex_wake(&p->helper_calls);
    else
        __atomic_store_n(&p->helper_state, RLN__HELPER_REQUESTED, __ATOMIC_RELEASE);
}

static struct rln__block *next_block(struct rln__process_context *p, uint64_t need)
{
    struct rln__block *b = __atomic_exchange_n(&p->spare, NULL, __ATOMIC_ACQUIRE);
    const uint64_t now_ns = rln__sys_clock_ns(CLOCK_MONOTONIC);

    if (b && b->size >= need) {
        call_helper(p);
    } else {
        if (b)
            close_block(p, b);
        b = rln__block_new(p, need);
        rln__count(n_waits, 1);
        rln__count(waited_ns, rln__sys_clock_ns(CLOCK_MONOTONIC) - now_ns);
        if (!b)
            return NULL;
        /* 4 MiB per second: from now on the helper makes blocks. */
        if (b->size == usual_block(p) &&
            now_ns - __atomic_load_n(&p->last_block_ns, __ATOMIC_RELAXED) <
                1000000000u / (LARGEST_BLOCK_BYTES / b->size))
            call_helper(p);
    }
    __atomic_store_n(&p->last_block_ns, now_ns, __ATOMIC_RELAXED);
    return b;
}

int rln__block_extent(struct rln__process_context *p, uint64_t need, uint64_t want,
                      struct rln__chunk_extent *out)
{
    for (;;) {
        struct rln__block *b = __atomic_load_n(&p->block, __ATOMIC_ACQUIRE);
        struct rln__block *fresh, *none = NULL;
        int was_first;

        if (b && extent_from(b, need, want, out))
            return 0;
        if (!rln__maker_election_begin(&p->block_election, (void *const *)&p->block, b))
            continue;
        fresh = next_block(p, need);
        if (!fresh) {
            rln__maker_election_end(&p->block_election);
            return -ENOSPC;
        }
        was_first = __atomic_compare_exchange_n(&p->block, &b, fresh, 0,
                                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
        rln__maker_election_end(&p->block_election);
        if (was_first) {
            /* `b` was read before the exchange; it is the replaced block. */
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

int rln__block_extent_ready(struct rln__process_context *p, uint64_t need,
                            uint64_t want, struct rln__chunk_extent *out)
{
    for (;;) {
        struct rln__block *b = __atomic_load_n(&p->block, __ATOMIC_ACQUIRE);
        struct rln__block *spare;
        const int has_extent = b && extent_from(b, need, want, out);

        /* Requests the next block long before it is needed. */
        if (!has_extent || !__atomic_load_n(&p->spare, __ATOMIC_RELAXED))
            call_helper(p);
        if (has_extent)
            return 0;
        if (!b) /* the first one, of 64 KiB: there is no helper yet */
            return rln__block_extent(p, need, want, out);
        spare = __atomic_exchange_n(&p->spare, NULL, __ATOMIC_ACQUIRE);
        if (!spare)
            return -ENOSPC;
        use_spare(p, b, spare);
        if (spare->size < need)
            return -ENOSPC;
    }
}
