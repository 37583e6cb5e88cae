/* SPDX-License-Identifier: Apache-2.0 */
/* helper.h - starts the thread that makes blocks ahead. block.c asks for it and wakes
 * it by words of rln__process_context. */
#ifndef RLN_COLLECT_EVENT_HELPER_H
#define RLN_COLLECT_EVENT_HELPER_H

#include "collect/collector.h"

/* Starts the helper if it was requested. Call it when leaving the cold path: it may
 * allocate. `mask` is the signal mask that the caller is about to restore. */
void rln__helper_start(struct rln__process_context *p, rln__sigmask mask);

#endif
