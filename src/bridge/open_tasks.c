/* SPDX-License-Identifier: Apache-2.0 */
/* open_tasks.c - a block has the payloads of all open tasks of its thread:
 *
 *     waiting:  {domain, 2 inner}  {domain, 0 inner}  ...
 *     bytes:    payload            payload            ...
 *
 * `n_inner` counts the tasks of the domain that have been begun since and are open: the
 * end of a task takes what has none.
 */
#include "bridge/open_tasks.h"

#include <string.h>

__thread struct rln__open_tasks rln__open_tasks;

/* A thread that ends with open tasks may keep its block: marks have others, too. */
enum { N_TASK_BLOCKS = 480, N_BLOCKS = 512, MOST_WAITING = 24, BLOCK_BYTES = 4096 };

struct waiting {
    nvtxDomainHandle_t domain;
    nvtxStringHandle_t name; /* of a mark, if the task is not found */
    uint64_t schema;
    uint32_t n_inner;
    uint16_t offset, n_bytes; /* in `bytes` */
};

struct rln__payload_block {
    int is_taken; /* atomic */
    unsigned n_waiting, n_used;
    struct waiting waiting[MOST_WAITING];
    _Alignas(8) char bytes[BLOCK_BYTES - 16 - MOST_WAITING * sizeof(struct waiting)];
};

_Static_assert(sizeof(struct rln__payload_block) == BLOCK_BYTES, "a page");
_Static_assert(sizeof(((struct rln__payload_block *)0)->bytes) >= RLN__MOST_PAYLOAD,
               "a payload fits");

static struct rln__payload_block blocks[N_BLOCKS];

/* One of the first `n`; NULL: all are taken. */
static struct rln__payload_block *take_block(unsigned n)
{
    static unsigned next; /* atomic; where to look first */
    const unsigned first = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);

    for (unsigned i = 0; i < n; i++) {
        struct rln__payload_block *b = &blocks[(first + i) % n];

        if (!__atomic_load_n(&b->is_taken, __ATOMIC_RELAXED) &&
            !__atomic_exchange_n(&b->is_taken, 1, __ATOMIC_ACQUIRE)) {
            b->n_waiting = b->n_used = 0;
            return b;
        }
    }
    return NULL;
}

static void give_back(struct rln__payload_block *block)
{
    __atomic_store_n(&block->is_taken, 0, __ATOMIC_RELEASE);
}

/* --- Marks ------------------------------------------------------------------------ */

static void mark(nvtxDomainHandle_t domain, nvtxStringHandle_t name,
                 const nvtxPayloadData_t *payload)
{
    nvtxEventAttributes_t event = {.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};

    if (name) {
        event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        event.message.registered = name;
    }
    if (payload->size) {
        NVTX_PAYLOAD_EVTATTR_SET_MULTIPLE_N(event, payload, 1)
    }
    nvtxDomainMarkEx(domain, &event);
}

void *rln__payload_room(void)
{
    struct rln__payload_block *block = take_block(N_BLOCKS);

    return block ? block->bytes : NULL;
}

void rln__mark_payload(nvtxDomainHandle_t domain, nvtxStringHandle_t name,
                       uint64_t schema, void *room, size_t n_bytes)
{
    const nvtxPayloadData_t payload = {
        .schemaId = schema, .size = room ? n_bytes : 0, .payload = room};

    mark(domain, name, &payload);
    if (room)
        give_back(
            (struct rln__payload_block *)(void *)((char *)room -
                                                  offsetof(struct rln__payload_block,
                                                           bytes)));
}

/* --- Payloads that wait for the ends of tasks --------------------------------------
 */

void *rln__task_payload(nvtxDomainHandle_t domain, nvtxStringHandle_t name,
                        uint64_t schema, size_t n_bytes)
{
    struct rln__open_tasks *t = &rln__open_tasks;
    const uint64_t hash = rln__task_hash(domain);
    const size_t n = (n_bytes + 7) & ~(size_t)7;
    struct rln__payload_block *b = t->block;
    unsigned offset;

    if (!rln__is_counted(rln__task_counter(hash), hash))
        return NULL;
    if (!b)
        b = t->block = take_block(N_TASK_BLOCKS);
    if (!b || b->n_waiting == MOST_WAITING || n > sizeof(b->bytes) - b->n_used)
        return NULL;
    offset = b->n_used;
    b->waiting[b->n_waiting++] = (struct waiting){.domain = domain,
                                                  .name = name,
                                                  .schema = schema,
                                                  .offset = (uint16_t)offset,
                                                  .n_bytes = (uint16_t)n_bytes};
    b->n_used += (unsigned)n;
    return b->bytes + offset;
}

void rln__payloads_wait_longer(nvtxDomainHandle_t domain)
{
    struct rln__payload_block *b = rln__open_tasks.block;

    for (unsigned i = 0; i < b->n_waiting; i++)
        b->waiting[i].n_inner += b->waiting[i].domain == domain;
}

static nvtxPayloadData_t payload_of(const struct rln__payload_block *b,
                                    const struct waiting *w)
{
    return (nvtxPayloadData_t){
        .schemaId = w->schema, .size = w->n_bytes, .payload = b->bytes + w->offset};
}

/* Pops with the payloads of the innermost task. The others move up. */
static void pop(struct rln__payload_block *b, nvtxDomainHandle_t domain)
{
    nvtxPayloadData_t payloads[MOST_WAITING];
    unsigned n_kept = 0, n = 0;

    for (unsigned i = 0; i < b->n_waiting; i++) {
        struct waiting *w = &b->waiting[i];

        if (w->domain == domain && !w->n_inner) {
            payloads[n++] = payload_of(b, w);
            continue;
        }
        w->n_inner -= w->domain == domain;
        b->waiting[n_kept++] = *w;
    }
    b->n_waiting = n_kept;
    if (n)
        (void)nvtxRangePopPayload(domain, payloads, n);
    else
        (void)nvtxDomainRangePop(domain);
}

/* Marks with the payloads whose tasks cannot be open any more. */
static void mark_strays(struct rln__payload_block *b,
                        const struct rln__task_counter *counter)
{
    unsigned n_kept = 0;

    for (unsigned i = 0; i < b->n_waiting; i++) {
        const struct waiting *w = &b->waiting[i];

        if (rln__task_counter(rln__task_hash(w->domain)) == counter) {
            const nvtxPayloadData_t payload = payload_of(b, w);

            mark(w->domain, w->name, &payload);
        } else {
            b->waiting[n_kept++] = *w;
        }
    }
    b->n_waiting = n_kept;
}

void rln__pop_with_payloads(nvtxDomainHandle_t domain)
{
    struct rln__open_tasks *t = &rln__open_tasks;
    struct rln__payload_block *b = t->block;
    const struct rln__task_counter *counter = rln__task_counter(rln__task_hash(domain));

    pop(b, domain);
    if (!counter->n_open)
        mark_strays(b, counter);
    b->n_used = b->n_waiting ? b->waiting[b->n_waiting - 1].offset +
                                   ((b->waiting[b->n_waiting - 1].n_bytes + 7u) & ~7u)
                             : 0;
    if (!b->n_waiting) {
        t->block = NULL;
        give_back(b);
    }
}
