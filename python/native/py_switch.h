/* SPDX-License-Identifier: Apache-2.0 */
/* py_switch.h - pushes and pops that obey rangeline.nvtx.set_enabled().
 *
 * A pop has no handle that says which push it belongs to. So that what is open while
 * the switch moves still closes, and nothing is popped that was not pushed, each thread
 * notes the pushes that were left out, and where they are among the others:
 *
 *     newest                                                  oldest
 *     [domain A: 2 pushed above, 1 left out] -> [domain B: 0 pushed above, 3 left out]
 *
 * Nothing is noted, and nothing costs more than one comparison, while the switch is on
 * and no push that was left out is still to be popped.
 */
#ifndef RLN_PYTHON_SWITCH_H
#define RLN_PYTHON_SWITCH_H

#include "py_domain.h"

#define RLN_PY_SWITCHED_OFF 1u /* in native_state.switched */

static inline uintptr_t rln_py_switched(const struct native_state *state)
{
    /* Relaxed: a thread sees another's switch soon, not at once. */
    return __atomic_load_n(&state->switched, __ATOMIC_RELAXED);
}

/* Whether events are to be sent. */
static inline bool rln_py_is_on(const struct native_state *state)
{
    return !(rln_py_switched(state) & RLN_PY_SWITCHED_OFF);
}

/* Moves the switch; whether it was on before. */
bool rln_py_set_on(struct native_state *state, bool is_on);

/* The same as below, while it matters where the switch is. */
int rln_py_push_switched(struct domain_object *domain,
                         const nvtxEventAttributes_t *event);
int rln_py_pop_switched(struct domain_object *domain);

/* The depth that the tool tells, from 0; NVTX_NO_PUSH_POP_TRACKING for what is left
 * out, as without a tool. */
static inline int rln_py_push(struct domain_object *domain,
                              const nvtxEventAttributes_t *event)
{
    if (RLN_PY_UNLIKELY(rln_py_switched(domain->state)))
        return rln_py_push_switched(domain, event);
    return nvtxDomainRangePushEx(domain->handle, event);
}

static inline int rln_py_pop(struct domain_object *domain)
{
    if (RLN_PY_UNLIKELY(rln_py_switched(domain->state)))
        return rln_py_pop_switched(domain);
    return nvtxDomainRangePop(domain->handle);
}

#endif
