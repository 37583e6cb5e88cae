/* SPDX-License-Identifier: Apache-2.0 */
/* windows.c - opens and closes the capture windows of a run. */
#include "format/windows.h"

uint32_t rln__gate_of(const struct rln__superblock *super)
{
    return (uint32_t)__atomic_load_n(&super->control.gate, __ATOMIC_ACQUIRE);
}

void rln__gate_begin(struct rln__superblock *super, uint32_t bits)
{
    __atomic_store_n(&super->control.gate, bits, __ATOMIC_RELEASE);
}

/* Window `n`, counted from 0; past the last slot, a window that is never read. With a
 * ring buffer, new windows overwrite the oldest ones. */
static struct rln__window *window(struct rln__superblock *super, uint32_t n)
{
    static struct rln__window unlisted;
    struct rln__window *windows =
        (struct rln__window *)(void *)((char *)super + RLN__WINDOWS_OFFSET);

    if (super->ring.buffer_bytes)
        n %= RLN__MAX_WINDOWS;
    return n < RLN__MAX_WINDOWS ? &windows[n] : &unlisted;
}

uint64_t rln__first_window_opened(const struct rln__superblock *super)
{
    const struct rln__window *first =
        (const struct rln__window *)(const void *)((const char *)super +
                                                   RLN__WINDOWS_OFFSET);

    return __atomic_load_n(&first->opened, __ATOMIC_ACQUIRE);
}

static void close_window(struct rln__window *w, enum rln__window_cause cause,
                         uint64_t ticks)
{
    __atomic_store_n(&w->closed_by, cause, __ATOMIC_RELAXED);
    __atomic_store_n(&w->closed, ticks, __ATOMIC_RELEASE);
}

static void open_window(struct rln__window *w, enum rln__window_cause cause,
                        uint64_t ticks)
{
    /* The slot may have an older window: its end must not be read with this beginning.
     */
    __atomic_store_n(&w->opened, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&w->closed, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&w->opened_by, cause, __ATOMIC_RELAXED);
    __atomic_store_n(&w->opened, ticks, __ATOMIC_RELEASE);
}

int rln__gate_swap(struct rln__superblock *super, uint64_t *seen, uint32_t bits,
                   enum rln__window_cause cause, uint64_t ticks)
{
    const int was_open = !(*seen & RLN__GATE_CLOSED);
    const int is_open = !(bits & RLN__GATE_CLOSED);
    uint32_t n = (uint32_t)(*seen >> 32);

    /* A run with a gate that is open from its beginning has a first window that nothing
     * opened. */
    if (is_open != was_open && (is_open || n == 0))
        n++;
    if (!__atomic_compare_exchange_n(&super->control.gate, seen,
                                     (uint64_t)n << 32 | bits, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return 0;
    if (was_open && !is_open)
        close_window(window(super, n - 1), cause, ticks);
    else if (is_open && !was_open)
        open_window(window(super, n - 1), cause, ticks);
    return 1;
}

uint32_t rln__gate_change(struct rln__superblock *super, uint32_t set, uint32_t clear,
                          enum rln__window_cause cause, uint64_t ticks)
{
    uint64_t seen = __atomic_load_n(&super->control.gate, __ATOMIC_ACQUIRE);

    while (!rln__gate_swap(super, &seen, ((uint32_t)seen | set) & ~clear, cause, ticks))
        ;
    return (uint32_t)seen;
}
