/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtxw3_counter_helpers.h - NVTXW: counters of one number. */
#if !defined(NVTXW_COUNTER_HELPERS_API)
#define NVTXW_COUNTER_HELPERS_API

#include <nvtxw3/nvtxw3.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Registers a counter. `schemaId` is a predefined number type, or a group's schema;
 * `semantics` may be NULL. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwCounterRegister(
    const nvtxwInterface_t *iface, nvtxDomainHandle_t domain, const char *name,
    uint64_t schemaId, const nvtxSemanticsHeader_t *semantics, uint64_t *counterIdOut)
{
    nvtxCounterAttr_t attributes;

    if (counterIdOut)
        *counterIdOut = NVTX_COUNTER_ID_NONE;
    if (!NVTXW_INTERFACE_HAS(iface, CounterRegister) || !domain || !schemaId ||
        !counterIdOut)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    memset(&attributes, 0, sizeof(attributes));
    attributes.structSize = sizeof(attributes);
    attributes.schemaId = schemaId;
    attributes.name = name;
    attributes.semantics = semantics;
    return iface->CounterRegister(domain, &attributes, counterIdOut);
}

/** Registers a counter of integers. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwCounterInt64Register(
    const nvtxwInterface_t *iface, nvtxDomainHandle_t domain, const char *name,
    const nvtxSemanticsHeader_t *semantics, uint64_t *counterIdOut)
{
    return nvtxwCounterRegister(iface, domain, name, NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                semantics, counterIdOut);
}

/** Registers a counter of floating-point numbers. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwCounterFloat64Register(
    const nvtxwInterface_t *iface, nvtxDomainHandle_t domain, const char *name,
    const nvtxSemanticsHeader_t *semantics, uint64_t *counterIdOut)
{
    return nvtxwCounterRegister(iface, domain, name, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
                                semantics, counterIdOut);
}

/** Writes a sample of a counter of integers. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwCounterInt64Write(const nvtxwInterface_t *iface, nvtxwStreamHandle_t stream,
                       int64_t timestamp, uint64_t counterId, int64_t value)
{
    if (!NVTXW_INTERFACE_HAS(iface, CounterWrite) || !stream)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    return iface->CounterWrite(stream, timestamp, counterId, &value, sizeof(value));
}

/** Writes a sample of a counter of floating-point numbers. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwCounterFloat64Write(const nvtxwInterface_t *iface, nvtxwStreamHandle_t stream,
                         int64_t timestamp, uint64_t counterId, double value)
{
    if (!NVTXW_INTERFACE_HAS(iface, CounterWrite) || !stream)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    return iface->CounterWrite(stream, timestamp, counterId, &value, sizeof(value));
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTXW_COUNTER_HELPERS_API */
