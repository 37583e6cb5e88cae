/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/innermost.h"

#include "base/alloc.h"

/* Enclosing ranges that are looked at: a file may nest as deep as it likes. */
#define MOST_LEVELS 64

/* From the newest range that a thread has begun outwards. */
static size_t around(const struct rln__nesting *nesting, size_t range, int64_t at_ns)
{
    struct rln__nesting_row row;

    for (unsigned level = 0; level < MOST_LEVELS && range != SIZE_MAX; level++) {
        if (!rln__nesting_get(nesting, range, &row))
            break;
        if (row.end_ns > at_ns)
            return range;
        range = row.parent;
    }
    return SIZE_MAX;
}

int rln__find_innermost(const struct rln__nesting *nesting, const rln_info *info,
                        struct rln__moment *moments, size_t n)
{
    const uint32_t n_threads = rln_info_totals(info)->n_threads;
    size_t *newest = rln__alloc(n_threads + 1, sizeof(*newest)); /* + 1 */
    struct rln__nesting_row row = {0};
    size_t at = 0;

    if (!newest)
        return -1;
    for (size_t i = 0; at < n; i++) {
        const int is_more = rln__nesting_get(nesting, i, &row);

        for (; at < n && (!is_more || moments[at].at_ns < row.start_ns); at++) {
            const uint32_t thread = moments[at].thread;

            moments[at].range = SIZE_MAX;
            if (thread < n_threads && newest[thread])
                moments[at].range =
                    around(nesting, newest[thread] - 1, moments[at].at_ns);
        }
        if (is_more && row.thread < n_threads && !(row.flags & RLN_FLAG_DEFERRED))
            newest[row.thread] = i + 1;
    }
    rln__free(newest);
    return 0;
}
