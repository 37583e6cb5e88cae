/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtSemanticsScope.h - NVTX semantics: where the value of an entry belongs. */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExtPayload.h"

/* The semantics' id is also the guard: the first copy of this header wins. */
#if !defined(NVTX_SEMANTIC_ID_SCOPE_V1)
#define NVTX_SEMANTIC_ID_SCOPE_V1 1

#define NVTX_SCOPE_SEMANTIC_VERSION 1 /* header.version */

/* For one counter or timestamp of a schema. */
typedef struct nvtxSemanticsScope_v1 {
    struct nvtxSemanticsHeader_v1 header;
    uint64_t scopeId; /* NVTX_SCOPE_* or a registered id */
} nvtxSemanticsScope_t;

#endif /* NVTX_SEMANTIC_ID_SCOPE_V1 */
