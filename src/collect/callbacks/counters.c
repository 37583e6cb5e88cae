/* SPDX-License-Identifier: Apache-2.0 */
/* counters.c - implements NVTX's module COUNTERS.                               [hot]
 *
 * A sample is a word with its counter's row in intern.h, followed by its value. A table
 * has the rows of ids that the collector chose; the thread guesses the rows of the
 * program's own ids.
 *
 * Budget: a sample costs at most twice its own clock read (bench/range_pair.c).
 */
#include "collect/callbacks/callbacks.h"
#include "collect/callbacks/client_clocks.h"
#include "collect/callbacks/deferred.h"
#include "collect/callbacks/register.h"
#include "collect/event/chunk.h"
#include "collect/event/safe_read.h"
#include "collect/payload/payload_event.h"

/* nvtxCounterAttr_t and nvtxCounterBatch_t, with their ABI layout. */
struct counter_attributes {
    size_t size;
    uint64_t schema;
    const char *name;
    const char *description;
    uint64_t scope;
    const void *semantics;
    uint64_t counter; /* the program's id, or 0 */
};

struct counter_batch {
    uint64_t counter;
    const void *samples;
    size_t n_bytes;
    uint64_t flags;
    const int64_t *timestamps;
    size_t n_timestamp_bytes;
};

enum { MAX_DYNAMIC = 1 << 16 };

/* The counter's row as in its word, indexed by the lower half of ids that the collector
 * chose. Ordinary memory, because a forked child keeps using its parent's rows. */
static uint32_t dynamic[MAX_DYNAMIC]; /* atomic */
static uint32_t n_dynamic;            /* atomic */

/* --- registering ------------------------------------------------------------------ */

static uint64_t new_id(uint32_t domain)
{
    const uint32_t n = __atomic_fetch_add(&n_dynamic, 1, __ATOMIC_RELAXED);
    const uint64_t id = RLN__FIRST_DYNAMIC_ID + n;
    const struct rln__attributes *row;

    if (n >= MAX_DYNAMIC) {
        __atomic_store_n(&n_dynamic, MAX_DYNAMIC, __ATOMIC_RELAXED);
        return 0;
    }
    row = rln__intern_counter(domain, id);
    if (!row)
        return 0;
    __atomic_store_n(&dynamic[n], row->shifted_id, __ATOMIC_RELEASE);
    return id;
}

static uint64_t on_register(uint64_t domain_handle, const void *from)
{
    const uint32_t domain = rln__domain_of(domain_handle);
    struct counter_attributes given = {0};
    uint64_t id;

    if (!rln__safe_read_sized(&given, sizeof given, from)) {
        rln__count(n_invalid, 1);
        return 0;
    }
    if (rln__is_excluded(domain_handle))
        return given.counter; /* samples of 0 are harmless */
    id = given.counter ? given.counter : new_id(domain);
    if (!id) {
        rln__count(n_strings_refused, 1);
        return 0;
    }
    rln__register(&(struct rln__registration){
        .sub = RLN__SUB_COUNTER_REGISTERED,
        .domain = domain,
        .id = id,
        .words = (uint64_t[]){rln__pair32(domain, rln__safe_read_string_id(given.name)),
                              id, given.schema,
                              rln__pair32(rln__safe_read_string_id(given.description),
                                          rln__semantics(given.semantics)),
                              given.scope},
        .n_words = 5,
    });
    rln__clocks_sample(domain); /* a second sync point follows with its batches */
    return id;
}

/* --- samples ---------------------------------------------------------------------- */

RLN_COLD static uint32_t row_slow(uint64_t domain_handle, uint64_t counter)
{
    const struct rln__attributes *a = NULL;

    /* Registered without a row, or in an excluded domain: ignore its samples. */
    if (!counter || rln__is_excluded(domain_handle))
        return 0;
    if (counter >= RLN__FIRST_DYNAMIC_ID) {
        rln__count(n_invalid, 1);
        return 0;
    }
    a = rln__intern_counter(rln__domain_of(domain_handle), counter);
    if (!a)
        rln__count_dropped();
    return a ? a->shifted_id : 0;
}

/* The counter's row as in its word; 0 if there is none. */
static inline uint32_t row_of(uint64_t domain_handle, uint64_t counter)
{
    const uint64_t n = counter - RLN__FIRST_DYNAMIC_ID;
    const struct rln__attributes *a;
    uint32_t domain, row;

    if (RLN_LIKELY(n < MAX_DYNAMIC)) {
        row = __atomic_load_n(&dynamic[n], __ATOMIC_RELAXED);
        if (RLN_LIKELY(row != 0))
            return row;
    }
    domain = rln__domain_of(domain_handle);
    a = rln__guess_handle(rln__domain_key(domain, 0), RLN__STYLE_KEY_COUNTER,
                          (const void *)(uintptr_t)counter);
    return RLN_LIKELY(a != NULL) ? a->shifted_id : row_slow(domain_handle, counter);
}

static void on_sample_int64(uint64_t domain, uint64_t counter, int64_t value)
{
    const uint32_t row = row_of(domain, counter);

    if (RLN_LIKELY(row != 0))
        rln__put(RLN__SAMPLE, 0, row << 1, (uint64_t)value);
}

static void on_sample_float64(uint64_t domain, uint64_t counter, double value)
{
    const uint32_t row = row_of(domain, counter);
    uint64_t bits;

    __builtin_memcpy(&bits, &value, sizeof bits);
    if (RLN_LIKELY(row != 0))
        rln__put(RLN__SAMPLE, 0, row << 1 | rln__shift_id(1), bits);
}

static void on_sample(uint64_t domain, uint64_t counter, const void *value, size_t size)
{
    const uint32_t row = row_of(domain, counter);
    const struct rln__payload_data data = {0, size, value};

    if (row)
        rln__put_our_payload(RLN__SAMPLE, rln__domain_of(domain),
                             row >> RLN__ID_SHIFT << 1, &data);
}

static void on_sample_no_value(uint64_t domain, uint64_t counter, uint8_t reason)
{
    const uint32_t row = row_of(domain, counter);
    const uint32_t known = reason < RLN__REASON_OTHER ? reason : RLN__REASON_OTHER;

    if (RLN_LIKELY(row != 0))
        rln__put(RLN__NO_VALUE, 0, row << 2 | rln__shift_id(known), 0);
}

static void on_batch_submit(uint64_t domain_handle, const void *from)
{
    struct counter_batch given;

    if (!rln__safe_read_all(&given, from)) {
        rln__count(n_invalid, 1);
        return;
    }
    if (rln__is_excluded(domain_handle))
        return;
    rln__clocks_sample(rln__domain_of(domain_handle));
    rln__put_deferred(
        &(struct rln__deferred_call){
            .sub = RLN__SUB_COUNTER_BATCH,
            .domain = rln__domain_of(domain_handle),
            .words = (uint64_t[]){given.counter, given.flags},
            .n_words = 2,
        },
        given.samples, given.n_bytes, given.timestamps,
        given.timestamps ? given.n_timestamp_bytes : 0);
}

const rln__callback rln__counters_callbacks[RLN__COUNTERS_CALLBACKS] = {
    (rln__callback)on_register,        (rln__callback)on_sample_int64,
    (rln__callback)on_sample_float64,  (rln__callback)on_sample,
    (rln__callback)on_sample_no_value, (rln__callback)on_batch_submit,
};
