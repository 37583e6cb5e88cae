/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_tree.h - the call tree, with what the time of each path was made of: on a processor,
 * preempted, blocked. */
#ifndef RLN_REPORTS_CPU_TREE_H
#define RLN_REPORTS_CPU_TREE_H

#include "reports/summary/tree.h"

/* As rln__tree_new(), or rln__tree_new_by_thread(). Fails without context switches. */
rln_status rln__cpu_tree_new(rln_reader *reader, int is_by_thread,
                             struct rln__tree **out, rln_error *err);

#endif
