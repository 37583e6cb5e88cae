/* SPDX-License-Identifier: Apache-2.0 */
/* check_names.h - how often each message occurs. */
#ifndef RLN_REPORTS_CHECK_CHECK_NAMES_H
#define RLN_REPORTS_CHECK_CHECK_NAMES_H

#include "reports/check/check_findings.h"

/* Fed by rln__check_ranges(). Zeroed is empty. */
struct rln__name_uses {
    struct rln__key_index keys; /* domain, message, whether it is plain */
    struct rln__name_use *uses; /* owned; by number of the key */
    size_t n, capacity;
};

/* Counts `n` events with these attributes. 0, or -1: no memory. */
int rln__name_uses_add(struct rln__name_uses *uses, const rln_attributes *with,
                       uint64_t n);
int rln__name_uses_find(struct rln__name_uses *uses, struct rln_check *check);
void rln__name_uses_clear(struct rln__name_uses *uses);

#endif
