/* SPDX-License-Identifier: Apache-2.0 */
/* reduced_merge.h - what the numbers of sums become that are added to others. */
#ifndef RLN_REDUCE_REDUCED_MERGE_H
#define RLN_REDUCE_REDUCED_MERGE_H

#include "reduce/reduced_model.h"

/* From numbers of one object to those of another, into which it is merged. */
struct rln__reduced_numbers {
    struct rln__reduced *into;
    const struct rln__reduced *from;
    uint32_t *strings; /* owned, like the next: 0 for one not asked for yet */
    uint32_t *origins;
    int failed;
};

/* `failed` is set when there is no memory. */
uint32_t rln__reduced_string_of(struct rln__reduced_numbers *numbers, uint32_t string);

/* RLN_ERR_ARGUMENT, with a message, if a part is in both. */
rln_status rln__reduced_refuse_twice(const struct rln__reduced *into,
                                     const struct rln__reduced *from, rln_error *err);

#endif
