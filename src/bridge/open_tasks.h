/* SPDX-License-Identifier: Apache-2.0 */
/* open_tasks.h - what is known of a thread's open tasks: how many there are, and the
 * payloads that their ends will have.
 *
 * The payloads are in one of a fixed number of blocks, which the thread has only while
 * there are any: so a task without them costs a few instructions, and threads that end
 * leave nothing behind.
 */
#ifndef RLN_BRIDGE_OPEN_TASKS_H
#define RLN_BRIDGE_OPEN_TASKS_H

#include <nvtx3/nvToolsExtPayload.h>

#include "bridge/itt_layout.h"

/* The most that an event has of one array or text, in bytes. */
enum { RLN__MOST_PAYLOAD = 3072 };

/* Counts the open tasks of a domain, which `tag` identifies. Of domains that share one
 * while both have tasks open, each seems to have some: payloads that wait for tasks in
 * vain become marks when the last one ends. */
struct rln__task_counter {
    uint16_t tag;
    uint16_t n_open : 15, is_shared : 1;
};

enum { RLN__N_TASK_COUNTERS = 32 };

struct rln__payload_block;

struct rln__open_tasks {
    struct rln__payload_block *block; /* NULL: no payload waits */
    struct rln__itt_id newest; /* of the task that was begun last, if it is open */
    struct rln__task_counter counters[RLN__N_TASK_COUNTERS];
};

/* In the room that libraries loaded later have: a thread's first use needs no memory.
 */
extern __thread struct rln__open_tasks rln__open_tasks
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline uint64_t rln__task_hash(nvtxDomainHandle_t domain)
{
    return (uint64_t)(uintptr_t)domain * 0x9e3779b97f4a7c15u;
}

static inline struct rln__task_counter *rln__task_counter(uint64_t hash)
{
    return &rln__open_tasks.counters[hash >> 59];
}

/* Whether tasks of the domain are counted there. */
static inline int rln__is_counted(const struct rln__task_counter *counter,
                                  uint64_t hash)
{
    return counter->n_open &&
           (counter->tag == (uint16_t)(hash >> 32) || counter->is_shared);
}

/* Slow parts of the next two. */
void rln__payloads_wait_longer(nvtxDomainHandle_t domain);
void rln__pop_with_payloads(nvtxDomainHandle_t domain);

/* Call before the push. */
static inline void rln__task_begins(nvtxDomainHandle_t domain,
                                    const struct rln__itt_id *id)
{
    const uint64_t hash = rln__task_hash(domain);
    struct rln__task_counter *c = rln__task_counter(hash);
    const uint16_t tag = (uint16_t)(hash >> 32);

    rln__open_tasks.newest = *id;
    if (!c->n_open)
        *c = (struct rln__task_counter){.tag = tag};
    else if (c->tag != tag)
        c->is_shared = 1;
    c->n_open++;
    if (__builtin_expect(rln__open_tasks.block != NULL, 0))
        rln__payloads_wait_longer(domain);
}

/* Pops the thread's innermost task of the domain. */
static inline void rln__task_ends(nvtxDomainHandle_t domain)
{
    const uint64_t hash = rln__task_hash(domain);
    struct rln__task_counter *c = rln__task_counter(hash);

    rln__open_tasks.newest = (struct rln__itt_id){{0, 0, 0}};
    if (rln__is_counted(c, hash))
        c->n_open--;
    if (__builtin_expect(rln__open_tasks.block != NULL, 0))
        rln__pop_with_payloads(domain);
    else
        (void)nvtxDomainRangePop(domain);
}

/* Room for a payload of at most RLN__MOST_PAYLOAD bytes, at the end of the thread's
 * innermost task of the domain. NULL: no task is open, or its payloads are too many. */
void *rln__task_payload(nvtxDomainHandle_t domain, nvtxStringHandle_t name,
                        uint64_t schema, size_t n_bytes);

/* Room for a payload of at most RLN__MOST_PAYLOAD bytes until rln__mark_payload(),
 * which marks this moment with it. NULL: there is none. */
void *rln__payload_room(void);
void rln__mark_payload(nvtxDomainHandle_t domain, nvtxStringHandle_t name,
                       uint64_t schema, void *room, size_t n_bytes);

#endif
