/* SPDX-License-Identifier: Apache-2.0 */
/* older_modules.c - attaches NVTX's memory extension with each layout that NVIDIA's
 * public headers had, makes two calls through each, and attaches three extensions that
 * no header has: those are refused. */
#include <nvtx3/nvToolsExtMem.h>

#include <dlfcn.h>
#include <stdlib.h>

#include "check.h"

typedef int (*entry_point)(nvtxExtModuleInfo_t *module);
typedef nvtxMemHeapHandle_t (*heap_register)(nvtxDomainHandle_t domain,
                                             nvtxMemHeapDesc_t const *heap);
typedef void (*heap_reset)(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap);

enum { N_SLOTS = 64 };

struct layout {
    uint16_t module;
    uint16_t module_bytes;
    size_t segment;
    size_t n_slots;
    size_t first; /* number of nvtxMemHeapRegister */
    const char *heap;
};

static int attach(entry_point entry, const struct layout *layout, intptr_t *slots)
{
    nvtxExtModuleSegment_t segment = {layout->segment, layout->n_slots, slots};
    nvtxExtModuleInfo_t module = {
        .nvtxVer = NVTX_VERSION,
        .structSize = layout->module_bytes,
        .moduleId = layout->module,
        .compatId = NVTX_EXT_COMPATID_MEM,
        .segmentsCount = 1,
        .segments = &segment,
    };

    return entry(&module);
}

static void record(entry_point entry, nvtxDomainHandle_t domain,
                   const struct layout *layout)
{
    static char memory[4096];
    const nvtxMemVirtualRangeDesc_t range = {sizeof memory, memory};
    const nvtxMemHeapDesc_t heap = {
        .extCompatID = NVTX_EXT_COMPATID_MEM,
        .structSize = sizeof heap,
        .usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR,
        .type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS,
        .typeSpecificDescSize = sizeof range,
        .typeSpecificDesc = &range,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
        .message.ascii = layout->heap,
    };
    intptr_t slots[N_SLOTS] = {0};
    nvtxMemHeapHandle_t handle;

    CHECK(attach(entry, layout, slots));
    for (size_t i = 0; i < N_SLOTS; i++)
        CHECK(i < layout->n_slots
                  ? slots[i] || i < layout->first || i >= 13 + layout->first
                  : !slots[i]);
    handle = ((heap_register)slots[layout->first])(domain, &heap);
    ((heap_reset)slots[layout->first + 2])(domain, handle);
}

int main(int argc, char **argv)
{
    static const struct layout known[] = {
        {NVTX_EXT_MODULEID_MEM, 32, 1, 16, 0, "2021"},
        {NVTX_EXT_MODULEID_MEM, 40, 0, 17, 1, "2024"},
        {NVTX_EXT_MODULEID_MEM, 40, 0, 63, 0, "segment 0"},
        {NVTX_EXT_MODULEID_MEM, 40, 1, 63, 0, "today"},
    };
    static const struct layout unknown[] = {
        {NVTX_EXT_MODULEID_MEM, 24, 1, 16, 0, "short"},
        {NVTX_EXT_MODULEID_MEM, 40, 2, 63, 0, "segment 2"},
        {9, 40, 0, 63, 0, "module 9"},
    };
    void *tool = dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_NOW);
    entry_point entry;
    nvtxDomainHandle_t domain;

    CHECK(tool);
    *(void **)&entry = dlsym(tool, "InitializeInjectionNvtxExtension");
    CHECK(entry);
    (void)argv;
    if (argc > 1) {
        intptr_t slots[N_SLOTS] = {0};

        return attach(entry, &unknown[0], slots);
    }
    domain = nvtxDomainCreateA("older");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        record(entry, domain, &known[i]);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        intptr_t slots[N_SLOTS] = {0};

        CHECK(!attach(entry, &unknown[i], slots));
        for (size_t k = 0; k < N_SLOTS; k++)
            CHECK(!slots[k]);
    }
    nvtxMarkA("end");
    return 0;
}
