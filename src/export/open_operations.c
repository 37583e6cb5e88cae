/* SPDX-License-Identifier: Apache-2.0 */
#include "export/open_operations.h"
#include "base/alloc.h"

#include <string.h>

static int is_before(const rln_range *a, const rln_range *b)
{
    return a->end_ns != b->end_ns ? a->end_ns < b->end_ns : a->depth > b->depth;
}

int rln__open_operations_add(struct rln__open_operations *o, rln_range *range)
{
    rln_range *heap = rln__grow(o->heap, &o->capacity, o->n + 1, sizeof(*heap));
    size_t at = o->n;

    if (!heap)
        return -1;
    o->heap = heap;
    o->n++;
    range->depth = o->n_ever++;
    for (; at && is_before(range, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = *range;
    return 0;
}

int rln__open_operations_take(struct rln__open_operations *o, int64_t t_ns,
                              rln_range *out)
{
    rln_range *heap = o->heap;
    const rln_range *last;
    size_t at = 0;

    if (!o->n || heap[0].end_ns > t_ns)
        return 0;
    *out = heap[0];
    last = &heap[--o->n];
    for (size_t child; (child = 2 * at + 1) < o->n; at = child) {
        if (child + 1 < o->n && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], last))
            break;
        heap[at] = heap[child];
    }
    heap[at] = *last;
    return 1;
}

void rln__open_operations_clear(struct rln__open_operations *o)
{
    rln__free(o->heap);
    memset(o, 0, sizeof(*o));
}
