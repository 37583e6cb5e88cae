/* SPDX-License-Identifier: Apache-2.0 */
/* lod_facts.h - what answers say of the threads of a trace: from its reader, or from what
 * was saved with the index (lod_saved.h). */
#ifndef RLN_TIMELINE_LOD_FACTS_H
#define RLN_TIMELINE_LOD_FACTS_H

#include "timeline/lod_saved.h"

size_t rln__lod_count_threads(const struct rln__lod *lod);

struct rln__lod_thread_facts rln__lod_thread_facts(struct rln__lod *lod,
                                                   uint32_t thread);

/* Threads with one id are one. RLN__NONE is none. */
int rln__lod_is_same_thread(const struct rln__lod *lod, uint32_t a, uint32_t b);

/* The thread to whose ranges an operation whose call is known (rln__lod_has_call())
 * belongs. */
uint32_t rln__lod_owner(struct rln__lod *lod, const struct rln__range_bucket *bucket);

#endif
