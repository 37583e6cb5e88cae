/* SPDX-License-Identifier: Apache-2.0 */
/* entry.c - the entry point: each client in the process attaches here.
 *
 * A client is an executable or library that was compiled with NVTX's headers; each has
 * its own slots and comes here by itself, at its first call, several perhaps at once
 * from several threads. Slots are live as soon as they are stored, so everything is
 * ready before the first. Nothing that belongs to a client is kept: it may be unloaded.
 */
#include "collect/callbacks.h"
#include "collect/lifecycle.h"

#include <sys/auxv.h>

/* The ABI between NVTX's headers and a tool. */
enum {
    EXPORT_CALLBACKS = 1,
    MODULE_CORE = 1,
    MODULE_CORE2 = 5,
};

typedef rln__callback **slot_table; /* [callback id] -> where the callback goes */

struct export_callbacks {
    size_t size;
    int (*get_module_table)(uint32_t module, slot_table *table, uint32_t *n_slots);
};

typedef const void *(*get_export_table)(uint32_t id);

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(get_export_table get);

/* --- once in a process ------------------------------------------------------------ */

static uint32_t open_once(void)
{
    const uint32_t opening = RLN__OPENING + rln__sys_getpid();
    uint32_t *state = &rln__collector.state;

    for (;;) {
        uint32_t seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
        uint32_t result;

        if (seen == RLN__OPENED || seen == RLN__DECLINED)
            return seen;
        if (seen == opening) {
            rln__sys_yield();
            continue;
        }
        if (!__atomic_compare_exchange_n(state, &seen, opening, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        result = rln__trace_open() ? RLN__OPENED : RLN__DECLINED;
        __atomic_store_n(state, result, __ATOMIC_RELEASE);
        return result;
    }
}

/* --- for every client ------------------------------------------------------------- */

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
    rln__sigmask mask;
    uint32_t state;

    if (!export || export->size < sizeof *export || !export->get_module_table)
        return 0;
    /* A program with more rights than its user gets no files and no code from the
     * user's environment. */
    if (getauxval(AT_SECURE))
        return 0;
    mask = rln__block_signals();
    state = open_once();
    rln__restore_signals(mask);
    if (state != RLN__OPENED)
        return 0;
    /* CORE2 first: a domain must be there before events can name it. */
    return fill(export, MODULE_CORE2, rln__core2_callbacks, RLN__CORE2_CALLBACKS) |
           fill(export, MODULE_CORE, rln__core_callbacks, RLN__CORE_CALLBACKS);
}
