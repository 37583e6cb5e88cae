/* SPDX-License-Identifier: Apache-2.0 */
/* fake_cupti.h - what the fake CUPTI lets a program do that the real one does itself:
 * record activities. */
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include <stddef.h>
#include <stdint.h>

/* What CUPTI's clock shows: the program's, if it registered one. */
uint64_t fake_cupti_now(void);
/* Adds a record to the current buffer, if its kind is enabled. */
void fake_cupti_put(const void *record, size_t n_bytes);
/* Counts records as dropped. */
void fake_cupti_drop(size_t n);
/* From now on, a flush without force completes nothing: the GPU is still busy. */
void fake_cupti_keep(void);
/* Hands over the current buffer, as if it were full. */
void fake_cupti_complete(void);
/* Reports to the subscriber, if it asked for the event, that a node was created (13) or
 * cloned (20). */
void fake_cupti_node(uint32_t event, uint64_t id, uint64_t original);
/* 1 if all that was enabled has been disabled, and there is no subscriber. */
int fake_cupti_is_off(void);

#endif
