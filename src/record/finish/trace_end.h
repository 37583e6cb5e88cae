/* SPDX-License-Identifier: Apache-2.0 */
/* trace_end.h - finishes a trace when its last process has ended. */
#ifndef RLN_RECORD_FINISH_TRACE_END_H
#define RLN_RECORD_FINISH_TRACE_END_H

#include "format/superblock.h"

/* Marks the trace as finished, trims it, and closes `file`. If a process still has the
 * file open for writing (one that is not our descendant), it stays as it is. */
void rln__trace_finish(struct rln__file *file);

#endif
