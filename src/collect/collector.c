/* SPDX-License-Identifier: Apache-2.0 */
/* collector.c - has the state of the collector, and counts losses, also those of a
 * process's first call. Cold.
 *
 * The counters are in the process's record, which is made when something is first
 * written, after the first call has cut a text or refused a handle. Until then they are
 * in memory; who adds there looks again for a record, so that each addition is moved
 * once, whoever makes the record meanwhile.
 */
#include "collect/collector.h"

struct rln__collector rln__collector;

static uint64_t *counter_in(struct rln__process_record *record, size_t offset)
{
    return (uint64_t *)(void *)((char *)record + offset);
}

static void move(struct rln__process_context *p, struct rln__process_record *record,
                 size_t offset)
{
    uint64_t *early = counter_in(&p->early, offset);

    if (__atomic_load_n(early, __ATOMIC_SEQ_CST))
        __atomic_fetch_add(counter_in(record, offset),
                           __atomic_exchange_n(early, 0, __ATOMIC_SEQ_CST),
                           __ATOMIC_RELAXED);
}

void rln__count_at(size_t offset, uint64_t n)
{
    struct rln__process_context *p = rln__collector.process;
    struct rln__process_record *record;

    if (!p)
        return;
    record = __atomic_load_n(&p->record, __ATOMIC_ACQUIRE);
    if (record) {
        __atomic_fetch_add(counter_in(record, offset), n, __ATOMIC_RELAXED);
        return;
    }
    /* Sequential consistency: either this sees the record, or its maker the count. */
    __atomic_fetch_add(counter_in(&p->early, offset), n, __ATOMIC_SEQ_CST);
    record = __atomic_load_n(&p->record, __ATOMIC_SEQ_CST);
    if (record)
        move(p, record, offset);
}

void rln__count_early(struct rln__process_context *p)
{
    struct rln__process_record *record = __atomic_load_n(&p->record, __ATOMIC_SEQ_CST);

    for (size_t at = offsetof(struct rln__process_record, n_dropped);
         at < sizeof *record; at += sizeof(uint64_t))
        move(p, record, at);
}
