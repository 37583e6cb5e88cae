/* SPDX-License-Identifier: Apache-2.0 */
/* lod_step.h - which range the program repeats: its step, its request.
 *
 *     |---------------------- train ----------------------|     once
 *       |-- step 1 --|  |-- step 2 --|  |-- step 3 --|  ..      the outermost that repeats
 *         |load||solve|   |load||solve|                         repeat inside it
 */
#ifndef RLN_TIMELINE_LOD_STEP_H
#define RLN_TIMELINE_LOD_STEP_H

#include "timeline/lod.h"

#define RLN__LOD_LEAST_STEPS 5u /* on a thread: fewer say nothing about what is usual */
#define RLN__LOD_LEAST_STEP_SHARE 0.1 /* of the time in which its thread is in ranges */

/* Sets `step` to the first name of the kind (lod_kinds.h) that takes the most time of all
 * threads outside of other kinds that repeat; RLN__NONE: none does. Of tasks that overlap
 * on a thread, those of one lane count. 0, or -1: no memory. */
int rln__lod_find_step(struct rln__lod *lod, const uint32_t *kinds, uint32_t *step);

#endif
