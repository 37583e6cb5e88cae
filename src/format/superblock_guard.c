/* SPDX-License-Identifier: Apache-2.0 */
#include "format/superblock_guard.h"

#include <stddef.h>

#include "base/count.h"

/* No run drops this many events between two calls. */
#define MOST_DROPPED (1ull << 40)

/* Fields that do not change while a run is recorded, in whole words. */
static const struct {
    size_t begin, end;
} fixed[] = {
    {0, offsetof(struct rln__superblock, next_free)},
    {offsetof(struct rln__superblock, ticks_per_s),
     offsetof(struct rln__superblock, dropped_events)},
    {offsetof(struct rln__superblock, finished),
     offsetof(struct rln__superblock, ring) +
         offsetof(struct rln__ring_buffer, next_place)},
};

void rln__guard_begin(struct rln__superblock_guard *guard,
                      const struct rln__superblock *super)
{
    guard->saved = *super;
    guard->n_restored = 0;
}

static void restore_fixed(struct rln__superblock_guard *guard,
                          struct rln__superblock *super)
{
    const uint64_t *saved = (const uint64_t *)(const void *)&guard->saved;
    uint64_t *words = (uint64_t *)(void *)super;

    for (size_t i = 0; i < RLN_COUNT(fixed); i++) {
        for (size_t k = fixed[i].begin / 8; k < fixed[i].end / 8; k++) {
            if (__atomic_load_n(&words[k], __ATOMIC_RELAXED) == saved[k])
                continue;
            __atomic_store_n(&words[k], saved[k], __ATOMIC_RELEASE);
            guard->n_restored++;
        }
    }
}

/* Restores a word that only grows, unless it has grown by at most `most` since the last
 * call. Adds `unseen` to the old value, because processes may have used larger ones
 * meanwhile. */
static void restore_growing(struct rln__superblock_guard *guard, uint64_t *word,
                            uint64_t *saved, uint64_t most, uint64_t unseen)
{
    uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);

    if (seen >= *saved && seen - *saved <= most) {
        *saved = seen;
    } else if (__atomic_compare_exchange_n(word, &seen, *saved + unseen, 0,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        *saved += unseen;
        guard->n_restored++;
    }
}

/* Skips some indices, because processes may have used them since the last call. */
static void restore_process(struct rln__superblock_guard *guard,
                            struct rln__superblock *super)
{
    enum { UNSEEN = 1 << 16 };
    uint64_t seen = __atomic_load_n(&super->processes, __ATOMIC_RELAXED);
    uint64_t *saved = &guard->saved.processes;
    const uint64_t restored = rln__processes((uint32_t)*saved + UNSEEN);

    if (seen == rln__processes((uint32_t)seen)) {
        *saved = seen;
    } else if (__atomic_compare_exchange_n(&super->processes, &seen, restored, 0,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        *saved = restored;
        guard->n_restored++;
    }
}

void rln__guard_restore(struct rln__superblock_guard *guard,
                        struct rln__superblock *super)
{
    restore_fixed(guard, super);
    restore_process(guard, super);
    if (__atomic_load_n(&super->clock_kind, __ATOMIC_RELAXED) !=
        guard->saved.clock_kind) {
        __atomic_store_n(&super->clock_kind, guard->saved.clock_kind, __ATOMIC_RELAXED);
        guard->n_restored++;
    }
    restore_growing(guard, &super->dropped_events, &guard->saved.dropped_events,
                    MOST_DROPPED, 0);
    restore_growing(guard, &super->ring.next_place, &guard->saved.ring.next_place,
                    1ull << 48, 1ull << 40);
}
