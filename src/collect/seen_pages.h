/* SPDX-License-Identifier: Apache-2.0 */
/* seen_pages.h - pages of the program that were there when we last read them.   [hot]
 *
 * An address in a call is the program's word, and some words are wrong. The kernel
 * reads the first bytes of a page for us (peek.h), and says if there are none; what
 * lies in a page that it has read is taken directly from then on, which is what a
 * payload of the stack costs nothing to speak of. Whoever unmaps such a page and passes
 * an address in it after that gets the fault that any read there would be.
 *
 * Ordinary memory, for a forked child has its parent's pages. The table is as large as
 * payloads are likely to be spread: 4,096 pages of 4 KiB, of which two that share a
 * place take turns.
 */
#ifndef RLN_COLLECT_SEEN_PAGES_H
#define RLN_COLLECT_SEEN_PAGES_H

#include "collect/collector.h"

/* The smallest page there is; where pages are larger, that is careful. */
#define RLN__PAGE_BYTES 4096
#define RLN__SEEN_PAGES 4096

/* peek.c; atomic. The last byte's address of the page that was seen, or 0. */
extern RLN_OWN uintptr_t rln__seen_pages[RLN__SEEN_PAGES];

static inline uintptr_t *rln__seen_place(uintptr_t at)
{
    return &rln__seen_pages[at / RLN__PAGE_BYTES % RLN__SEEN_PAGES];
}

/* Whether `n_bytes` at `from` may be read without asking. */
static inline int rln__is_seen(const void *from, size_t n_bytes)
{
    const uintptr_t at = (uintptr_t)from, last = at | (RLN__PAGE_BYTES - 1);

    return n_bytes <= last - at + 1 &&
           __atomic_load_n(rln__seen_place(at), __ATOMIC_RELAXED) == last;
}

/* The kernel has read the byte at `from`. */
static inline void rln__see(const void *from)
{
    const uintptr_t at = (uintptr_t)from;

    __atomic_store_n(rln__seen_place(at), at | (RLN__PAGE_BYTES - 1), __ATOMIC_RELAXED);
}

#endif
