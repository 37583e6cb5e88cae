/* SPDX-License-Identifier: Apache-2.0 */
/* in_unit.h - converts the raw numbers of a counter to its unit. */
#ifndef RLN_TRACE_PAYLOAD_IN_UNIT_H
#define RLN_TRACE_PAYLOAD_IN_UNIT_H

#include "rangeline/values.h"
#include "trace/payload/numbers.h"

static inline double rln__in_unit(const rln_semantics *m, double raw)
{
    if (m->full_scale > 0)
        raw =
            raw / m->full_scale < -1 ? -1 : raw / m->full_scale; /* two's complement */
    return raw * m->scale;
}

/* A limit of the axis; `*is_there` is 0 unless it is a finite number. */
static inline double rln__limit_in_unit(const rln_semantics *m, int has_limit,
                                        uint64_t bits, int *is_there)
{
    const uint8_t type = has_limit ? rln__number_widen(m->limit_type, &bits) : 0;
    const double limit =
        type ? rln__in_unit(m, rln__number_double(type, bits)) : (double)0;

    *is_there = type && limit - limit == 0;
    return limit;
}

#endif
