/* SPDX-License-Identifier: Apache-2.0 */
/* heap.h - keeps the first of an array's items at hand, by an order that the caller
 * gives.
 *
 *             [0]            no item is before its parent, so none is before [0]
 *          [1]   [2]
 *        [3] [4] ...
 *
 * The item that moves is outside the array until its place is free. Inlining is forced:
 * it makes the size and the order known, and this the code that one would write for the
 * type. Otherwise every comparison would be an indirect call.
 */
#ifndef RLN_BASE_HEAP_H
#define RLN_BASE_HEAP_H

#include <stddef.h>
#include <string.h>

#define RLN__HEAP_INLINE static inline __attribute__((always_inline))

typedef int rln__is_before(const void *a, const void *b);

/* Adds `item` to the items in `heap`; `n` counts it already, and there is room for it.
 */
RLN__HEAP_INLINE void rln__heap_add(void *heap, size_t n, const void *item,
                                    size_t item_bytes, rln__is_before *is_before)
{
    char *items = heap;
    size_t at = n - 1;

    for (size_t parent; at; at = parent) {
        parent = (at - 1) / 2;
        if (!is_before(item, items + parent * item_bytes))
            break;
        memcpy(items + at * item_bytes, items + parent * item_bytes, item_bytes);
    }
    memcpy(items + at * item_bytes, item, item_bytes);
}

/* Replaces the first of `n` items by `item`. To remove the first, give the last, and
 * `n` without it; that may be 0. */
RLN__HEAP_INLINE void rln__heap_replace(void *heap, size_t n, const void *item,
                                        size_t item_bytes, rln__is_before *is_before)
{
    char *items = heap;
    size_t at = 0;

    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n &&
            is_before(items + (child + 1) * item_bytes, items + child * item_bytes))
            child++;
        if (!is_before(items + child * item_bytes, item))
            break;
        memcpy(items + at * item_bytes, items + child * item_bytes, item_bytes);
    }
    memcpy(items + at * item_bytes, item, item_bytes);
}

#endif
