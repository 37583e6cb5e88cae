/* SPDX-License-Identifier: Apache-2.0 */
/* windows_headers.c - includes every C header, for windows.sh. The schema helpers need
 * C99 or C++11. */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>
#include <nvtx3/nvToolsExtOpenCL.h>
#include <nvtx3/nvToolsExtPayload.h>
#if !defined(WITHOUT_HELPER)
#include <nvtx3/nvToolsExtPayloadHelper.h>
#endif
#include <nvtx3/nvToolsExtSemanticsCorrelation.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtx3/nvToolsExtSync.h>
#include <nvtxw3/nvtxw3_helpers.h>

#if !defined(WITHOUT_HELPER)
/* clang-format off */
NVTX_DEFINE_STRUCT_WITH_SCHEMA(point, "Point", static,
    NVTX_PAYLOAD_ENTRIES(
        (double, x, TYPE_DOUBLE, "x"),
        (float, (list, 4), TYPE_FLOAT, "list", NVTX_NULLPTR, 4, ARRAY_FIXED_SIZE)))
/* clang-format on */
#endif

int main(void)
{
    const nvtxwInterface_t *writer;

    nvtxMarkA("a call");
#if !defined(WITHOUT_HELPER)
    nvtxPayloadSchemaRegister(NVTX_NULLPTR, &pointAttr);
#endif
    nvtxDomainSyncUserReleasing(NVTX_NULLPTR);
    nvtxCounterSampleInt64(NVTX_NULLPTR, 1, 2);
    nvtxMemHeapReset(NVTX_NULLPTR, NVTX_NULLPTR);
    return nvtxwLoadInterfaceDefault(&writer, NVTX_NULLPTR) == NVTXW_RESULT_SUCCESS;
}
