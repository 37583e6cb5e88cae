/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge/arena.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

/* What is longer than SHARED_BYTES has pages of its own. */
enum { BLOCK_BYTES = 64 << 10, SHARED_BYTES = 32 << 10 };

struct block {
    size_t n_used; /* atomic; grows beyond the block when that is full */
    char bytes[BLOCK_BYTES - sizeof(size_t)];
};

static struct block *newest; /* atomic */

static void *map(size_t n_bytes)
{
    const int saved_errno = errno;
    void *pages =
        mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    errno = saved_errno;
    return pages == MAP_FAILED ? NULL : pages;
}

void *rln__arena_keep(size_t n_bytes)
{
    const size_t n = (n_bytes + 7) & ~(size_t)7;
    struct block *block = __atomic_load_n(&newest, __ATOMIC_ACQUIRE);

    if (n > SHARED_BYTES)
        return map(n);
    for (;;) {
        struct block *next;
        size_t at = BLOCK_BYTES;

        if (block)
            at = __atomic_fetch_add(&block->n_used, n, __ATOMIC_RELAXED);
        if (at + n <= sizeof(block->bytes))
            return block->bytes + at;
        next = map(sizeof(*next));
        if (!next)
            return NULL;
        if (__atomic_compare_exchange_n(&newest, &block, next, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            block = next;
        else /* another thread was faster; `block` is its */
            (void)munmap(next, sizeof(*next));
    }
}
