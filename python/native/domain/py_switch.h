/* SPDX-License-Identifier: Apache-2.0 */
/* py_switch.h - sends events, unless rangeline.nvtx.set_enabled() suppresses
 * them.
 *
 * A pop does not name its push. Each thread therefore has a list of its suppressed
 * pushes, with their position among the others, so that ranges open when the switch
 * changes still close, and each pop that is sent has a push:
 *
 *     newest                                                oldest
 *     [domain A: 2 pushed above, 1 suppressed] -> [domain B: 0 pushed above, 3
 * suppressed]
 *
 * While the switch is on and no suppressed push is open, the list is empty, and the
 * cost is one comparison.
 */
#ifndef RLN_PYTHON_SWITCH_H
#define RLN_PYTHON_SWITCH_H

#include "domain/py_domain.h"

#define RLN_PY_SWITCHED_OFF 1u /* in native_state.switched */

static inline uintptr_t rln_py_switched(const struct native_state *state)
{
    /* Relaxed: threads may see the switch change with a delay. */
    return __atomic_load_n(&state->switched, __ATOMIC_RELAXED);
}

/* Whether events are sent. */
static inline bool rln_py_is_on(const struct native_state *state)
{
    return !(rln_py_switched(state) & RLN_PY_SWITCHED_OFF);
}

/* Sets the switch; returns whether it was on before. */
bool rln_py_set_on(struct native_state *state, bool is_on);

/* The slow paths of the functions below, for when `switched` is not 0. */
int rln_py_push_switched(struct domain_object *domain,
                         const nvtxEventAttributes_t *event);
int rln_py_pop_switched(struct domain_object *domain);

/* The depth that the tool returns, from 0; NVTX_NO_PUSH_POP_TRACKING if suppressed, as
 * without a tool. */
static inline int rln_py_push(struct domain_object *domain,
                              const nvtxEventAttributes_t *event)
{
    if (RLN_PY_UNLIKELY(rln_py_switched(domain->state)))
        return rln_py_push_switched(domain, event);
    return nvtxDomainRangePushEx(domain->handle, event);
}

/* The id of the range; 0 if suppressed. */
static inline nvtxRangeId_t rln_py_start(struct domain_object *domain,
                                         const nvtxEventAttributes_t *event)
{
    return RLN_PY_LIKELY(rln_py_is_on(domain->state))
               ? nvtxDomainRangeStartEx(domain->handle, event)
               : 0;
}

static inline void rln_py_mark(struct domain_object *domain,
                               const nvtxEventAttributes_t *event)
{
    if (RLN_PY_LIKELY(rln_py_is_on(domain->state)))
        nvtxDomainMarkEx(domain->handle, event);
}

static inline int rln_py_pop(struct domain_object *domain)
{
    if (RLN_PY_UNLIKELY(rln_py_switched(domain->state)))
        return rln_py_pop_switched(domain);
    return nvtxDomainRangePop(domain->handle);
}

#endif
