/* SPDX-License-Identifier: Apache-2.0 */
/* work_writer.h - records GPU work as an annotated program would: batches of deferred
 * events, through NVTX.
 *
 *     activity --> [kernel, GPU 0, stream 7: ......]   a batch per kind and stream
 *                  [call:            ..............]
 *                          | full, or the end of CUPTI's buffer
 *                          v
 *                  nvtxEventBatchSubmit() --> the collector
 *
 * One thread at a time.
 */
#ifndef RLN_GPU_WORK_WRITER_H
#define RLN_GPU_WORK_WRITER_H

#include "gpu/activity.h"
#include "gpu/cupti.h"

struct rln__work_writer;

/* NULL when there is no memory, or no collector. */
struct rln__work_writer *rln__work_writer_new(const struct rln__cupti *cupti);

/* Learns the names of calls; call it once, outside of CUPTI's callbacks. */
void rln__work_writer_name_calls(struct rln__work_writer *writer);
/* Learns which GPU a context is on. */
void rln__work_writer_see_context(struct rln__work_writer *writer, uint32_t id,
                                  uint32_t device);

/* Describes a GPU, which is an answer RLN__ACTIVITY_GPU. */
void rln__work_writer_see_gpu(struct rln__work_writer *writer,
                              const struct rln__activity *activity);

/* Adds one; `tid` is that of a call or overhead, or 0. 0, or -1 when there is no
 * memory.
 */
int rln__work_writer_add(struct rln__work_writer *writer,
                         const struct rln__activity *activity, uint32_t tid);
/* Hands over all that were added. */
void rln__work_writer_flush(struct rln__work_writer *writer);

/* Records that a node of a graph was created now, on this thread; `original` is the
 * node that it copies, or 0. Any thread. */
void rln__work_writer_add_node(struct rln__work_writer *writer, uint64_t node,
                               uint64_t original);

/* Records that `n` operations were lost; 0: that none will be recorded. Any
 * thread. */
void rln__work_writer_add_loss(const struct rln__work_writer *writer, const char *what,
                               uint64_t n);

#endif
