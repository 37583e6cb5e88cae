/* SPDX-License-Identifier: Apache-2.0 */
/* py_switch.c - notes a thread's pushes that were left out while the switch was off. */
#include "py_switch.h"

struct left_out {
    struct left_out *older; /* owned by the thread */
    const struct domain_object *domain;
    size_t n_pushed; /* after these, in the same domain */
    size_t n_left_out;
};

/* Not freed if the thread ends before it has popped them; its ranges stay open, too. */
static _Thread_local struct left_out *newest;

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

/* The link to the newest note of the domain, or to NULL. */
static struct left_out **find(const struct domain_object *domain)
{
    struct left_out **link = &newest;

    while (*link && (*link)->domain != domain)
        link = &(*link)->older;
    return link;
}

static int leave_out(struct domain_object *domain)
{
    struct left_out *note = *find(domain);

    if (!note || note->n_pushed) {
        note = PyMem_RawCalloc(1, sizeof(*note));
        if (!note)
            return NVTX_NO_PUSH_POP_TRACKING; /* its pop will close another range */
        note->domain = domain;
        note->older = newest;
        newest = note;
    }
    note->n_left_out++;
    __atomic_fetch_add(&domain->state->switched, 2, __ATOMIC_RELAXED);
    return NVTX_NO_PUSH_POP_TRACKING;
}

int rln_py_push_switched(struct domain_object *domain,
                         const nvtxEventAttributes_t *event)
{
    struct left_out *note;

    if (!rln_py_is_on(domain->state))
        return leave_out(domain);
    note = *find(domain);
    if (note)
        note->n_pushed++;
    return nvtxDomainRangePushEx(domain->handle, event);
}

int rln_py_pop_switched(struct domain_object *domain)
{
    struct left_out **const link = find(domain);
    struct left_out *const note = *link;

    if (note && !note->n_pushed) {
        __atomic_fetch_sub(&domain->state->switched, 2, __ATOMIC_RELAXED);
        if (--note->n_left_out == 0) {
            *link = note->older;
            PyMem_RawFree(note);
        }
        return NVTX_NO_PUSH_POP_TRACKING;
    }
    if (note)
        note->n_pushed--;
    return nvtxDomainRangePop(domain->handle);
}
