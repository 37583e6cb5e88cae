/* SPDX-License-Identifier: Apache-2.0 */
/* recording.h - CUPTI's callbacks: it asks for a buffer, and hands over a full one,
 * whose records become events; it reports the nodes of graphs.
 *
 * CUPTI asks while it holds a lock of its own, so nothing that is locked around a call
 * of CUPTI may be locked there. It reports nodes within the program's calls, where the
 * same holds. The callbacks have no argument of ours: their state is static.
 *
 * The program may use CUPTI itself (program_cupti.h). Then buffers are its own: their
 * records are read before the program gets them.
 */
#ifndef RLN_GPU_RECORDING_H
#define RLN_GPU_RECORDING_H

#include "gpu/work_writer.h"

/* 0, or -1 when there is no memory. Both are borrowed until the process ends. */
int rln__recording_begin(const struct rln__cupti *cupti,
                         struct rln__work_writer *writer);
void rln__recording_end(void);
/* Also 0 in a child after fork(), which records nothing and may not take locks. */
int rln__is_recording(void);
/* Whether a buffer of ours was ever requested. */
int rln__recording_has_buffers(void);

/* For cuptiActivityRegisterCallbacks(). */
rln__cupti_request rln__on_request;
rln__cupti_complete rln__on_complete;
/* For cuptiSubscribe(), and the two events of nodes. */
rln__cupti_callback rln__on_graph_node;

/* Lets the program have the buffers from now on, or not. Those that it gave return to
 * it in any case; of ours that were being filled, it gets copies of the records of
 * `kinds`, a bit each. */
void rln__recording_lend(rln__cupti_request *request, rln__cupti_complete *complete,
                         uint64_t kinds);
void rln__recording_take_back(void);

/* CUPTI's times are the program's from now on. */
void rln__recording_set_clock(rln__cupti_clock *now);

/* Notes the threads that exist now, of which some may be gone when their records come.
 */
void rln__recording_see_threads(void);
/* Records that the last flush did not end. */
void rln__recording_note_hang(void);
/* Records what is off since the program's cuptiFinalize(). */
void rln__recording_note_finalized(const char *what);
/* Records how many nodes had no id since the last time. */
void rln__recording_count_nodes(void);
/* Records what CUPTI had to drop since the last time. */
void rln__recording_count_losses(void);

#endif
