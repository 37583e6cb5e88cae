/* SPDX-License-Identifier: Apache-2.0 */
/* trace_end.h - what is left to do to a trace when the last of its processes ended. */
#ifndef RLN_CLI_TRACE_END_H
#define RLN_CLI_TRACE_END_H

#include "format/superblock.h"

/* Marks the trace as finished, trims it, and closes `file`. If some process still has
 * the file open for writing (one that is no descendant of ours), it is left as it is.
 */
void rln__trace_finish(struct rln__file *file);

#endif
