/* SPDX-License-Identifier: Apache-2.0 */
/* seen_pages.h - lists pages of the program that were readable when last read.  [hot]
 *
 * Programs sometimes pass wrong addresses. The kernel reads from a page first
 * (safe_read.h) and reports if it is unmapped. After that, we read the page directly,
 * which makes a payload on the stack almost free. A program that unmaps such a page and
 * then passes an address in it gets the fault that any read there would cause.
 *
 * Ordinary memory, because a forked child has its parent's pages. The table has a slot
 * for each of 4,096 pages of 4 KiB; two pages with the same slot replace each other.
 */
#ifndef RLN_COLLECT_PAYLOAD_SEEN_PAGES_H
#define RLN_COLLECT_PAYLOAD_SEEN_PAGES_H

#include "collect/collector.h"

/* The smallest page size; where pages are larger, this errs on the safe side. */
#define RLN__PAGE_BYTES 4096
#define RLN__SEEN_PAGES 4096

/* safe_read.c; atomic. The address of the seen page's last byte, or 0. */
extern RLN_OWN uintptr_t rln__seen_pages[RLN__SEEN_PAGES];

static inline uintptr_t *rln__seen_slot(uintptr_t at)
{
    return &rln__seen_pages[at / RLN__PAGE_BYTES % RLN__SEEN_PAGES];
}

/* Whether `n_bytes` at `from` may be read directly. */
static inline int rln__is_seen(const void *from, size_t n_bytes)
{
    const uintptr_t at = (uintptr_t)from, last = at | (RLN__PAGE_BYTES - 1);

    return n_bytes <= last - at + 1 &&
           __atomic_load_n(rln__seen_slot(at), __ATOMIC_RELAXED) == last;
}

/* Records that the kernel has read the byte at `from`. */
static inline void rln__see(const void *from)
{
    const uintptr_t at = (uintptr_t)from;

    __atomic_store_n(rln__seen_slot(at), at | (RLN__PAGE_BYTES - 1), __ATOMIC_RELAXED);
}

#endif
