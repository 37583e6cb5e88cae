/* SPDX-License-Identifier: Apache-2.0 */
/* hash.h - maps 64-bit keys to 64-bit values other than 0.
 *
 *   slots   [key value][0 0][key value]...    open addressing, at most 3/4 full
 *
 * A value of 0 means absent, so users store an index plus 1. A zeroed struct is an
 * empty map.
 */
#ifndef RLN_BASE_HASH_H
#define RLN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct rln__slot {
    uint64_t key;
    uint64_t value;
};

struct rln__map {
    struct rln__slot *slots; /* owned */
    size_t n;
    size_t mask; /* slots - 1, if there are any */
};

/* Spreads neighboring keys: the finalizer of MurmurHash3. */
static inline uint64_t rln__mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
}

uint64_t rln__hash_bytes(const void *bytes, size_t length);

/* Returns 0 if `key` is absent. */
static inline uint64_t rln__map_get(const struct rln__map *map, uint64_t key)
{
    if (!map->slots)
        return 0;
    for (size_t i = (size_t)rln__mix(key) & map->mask;; i = (i + 1) & map->mask) {
        if (map->slots[i].value == 0 || map->slots[i].key == key)
            return map->slots[i].value;
    }
}

/* Sets or replaces. Returns 0, or -1 when there is no memory. */
int rln__map_put(struct rln__map *map, uint64_t key, uint64_t value);

/* Returns the value that was removed, or 0. */
uint64_t rln__map_remove(struct rln__map *map, uint64_t key);

void rln__map_clear(struct rln__map *map);

/* Removes everything, and keeps the memory if it was used. */
void rln__map_empty(struct rln__map *map);

#endif
