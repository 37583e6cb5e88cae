/* SPDX-License-Identifier: Apache-2.0 */
/* domain_order.h - the order of rows by their domains. */
#ifndef RLN_REPORTS_DOMAIN_ORDER_H
#define RLN_REPORTS_DOMAIN_ORDER_H

#include "base/key_index.h"

/* The default domain first, then by name. */
static inline int rln__compare_domains(uint8_t is_default_a, rln_text a,
                                       uint8_t is_default_b, rln_text b)
{
    const int order = is_default_b - is_default_a;

    return order ? order : rln__compare_text(a, b);
}

#endif
