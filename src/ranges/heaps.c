/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/heaps.h"
#include "base/alloc.h"
#include "rangeline/values.h"

#include <string.h>

static uint64_t heap_key(uint32_t process, uint64_t number)
{
    return ((uint64_t)process << 32) | (uint32_t)number;
}

/* --- Heaps ------------------------------------------------------------------------ */

static uint32_t add_heap(struct rln__heaps *h, const rln_event *e, uint64_t number)
{
    struct rln__heap_info *heaps =
        rln__grow(h->heaps, &h->capacity, h->n + 1, sizeof(*heaps));
    uint32_t *newest;

    if (!heaps)
        return UINT32_MAX;
    h->heaps = heaps;
    newest = rln__grow(h->newest, &h->newest_capacity, h->n + 1, sizeof(*newest));
    if (!newest)
        return UINT32_MAX;
    h->newest = newest;
    if (rln__map_put(&h->current, heap_key(e->process, number), h->n + 1))
        return UINT32_MAX;
    newest[h->n] = 0;
    heaps[h->n] = (struct rln__heap_info){.process = e->process,
                                          .pid = e->pid,
                                          .domain = e->attributes.domain,
                                          .domain_name = e->attributes.domain_name,
                                          .heap = number,
                                          .is_registered = 1};
    return (uint32_t)h->n++;
}

/* The heap that now has a number. Adds one that was not registered: the process-wide
 * heap never is. */
static uint32_t heap_of(struct rln__heaps *h, const rln_event *e, uint64_t number)
{
    const uint64_t found = rln__map_get(&h->current, heap_key(e->process, number));

    return found ? (uint32_t)found - 1 : add_heap(h, e, number);
}

/* --- Regions ---------------------------------------------------------------------- */

/* Where the region of a reference is kept; NULL when there is no memory. */
static uint32_t *handle_of(struct rln__heaps *h, uint32_t process, int is_address,
                           uint64_t value)
{
    const struct rln__key key = {{process, (uint64_t)is_address, value}};
    const uint32_t number = rln__key_index_number(&h->handles, &key);

    return rln__key_index_item(&h->of_handle, &h->n_of_handle, &h->of_handle_capacity,
                               number, sizeof(*h->of_handle));
}

static void forget_handle(struct rln__heaps *h, uint32_t process, int is_address,
                          uint64_t value, uint32_t region)
{
    uint32_t *handle = handle_of(h, process, is_address, value);

    if (handle && *handle == region + 1)
        *handle = 0;
}

static void end_region(struct rln__heaps *h, uint32_t index)
{
    struct rln__region *r = &h->regions[index];

    h->heaps[r->heap].n_regions--;
    h->heaps[r->heap].bytes -= r->size_bytes;
    if (r->newer)
        h->regions[r->newer - 1].older = r->older;
    else
        h->newest[r->heap] = r->older;
    if (r->older)
        h->regions[r->older - 1].newer = r->newer;
    if (r->number)
        forget_handle(h, r->process, 0, r->number, index);
    if (r->has_address)
        forget_handle(h, r->process, 1, r->address, index);
    r->older = h->free;
    h->free = index + 1;
}

static void end_regions(struct rln__heaps *h, uint32_t heap)
{
    while (h->newest[heap])
        end_region(h, h->newest[heap] - 1);
}

static void grow_heap(struct rln__heap_info *heap, uint64_t n_bytes)
{
    heap->bytes += n_bytes;
    if (heap->bytes > heap->peak_bytes)
        heap->peak_bytes = heap->bytes;
}

static int set_handles(struct rln__heaps *h, uint32_t index)
{
    const struct rln__region *r = &h->regions[index];
    uint32_t *handle;

    if (r->number) {
        handle = handle_of(h, r->process, 0, r->number);
        if (!handle)
            return -1;
        *handle = index + 1;
    }
    if (r->has_address) {
        handle = handle_of(h, r->process, 1, r->address);
        if (!handle)
            return -1;
        *handle = index + 1;
    }
    return 0;
}

static int add_region(struct rln__heaps *h, const rln_event *e, uint32_t heap,
                      const rln_memory_region *from)
{
    uint32_t index = h->free;

    if (index) {
        h->free = h->regions[--index].older;
    } else {
        if (h->n_regions >= UINT32_MAX - 1 ||
            !rln__append(&h->regions, &h->n_regions, &h->regions_capacity,
                         sizeof(*h->regions)))
            return -1;
        index = (uint32_t)h->n_regions - 1;
    }
    h->regions[index] = (struct rln__region){.size_bytes = from->size_bytes,
                                             .address = from->address,
                                             .number = from->region,
                                             .heap = heap,
                                             .process = e->process,
                                             .older = h->newest[heap],
                                             .has_address = from->has_address};
    if (h->newest[heap])
        h->regions[h->newest[heap] - 1].newer = index + 1;
    h->newest[heap] = index + 1;
    h->heaps[heap].n_regions++;
    h->heaps[heap].n_registered++;
    if (h->heaps[heap].n_regions > h->heaps[heap].peak_regions)
        h->heaps[heap].peak_regions = h->heaps[heap].n_regions;
    grow_heap(&h->heaps[heap], from->size_bytes);
    return set_handles(h, index);
}

/* --- Calls ------------------------------------------------------------------------ */

static int change_regions(struct rln__heaps *h, const rln_event *e)
{
    const rln_memory_call *call = e->memory;

    for (size_t i = 0; i < call->n_regions; i++) {
        const rln_memory_region *r = &call->regions[i];
        uint32_t *handle = handle_of(h, e->process, r->has_address,
                                     r->has_address ? r->address : r->region);
        struct rln__region *region;

        if (!handle)
            return -1;
        if (!*handle)
            continue;
        if (call->operation == RLN_MEMORY_REGIONS_UNREGISTER) {
            end_region(h, *handle - 1);
            continue;
        }
        region = &h->regions[*handle - 1];
        h->heaps[region->heap].bytes -= region->size_bytes;
        region->size_bytes = r->size_bytes;
        grow_heap(&h->heaps[region->heap], r->size_bytes);
    }
    return 0;
}

static int register_heap(struct rln__heaps *h, const rln_event *e)
{
    const rln_memory_call *call = e->memory;
    const uint32_t heap = add_heap(h, e, call->heap);

    if (heap == UINT32_MAX)
        return -1;
    h->heaps[heap].name = call->name;
    h->heaps[heap].usage = call->usage;
    h->heaps[heap].size_bytes = call->size_bytes;
    return 0;
}

int rln__heaps_add(struct rln__heaps *h, const rln_event *e)
{
    const rln_memory_call *call = e->memory;
    uint32_t heap;

    if (e->type != RLN_EVENT_MEMORY || call->operation > RLN_MEMORY_REGIONS_UNREGISTER)
        return 0;
    if (call->operation == RLN_MEMORY_HEAP_REGISTER)
        return register_heap(h, e);
    if (call->operation >= RLN_MEMORY_REGIONS_RESIZE)
        return change_regions(h, e);
    heap = heap_of(h, e, call->heap);
    if (heap == UINT32_MAX)
        return -1;
    if (call->operation == RLN_MEMORY_REGIONS_REGISTER) {
        for (size_t i = 0; i < call->n_regions; i++) {
            if (add_region(h, e, heap, &call->regions[i]))
                return -1;
        }
        return 0;
    }
    end_regions(h, heap);
    if (call->operation == RLN_MEMORY_HEAP_UNREGISTER)
        h->heaps[heap].is_registered = 0;
    return 0;
}

void rln__heaps_clear(struct rln__heaps *h)
{
    rln__key_index_clear(&h->handles);
    rln__map_clear(&h->current);
    rln__free(h->heaps);
    rln__free(h->newest);
    rln__free(h->regions);
    rln__free(h->of_handle);
    memset(h, 0, sizeof(*h));
}
