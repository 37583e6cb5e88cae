/* SPDX-License-Identifier: Apache-2.0 */
/* range_names.h - names of ranges as numbers: the same number is the same domain and
 * message. */
#ifndef RLN_RANGES_RANGE_NAMES_H
#define RLN_RANGES_RANGE_NAMES_H

#include "base/key_index.h"
#include "rangeline/model.h"

struct rln__range_name {
    uint32_t domain;
    rln_text domain_name, message; /* borrowed from the reader */
};

/* Zeroed, it is empty. */
struct rln__range_names {
    struct rln__key_index keys;
    struct rln__range_name *items; /* owned */
    size_t n, capacity;
};

/* Numbers count from 0. 0, or -1 when there is no memory. */
int rln__range_names_number(struct rln__range_names *names, const rln_attributes *with,
                            uint32_t *out);
void rln__range_names_clear(struct rln__range_names *names);

#endif
