/* SPDX-License-Identifier: Apache-2.0 */
/* lod_segments.h - notes which ranges were open at the begin of each chunk, so that it
 * can be read again: lod_narrow.h. */
#ifndef RLN_TIMELINE_LOD_SEGMENTS_H
#define RLN_TIMELINE_LOD_SEGMENTS_H

#include "timeline/lod_pass.h"

/* Notes that an event is its thread's first in a chunk, before it is visited. 0, or -1:
 * no memory. */
int rln__lod_begin_segment(struct rln__lod *lod, struct rln__lod_thread *t,
                           const struct rln__item *item, int64_t t_ns, uint32_t part);

#endif
