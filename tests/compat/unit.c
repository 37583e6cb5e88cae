/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c - one of several files in a program that each include NVTX.
 * -DUNIT=name names its function; C and C++ alike, whichever headers. */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSync.h>

#define UNIT_NAME_L2(name) #name
#define UNIT_NAME(name) UNIT_NAME_L2(name)

#ifdef __cplusplus
extern "C"
#endif
    void
    UNIT(void);

#ifdef __cplusplus
/* Inline and template functions call NVTX too, and have linkage of their own: hidden,
 * for those of a library built with other headers are other functions. */
#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN inline int inline_push(const char *message)
{
    nvtxMarkPayload(NULL, NULL, 0);
    return nvtxRangePushA(message);
}

template <typename T> HIDDEN int template_pop(T)
{
    nvtxCounterSampleInt64(NULL, 1, 2);
    nvtxDomainSyncUserDestroy(NULL);
    return nvtxRangePop();
}

void UNIT(void)
{
    inline_push(UNIT_NAME(UNIT));
    template_pop(1);
}
#else
void UNIT(void)
{
    nvtxMarkPayload(NULL, NULL, 0);
    nvtxCounterSampleInt64(NULL, 1, 2);
    nvtxDomainSyncUserDestroy(NULL);
    nvtxRangePushA(UNIT_NAME(UNIT));
    nvtxRangePop();
}
#endif
