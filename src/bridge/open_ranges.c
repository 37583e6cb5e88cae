/* SPDX-License-Identifier: Apache-2.0 */
/* open_ranges.c - a table without a lock: a key is in one of the N_PROBES slots from
 * its hash on, which are all looked at, so that a slot can simply be emptied.
 *
 *     empty --> being written --> key, range --> empty
 */
#include "bridge/open_ranges.h"

enum { N_SLOTS = 65536, N_PROBES = 32 };
enum { EMPTY = 0, BEING_WRITTEN = 1 };

static struct slot {
    uint64_t key; /* atomic, as the next */
    nvtxRangeId_t range;
} slots[N_SLOTS + N_PROBES];

/* Any number, as a key that is neither EMPTY nor BEING_WRITTEN. */
static uint64_t mixed(uint64_t key)
{
    key = (key ^ key >> 32) * 0x9e3779b97f4a7c15u;
    key ^= key >> 29;
    return key > BEING_WRITTEN ? key : key + 2;
}

static struct slot *first_of(uint64_t key)
{
    return &slots[key % N_SLOTS];
}

int rln__open_range_keep(uint64_t key, nvtxRangeId_t range)
{
    struct slot *first;

    key = mixed(key);
    first = first_of(key);
    for (unsigned i = 0; i < N_PROBES; i++) {
        uint64_t empty = EMPTY;

        if (!__atomic_compare_exchange_n(&first[i].key, &empty, BEING_WRITTEN, 0,
                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        __atomic_store_n(&first[i].range, range, __ATOMIC_RELAXED);
        __atomic_store_n(&first[i].key, key, __ATOMIC_RELEASE);
        return 0;
    }
    return -1;
}

int rln__open_range_has(uint64_t key)
{
    const struct slot *first;

    key = mixed(key);
    first = first_of(key);
    for (unsigned i = 0; i < N_PROBES; i++) {
        if (__atomic_load_n(&first[i].key, __ATOMIC_RELAXED) == key)
            return 1;
    }
    return 0;
}

/* The slot of a key with the largest id, which is the thread's newest. */
static struct slot *newest_of(uint64_t key, nvtxRangeId_t *range)
{
    struct slot *first = first_of(key), *newest = NULL;

    *range = 0;
    for (unsigned i = 0; i < N_PROBES; i++) {
        nvtxRangeId_t found;

        if (__atomic_load_n(&first[i].key, __ATOMIC_ACQUIRE) != key)
            continue;
        found = __atomic_load_n(&first[i].range, __ATOMIC_RELAXED);
        if (!newest || found > *range) {
            newest = &first[i];
            *range = found;
        }
    }
    return newest;
}

nvtxRangeId_t rln__open_range_find(uint64_t key)
{
    nvtxRangeId_t range;

    (void)newest_of(mixed(key), &range);
    return range;
}

nvtxRangeId_t rln__open_range_take(uint64_t key)
{
    nvtxRangeId_t range;
    struct slot *slot;

    key = mixed(key);
    while ((slot = newest_of(key, &range))) {
        uint64_t expected = key;

        if (__atomic_compare_exchange_n(&slot->key, &expected, EMPTY, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return range;
    }
    return 0;
}
