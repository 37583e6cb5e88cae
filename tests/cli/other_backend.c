/* SPDX-License-Identifier: Apache-2.0 */
/* other_backend.c - a backend of NVTXW that has only version 1 of the interface. Also a
 * tool that programs can load but that takes no deferred events. */
#include <nvtxw3/nvtxw3.h>

#include <stdio.h>

int32_t nvtxwGetInterface(int32_t version, const void **out);
void nvtxwFinalize(void);
int InitializeInjectionNvtx2(const void *(*get)(uint32_t));

int32_t nvtxwGetInterface(int32_t version, const void **out)
{
    static const char table;

    *out = version == 1 ? &table : NULL;
    return *out ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED;
}

void nvtxwFinalize(void)
{
    (void)puts("finalized");
}

int InitializeInjectionNvtx2(const void *(*get)(uint32_t))
{
    (void)get;
    return 1;
}
