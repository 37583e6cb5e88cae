/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - qsort() by merging, as glibc's does it: what compares equal keeps its order,
 * so that a page shows what the command prints. That of WASI's libc does not. */
#include <stdlib.h>
#include <string.h>

typedef int compare_items(const void *, const void *);

/* Merges two sorted neighbors; `room` is that of the left one. */
static void merge(char *left, size_t n_left, size_t n_right, size_t size,
                  compare_items *compare, char *room)
{
    const char *right = left + n_left * size, *const end = right + n_right * size;
    const char *from = room;
    char *to = left;

    memcpy(room, left, n_left * size);
    while (n_left > 0 && right < end) {
        if (compare(from, right) <= 0) {
            memcpy(to, from, size);
            from += size;
            n_left--;
        } else {
            memcpy(to, right, size);
            right += size;
        }
        to += size;
    }
    memcpy(to, from, n_left * size); /* of the right one, the rest is there */
}

static void sort(char *items, size_t n, size_t size, compare_items *compare, char *room)
{
    const size_t half = n / 2;
    char *const right = items + half * size;

    if (n < 2)
        return;
    sort(items, half, size, compare, room);
    sort(right, n - half, size, compare, room);
    if (compare(right - size, right) > 0)
        merge(items, half, n - half, size, compare, room);
}

/* Without memory the reader ends: its page says so. */
void qsort(void *items, size_t n, size_t size, compare_items *compare)
{
    char *room = n > 1 ? malloc(n / 2 * size) : NULL; /* n items are in memory */

    if (n < 2)
        return;
    if (!room)
        __builtin_trap();
    sort(items, n, size, compare, room);
    free(room);
}
