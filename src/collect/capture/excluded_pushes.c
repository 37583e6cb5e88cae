/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/capture/excluded_pushes.h"

static void fill(uint32_t n, uint64_t range)
{
    __atomic_store_n(&rln__own_kept()->excluded[n], range, __ATOMIC_RELAXED);
}

static uint32_t n_excluded(void)
{
    return __atomic_load_n(&rln__own_kept()->n_excluded, __ATOMIC_RELAXED);
}

/* A handler in between uses the same entry and frees it; so it is filled again. */
void rln__excluded_pushes_add(uint32_t domain, uint32_t depth)
{
    const uint64_t range = rln__pair32(domain, depth);
    uint32_t n = n_excluded();

    if (n >= RLN__MOST_EXCLUDED)
        return;
    fill(n, range);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    rln__change_unsplit(&rln__own_kept()->n_excluded, 1);
    n = n_excluded() - 1;
    if (n < RLN__MOST_EXCLUDED)
        fill(n, range);
}

int rln__excluded_pushes_take(uint32_t domain)
{
    struct rln__kept *kept = rln__own_kept();
    const uint64_t range = rln__pair32(domain, kept->depth[domain] - 1);
    const uint32_t n = n_excluded();
    uint32_t at = n;

    while (at > 0 && kept->excluded[at - 1] != range)
        at--;
    if (at == 0)
        return 0;
    for (; at < n; at++)
        kept->excluded[at - 1] = kept->excluded[at];
    (void)rln__take_one_unsplit(&kept->n_excluded);
    return 1;
}

uint32_t rln__excluded_pushes_in(uint32_t domain)
{
    const uint32_t n = n_excluded();
    uint32_t n_here = 0;

    for (uint32_t i = 0; i < n && i < RLN__MOST_EXCLUDED; i++)
        n_here += (uint32_t)rln__own_kept()->excluded[i] == domain;
    return n_here;
}
