/* SPDX-License-Identifier: Apache-2.0 */
/* untimed.c - samples of a clock that nothing ties to the others, while a range is open
 * that is never closed: their time is not known, and they come last. */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <string.h>

int main(void)
{
    const int64_t values[] = {1, 2}, times[] = {2, 1};
    nvtxDomainHandle_t domain = nvtxDomainCreateA("io");
    nvtxCounterAttr_t counter;
    nvtxCounterBatch_t batch;

    memset(&counter, 0, sizeof counter);
    counter.structSize = sizeof counter;
    counter.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
    counter.name = "untimed";
    memset(&batch, 0, sizeof batch);
    batch.counterId = nvtxCounterRegister(domain, &counter);
    batch.counters = values;
    batch.countersSize = sizeof values;
    batch.timestamps = times;
    batch.timestampsSize = sizeof times;
    nvtxRangePushA("open");
    nvtxCounterBatchSubmit(domain, &batch);
    return 0;
}
