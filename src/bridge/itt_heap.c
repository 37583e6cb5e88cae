/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge/itt_heap.h"
#include "bridge/arena.h"
#include "bridge/itt_names.h"

#include <nvtx3/nvToolsExtMem.h>

struct rln__itt_heap {
    struct rln__itt_domain *domain;
    struct rln__itt_string *name;
    nvtxMemHeapHandle_t heap; /* atomic; NULL before the first region */
};

struct rln__itt_heap *rln__itt_heap_create(const char *name, const char *domain)
{
    struct rln__itt_heap *h = name ? rln__arena_keep(sizeof(*h)) : NULL;

    if (!h)
        return NULL;
    h->domain = rln__itt_domain(domain ? domain : "ITT heaps");
    h->name = rln__itt_string(name);
    return h->domain && h->name ? h : NULL;
}

/* Where it is, is unknown. Threads that come first at once may each register one. */
static nvtxMemHeapHandle_t register_heap(nvtxDomainHandle_t domain,
                                         struct rln__itt_heap *h)
{
    static const nvtxMemVirtualRangeDesc_t unknown = {0, NULL};
    const nvtxMemHeapDesc_t description = {.extCompatID = NVTX_EXT_COMPATID_MEM,
                                           .structSize = sizeof(description),
                                           .usage =
                                               NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
                                           .type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS,
                                           .typeSpecificDescSize = sizeof(unknown),
                                           .typeSpecificDesc = &unknown,
                                           .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                           .message = {.ascii = h->name->text}};
    nvtxMemHeapHandle_t heap = nvtxMemHeapRegister(domain, &description);

    __atomic_store_n(&h->heap, heap, __ATOMIC_RELAXED);
    return heap;
}

static void begin_region(struct rln__itt_heap *h, const void *address, size_t size)
{
    nvtxDomainHandle_t domain = rln__itt_handle(h->domain);
    const nvtxMemVirtualRangeDesc_t range = {size, address};
    nvtxMemHeapHandle_t heap = __atomic_load_n(&h->heap, __ATOMIC_RELAXED);
    nvtxMemRegionsRegisterBatch_t batch = {.extCompatID = NVTX_EXT_COMPATID_MEM,
                                           .structSize = sizeof(batch),
                                           .regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS,
                                           .regionCount = 1,
                                           .regionDescElementSize = sizeof(range),
                                           .regionDescElements = &range};

    if (!domain || !address)
        return;
    batch.heap = heap ? heap : register_heap(domain, h);
    nvtxMemRegionsRegister(domain, &batch);
}

static void end_region(struct rln__itt_heap *h, const void *address)
{
    nvtxDomainHandle_t domain = rln__itt_handle(h->domain);
    const nvtxMemRegionRef_t region = {.pointer = address};
    const nvtxMemRegionsUnregisterBatch_t batch = {.extCompatID = NVTX_EXT_COMPATID_MEM,
                                                   .structSize = sizeof(batch),
                                                   .refType =
                                                       NVTX_MEM_REGION_REF_TYPE_POINTER,
                                                   .refCount = 1,
                                                   .refElementSize = sizeof(region),
                                                   .refElements = &region};

    if (domain && address)
        nvtxMemRegionsUnregister(domain, &batch);
}

void rln__itt_heap_allocate_end(struct rln__itt_heap *heap, void **address, size_t size,
                                int is_initialized)
{
    (void)is_initialized;
    if (heap && address)
        begin_region(heap, *address, size);
}

void rln__itt_heap_free_begin(struct rln__itt_heap *heap, void *address)
{
    if (heap)
        end_region(heap, address);
}

void rln__itt_heap_reallocate_begin(struct rln__itt_heap *heap, void *address,
                                    size_t size, int is_initialized)
{
    (void)size;
    (void)is_initialized;
    rln__itt_heap_free_begin(heap, address);
}

void rln__itt_heap_reallocate_end(struct rln__itt_heap *heap, void *old, void **address,
                                  size_t size, int is_initialized)
{
    (void)old;
    rln__itt_heap_allocate_end(heap, address, size, is_initialized);
}
