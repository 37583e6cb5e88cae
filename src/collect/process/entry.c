/* SPDX-License-Identifier: Apache-2.0 */
/* entry.c - attaches the clients in the process: the entry points of the collector.
 *
 * A client is an executable or library that was compiled with NVTX's headers. Each has
 * its own slots and attaches separately, at its first call, perhaps several at the same
 * time from several threads. Slots are live as soon as they are stored, so everything
 * must be ready before the first one. We keep no pointers into a client: it may be
 * unloaded.
 */
#include "collect/callbacks/callbacks.h"
#include "collect/callbacks/types.h"
#include "collect/capture/domain_filter.h"
#include "collect/process/process.h"
#include "collect/process/trace_open.h"

/* The ABI between NVTX's headers and a tool. */
enum {
    EXPORT_CALLBACKS = 1,
    MODULE_CORE = 1,
    MODULE_CUDA = 2,
    MODULE_OPENCL = 3,
    MODULE_CUDART = 4,
    MODULE_CORE2 = 5,
    MODULE_SYNC = 6,
    EXTENSION_MEM = 1,
    EXTENSION_PAYLOAD = 2,
    EXTENSION_COUNTERS = 4,
};

typedef rln__callback **slot_table; /* [callback id] -> the client's slot */

struct export_callbacks {
    size_t size;
    int (*get_module_table)(uint32_t module, slot_table *table, uint32_t *n_slots);
};

typedef const void *(*get_export_table)(uint32_t id);

/* nvtxExtModuleInfo_t and the structs that it points to; owned by the client, valid
 * during the call. */
struct segment {
    size_t id;
    size_t n_slots;
    intptr_t *slots; /* [callback id] */
};

struct module_info {
    uint16_t nvtx_version;
    uint16_t size;
    uint16_t module;
    uint16_t compatible; /* the client's version of the module */
    size_t n_segments;
    const struct segment *segments;
    void (*get_export)(void);
    const void *info; /* PAYLOAD: sizes and alignments of C types; not in headers of
                       * 2021 */
};

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(get_export_table get);
__attribute__((visibility("default"))) int
InitializeInjectionNvtxExtension(const struct module_info *module);

/* --- once per client -------------------------------------------------------------- */

/* Older clients have shorter tables. */
static int fill(const struct export_callbacks *export, uint32_t module,
                const rln__callback *callbacks, uint32_t n_callbacks)
{
    slot_table table = NULL;
    uint32_t n_slots = 0;

    if (!export->get_module_table(module, &table, &n_slots) || !table)
        return 0;
    for (uint32_t i = 1; i < n_slots && i < n_callbacks; i++) {
        if (table[i] && callbacks[i])
            __atomic_store_n(table[i], callbacks[i], __ATOMIC_RELEASE);
    }
    return 1;
}

int InitializeInjectionNvtx2(get_export_table get)
{
    const struct export_callbacks *export = get ? get(EXPORT_CALLBACKS) : NULL;

    if (!export || export->size < sizeof *export || !export->get_module_table ||
        !rln__is_open())
        return 0;
    /* In the order of dependencies: domains must work before events can use them. */
    return fill(export, MODULE_CORE2, rln__core2_callbacks, RLN__CORE2_CALLBACKS) |
           fill(export, MODULE_SYNC, rln__sync_callbacks, RLN__SYNC_CALLBACKS) |
           fill(export, MODULE_CUDA, rln__cuda_callbacks, RLN__CUDA_CALLBACKS) |
           fill(export, MODULE_CUDART, rln__cudart_callbacks, RLN__CUDART_CALLBACKS) |
           fill(export, MODULE_OPENCL, rln__opencl_callbacks, RLN__OPENCL_CALLBACKS) |
           fill(export, MODULE_CORE,
                rln__default_is_excluded ? rln__core_excluded_callbacks
                                         : rln__core_callbacks,
                RLN__CORE_CALLBACKS);
}

/* --- once per extension of a client ----------------------------------------------- */

static const struct {
    uint16_t module;
    uint16_t segment;
    uint32_t n_callbacks;
    const rln__callback *callbacks;
} extensions[] = {
    {EXTENSION_MEM, 1, RLN__MEM_CALLBACKS, rln__mem_callbacks},
    {EXTENSION_MEM, 0, RLN__MEM_CALLBACKS, rln__mem_callbacks},
    {EXTENSION_PAYLOAD, 0, RLN__PAYLOAD_CALLBACKS, rln__payload_callbacks},
    {EXTENSION_COUNTERS, 0, RLN__COUNTERS_CALLBACKS, rln__counters_callbacks},
};

/* The client's number of our callback 0. NVIDIA's public headers of 2024 number memory
 * calls from 1, in a segment 0 that has as many slots as numbers; all others from 0. */
static size_t first_number(const struct module_info *module,
                           const struct segment *segment)
{
    enum { SLOTS_OF_2024 = 17 };

    return module->module == EXTENSION_MEM && segment->id == 0 &&
           segment->n_slots == SLOTS_OF_2024;
}

static int fill_segment(const struct module_info *module, const struct segment *segment)
{
    const size_t first = first_number(module, segment);

    for (size_t i = 0; i < RLN_COUNT(extensions); i++) {
        if (extensions[i].module != module->module ||
            extensions[i].segment != segment->id)
            continue;
        for (size_t id = 0;
             first + id < segment->n_slots && id < extensions[i].n_callbacks; id++)
            __atomic_store_n(&segment->slots[first + id],
                             (intptr_t)extensions[i].callbacks[id], __ATOMIC_RELEASE);
        return 1;
    }
    return 0;
}

/* In the process's record, which no event may make if the program uses nothing else. */
static void count_refused(void)
{
    const rln__sigmask mask = rln__block_signals();

    rln__count(n_modules_refused, 1);
    (void)rln__process_has_record(rln__process_ready());
    rln__restore_signals(mask);
}

/* Called once for each module of a client, at its first call. */
int InitializeInjectionNvtxExtension(const struct module_info *module)
{
    int is_filled = 0;

    if (!module || !rln__is_open())
        return 0;
    if (module->size >= offsetof(struct module_info, info)) {
        if (module->module == EXTENSION_PAYLOAD && module->size >= sizeof *module)
            rln__types_note(module->info);
        for (size_t n = 0; n < module->n_segments; n++)
            is_filled |= fill_segment(module, &module->segments[n]);
    }
    if (!is_filled)
        count_refused();
    return is_filled;
}
