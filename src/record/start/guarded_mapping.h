/* SPDX-License-Identifier: Apache-2.0 */
/* guarded_mapping.h - parts of a trace that a command has mapped survive its
 * truncation.
 *
 * Whoever touches a mapped page beyond the end of its file gets SIGBUS. The launcher
 * must not end by it: the program's exit status would be lost. The first such access
 * replaces the mapping by zeros of our own and is repeated there, so that nothing that
 * uses a mapping has to expect this; before anything is concluded from a mapping,
 * rln__mapping_is_lost() says whether it was the trace's.
 */
#ifndef RLN_RECORD_START_GUARDED_MAPPING_H
#define RLN_RECORD_START_GUARDED_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

/* Guards `n_bytes` at `at`, which are mapped: for this thread, and those that it starts
 * later. At most six mappings at a time. */
void rln__mapping_guard(void *at, size_t n_bytes);

/* Before the mapping is unmapped. */
void rln__mapping_forget(const void *at);

/* Whether a guarded mapping, also one that is forgotten, lost its file. */
bool rln__mapping_is_lost(void);

#endif
