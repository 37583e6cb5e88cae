/* SPDX-License-Identifier: Apache-2.0 */
/* noop_tool.c - an injection library whose callbacks return immediately: the remaining
 * cost of a call is that of the headers and the calling convention. */
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#define ON_V(module, name, params, args)                                               \
    static void on_##name params                                                       \
    {                                                                                  \
        if (0)                                                                         \
            on_##name args;                                                            \
    }
#define ON_R(module, name, params, args, type, neutral)                                \
    static type on_##name params                                                       \
    {                                                                                  \
        return 0 ? on_##name args : neutral;                                           \
    }
NVTX_CORE_CALLS(ON_V, ON_R)
NVTX_CORE2_CALLS(ON_V, ON_R)

#define STORE(module, name)                                                            \
    get_table(NVTX_CB_MODULE##module, &table, 0);                                      \
    *table[NVTX_CBID##module##_##name] = (NvtxFunctionPointer)on_##name;
#define STORE_V(module, name, params, args) STORE(module, name)
#define STORE_R(module, name, params, args, type, neutral) STORE(module, name)

NVTX_DYNAMIC_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get)
{
    int (*const get_table)(NvtxCallbackModule, NvtxFunctionTable *, unsigned *) =
        ((const NvtxExportTableCallbacks *)get(NVTX_ETID_CALLBACKS))
            ->GetModuleFunctionTable;
    NvtxFunctionTable table;

    NVTX_CORE_CALLS(STORE_V, STORE_R)
    NVTX_CORE2_CALLS(STORE_V, STORE_R)
    return 1;
}
