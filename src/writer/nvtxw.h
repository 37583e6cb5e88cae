/* SPDX-License-Identifier: Apache-2.0 */
/* nvtxw.h - declares the interface of NVTXW writers, version 2, by which programs pass
 * events that were collected elsewhere to a backend that writes a file.
 *
 * A backend is a shared library with nvtxwGetInterface() and, optionally,
 * nvtxwFinalize(). Names, numbers and layouts are those of NVTX's interface; the
 * payloads are those of nvToolsExtPayload.h, as nvtxEventSubmit() takes them.
 */
#ifndef RLN_WRITER_NVTXW_H
#define RLN_WRITER_NVTXW_H

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>

#define NVTXW_INTERFACE_VERSION 2

enum nvtxw_result {
    NVTXW_SUCCESS,
    NVTXW_FAILED,
    NVTXW_INVALID_ARGUMENT,
    NVTXW_LIBRARY_NOT_FOUND,
    NVTXW_LIBRARY_LOAD_FAILED,
    NVTXW_LIBRARY_SYMBOL_MISSING,
    NVTXW_VERSION_NOT_SUPPORTED,
    NVTXW_NOT_SUPPORTED,
};

typedef struct nvtxw_session *nvtxw_session;
typedef struct nvtxw_stream *nvtxw_stream;

struct nvtxw_session_attributes {
    size_t struct_size;
    const char *name;   /* or NULL */
    const char *config; /* lines `key=value`, or NULL */
};

struct nvtxw_domain_attributes {
    size_t struct_size;
    const char *name; /* NULL: the default domain */
};

struct nvtxw_stream_attributes {
    size_t struct_size;
    const char *name;
    nvtxDomainHandle_t domain;
    uint64_t scope;
    uint64_t time_domain;
    int16_t order_interleaving;
    int16_t ordering_type;
    int32_t ordering_skid;
    int64_t ordering_skid_amount;
};

/* Each returns enum nvtxw_result. */
struct nvtxw_interface {
    int32_t (*session_begin)(const struct nvtxw_session_attributes *, nvtxw_session *);
    int32_t (*session_end)(nvtxw_session);
    int32_t (*domain_register)(nvtxw_session, const struct nvtxw_domain_attributes *,
                               nvtxDomainHandle_t *);
    int32_t (*category_register)(nvtxDomainHandle_t, uint32_t, const char *);
    int32_t (*string_register)(nvtxDomainHandle_t, const char *, nvtxStringHandle_t *);
    int32_t (*resource_register)(nvtxDomainHandle_t, const nvtxResourceAttributes_t *);
    int32_t (*scope_register)(nvtxDomainHandle_t, const nvtxScopeAttr_t *, uint64_t *);
    int32_t (*schema_register)(nvtxDomainHandle_t, const nvtxPayloadSchemaAttr_t *,
                               uint64_t *);
    int32_t (*enum_register)(nvtxDomainHandle_t, const nvtxPayloadEnumAttr_t *,
                             uint64_t *);
    int32_t (*counter_register)(nvtxDomainHandle_t, const nvtxCounterAttr_t *,
                                uint64_t *);
    int32_t (*time_domain_register)(nvtxDomainHandle_t, const nvtxTimeDomainAttr_t *,
                                    uint64_t *);
    int32_t (*stream_open)(nvtxw_session, const struct nvtxw_stream_attributes *,
                           nvtxw_stream *);
    int32_t (*stream_close)(nvtxw_stream);
    int32_t (*event_write)(nvtxw_stream, const nvtxPayloadData_t *, size_t);
    int32_t (*event_batch_write)(nvtxw_stream, const nvtxEventBatch_t *);
    int32_t (*counter_write)(nvtxw_stream, int64_t, uint64_t, const void *, size_t);
    int32_t (*counter_no_value_write)(nvtxw_stream, int64_t, uint64_t, uint8_t);
    int32_t (*counter_batch_write)(nvtxw_stream, const nvtxCounterBatch_t *);
    int32_t (*sync_point_write)(nvtxw_stream, uint64_t, uint64_t, int64_t, int64_t);
    int32_t (*sync_point_table_write)(nvtxw_stream, uint64_t, uint64_t,
                                      const nvtxSyncPoint_t *, size_t);
    int32_t (*conversion_factor_write)(nvtxw_stream, uint64_t, uint64_t, double,
                                       int64_t, int64_t);
    void (*reserved[43])(void);
};

#endif
