/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/decode/record_cache.h"
#include "base/alloc.h"

#include <string.h>

struct rln__cached {
    struct rln__cached *newer, *older;
    uint64_t *words; /* owned */
    size_t n_words;
    uint64_t key;
};

/* Records begin at multiples of 8. */
static uint64_t key_of(uint32_t part, uint64_t offset)
{
    return ((uint64_t)part << 44) ^ (offset / 8);
}

static void unlink_record(struct rln__record_cache *cache, struct rln__cached *c)
{
    *(c->newer ? &c->newer->older : &cache->newest) = c->older;
    *(c->older ? &c->older->newer : &cache->oldest) = c->newer;
}

static void link_as_newest(struct rln__record_cache *cache, struct rln__cached *c)
{
    c->newer = NULL;
    c->older = cache->newest;
    *(c->older ? &c->older->newer : &cache->oldest) = c;
    cache->newest = c;
}

static void drop(struct rln__record_cache *cache, struct rln__cached *c)
{
    unlink_record(cache, c);
    (void)rln__map_remove(&cache->by_address, c->key);
    cache->n_bytes -= c->n_words * 8;
    rln__free(c->words);
    rln__free(c);
}

const uint64_t *rln__record_cached(struct rln__record_cache *cache, uint32_t part,
                                   uint64_t offset, size_t *n_words)
{
    const uint64_t key = key_of(part, offset);
    struct rln__cached *c = cache->newest;

    if (!c || c->key != key)
        c = (struct rln__cached *)(uintptr_t)rln__map_get(&cache->by_address, key);
    if (!c)
        return NULL;
    if (c != cache->newest) {
        unlink_record(cache, c);
        link_as_newest(cache, c);
    }
    *n_words = c->n_words;
    return c->words;
}

int rln__record_keep(struct rln__record_cache *cache, uint32_t part, uint64_t offset,
                     uint64_t *words, size_t n_words)
{
    struct rln__cached *c = rln__alloc(1, sizeof(*c));

    if (!c || rln__map_put(&cache->by_address, key_of(part, offset), (uintptr_t)c)) {
        rln__free(words);
        rln__free(c);
        return -1;
    }
    c->words = words;
    c->n_words = n_words;
    c->key = key_of(part, offset);
    link_as_newest(cache, c);
    cache->n_bytes += n_words * 8;
    while (cache->n_bytes > RLN__CACHED_BYTES && cache->oldest != c)
        drop(cache, cache->oldest);
    return 0;
}

void rln__record_cache_clear(struct rln__record_cache *cache)
{
    while (cache->oldest)
        drop(cache, cache->oldest);
    rln__map_clear(&cache->by_address);
    memset(cache, 0, sizeof(*cache));
}
