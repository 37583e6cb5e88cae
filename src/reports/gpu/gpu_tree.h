/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_tree.h - the call tree, with the time in which GPUs worked for each path.
 *
 *     thread   |--- step ------|      the innermost range at the beginning of the
 *                |- load -|           launching call: step/load
 *                  [call]
 *     GPU 0             [kernel][copy]
 *     GPU 1                [kernel]   time with an operation, added up over GPUs
 *                       |--------|
 */
#ifndef RLN_REPORTS_GPU_GPU_TREE_H
#define RLN_REPORTS_GPU_GPU_TREE_H

#include "reports/summary/tree.h"

/* As rln__tree_new(), or rln__tree_new_by_thread(). `*out` is NULL if there is no GPU
 * work. A window selects the ranges, whose work counts as a whole. Fails with a filter
 * by duration or payload. */
rln_status rln__gpu_tree_new(rln_reader *reader, int is_by_thread,
                             struct rln__tree **out, rln_error *err);

#endif
