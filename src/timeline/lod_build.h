/* SPDX-License-Identifier: Apache-2.0 */
/* lod_build.h - builds an index: of events of threads, then of GPU work. */
#ifndef RLN_TIMELINE_LOD_BUILD_H
#define RLN_TIMELINE_LOD_BUILD_H

#include "timeline/lod.h"

/* Reads the trace. RLN_END: `pause` stopped it. `pause` may be NULL. */
rln_status rln__lod_build(struct rln__lod *lod, const struct rln__lod_pause *pause,
                          rln_error *err);

#endif
