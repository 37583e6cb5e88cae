/* SPDX-License-Identifier: Apache-2.0 */
/* domain_filter.h - excludes whole domains from the run.                         [hot]
 *
 * The handle of an excluded domain has a different tag. So its events leave the hot
 * path like those with unknown handles, at no cost to other domains. Pushes and pops
 * still return the depth, as NVTX documents.
 *
 * Budget: a pair in an excluded domain costs at most 4 ns (bench/range_pair.c).
 */
#ifndef RLN_COLLECT_CAPTURE_DOMAIN_FILTER_H
#define RLN_COLLECT_CAPTURE_DOMAIN_FILTER_H

#include "collect/event/intern.h"

/* Whether the domain of that name (NULL: the default domain) is excluded. */
int rln__domain_is_excluded(const char *name, size_t n_bytes);

/* Checked at each event whose handle is not one of our domains. */
extern RLN_OWN uint32_t rln__default_is_excluded;

/* Whether events with that domain handle are excluded. */
static inline int rln__is_excluded(uint64_t handle)
{
    if (RLN_LIKELY(rln__is_domain(handle)))
        return 0;
    return handle - RLN__TAG_EXCLUDED < RLN__MAX_DOMAINS || rln__default_is_excluded;
}

/* domain_filter.c: the same for a thread that has recorded nothing yet. */
uint64_t rln__result_of_excluded_first(unsigned kind, uint32_t domain);

/* The return value of a call with an excluded event. */
static inline uint64_t rln__result_of_excluded(unsigned kind, uint64_t handle)
{
    const uint32_t domain = (uint32_t)handle & (RLN__MAX_DOMAINS - 1);

    if (RLN_UNLIKELY(rln__tid(rln__own_thread()) == 0))
        return rln__result_of_excluded_first(kind, domain);
    if (kind == RLN__PUSH)
        return rln__enter(domain);
    return kind == RLN__POP ? rln__leave(domain) : 0;
}

#endif
