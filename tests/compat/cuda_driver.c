/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_driver.c - linked with the toy tool, it replaces a CUDA driver that has the
 * entry points of a tool. */
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *module);

NVTX_DYNAMIC_EXPORT int
cuNvtxGetInjectionInitializer(NvtxInjectionInitializerKind kind,
                              NvtxInjectionGenericFunc_t *initializer);
int cuNvtxGetInjectionInitializer(NvtxInjectionInitializerKind kind,
                                  NvtxInjectionGenericFunc_t *initializer)
{
    if (kind == NVTX_INJECTION_INITIALIZER_CORE)
        *initializer = (NvtxInjectionGenericFunc_t)InitializeInjectionNvtx2;
    else if (kind == NVTX_INJECTION_INITIALIZER_EXTENSION)
        *initializer = (NvtxInjectionGenericFunc_t)InitializeInjectionNvtxExtension;
    else
        return 1;
    return 0;
}
