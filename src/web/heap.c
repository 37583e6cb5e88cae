/* SPDX-License-Identifier: Apache-2.0 */
/* heap.c - memory: how large it may get, and that it grows by a quarter at a time; one processor. libc would grow it by 64 KiB, and each
 * step makes a new view of the whole memory, of which the browser has to dispose. */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "base/allowance.h"

#define PAGE_BYTES ((uintptr_t)65536)
#define LEAST_PAGES ((uintptr_t)256)
#define MOST_PAGES 65535 /* with one more, the end would be no address */

void *sbrk(intptr_t n_bytes)
{
    static uintptr_t end; /* of what malloc() has */
    const uintptr_t n_pages = __builtin_wasm_memory_size(0);
    const uintptr_t quarter = n_pages / 4;
    uintptr_t begin, room;

    if (!end)
        end = n_pages * PAGE_BYTES;
    begin = end;
    room = n_pages * PAGE_BYTES - end;
    if (n_bytes > 0 && (uintptr_t)n_bytes > room) {
        const uintptr_t needed =
            ((uintptr_t)n_bytes - room + PAGE_BYTES - 1) / PAGE_BYTES;
        const uintptr_t generous = quarter > LEAST_PAGES ? quarter : LEAST_PAGES;

        if ((needed > generous ||
             __builtin_wasm_memory_grow(0, generous) == SIZE_MAX) &&
            __builtin_wasm_memory_grow(0, needed) == SIZE_MAX) {
            errno = ENOMEM;
            return (void *)-1;
        }
    }
    end += (uintptr_t)n_bytes;
    return (void *)begin;
}

/* --- base/allowance.h ------------------------------------------------------------- */

unsigned rln__processors(void)
{
    return 1;
}

size_t rln__jobs_for(unsigned n_asked, size_t n_tasks, size_t n_worth, size_t most)
{
    (void)n_asked;
    (void)n_tasks;
    (void)n_worth;
    (void)most;
    return 1;
}

size_t rln__memory_share(void)
{
    return MOST_PAGES * PAGE_BYTES / 8;
}
