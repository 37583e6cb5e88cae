/* SPDX-License-Identifier: Apache-2.0 */
/* graph_nodes.h - gives operations of CUDA graphs the call by which the program made
 * their node, instead of the call that launched the graph.
 *
 *     create A      copy A to A'      launch      [A' runs]      launch      [A' ...
 *     ^                                           |                          |
 *     '-------------------------------------------'--------------------------'
 */
#ifndef RLN_REPORTS_GPU_GRAPH_NODES_H
#define RLN_REPORTS_GPU_GRAPH_NODES_H

#include "reports/gpu/gpu_ops.h"

/* Changes the calls of `ops`, which are in the order of their calls, and marks those it
 * changed. An operation whose node's creation is unknown keeps its call. `work` is read
 * again, from RLN__GPU_NODES. */
rln_status rln__graph_nodes_apply(struct rln__gpu_work *work, struct rln__gpu_op *ops,
                                  size_t n_ops, rln_error *err);

#endif
