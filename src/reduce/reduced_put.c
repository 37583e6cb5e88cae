/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_put.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void *rln__put_sorted(const uint32_t *origins, const void *items, size_t n,
                      size_t item_bytes, int (*compare)(const void *, const void *),
                      struct rln__buf *out)
{
    char *copies = rln__alloc(n + 1, item_bytes);

    rln__put_number(out, n);
    out->has_failed |= !copies;
    if (!copies || !n)
        return copies;
    memcpy(copies, items, n * item_bytes);
    for (size_t i = 0; i < n; i++) {
        uint32_t origin;

        memcpy(&origin, copies + i * item_bytes, sizeof(origin));
        memcpy(copies + i * item_bytes, &origins[origin], sizeof(origin));
    }
    qsort(copies, n, item_bytes, compare);
    return copies;
}
