/* SPDX-License-Identifier: Apache-2.0 */
/* batches.h - submits batches of any size, in pieces: collectors keep
 * RLN__MAX_BATCH_BYTES of each array of a batch. */
#ifndef RLN_WRITER_BATCHES_H
#define RLN_WRITER_BATCHES_H

#include <nvtxw3/nvtxw3.h>

/* `n_bytes` is the size of an event, or a sample; 0: unknown. If `has_pointers`, events
 * refer to other bytes of the batch, so that it cannot be split. Each returns 0,
 * NVTXW_RESULT_INVALID_ARGUMENT if sizes do not match, or NVTXW_RESULT_FAILED if the
 * batch is too large and cannot be split. */
int32_t batches_submit_events(nvtxDomainHandle_t domain, const nvtxEventBatch_t *batch,
                              size_t n_bytes, int has_pointers);
int32_t batches_submit_samples(nvtxDomainHandle_t domain,
                               const nvtxCounterBatch_t *batch, size_t n_bytes,
                               int has_pointers);

#endif
