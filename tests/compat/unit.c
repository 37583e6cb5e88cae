/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c - one of several files in a program that each include NVTX.
 * -DUNIT=name names its function; for C and C++, and any headers. Also calls extensions
 * if the headers have them. */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtSync.h>
#if __has_include(<nvtx3/nvToolsExtCounters.h>)
#include <nvtx3/nvToolsExtCounters.h>
#define CALL_EXTENSIONS()                                                              \
    (nvtxMarkPayload(NULL, NULL, 0), nvtxCounterSampleInt64(NULL, 1, 2))
#else
#define CALL_EXTENSIONS() ((void)0)
#endif

#define UNIT_NAME_L2(name) #name
#define UNIT_NAME(name) UNIT_NAME_L2(name)

#ifdef __cplusplus
extern "C"
#endif
    void
    UNIT(void);

#ifdef __cplusplus
/* Inline and template functions call NVTX, too. They are hidden, because those of a
 * library built with other headers are different functions. */
#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN inline int inline_push(const char *message)
{
    return nvtxRangePushA(message);
}

template <typename T> HIDDEN int template_pop(T)
{
    CALL_EXTENSIONS();
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
    CALL_EXTENSIONS();
    nvtxDomainSyncUserDestroy(NULL);
    nvtxRangePushA(UNIT_NAME(UNIT));
    nvtxRangePop();
}
#endif
