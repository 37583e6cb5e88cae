/* SPDX-License-Identifier: Apache-2.0 */
/* heap_calls.h - records of memory calls, decoded (docs/reference/FORMAT.md 5,
 * "memory"). */
#ifndef RLN_RANGES_HEAP_CALLS_H
#define RLN_RANGES_HEAP_CALLS_H

#include "format/names.h"
#include "rangeline/values.h"

/* One call after the other. Ready when zeroed. */
struct rln__memory_decoder {
    rln_memory_call call;       /* valid until the next one */
    rln_memory_region *regions; /* owned */
    size_t capacity;
};

/* `words` is the whole record; members beyond its end are left out. 0, or -1 when there
 * is no memory. */
int rln__memory_decode(struct rln__memory_decoder *d, const struct rln__names *names,
                       uint32_t process, const uint64_t *words, size_t n_words);
void rln__memory_decoder_clear(struct rln__memory_decoder *d);

#endif
