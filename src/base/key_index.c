/* SPDX-License-Identifier: Apache-2.0 */
#include "base/key_index.h"
#include "base/alloc.h"

#include <string.h>

/* A sum of independent products, which need not wait for each other; the map mixes it.
 */
static uint64_t hash_of(const struct rln__key *key)
{
    return key->words[0] * 0x9e3779b97f4a7c15u + key->words[1] * 0xff51afd7ed558ccdu +
           key->words[2] * 0xc4ceb9fe1a85ec53u + key->words[3] * 0xd6e8feb86659fd93u;
}

uint32_t rln__key_index_number(struct rln__key_index *k, const struct rln__key *key)
{
    const uint64_t hash = hash_of(key);
    const uint64_t first = rln__map_get(&k->by_hash, hash);
    struct rln__key_index_entry *entries;

    for (uint32_t at = (uint32_t)first; at; at = k->entries[at - 1].next) {
        if (rln__key_is(&k->entries[at - 1].key, key))
            return at - 1;
    }
    entries = rln__grow(k->entries, &k->capacity, k->n + 1, sizeof(*entries));
    if (!entries || k->n >= UINT32_MAX - 1)
        return UINT32_MAX;
    k->entries = entries;
    entries[k->n] = (struct rln__key_index_entry){*key, (uint32_t)first};
    if (rln__map_put(&k->by_hash, hash, k->n + 1))
        return UINT32_MAX;
    return (uint32_t)k->n++;
}

void rln__key_index_clear(struct rln__key_index *k)
{
    rln__free(k->entries);
    rln__map_clear(&k->by_hash);
    memset(k, 0, sizeof(*k));
}

void *rln__key_index_add(void *array, size_t *n, size_t *capacity, uint32_t number,
                         size_t item_bytes)
{
    char *items;

    if (number == UINT32_MAX)
        return NULL;
    memcpy(&items, array, sizeof(items));
    items = rln__grow_to(items, n, capacity, number, item_bytes);
    if (!items)
        return NULL;
    memcpy(array, &items, sizeof(items));
    return items + number * item_bytes;
}

int rln__compare_text(rln_text a, rln_text b)
{
    const size_t n = a.length < b.length ? a.length : b.length;
    const int order = n ? memcmp(a.bytes, b.bytes, n) : 0;

    return order ? order : (a.length > b.length) - (a.length < b.length);
}
