/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtxw3_setup_helpers.h - NVTXW: from a backend to an open stream. */
#if !defined(NVTXW_SETUP_HELPERS_API)
#define NVTXW_SETUP_HELPERS_API

#include <nvtxw3/nvtxw3_event_helpers.h>
#include <nvtxw3/nvtxw3_loader.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Attributes ------------------------------------------------------------------ */

/* Each of these structures begins with its size. */
NVTX_INLINE_STATIC nvtxwResultCode_t rln__nvtxw_init(void *attr, size_t size)
{
    if (!attr)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    memset(attr, 0, size);
    memcpy(attr, &size, sizeof(size));
    return NVTXW_RESULT_SUCCESS;
}

/** Sets the size, and everything else to 0: neither a name nor options. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwSessionAttributesInit(nvtxwSessionAttributes_t *attr)
{
    return rln__nvtxw_init(attr, sizeof(*attr));
}

/** Sets the size, and everything else to 0: the default domain. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwDomainAttributesInit(nvtxwDomainAttributes_t *attr)
{
    return rln__nvtxw_init(attr, sizeof(*attr));
}

/** Sets the size, and everything else to 0: the default domain, no scope, relative
 * times, an unknown order. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwStreamAttributesInit(nvtxwStreamAttributes_t *attr)
{
    return rln__nvtxw_init(attr, sizeof(*attr));
}

/* ---- The backend ----------------------------------------------------------------- */

/**
 * Loads a backend as nvtxwLoad() does, and gets its functions of the current version.
 *
 * Ownership: the functions are the backend's; `*moduleOut` is to be unloaded with
 *            nvtxwUnload(). If `moduleOut` is NULL, the backend stays loaded.
 * Errors:    those of nvtxwLoad(), and NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED.
 *            Nothing stays loaded then, and the outputs are NULL.
 */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwLoadInterface(const char *library, const nvtxwInterface_t **interfaceOut,
                   nvtxwModuleHandle_t *moduleOut)
{
    nvtxwModuleHandle_t module = NVTX_NULLPTR;
    nvtxwGetInterface_t get = NVTX_NULLPTR;
    const void *found = NVTX_NULLPTR;
    nvtxwResultCode_t result;

    if (moduleOut)
        *moduleOut = NVTX_NULLPTR;
    if (!interfaceOut)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    *interfaceOut = NVTX_NULLPTR;
    result = nvtxwLoad(library, &get, &module);
    if (result != NVTXW_RESULT_SUCCESS)
        return result;
    result = get(NVTXW_INTERFACE_VERSION, &found);
    if (result == NVTXW_RESULT_SUCCESS && !found)
        result = NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED;
    if (result != NVTXW_RESULT_SUCCESS) {
        nvtxwUnload(module);
        return result;
    }
    *interfaceOut = NVTX_STATIC_CAST(const nvtxwInterface_t *, found);
    if (moduleOut)
        *moduleOut = module;
    return NVTXW_RESULT_SUCCESS;
}

/** Loads the backend that nvtxwLoad(NULL) finds. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwLoadInterfaceDefault(
    const nvtxwInterface_t **interfaceOut, nvtxwModuleHandle_t *moduleOut)
{
    return nvtxwLoadInterface(NVTX_NULLPTR, interfaceOut, moduleOut);
}

/* ---- Registering ----------------------------------------------------------------- */

/** Creates or finds a domain. `domainName` may be NULL or empty: the default domain. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwDomainRegister(const nvtxwInterface_t *iface,
                                                         nvtxwSessionHandle_t session,
                                                         const char *domainName,
                                                         nvtxDomainHandle_t *domainOut)
{
    nvtxwDomainAttributes_t attributes;

    if (domainOut)
        *domainOut = NVTX_NULLPTR;
    if (!NVTXW_INTERFACE_HAS(iface, DomainRegister) || !session || !domainOut)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    (void)nvtxwDomainAttributesInit(&attributes);
    attributes.name = domainName;
    return iface->DomainRegister(session, &attributes, domainOut);
}

/** Names a category, which is not 0. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwCategoryRegister(const nvtxwInterface_t *iface, nvtxDomainHandle_t domain,
                      uint32_t category, const char *name)
{
    if (!NVTXW_INTERFACE_HAS(iface, CategoryRegister) || !domain || !category || !name)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    return iface->CategoryRegister(domain, category, name);
}

/** Registers a scope by its path below the root. `scopePath` may be NULL or empty: the
 * domain's root. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwScopeRegister(const nvtxwInterface_t *iface,
                                                        nvtxDomainHandle_t domain,
                                                        const char *scopePath,
                                                        uint64_t *scopeIdOut)
{
    nvtxScopeAttr_t attributes;

    if (scopeIdOut)
        *scopeIdOut = NVTX_SCOPE_NONE;
    if (!NVTXW_INTERFACE_HAS(iface, ScopeRegister) || !domain || !scopeIdOut)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    memset(&attributes, 0, sizeof(attributes));
    attributes.structSize = sizeof(attributes);
    attributes.path = scopePath;
    attributes.parentScope = NVTX_SCOPE_ROOT;
    return iface->ScopeRegister(domain, &attributes, scopeIdOut);
}

/** Registers a clock of a type that NVTX knows, or NVTX_TIMESTAMP_TYPE_NONE. */
NVTX_INLINE_STATIC nvtxwResultCode_t
nvtxwTimeDomainRegister(const nvtxwInterface_t *iface, nvtxDomainHandle_t domain,
                        uint64_t timestampTypeId, uint64_t *timeDomainIdOut)
{
    nvtxTimeDomainAttr_t attributes;

    if (timeDomainIdOut)
        *timeDomainIdOut = NVTX_TIME_DOMAIN_ID_NONE;
    if (!NVTXW_INTERFACE_HAS(iface, TimeDomainRegister) || !domain || !timeDomainIdOut)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    memset(&attributes, 0, sizeof(attributes));
    attributes.timestampTypeId = timestampTypeId;
    return iface->TimeDomainRegister(domain, &attributes, timeDomainIdOut);
}

/* ---- Streams --------------------------------------------------------------------- */

/** Opens a stream. `domain` may be NULL: the default domain. A `scopePath` that is
 * neither NULL nor empty is registered, and is the stream's scope. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwStreamOpen(
    const nvtxwInterface_t *iface, nvtxwSessionHandle_t session, const char *streamName,
    nvtxDomainHandle_t domain, const char *scopePath, uint64_t timeDomainId,
    nvtxwStreamHandle_t *streamOut)
{
    nvtxwStreamAttributes_t attributes;
    nvtxwResultCode_t result = NVTXW_RESULT_SUCCESS;

    if (streamOut)
        *streamOut = NVTX_NULLPTR;
    if (!NVTXW_INTERFACE_HAS(iface, StreamOpen) || !session || !streamOut)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    (void)nvtxwStreamAttributesInit(&attributes);
    attributes.name = streamName;
    attributes.domain = domain;
    attributes.timeDomainId = timeDomainId;
    if (scopePath && *scopePath) {
        if (!domain)
            result = nvtxwDomainRegister(iface, session, NVTX_NULLPTR, &domain);
        if (result == NVTXW_RESULT_SUCCESS)
            result = nvtxwScopeRegister(iface, domain, scopePath, &attributes.scopeId);
        if (result != NVTXW_RESULT_SUCCESS)
            return result;
    }
    return iface->StreamOpen(session, &attributes, streamOut);
}

/** Opens a stream and makes a writer of marks and ranges for it; `domain` is not NULL.
 * If several streams share a domain, one writer is enough: copy it and set `stream`. */
NVTX_INLINE_STATIC nvtxwResultCode_t nvtxwEventWriterOpen(
    const nvtxwInterface_t *iface, nvtxwSessionHandle_t session, const char *streamName,
    nvtxDomainHandle_t domain, const char *scopePath, uint64_t timeDomainId,
    nvtxwEventWriter_t *writerOut)
{
    nvtxwEventHelperSchemaIds_t ids;
    nvtxwStreamHandle_t stream;
    nvtxwResultCode_t result;

    if (writerOut)
        memset(writerOut, 0, sizeof(*writerOut));
    if (!NVTXW_INTERFACE_HAS(iface, StreamOpen) || !session || !writerOut)
        return NVTXW_RESULT_INVALID_ARGUMENT;
    result =
        nvtxwEventSchemasRegister(iface, domain, NVTXW_EVENT_HELPER_SCHEMA_ALL, &ids);
    if (result == NVTXW_RESULT_SUCCESS)
        result = nvtxwStreamOpen(iface, session, streamName, domain, scopePath,
                                 timeDomainId, &stream);
    if (result != NVTXW_RESULT_SUCCESS)
        return result;
    return nvtxwEventWriterInit(writerOut, iface, stream, &ids);
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NVTXW_SETUP_HELPERS_API */
