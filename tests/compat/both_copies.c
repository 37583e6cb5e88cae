/* SPDX-License-Identifier: Apache-2.0 */
/* both_copies.c - two copies of the headers in one file, as when two header-only
 * libraries bring one each: the copy that comes first is used.
 * -DFIRST=path -DSECOND=path name the folders, without quotes. */
#define TEXT_L2(text) #text
#define TEXT(text) TEXT_L2(text)
/* clang-format off */
#define FILE_OF(copy, name) TEXT(copy/name)
/* clang-format on */

#include FILE_OF(FIRST, nvToolsExt.h)
#include FILE_OF(FIRST, nvToolsExtCounters.h)
#include FILE_OF(FIRST, nvToolsExtCuda.h)
#include FILE_OF(FIRST, nvToolsExtCudaRt.h)
#include FILE_OF(FIRST, nvToolsExtMem.h)
#include FILE_OF(FIRST, nvToolsExtMemCudaRt.h)
#include FILE_OF(FIRST, nvToolsExtOpenCL.h)
#include FILE_OF(FIRST, nvToolsExtPayload.h)
#include FILE_OF(FIRST, nvToolsExtPayloadHelper.h)
#include FILE_OF(FIRST, nvToolsExtSemanticsCounters.h)
#include FILE_OF(FIRST, nvToolsExtSemanticsScope.h)
#include FILE_OF(FIRST, nvToolsExtSemanticsTime.h)
#include FILE_OF(FIRST, nvToolsExtSync.h)

#include FILE_OF(SECOND, nvToolsExt.h)
#include FILE_OF(SECOND, nvToolsExtCounters.h)
#include FILE_OF(SECOND, nvToolsExtCuda.h)
#include FILE_OF(SECOND, nvToolsExtCudaRt.h)
#include FILE_OF(SECOND, nvToolsExtMem.h)
#include FILE_OF(SECOND, nvToolsExtMemCudaRt.h)
#include FILE_OF(SECOND, nvToolsExtOpenCL.h)
#include FILE_OF(SECOND, nvToolsExtPayload.h)
#include FILE_OF(SECOND, nvToolsExtPayloadHelper.h)
#include FILE_OF(SECOND, nvToolsExtSemanticsCounters.h)
#include FILE_OF(SECOND, nvToolsExtSemanticsScope.h)
#include FILE_OF(SECOND, nvToolsExtSemanticsTime.h)
#include FILE_OF(SECOND, nvToolsExtSync.h)

int main(void)
{
    nvtxRangePushA("both");
    nvtxMarkPayload(NULL, NULL, 0);
    nvtxCounterSampleInt64(NULL, 1, 2);
    nvtxMemHeapReset(NULL, NULL);
    nvtxNameCudaDeviceA(0, "device");
    nvtxDomainSyncUserDestroy(NULL);
    nvtxRangePop();
    return 0;
}
