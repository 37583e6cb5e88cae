/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/event/ids.h"

enum {
    SEGMENT_ROWS = 4096,
    SEGMENTS = RLN__MAX_ATTRIBUTES / SEGMENT_ROWS,
};

static struct {
    struct rln__attributes *segments[SEGMENTS]; /* atomic pointers */
    uint32_t n_rows;                            /* atomic; row 0 is unused */
    uint32_t n_strings;                         /* atomic */
    uint32_t n_domains;                         /* atomic */
} ids;

void *rln__grown(void **slot, size_t n_bytes)
{
    void *there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    void *fresh;

    if (there)
        return there;
    fresh = rln__sys_zeros(n_bytes);
    if (!fresh)
        return NULL;
    if (__atomic_compare_exchange_n(slot, &there, fresh, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return fresh;
    rln__sys_munmap(fresh, n_bytes);
    return there;
}

const struct rln__attributes *rln__attributes_at(uint32_t id)
{
    struct rln__attributes *segment;

    if (id == 0 || id >= RLN__MAX_ATTRIBUTES)
        return NULL;
    segment = __atomic_load_n(&ids.segments[id / SEGMENT_ROWS], __ATOMIC_ACQUIRE);
    return segment && segment[id % SEGMENT_ROWS].shifted_id
               ? &segment[id % SEGMENT_ROWS]
               : NULL;
}

/* The segment exists, although another thread may still try to add the same one. */
const struct rln__attributes *rln__attributes_made(uint32_t id)
{
    const struct rln__attributes *segment =
        __atomic_load_n(&ids.segments[id / SEGMENT_ROWS], __ATOMIC_RELAXED);

    return &segment[id % SEGMENT_ROWS];
}

struct rln__attributes *rln__attributes_make(uint32_t most, uint32_t *id)
{
    uint32_t n = __atomic_load_n(&ids.n_rows, __ATOMIC_RELAXED);
    struct rln__attributes *segment;

    do {
        *id = n + 1;
        if (n >= most)
            return NULL;
        segment = rln__grown((void **)&ids.segments[*id / SEGMENT_ROWS],
                             SEGMENT_ROWS * sizeof *segment);
        if (!segment)
            return NULL;
    } while (!__atomic_compare_exchange_n(&ids.n_rows, &n, *id, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return &segment[*id % SEGMENT_ROWS];
}

int rln__has_attributes(uint32_t most)
{
    return __atomic_load_n(&ids.n_rows, __ATOMIC_RELAXED) >= most;
}

uint32_t rln__next_string_id(void)
{
    return __atomic_add_fetch(&ids.n_strings, 1, __ATOMIC_RELAXED);
}

uint32_t rln__next_domain_id(void)
{
    return __atomic_add_fetch(&ids.n_domains, 1, __ATOMIC_RELAXED);
}

uint32_t rln__intern_n_domains(void)
{
    const uint32_t n = __atomic_load_n(&ids.n_domains, __ATOMIC_RELAXED) + 1;

    return n < RLN__MAX_DOMAINS ? n : RLN__MAX_DOMAINS;
}

void rln__intern_limits(uint32_t *strings, uint32_t *attributes, uint32_t *domains)
{
    *strings = __atomic_load_n(&ids.n_strings, __ATOMIC_RELAXED) + 1;
    *attributes = __atomic_load_n(&ids.n_rows, __ATOMIC_RELAXED) + 1;
    *domains = __atomic_load_n(&ids.n_domains, __ATOMIC_RELAXED) + 1;
}
