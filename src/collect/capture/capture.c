/* SPDX-License-Identifier: Apache-2.0 */
/* capture.c - opens and closes capture windows when capture ranges begin and end.
 *
 * The superblock counts, for all processes of the run, how many capture ranges are open
 * and how many there were: a window is open while any capture range is.
 */
#include "collect/capture/capture.h"

#include "collect/event/intern.h"
#include "collect/process/process.h"
#include "format/windows.h"

enum { MOST_NAMED = 16 }; /* more names than readers print */

uint32_t rln__capture_first_gate(const struct rln__config *config)
{
    return (config->capture.is_given ? RLN__GATE_CAPTURE | RLN__GATE_WATCHED : 0u) |
           (config->categories[0] ? RLN__GATE_CATEGORIES : 0u);
}

/* --- opening and closing ---------------------------------------------------------- */

static uint32_t n_open(uint64_t captures)
{
    return (uint32_t)captures & ~RLN__CAPTURE_IS_FREE;
}

/* Whether the gate is open for these captures. Occurrences are counted from 0; the
 * index of an open one is the number of those that have ended. */
static int opens(uint64_t captures)
{
    const struct rln__config *config = &rln__collector.config;
    const uint64_t n_ended = captures >> 32;

    if (config->capture_end == RLN__CAPTURE_GOES_ON)
        return n_ended + (n_open(captures) > 0) > config->capture_first;
    return n_open(captures) > 0 && n_ended >= config->capture_first &&
           (!config->n_windows || n_ended - config->capture_first < config->n_windows);
}

static int is_over(uint64_t captures)
{
    const struct rln__config *config = &rln__collector.config;

    return config->capture_end != RLN__CAPTURE_GOES_ON && config->n_windows &&
           captures >> 32 >= (uint64_t)config->capture_first + config->n_windows;
}

static uint32_t bits_for(uint64_t captures, uint32_t bits, uint32_t reason)
{
    const uint32_t ends = rln__collector.config.capture_end;

    if (opens(captures))
        return bits &
               ~(reason | (ends == RLN__CAPTURE_GOES_ON ? RLN__GATE_WATCHED : 0u));
    bits |= reason;
    if (!is_over(captures))
        return bits;
    if (ends == RLN__CAPTURE_SHUTS_DOWN)
        bits |= RLN__GATE_SHUTDOWN;
    return (bits | RLN__GATE_OVER) & ~(uint32_t)RLN__GATE_WATCHED;
}

/* Sets the gate from the captures. Other threads may change them concurrently, and each
 * change ends here: a thread with outdated captures finds that the gate has changed,
 * too, and reads them again. So a window never closes while a capture range is open. */
static void settle(uint32_t reason, enum rln__window_cause cause)
{
    struct rln__superblock *super = rln__collector.file.super;
    uint64_t gate = __atomic_load_n(&super->control.gate, __ATOMIC_ACQUIRE);
    uint64_t captures;
    uint32_t bits;

    do {
        captures = __atomic_load_n(&rln__control->captures, __ATOMIC_ACQUIRE);
        bits = bits_for(captures, (uint32_t)gate + RLN__GATE_TURN, reason);
    } while (!rln__gate_swap(super, &gate, bits, cause, rln__now()));
}

/* Whether only captures close the gate: no delay, no stop. */
static int is_free(uint32_t reason)
{
    return !(rln__gate_of(rln__collector.file.super) & RLN__GATE_CLOSED & ~reason);
}

/* Also called inside another capture range, which may not have opened the gate yet. */
void rln__capture_begin_with(uint32_t reason, enum rln__window_cause cause)
{
    uint64_t *word = &rln__control->captures;
    uint64_t seen = __atomic_load_n(word, __ATOMIC_ACQUIRE), next;

    do
        next = seen + 1 +
               (n_open(seen) == 0 && is_free(reason) ? RLN__CAPTURE_IS_FREE : 0);
    while (!__atomic_compare_exchange_n(word, &seen, next, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
    settle(reason, cause);
}

/* A nested range is not an occurrence. Nor is one that could not open the gate: with a
 * delay of a minute, the first step is the first one after that minute. */
void rln__capture_end_with(uint32_t reason, enum rln__window_cause cause)
{
    uint64_t *word = &rln__control->captures;
    uint64_t seen = __atomic_load_n(word, __ATOMIC_ACQUIRE), next;
    int counts;

    do {
        if (n_open(seen) == 0)
            return;
        counts = seen & RLN__CAPTURE_IS_FREE || is_free(reason) ||
                 rln__collector.config.capture_end == RLN__CAPTURE_GOES_ON;
        next = seen - 1;
        if (n_open(next) == 0)
            next = (next & ~(uint64_t)RLN__CAPTURE_IS_FREE) + ((uint64_t)counts << 32);
    } while (!__atomic_compare_exchange_n(word, &seen, next, 0, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    if (n_open(next) > 0)
        return;
    if (!counts)
        __atomic_fetch_add(&rln__control->held, 1, __ATOMIC_RELAXED);
    settle(reason, cause);
}

/* --- capture ranges of starts: any thread of any process may end them ------------ */

int rln__capture_keep_id(uint64_t id)
{
    for (uint32_t i = 0; i < RLN__CAPTURE_IDS; i++) {
        uint64_t none = 0;

        if (__atomic_compare_exchange_n(&rln__control->capture_ids[i], &none, id, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return 1;
    }
    return 0;
}

/* If recording continues after the range, its end does not matter. */
uint64_t rln__capture_held_id(void)
{
    const int has_end = rln__collector.config.capture_end != RLN__CAPTURE_GOES_ON;
    const uint64_t n = __atomic_add_fetch(&rln__control->held_ids, 1, __ATOMIC_RELAXED);
    const uint64_t id = RLN__HELD_ID | (n & (RLN__HELD_ID - 1));

    return has_end && rln__capture_keep_id(id) ? id : 0;
}

int rln__capture_take_id(uint64_t id)
{
    for (uint32_t i = 0; id && i < RLN__CAPTURE_IDS; i++) {
        uint64_t there = id;

        if (__atomic_compare_exchange_n(&rln__control->capture_ids[i], &there, 0, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return 1;
    }
    return 0;
}

/* --- near misses ------------------------------------------------------------------ */

/* The row as readers know it, {process, id}: a forked child may not have a record yet.
 * 0 if there is no space for that record. */
RLN_COLD static uint64_t recorded_row(uint32_t id)
{
    const rln__sigmask mask = rln__block_signals();
    struct rln__process_context *p = rln__process_ready();
    const uint64_t row =
        p && rln__process_has_record(p) ? rln__pair32(p->index, id) : 0;

    rln__restore_signals(mask);
    return row;
}

/* The row's entry in the run's table, which is small; NULL if no slot is free. */
static struct rln__near_miss *near_miss(uint32_t id)
{
    const struct rln__process_context *p = rln__collector.process;
    const uint64_t row = rln__pair32(p ? p->index : 0, id);

    for (uint32_t i = 0; i < RLN__NEAR_MISSES; i++) {
        struct rln__near_miss *miss = &rln__control->near_misses[i];
        uint64_t there = __atomic_load_n(&miss->row, __ATOMIC_RELAXED);

        if (there == row)
            return miss;
        if (there)
            continue;
        if (recorded_row(id) != row)
            return NULL;
        if (__atomic_compare_exchange_n(&miss->row, &there, row, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            there == row)
            return miss;
    }
    return NULL;
}

/* A row for a range with its message in line, so that readers see the name. */
RLN_COLD static uint32_t named(const struct rln__gated_event *e)
{
    const uint64_t domain_key = rln__domain_key(e->domain, e->category);
    const struct rln__attributes *a =
        rln__intern_message(domain_key, e->style_key, e->text, e->n_bytes);

    return a ? a->shifted_id >> RLN__ID_SHIFT : 0;
}

/* Whether a range without a row may be added: a full table stays full. */
static int has_free_slot(void)
{
    const struct rln__near_miss *last =
        &rln__control->near_misses[RLN__NEAR_MISSES - 1];

    return __atomic_load_n(&last->row, __ATOMIC_RELAXED) == 0;
}

void rln__capture_note_near_miss(const struct rln__gated_event *e)
{
    const uint32_t id = e->id || !e->text || !has_free_slot() ? e->id : named(e);
    struct rln__near_miss *miss = id ? near_miss(id) : NULL;

    if (miss)
        __atomic_fetch_add(&miss->n, 1, __ATOMIC_RELAXED);
}

void rln__capture_note_other(const struct rln__gated_event *e)
{
    static uint32_t n_named; /* atomic; a forked child continues it */

    if (__atomic_load_n(&n_named, __ATOMIC_RELAXED) >= MOST_NAMED)
        return;
    __atomic_fetch_add(&n_named, 1, __ATOMIC_RELAXED);
    (void)named(e);
}
