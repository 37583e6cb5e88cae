/* SPDX-License-Identifier: Apache-2.0 */
/* put.h - records an event if the gate lets it.                               [hot] */
#ifndef RLN_COLLECT_EVENT_PUT_H
#define RLN_COLLECT_EVENT_PUT_H

#include "collect/capture/gate.h"
#include "collect/event/record.h"

/* rln__put_open(), if the gate has no bits for events set. */
static inline __attribute__((always_inline)) uint64_t
rln__put(unsigned kind, uint32_t domain, uint32_t shifted_id, uint64_t value)
{
    if (RLN_UNLIKELY(rln__gate() != 0))
        return kind == RLN__PUSH ? rln__push_gated(domain, shifted_id)
               : kind == RLN__POP
                   ? rln__pop_gated(domain, shifted_id)
                   : rln__put_gated(domain << 8 | kind, shifted_id, value);
    return rln__put_open(kind, domain, shifted_id, value);
}

#endif
