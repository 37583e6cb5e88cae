/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/alloc.h"

#include <string.h>

uint64_t rln__hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = 0x9e3779b97f4a7c15u ^ length;
    uint64_t word;

    for (; length >= 8; at += 8, length -= 8) {
        memcpy(&word, at, 8);
        hash = rln__mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    word = 0;
    if (length)
        memcpy(&word, at, length);
    return rln__mix(hash ^ word);
}

static void insert(struct rln__map *map, uint64_t key, uint64_t value)
{
    size_t i = (size_t)rln__mix(key) & map->mask;

    while (map->slots[i].value)
        i = (i + 1) & map->mask;
    map->slots[i] = (struct rln__slot){key, value};
}

static int enlarge(struct rln__map *map)
{
    const size_t n_old = map->slots ? map->mask + 1 : 0;
    const size_t n_new = n_old ? n_old * 2 : 16;
    struct rln__slot *old = map->slots;
    struct rln__slot *slots = rln__alloc(n_new, sizeof(*slots));

    if (!slots)
        return -1;
    map->slots = slots;
    map->mask = n_new - 1;
    for (size_t i = 0; i < n_old; i++) {
        if (old[i].value)
            insert(map, old[i].key, old[i].value);
    }
    rln__free(old);
    return 0;
}

int rln__map_put(struct rln__map *map, uint64_t key, uint64_t value)
{
    if (!map->slots || (map->n + 1) * 4 > (map->mask + 1) * 3) {
        if (enlarge(map))
            return -1;
    }
    for (size_t i = (size_t)rln__mix(key) & map->mask;; i = (i + 1) & map->mask) {
        if (map->slots[i].value && map->slots[i].key != key)
            continue;
        map->n += map->slots[i].value == 0;
        map->slots[i] = (struct rln__slot){key, value};
        return 0;
    }
}

uint64_t rln__map_remove(struct rln__map *map, uint64_t key)
{
    size_t hole;
    uint64_t value;

    if (!rln__map_get(map, key))
        return 0;
    hole = (size_t)rln__mix(key) & map->mask;
    while (map->slots[hole].key != key || map->slots[hole].value == 0)
        hole = (hole + 1) & map->mask;
    value = map->slots[hole].value;

    /* Later entries move up, unless they would pass their own slot: no tombstones. */
    for (size_t i = (hole + 1) & map->mask; map->slots[i].value;
         i = (i + 1) & map->mask) {
        const size_t home = (size_t)rln__mix(map->slots[i].key) & map->mask;

        if (((i - home) & map->mask) >= ((i - hole) & map->mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole].value = 0;
    map->n--;
    return value;
}

void rln__map_clear(struct rln__map *map)
{
    rln__free(map->slots);
    memset(map, 0, sizeof(*map));
}

void rln__map_empty(struct rln__map *map)
{
    if (map->n * 16 < map->mask)
        rln__map_clear(map);
    else if (map->n)
        memset(map->slots, 0, (map->mask + 1) * sizeof(*map->slots));
    map->n = 0;
}
