/* SPDX-License-Identifier: Apache-2.0 */
/* deep_copy.h - gathers an event's payloads with the memory that pointers in them point
 * to, if their schemas request it. Cold. */
#ifndef RLN_COLLECT_PAYLOAD_DEEP_COPY_H
#define RLN_COLLECT_PAYLOAD_DEEP_COPY_H

#include "collect/payload/payload_gather.h"

/* Copies the payloads and what they point to. Counts truncated and unreadable events.
 * The caller ends with rln__payload_gather_clear(). */
void rln__deep_copy(struct rln__payload_gather *s, uint32_t domain,
                    const struct rln__payload_data *data, size_t n_data);

#endif
