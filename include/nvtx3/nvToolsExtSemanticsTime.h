/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtSemanticsTime.h - NVTX semantics: which clock a timestamp is from. */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExtPayload.h"

/* The semantics' id is also the guard: the first copy of this header wins. */
#if !defined(NVTX_SEMANTIC_ID_TIME_V1)
#define NVTX_SEMANTIC_ID_TIME_V1 2

#define NVTX_TIME_SEMANTIC_VERSION 1 /* header.version */

/* For a timestamp entry of a schema, or for the timestamps of a counter's batches. */
typedef struct nvtxSemanticsTime_v1 {
    struct nvtxSemanticsHeader_v1 header;
    uint64_t timeDomainId; /* NVTX_TIMESTAMP_TYPE_* or a registered id */
} nvtxSemanticsTime_t;

#endif /* NVTX_SEMANTIC_ID_TIME_V1 */
