/* SPDX-License-Identifier: Apache-2.0 */
/* py_switch.c - counts each thread's pushes that were suppressed while the switch was
 * off. */
#include "domain/py_switch.h"

struct suppressed_pushes {
    struct suppressed_pushes *older; /* owned by the thread */
    const struct domain_object *domain;
    size_t n_pushed; /* after these, in the same domain */
    size_t n_suppressed;
};

/* Not freed if the thread ends with open ranges. */
static _Thread_local struct suppressed_pushes *newest;

bool rln_py_set_on(struct native_state *state, bool is_on)
{
    uintptr_t before;

    if (is_on)
        before = __atomic_fetch_and(&state->switched, ~(uintptr_t)RLN_PY_SWITCHED_OFF,
                                    __ATOMIC_RELAXED);
    else
        before =
            __atomic_fetch_or(&state->switched, RLN_PY_SWITCHED_OFF, __ATOMIC_RELAXED);
    return !(before & RLN_PY_SWITCHED_OFF);
}

/* The link to the newest entry of the domain, or to NULL. */
static struct suppressed_pushes **find(const struct domain_object *domain)
{
    struct suppressed_pushes **link = &newest;

    while (*link && (*link)->domain != domain)
        link = &(*link)->older;
    return link;
}

static int suppress(struct domain_object *domain)
{
    struct suppressed_pushes *entry = *find(domain);

    if (!entry || entry->n_pushed) {
        entry = PyMem_RawCalloc(1, sizeof(*entry));
        if (!entry)
            return NVTX_NO_PUSH_POP_TRACKING; /* its pop will close another range */
        entry->domain = domain;
        entry->older = newest;
        newest = entry;
    }
    entry->n_suppressed++;
    __atomic_fetch_add(&domain->state->switched, 2, __ATOMIC_RELAXED);
    return NVTX_NO_PUSH_POP_TRACKING;
}

int rln_py_push_switched(struct domain_object *domain,
                         const nvtxEventAttributes_t *event)
{
    struct suppressed_pushes *entry;

    if (!rln_py_is_on(domain->state))
        return suppress(domain);
    entry = *find(domain);
    if (entry)
        entry->n_pushed++;
    return nvtxDomainRangePushEx(domain->handle, event);
}

int rln_py_pop_switched(struct domain_object *domain)
{
    struct suppressed_pushes **const link = find(domain);
    struct suppressed_pushes *const entry = *link;

    if (entry && !entry->n_pushed) {
        __atomic_fetch_sub(&domain->state->switched, 2, __ATOMIC_RELAXED);
        if (--entry->n_suppressed == 0) {
            *link = entry->older;
            PyMem_RawFree(entry);
        }
        return NVTX_NO_PUSH_POP_TRACKING;
    }
    if (entry)
        entry->n_pushed--;
    return nvtxDomainRangePop(domain->handle);
}
