/* SPDX-License-Identifier: Apache-2.0 */
/* deferred.h - records deferred events: docs/reference/FORMAT.md 7. Cold. */
#ifndef RLN_COLLECT_CALLBACKS_DEFERRED_H
#define RLN_COLLECT_CALLBACKS_DEFERRED_H

#include "collect/payload/payload_gather.h"

/* A record of deferred events, without its segments. */
struct rln__deferred_call {
    enum rln__deferred_sub sub;
    uint32_t domain;
    const uint64_t *words; /* those after {domain, thread} */
    size_t n_words;
};

/* Writes a batch: the record with two segments. */
void rln__put_deferred(const struct rln__deferred_call *d, const void *first,
                       size_t n_first_bytes, const void *second, size_t n_second_bytes);

void rln__on_event_submit(uint64_t domain, const struct rln__payload_data *data,
                          size_t n_data);
void rln__on_event_batch_submit(uint64_t domain, const void *batch);

#endif
