/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* 0: never fail. 1: fail from now on. With the next, the reading side's only
 * thread-locals. */
static _Thread_local size_t fail_from;
static _Thread_local size_t n_failed;

static int must_fail(void)
{
    if (fail_from > 1)
        fail_from--;
    n_failed += fail_from == 1;
    return fail_from == 1;
}

void rln__alloc_fail_from(size_t nth)
{
    fail_from = nth ? nth + 1 : 0;
    n_failed = 0;
}

size_t rln__alloc_failures(void)
{
    return n_failed;
}

void *rln__alloc(size_t n, size_t item_bytes)
{
    return must_fail() ? NULL : calloc(n ? n : 1, item_bytes);
}

void *rln__resize(void *block, size_t n, size_t item_bytes)
{
    if (must_fail() || (item_bytes && n > SIZE_MAX / item_bytes))
        return NULL;
    return realloc(block, n && item_bytes ? n * item_bytes : 1);
}

void rln__free(void *block)
{
    free(block);
}

void *rln__grow(void *block, size_t *capacity, size_t n_needed, size_t item_bytes)
{
    size_t wanted = *capacity ? *capacity : 8;
    void *moved;

    if (n_needed <= *capacity && block)
        return block;
    while (wanted < n_needed) {
        if (wanted > SIZE_MAX / 2)
            return NULL;
        wanted *= 2;
    }
    moved = rln__resize(block, wanted, item_bytes);
    if (moved)
        *capacity = wanted;
    return moved;
}

void *rln__grow_to(void *block, size_t *n, size_t *capacity, size_t index,
                   size_t item_bytes)
{
    char *items = rln__grow(block, capacity, index + 1, item_bytes);

    if (!items || index < *n)
        return items;
    memset(items + *n * item_bytes, 0, (index + 1 - *n) * item_bytes);
    *n = index + 1;
    return items;
}

void *rln__append_slow(void *items, size_t *n, size_t *capacity, size_t item_bytes)
{
    char *first;

    memcpy(&first, items, sizeof(first));
    first = rln__grow(first, capacity, *n + 1, item_bytes);
    if (!first)
        return NULL;
    memcpy(items, &first, sizeof(first));
    return first + (*n)++ * item_bytes;
}
