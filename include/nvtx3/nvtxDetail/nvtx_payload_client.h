/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx_payload_client.h - the payload module of a client. Included by
 * nvToolsExtPayload.h; nvtx_ext_client.h has what all modules share. */
#ifndef NVTX_PAYLOAD_CLIENT_H
#define NVTX_PAYLOAD_CLIENT_H

#if defined(NVTX_AS_SYSTEM_HEADER) && defined(__clang__)
#pragma clang system_header
#elif defined(NVTX_AS_SYSTEM_HEADER) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include "nvtx_ext_client.h"

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(NVTX_DISABLE)

NVTX_EXT_MODULE(_PAYLOAD)

/* ---- Sizes and alignments, for tools --------------------------------------------- */

/* In the order of NVTX_PAYLOAD_ENTRY_TYPE_CHAR to _CHAR32: X(name, type). The last
 * three always have their C11 sizes, whether the language in use knows them or not, so
 * that all object files of a program agree. */
#define NVTX_C_TYPES(X)                                                                \
    X(char, char)                                                                      \
    X(uchar, unsigned char)                                                            \
    X(short, short)                                                                    \
    X(ushort, unsigned short)                                                          \
    X(int, int)                                                                        \
    X(uint, unsigned int)                                                              \
    X(long, long)                                                                      \
    X(ulong, unsigned long)                                                            \
    X(longlong, int64_t)                                                               \
    X(ulonglong, uint64_t)                                                             \
    X(int8, int8_t)                                                                    \
    X(uint8, uint8_t)                                                                  \
    X(int16, int16_t)                                                                  \
    X(uint16, uint16_t)                                                                \
    X(int32, int32_t)                                                                  \
    X(uint32, uint32_t)                                                                \
    X(int64, int64_t)                                                                  \
    X(uint64, uint64_t)                                                                \
    X(float, float)                                                                    \
    X(double, double)                                                                  \
    X(longdouble, long double)                                                         \
    X(size, size_t)                                                                    \
    X(address, void *)                                                                 \
    X(wchar, wchar_t)                                                                  \
    X(char8, unsigned char)                                                            \
    X(char16, uint_least16_t)                                                          \
    X(char32, uint_least32_t)

/* C90 and C++98 have no alignof, and __alignof__ is the compiler's preferred alignment,
 * which on some machines exceeds that in a struct. */
#define NVTX_C_TYPE_IN_STRUCT(name, type)                                              \
    struct rln__nvtx3_in_struct_##name {                                               \
        char before;                                                                   \
        type it;                                                                       \
    };
NVTX_C_TYPES(NVTX_C_TYPE_IN_STRUCT)
#undef NVTX_C_TYPE_IN_STRUCT

/* Not const: C++ has no weak constants. */
NVTX_ONE_IN_UNIT_LATER nvtxPayloadEntryTypeInfo_t
    rln__nvtx3_c_types_v1[NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE];
#define NVTX_C_TYPE_INFO(name, type)                                                   \
    {sizeof(type), offsetof(struct rln__nvtx3_in_struct_##name, it)},
NVTX_ONE_IN_UNIT nvtxPayloadEntryTypeInfo_t
    rln__nvtx3_c_types_v1[NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE] = {
        {NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE, sizeof(nvtxPayloadEntryTypeInfo_t)},
        NVTX_C_TYPES(NVTX_C_TYPE_INFO)};
#undef NVTX_C_TYPE_INFO

/* ---- Attaching ------------------------------------------------------------------- */

/* The callback of nvtxDomainIsEnabled if the tool has none. */
NVTX_COLD uint8_t NVTX_API rln__nvtx3_is_enabled(nvtxDomainHandle_t domain)
{
    (void)domain;
    return 1;
}

NVTX_COLD void rln__nvtx3_ext_attach_PAYLOAD(void)
{
    struct rln__nvtx3_ext *const module = &rln__nvtx3_ext_PAYLOAD_v1;
    intptr_t *const is_enabled = &module->slot[NVTX3EXT_CBID_nvtxDomainIsEnabled];
    nvtxExtModuleInfo_t info;

    info.moduleId = NVTX_EXT_PAYLOAD_MODULEID;
    info.compatId = NVTX_EXT_PAYLOAD_COMPATID;
    info.extInfo = rln__nvtx3_c_types_v1;
    if (rln__nvtx3_ext_attach(module, &info, 0) &&
        NVTX_LOAD_RELAXED(intptr_t, is_enabled) == NVTX_EXT_SLOT_OFF)
        NVTX_STORE_RELAXED(intptr_t, is_enabled,
                           NVTX_REINTERPRET_CAST(intptr_t, rln__nvtx3_is_enabled));
}

#endif /* !NVTX_DISABLE */

NVTX_PAYLOAD_CALLS(NVTX_EXT_BODY_V, NVTX_EXT_BODY_R)

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTX_PAYLOAD_CLIENT_H */
