/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvToolsExtSemanticsCorrelation.h - NVTX semantics: which events belong together. */
#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvToolsExtPayload.h"

/* The semantics' id is also the guard: the first copy of this header wins. */
#if !defined(NVTX_SEMANTIC_ID_CORRELATION_V1)
#define NVTX_SEMANTIC_ID_CORRELATION_V1 3

#define NVTX_CORRELATION_SEMANTIC_VERSION 1 /* header.version */

#define NVTX_CORRELATION_ROLE_NONE 0 /* the only one so far */
#define NVTX_CORRELATION_VALUE_NONE                                                    \
    0 /* an entry's value: belongs to no other event                                   \
       */

/* For an entry of a schema: events with the same value of it belong together, in all
 * domains and processes that use the same id here. */
typedef struct nvtxSemanticsCorrelation_v1 {
    struct nvtxSemanticsHeader_v1 header;
    unsigned char correlationDomainUuid[16];
    const char *displayName; /* or NULL */
    uint64_t role;           /* NVTX_CORRELATION_ROLE_* */
} nvtxSemanticsCorrelation_t;

#endif /* NVTX_SEMANTIC_ID_CORRELATION_V1 */
