/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/heap_calls.h"
#include "base/alloc.h"
#include "format/attributes.h"

#include <string.h>

#define OPERANDS 3        /* index of the first operand in the record */
#define VIRTUAL_ADDRESS 1 /* NVTX_MEM_TYPE_VIRTUAL_ADDRESS */
#define BY_ADDRESS 1      /* NVTX_MEM_REGION_REF_TYPE_POINTER */

struct operands {
    const struct rln__names *names;
    uint32_t process;
    const uint64_t *words;
    size_t n, at;
};

static uint64_t next(struct operands *o)
{
    return o->at < o->n ? o->words[o->at++] : 0;
}

static rln_text text_of(const struct operands *o, uint32_t id)
{
    return rln__strings_get(&o->names->strings,
                            rln__names_string(o->names, o->process, id));
}

static void set_reference(rln_memory_region *r, uint64_t type, uint64_t reference)
{
    r->has_address = type == BY_ADDRESS;
    if (r->has_address)
        r->address = reference;
    else
        r->region = reference;
}

/* Makes room for as many regions as the operands hold, of `n_words` each. */
static int begin_regions(struct rln__memory_decoder *d, const struct operands *o,
                         uint64_t n, size_t n_words)
{
    const size_t n_there = (o->n - (o->at < o->n ? o->at : o->n)) / n_words;
    rln_memory_region *regions;

    n = n < n_there ? n : n_there;
    regions = rln__grow(d->regions, &d->capacity, (size_t)n + 1, sizeof(*regions));
    if (!regions)
        return -1;
    memset(regions, 0, ((size_t)n + 1) * sizeof(*regions));
    d->regions = regions;
    d->call.regions = regions;
    d->call.n_regions = (size_t)n;
    return 0;
}

static void read_heap(struct operands *o, rln_memory_call *call)
{
    uint64_t word;

    call->heap = next(o);
    word = next(o);
    call->usage = (uint32_t)word;
    call->has_address = word >> 32 == VIRTUAL_ADDRESS;
    call->address = next(o);
    call->size_bytes = next(o);
    word = next(o);
    call->category = (uint32_t)word;
    call->name = text_of(o, (uint32_t)(word >> 32));
}

static int read_registered(struct rln__memory_decoder *d, struct operands *o)
{
    uint64_t word;

    d->call.heap = next(o);
    word = next(o);
    if (begin_regions(d, o, word >> 32, 3))
        return -1;
    for (size_t i = 0; i < d->call.n_regions; i++) {
        rln_memory_region *r = &d->regions[i];

        r->region = next(o);
        r->address = next(o);
        r->size_bytes = next(o);
        r->has_address = r->has_size = (uint32_t)word == VIRTUAL_ADDRESS;
    }
    return 0;
}

static int read_resized(struct rln__memory_decoder *d, struct operands *o)
{
    const uint64_t word = next(o);

    if (begin_regions(d, o, word >> 32, 2))
        return -1;
    for (size_t i = 0; i < d->call.n_regions; i++) {
        d->regions[i].address = next(o);
        d->regions[i].size_bytes = next(o);
        d->regions[i].has_address = d->regions[i].has_size =
            (uint32_t)word == VIRTUAL_ADDRESS;
    }
    return 0;
}

static int read_unregistered(struct rln__memory_decoder *d, struct operands *o)
{
    const uint64_t word = next(o);

    if (begin_regions(d, o, word >> 32, 1))
        return -1;
    for (size_t i = 0; i < d->call.n_regions; i++)
        set_reference(&d->regions[i], (uint32_t)word, next(o));
    return 0;
}

static int read_named(struct rln__memory_decoder *d, struct operands *o)
{
    if (begin_regions(d, o, next(o), 3))
        return -1;
    for (size_t i = 0; i < d->call.n_regions; i++) {
        const uint64_t word = next(o);

        set_reference(&d->regions[i], (uint32_t)word, next(o));
        d->regions[i].category = (uint32_t)(word >> 32);
        d->regions[i].name = text_of(o, (uint32_t)next(o));
    }
    return 0;
}

static int read_assigned(struct rln__memory_decoder *d, struct operands *o)
{
    d->call.permissions = next(o);
    if (begin_regions(d, o, next(o), 2))
        return -1;
    for (size_t i = 0; i < d->call.n_regions; i++) {
        const uint64_t word = next(o);

        d->regions[i].flags = (uint32_t)word;
        set_reference(&d->regions[i], word >> 32, next(o));
    }
    return 0;
}

static int read_initialized(struct rln__memory_decoder *d, struct operands *o)
{
    uint64_t type;

    d->call.stream = next(o);
    d->call.flags = next(o);
    type = next(o);
    if (begin_regions(d, o, 1, 1))
        return -1;
    if (d->call.n_regions)
        set_reference(&d->regions[0], type, next(o));
    return 0;
}

static void read_permissions(struct operands *o, rln_memory_call *call)
{
    uint64_t word;

    call->permissions = call->operation == RLN_MEMORY_PERMISSIONS_UNBIND ? 0 : next(o);
    word = next(o);
    switch (call->operation) {
    case RLN_MEMORY_PERMISSIONS_CREATE:
        call->flags = word;
        break;
    case RLN_MEMORY_PERMISSIONS_BIND:
        call->scope = (uint32_t)word;
        call->flags = word >> 32;
        break;
    case RLN_MEMORY_PERMISSIONS_UNBIND:
        call->scope = word;
        break;
    case RLN_MEMORY_CUDA_PEER_ACCESS:
        call->flags = next(o);
        call->device = word;
        break;
    default:
        call->device = word;
        break;
    }
}

int rln__memory_decode(struct rln__memory_decoder *d, const struct rln__names *names,
                       uint32_t process, const uint64_t *words, size_t n_words)
{
    struct operands o = {names, process, words, n_words, OPERANDS};
    rln_memory_call *call = &d->call;

    memset(call, 0, sizeof(*call));
    call->operation = n_words >= OPERANDS ? (uint32_t)words[2] & 255 : 255;
    switch (call->operation) {
    case RLN_MEMORY_HEAP_REGISTER:
        read_heap(&o, call);
        return 0;
    case RLN_MEMORY_HEAP_UNREGISTER:
    case RLN_MEMORY_HEAP_RESET:
        call->heap = next(&o);
        return 0;
    case RLN_MEMORY_REGIONS_REGISTER:
        return read_registered(d, &o);
    case RLN_MEMORY_REGIONS_RESIZE:
        return read_resized(d, &o);
    case RLN_MEMORY_REGIONS_UNREGISTER:
        return read_unregistered(d, &o);
    case RLN_MEMORY_REGIONS_NAME:
        return read_named(d, &o);
    case RLN_MEMORY_PERMISSIONS_ASSIGN:
        return read_assigned(d, &o);
    case RLN_MEMORY_CUDA_MARK_INITIALIZED:
        return read_initialized(d, &o);
    default:
        read_permissions(&o, call);
        return 0;
    }
}

void rln__memory_decoder_clear(struct rln__memory_decoder *d)
{
    rln__free(d->regions);
    memset(d, 0, sizeof(*d));
}
