/* SPDX-License-Identifier: Apache-2.0 */
/* record_cache.h - caches batches whose elements are read one by one.
 *
 *   newest <-> ... <-> oldest      each a whole record, as it is in the file
 *
 * Elements come in time order, so those of batches recorded at the same time alternate:
 * a cache of one record would read a whole batch per element. Beyond
 * RLN__CACHED_BYTES the least recently used record goes.
 */
#ifndef RLN_TRACE_DECODE_RECORD_CACHE_H
#define RLN_TRACE_DECODE_RECORD_CACHE_H

#include "base/hash.h"

#define RLN__CACHED_BYTES ((size_t)64 << 20) /* or one record, if it is larger */

struct rln__cached;

/* Empty when zeroed. */
struct rln__record_cache {
    struct rln__map by_address; /* part and offset -> struct rln__cached * */
    struct rln__cached *newest, *oldest;
    size_t n_bytes;
};

/* The record at an offset of a part's file, or NULL. Borrowed until the next
 * rln__record_keep(). */
const uint64_t *rln__record_cached(struct rln__record_cache *cache, uint32_t part,
                                   uint64_t offset, size_t *n_words);

/* Takes ownership of `words`, allocated with rln__resize(), even on failure. 0, or -1
 * when there is no memory. */
int rln__record_keep(struct rln__record_cache *cache, uint32_t part, uint64_t offset,
                     uint64_t *words, size_t n_words);

void rln__record_cache_clear(struct rln__record_cache *cache);

#endif
