/* SPDX-License-Identifier: Apache-2.0 */
/* lod_build.h - builds an index: of events of threads, then of GPU work.
 *
 *   step, step, step ... RLN_END     a chunk each: some milliseconds
 *       queries of what there is
 */
#ifndef RLN_TIMELINE_LOD_BUILD_H
#define RLN_TIMELINE_LOD_BUILD_H

#include "timeline/lod.h"

/* Reads some more of the trace. RLN_OK: there is more; RLN_END: the index is complete.
 * After any other result, it has what was read before. */
rln_status rln__lod_build_step(struct rln__lod *lod, rln_error *err);

/* Reads all of it. */
rln_status rln__lod_build(struct rln__lod *lod, rln_error *err);

#endif
