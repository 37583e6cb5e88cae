/* SPDX-License-Identifier: Apache-2.0 */
/* batches.c - implements batches.h: splits batches between events or samples. */
#include "writer/batches.h"
#include "format/layout.h"

#define PAIR_FLAGS                                                                     \
    (NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR |                                 \
     NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR)

/* Readers go through batches in the order of times, and cache dozens of this size. */
#define PIECE_BYTES ((size_t)1 << 20)

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many elements of a batch are submitted at once. */
static size_t n_in_piece(size_t n_bytes)
{
    return n_bytes < PIECE_BYTES ? PIECE_BYTES / n_bytes : 1;
}

/* ---- Events ---------------------------------------------------------------------- */

int32_t batches_submit_events(nvtxDomainHandle_t domain, const nvtxEventBatch_t *batch,
                              size_t n_bytes, int has_pointers)
{
    const int can_split =
        n_bytes && n_bytes <= RLN__MAX_BATCH_BYTES && !has_pointers && !batch->flexData;
    const size_t most = can_split ? n_in_piece(n_bytes) * n_bytes : batch->size;
    nvtxEventBatch_t piece = *batch;

    if ((!batch->events && batch->size) || (n_bytes && batch->size % n_bytes))
        return NVTXW_RESULT_INVALID_ARGUMENT;
    if (!can_split && (batch->size > RLN__MAX_BATCH_BYTES ||
                       (batch->flexData && batch->flexDataSize > RLN__MAX_BATCH_BYTES)))
        return NVTXW_RESULT_FAILED;
    for (size_t at = 0; at < batch->size; at += piece.size) {
        piece.events = (const char *)batch->events + at;
        piece.size = lesser(batch->size - at, most);
        nvtxEventBatchSubmit(domain, &piece);
    }
    return NVTXW_RESULT_SUCCESS;
}

/* ---- Samples --------------------------------------------------------------------- */

/* How the times of `n` samples are given: 0, one per sample or none; or a flag of pairs,
 * also if the compiler lost it, as it does with NVIDIA's headers. -1: neither. */
static int64_t pair_flag(const nvtxCounterBatch_t *batch, size_t n)
{
    const size_t n_times = batch->timestamps ? batch->timestampsSize / 8 : 0;
    const uint64_t flag = batch->flags & PAIR_FLAGS;

    if (flag)
        return n_times == 2 && flag != PAIR_FLAGS ? (int64_t)flag : -1;
    if (!batch->timestamps || n_times == n)
        return 0;
    return n_times == 2 && n > 2
               ? (int64_t)NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR
               : -1;
}

/* Submits samples `from` to before `to` of `n`. */
static void submit_samples(nvtxDomainHandle_t domain, const nvtxCounterBatch_t *batch,
                           uint64_t flag, size_t n_bytes, size_t from, size_t to,
                           size_t n)
{
    nvtxCounterBatch_t piece = *batch;
    int64_t pair[2];

    piece.counters = (const char *)batch->counters + from * n_bytes;
    piece.countersSize = (to - from) * n_bytes;
    if (flag) {
        const size_t n_steps =
            flag == NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR ? to - n : from;

        /* Unsigned, because times may wrap. */
        pair[0] = (int64_t)((uint64_t)batch->timestamps[0] +
                            (uint64_t)batch->timestamps[1] * (uint64_t)n_steps);
        pair[1] = batch->timestamps[1];
        piece.timestamps = pair;
        piece.flags |= flag;
    } else if (batch->timestamps) {
        piece.timestamps = batch->timestamps + from;
        piece.timestampsSize = (to - from) * sizeof(int64_t);
    }
    nvtxCounterBatchSubmit(domain, &piece);
}

int32_t batches_submit_samples(nvtxDomainHandle_t domain,
                               const nvtxCounterBatch_t *batch, size_t n_bytes,
                               int has_pointers)
{
    const int can_split = n_bytes && n_bytes <= RLN__MAX_BATCH_BYTES && !has_pointers;
    const size_t n = n_bytes ? batch->countersSize / n_bytes : 0;
    const size_t most =
        can_split ? n_in_piece(n_bytes < sizeof(int64_t) ? sizeof(int64_t) : n_bytes)
                  : n;
    int64_t flag;

    if (!batch->counters && batch->countersSize)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    if (!can_split &&
        (batch->countersSize > RLN__MAX_BATCH_BYTES ||
         (batch->timestamps && batch->timestampsSize > RLN__MAX_BATCH_BYTES)))
        return NVTXW_RESULT_FAILED;
    if (!n_bytes) {
        nvtxCounterBatchSubmit(domain, batch);
        return NVTXW_RESULT_SUCCESS;
    }
    flag = pair_flag(batch, n);
    if (batch->countersSize % n_bytes || flag < 0)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    for (size_t from = 0; from < n; from += most)
        submit_samples(domain, batch, (uint64_t)flag, n_bytes, from,
                       lesser(n, from + most), n);
    return NVTXW_RESULT_SUCCESS;
}
