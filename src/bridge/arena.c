/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge/arena.h"

#include <stdint.h>
#include <sys/mman.h>

enum { BLOCK_BYTES = 64 << 10, MOST_BYTES = 32 << 10 };

struct block {
    size_t n_used; /* atomic; grows beyond the block when that is full */
    char bytes[BLOCK_BYTES - sizeof(size_t)];
};

static struct block *newest; /* atomic */

static struct block *map(void)
{
    void *block = mmap(NULL, sizeof(struct block), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return block == MAP_FAILED ? NULL : block;
}

void *rln__arena_keep(size_t n_bytes)
{
    const size_t n = (n_bytes + 7) & ~(size_t)7;
    struct block *block = __atomic_load_n(&newest, __ATOMIC_ACQUIRE);

    if (n > MOST_BYTES)
        return NULL;
    for (;;) {
        struct block *next;
        size_t at = BLOCK_BYTES;

        if (block)
            at = __atomic_fetch_add(&block->n_used, n, __ATOMIC_RELAXED);
        if (at + n <= sizeof(block->bytes))
            return block->bytes + at;
        next = map();
        if (!next)
            return NULL;
        if (__atomic_compare_exchange_n(&newest, &block, next, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            block = next;
        else /* another thread was faster; `block` is its */
            (void)munmap(next, sizeof(*next));
    }
}
