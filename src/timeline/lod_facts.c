/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_facts.h"

#include "ranges/gpu_owner.h"
#include "timeline/lod_query.h"

size_t rln__lod_count_threads(const struct rln__lod *lod)
{
    return lod->saved ? lod->saved->n_threads : lod->reader->n_threads;
}

static uint32_t adopter_of(struct rln__lod *lod, uint32_t thread)
{
    const uint32_t process = lod->saved ? 0 : lod->reader->threads[thread].process;

    return lod->saved
               ? lod->saved->threads[thread].adopter
               : rln__reader_thread_of_tid(lod->reader, &lod->threads_by_tid, process,
                                           rln__gpu_adopter(lod->reader, process));
}

struct rln__lod_thread_facts rln__lod_thread_facts(struct rln__lod *lod,
                                                   uint32_t thread)
{
    const struct rln__trace_thread *t;

    if (lod->saved)
        return lod->saved->threads[thread];
    t = &lod->reader->threads[thread];
    return (struct rln__lod_thread_facts){
        rln__thread_name(lod->reader, t->process, t->tid, thread), t->process, t->tid,
        adopter_of(lod, thread)};
}

/* {process, tid} */
static uint64_t id_of(const struct rln__lod *lod, uint32_t thread)
{
    const struct rln__lod_thread_facts *f =
        lod->saved ? &lod->saved->threads[thread] : NULL;
    const struct rln__trace_thread *t = f ? NULL : &lod->reader->threads[thread];

    return f ? (uint64_t)f->process << 32 | f->tid
             : (uint64_t)t->process << 32 | t->tid;
}

int rln__lod_is_same_thread(const struct rln__lod *lod, uint32_t a, uint32_t b)
{
    return a != RLN__NONE && b != RLN__NONE && id_of(lod, a) == id_of(lod, b);
}

uint32_t rln__lod_owner(struct rln__lod *lod, const struct rln__range_bucket *bucket)
{
    const uint32_t caller = rln__lod_caller(bucket);
    const uint32_t adopter = bucket->is_adopted ? adopter_of(lod, caller) : RLN__NONE;

    return adopter == RLN__NONE ? caller : adopter;
}
