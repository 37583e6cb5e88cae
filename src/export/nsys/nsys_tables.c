/* SPDX-License-Identifier: Apache-2.0 */
#include "export/nsys/nsys_tables.h"

#include "base/count.h"

#define INT "INTEGER"
#define INT_NN "INTEGER NOT NULL"
#define KEY "INTEGER NOT NULL PRIMARY KEY"
#define TEXT "TEXT"
#define TEXT_NN "TEXT NOT NULL"
#define REAL "REAL"

/* clang-format off */
static const struct rln__nsys_column string_ids[] = {
    {"id", KEY}, {"value", TEXT_NN},
};
static const struct rln__nsys_column processes[] = {
    {"globalPid", INT}, {"pid", INT}, {"name", TEXT},
};
static const struct rln__nsys_column thread_names[] = {
    {"nameId", INT_NN}, {"priority", INT}, {"globalTid", INT},
};
static const struct rln__nsys_column nvtx_events[] = {
    {"start", INT_NN}, {"end", INT}, {"eventType", INT_NN}, {"rangeId", INT},
    {"category", INT}, {"color", INT}, {"text", TEXT}, {"globalTid", INT},
    {"endGlobalTid", INT}, {"textId", INT}, {"domainId", INT}, {"uint64Value", INT},
    {"int64Value", INT}, {"doubleValue", REAL}, {"uint32Value", INT},
    {"int32Value", INT}, {"floatValue", REAL}, {"jsonTextId", INT}, {"jsonText", TEXT},
    {"binaryData", TEXT},
};
static const struct rln__nsys_column nvtx_payload_schemas[] = {
    {"domainId", INT}, {"schemaId", INT}, {"name", TEXT}, {"type", INT}, {"flags", INT},
    {"numEntries", INT}, {"payloadSize", INT}, {"alignTo", INT},
};
static const struct rln__nsys_column nvtx_payload_schema_entries[] = {
    {"domainId", INT_NN}, {"schemaId", INT_NN}, {"idx", INT_NN}, {"flags", INT},
    {"type", INT}, {"name", TEXT}, {"description", TEXT}, {"arrayOrUnionDetail", INT},
    {"offset", INT},
};
static const struct rln__nsys_column nvtx_payload_enums[] = {
    {"domainId", INT}, {"schemaId", INT}, {"name", TEXT}, {"numEntries", INT},
    {"size", INT},
};
static const struct rln__nsys_column nvtx_payload_enum_entries[] = {
    {"domainId", INT_NN}, {"schemaId", INT_NN}, {"idx", INT_NN}, {"name", TEXT},
    {"value", INT}, {"isFlag", INT},
};
static const struct rln__nsys_column nvtx_scopes[] = {
    {"domainId", INT}, {"scopeId", INT}, {"parentScopeId", INT}, {"path", TEXT},
};
static const struct rln__nsys_column generic_event_sources[] = {
    {"sourceId", KEY}, {"nameId", INT_NN}, {"timeSourceId", INT_NN},
    {"sourceGroupId", INT_NN}, {"data", TEXT},
};
static const struct rln__nsys_column generic_event_types[] = {
    {"typeId", KEY}, {"sourceId", INT_NN}, {"nameId", INT_NN}, {"data", TEXT},
};
static const struct rln__nsys_column generic_event_type_fields[] = {
    {"typeId", INT_NN}, {"fieldIdx", INT_NN}, {"fieldNameId", INT_NN}, {"offset", INT},
    {"size", INT}, {"type", INT_NN},
};
static const struct rln__nsys_column generic_events[] = {
    {"genericEventId", KEY}, {"rawTimestamp", INT_NN}, {"timestamp", INT_NN},
    {"typeId", INT_NN}, {"globalTid", INT}, {"data", TEXT},
};
static const struct rln__nsys_column generic_event_data[] = {
    {"genericEventId", INT_NN}, {"fieldIdx", INT_NN}, {"intVal", INT}, {"uintVal", INT},
    {"floatVal", REAL}, {"doubleVal", REAL},
};
static const struct rln__nsys_column rangeline_counter_fields[] = {
    {"typeId", INT_NN}, {"fieldIdx", INT_NN}, {"pid", INT}, {"domain", TEXT},
    {"counter", TEXT}, {"field", TEXT}, {"unit", TEXT}, {"scale", REAL},
    {"valueType", TEXT}, {"interpolation", TEXT}, {"minimum", REAL}, {"maximum", REAL},
    {"scope", TEXT}, {"description", TEXT},
};
static const struct rln__nsys_column rangeline_ranks[] = {
    {"globalPid", INT_NN}, {"rank", INT_NN},
};
static const struct rln__nsys_column rangeline_locations[] = {
    {"textId", INT_NN}, {"file", TEXT}, {"line", INT},
};
static const struct rln__nsys_column analysis_details[] = {
    {"globalVid", INT_NN}, {"duration", INT_NN}, {"startTime", INT_NN},
    {"stopTime", INT_NN},
};
static const struct rln__nsys_column target_info_session_start_time[] = {
    {"utcEpochNs", INT}, {"utcTime", TEXT}, {"localTime", TEXT}, {"systemClockNs", INT},
};
static const struct rln__nsys_column target_info_system_env[] = {
    {"globalVid", INT}, {"devStateName", TEXT_NN}, {"name", TEXT_NN},
    {"nameEnum", INT_NN}, {"value", TEXT_NN},
};
static const struct rln__nsys_column meta_data_capture[] = {
    {"name", TEXT_NN}, {"value", TEXT},
};
static const struct rln__nsys_column meta_data_export[] = {
    {"name", TEXT_NN}, {"value", TEXT},
};
static const struct rln__nsys_column diagnostic_event[] = {
    {"timestamp", INT_NN}, {"timestampType", INT_NN}, {"source", INT_NN},
    {"severity", INT_NN}, {"text", TEXT_NN}, {"globalPid", INT},
};
static const struct rln__nsys_column cupti_activity_kind_kernel[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"deviceId", INT_NN}, {"contextId", INT_NN},
    {"greenContextId", INT}, {"streamId", INT_NN}, {"correlationId", INT},
    {"globalPid", INT}, {"demangledName", INT_NN}, {"shortName", INT_NN},
    {"mangledName", INT}, {"launchType", INT}, {"cacheConfig", INT},
    {"registersPerThread", INT_NN}, {"gridX", INT_NN}, {"gridY", INT_NN},
    {"gridZ", INT_NN}, {"blockX", INT_NN}, {"blockY", INT_NN}, {"blockZ", INT_NN},
    {"staticSharedMemory", INT_NN}, {"dynamicSharedMemory", INT_NN},
    {"localMemoryPerThread", INT_NN}, {"localMemoryTotal", INT_NN}, {"gridId", INT_NN},
    {"sharedMemoryExecuted", INT}, {"graphNodeId", INT},
    {"sharedMemoryLimitConfig", INT}, {"qmdBulkReleaseDone", INT},
    {"qmdPreexitDone", INT}, {"qmdLastCtaDone", INT}, {"graphId", INT},
    {"clusterX", INT}, {"clusterY", INT}, {"clusterZ", INT},
    {"clusterSchedulingPolicy", INT}, {"maxPotentialClusterSize", INT},
    {"maxActiveClusters", INT}, {"sharedMemoryRequestedPercentage", INT},
    {"tensorSizeMinusOneElements", TEXT_NN},
};
_Static_assert(RLN_COUNT(cupti_activity_kind_kernel) <= RLN__MOST_GPU_COLUMNS,
               "the others have fewer");
static const struct rln__nsys_column cupti_activity_kind_runtime[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"eventClass", INT_NN}, {"globalTid", INT},
    {"correlationId", INT}, {"nameId", INT_NN}, {"returnValue", INT_NN},
    {"callchainId", INT},
};
static const struct rln__nsys_column cupti_activity_kind_memcpy[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"deviceId", INT_NN}, {"contextId", INT_NN},
    {"greenContextId", INT}, {"streamId", INT_NN}, {"correlationId", INT},
    {"globalPid", INT}, {"bytes", INT_NN}, {"copyKind", INT_NN},
    {"deprecatedSrcId", INT}, {"srcKind", INT}, {"dstKind", INT}, {"srcDeviceId", INT},
    {"srcContextId", INT}, {"dstDeviceId", INT}, {"dstContextId", INT},
    {"migrationCause", INT}, {"graphNodeId", INT}, {"virtualAddress", INT},
    {"copyCount", INT},
};
static const struct rln__nsys_column cupti_activity_kind_memset[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"deviceId", INT_NN}, {"contextId", INT_NN},
    {"greenContextId", INT}, {"streamId", INT_NN}, {"correlationId", INT},
    {"globalPid", INT}, {"value", INT_NN}, {"bytes", INT_NN}, {"graphNodeId", INT},
    {"memKind", INT},
};
static const struct rln__nsys_column cupti_activity_kind_synchronization[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"deviceId", INT_NN}, {"contextId", INT_NN},
    {"greenContextId", INT}, {"streamId", INT_NN}, {"correlationId", INT},
    {"globalPid", INT}, {"deprecatedSyncType", INT}, {"syncType", INT_NN},
    {"eventId", INT_NN}, {"eventSyncId", INT},
};
static const struct rln__nsys_column cupti_activity_kind_cuda_event[] = {
    {"timestamp", INT}, {"deviceId", INT_NN}, {"contextId", INT_NN},
    {"greenContextId", INT}, {"streamId", INT_NN}, {"correlationId", INT},
    {"globalPid", INT}, {"eventId", INT_NN}, {"eventSyncId", INT},
};
static const struct rln__nsys_column cupti_activity_kind_overhead[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"eventClass", INT_NN}, {"globalTid", INT},
    {"correlationId", INT}, {"nameId", INT}, {"overheadType", INT_NN},
};
static const struct rln__nsys_column cupti_activity_kind_graph_trace[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"deviceId", INT_NN}, {"contextId", INT_NN},
    {"greenContextId", INT}, {"streamId", INT_NN}, {"correlationId", INT},
    {"globalPid", INT}, {"graphId", INT_NN}, {"graphExecId", INT_NN},
};
static const struct rln__nsys_column cuda_graph_node_events[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"nameId", INT_NN}, {"eventClass", INT_NN},
    {"globalTid", INT}, {"graphNodeId", INT_NN}, {"originalGraphNodeId", INT},
};
static const struct rln__nsys_column profiler_overhead[] = {
    {"start", INT_NN}, {"end", INT_NN}, {"globalTid", INT}, {"nameId", INT_NN},
    {"overheadType", INT_NN},
};
static const struct rln__nsys_column sched_events[] = {
    {"start", INT_NN}, {"cpu", INT_NN}, {"isSchedIn", INT_NN}, {"globalTid", INT},
    {"threadState", INT}, {"threadBlock", INT},
};
static const struct rln__nsys_column target_info_cuda_stream[] = {
    {"streamId", INT_NN}, {"hwId", INT_NN}, {"vmId", INT_NN}, {"processId", INT_NN},
    {"contextId", INT_NN}, {"priority", INT_NN}, {"flag", INT_NN},
};
static const struct rln__nsys_column target_info_gpu[] = {
    {"vmId", INT_NN}, {"id", INT_NN}, {"name", TEXT}, {"busLocation", TEXT},
    {"totalMemory", INT}, {"memoryBandwidth", INT}, {"smCount", INT}, {"uuid", TEXT},
    {"chipName", TEXT}, {"computeMajor", INT}, {"computeMinor", INT},
};
/* The last column is ours: it is unique where pids are not. */
static const struct rln__nsys_column target_info_cuda_device[] = {
    {"gpuId", INT_NN}, {"cudaId", INT_NN}, {"pid", INT_NN}, {"uuid", TEXT},
    {"numMultiprocessors", INT}, {"globalPid", INT},
};
static const struct rln__nsys_column analysis_file[] = {
    {"id", KEY}, {"filename", TEXT}, {"contentId", INT}, {"globalPid", INT_NN},
};
static const struct rln__nsys_column process_streams[] = {
    {"globalPid", INT_NN}, {"filenameId", INT_NN}, {"contentId", INT_NN},
};

#define TABLE(name, columns, is_always_there)                                          \
    {name, columns, RLN_COUNT(columns), is_always_there}

const struct rln__nsys_schema rln__nsys_schemas[RLN__N_TABLES] = {
    [RLN__T_STRING_IDS] = TABLE("StringIds", string_ids, 1),
    [RLN__T_PROCESSES] = TABLE("PROCESSES", processes, 1),
    [RLN__T_THREAD_NAMES] = TABLE("ThreadNames", thread_names, 1),
    [RLN__T_NVTX_EVENTS] = TABLE("NVTX_EVENTS", nvtx_events, 1),
    [RLN__T_NVTX_PAYLOAD_SCHEMAS] = TABLE("NVTX_PAYLOAD_SCHEMAS", nvtx_payload_schemas, 0),
    [RLN__T_NVTX_PAYLOAD_SCHEMA_ENTRIES] = TABLE("NVTX_PAYLOAD_SCHEMA_ENTRIES", nvtx_payload_schema_entries, 0),
    [RLN__T_NVTX_PAYLOAD_ENUMS] = TABLE("NVTX_PAYLOAD_ENUMS", nvtx_payload_enums, 0),
    [RLN__T_NVTX_PAYLOAD_ENUM_ENTRIES] = TABLE("NVTX_PAYLOAD_ENUM_ENTRIES", nvtx_payload_enum_entries, 0),
    [RLN__T_NVTX_SCOPES] = TABLE("NVTX_SCOPES", nvtx_scopes, 0),
    [RLN__T_GENERIC_EVENT_SOURCES] = TABLE("GENERIC_EVENT_SOURCES", generic_event_sources, 0),
    [RLN__T_GENERIC_EVENT_TYPES] = TABLE("GENERIC_EVENT_TYPES", generic_event_types, 0),
    [RLN__T_GENERIC_EVENT_TYPE_FIELDS] = TABLE("GENERIC_EVENT_TYPE_FIELDS", generic_event_type_fields, 0),
    [RLN__T_GENERIC_EVENTS] = TABLE("GENERIC_EVENTS", generic_events, 0),
    [RLN__T_GENERIC_EVENT_DATA] = TABLE("GENERIC_EVENT_DATA", generic_event_data, 0),
    [RLN__T_COUNTER_FIELDS] = TABLE("RANGELINE_COUNTER_FIELDS", rangeline_counter_fields, 0),
    [RLN__T_RANKS] = TABLE("RANGELINE_RANKS", rangeline_ranks, 0),
    [RLN__T_LOCATIONS] = TABLE("RANGELINE_LOCATIONS", rangeline_locations, 0),
    [RLN__T_ANALYSIS_DETAILS] = TABLE("ANALYSIS_DETAILS", analysis_details, 1),
    [RLN__T_TARGET_INFO_SESSION_START_TIME] = TABLE("TARGET_INFO_SESSION_START_TIME", target_info_session_start_time, 1),
    [RLN__T_TARGET_INFO_SYSTEM_ENV] = TABLE("TARGET_INFO_SYSTEM_ENV", target_info_system_env, 1),
    [RLN__T_META_DATA_CAPTURE] = TABLE("META_DATA_CAPTURE", meta_data_capture, 1),
    [RLN__T_META_DATA_EXPORT] = TABLE("META_DATA_EXPORT", meta_data_export, 1),
    [RLN__T_DIAGNOSTIC_EVENT] = TABLE("DIAGNOSTIC_EVENT", diagnostic_event, 1),
    [RLN__T_KERNEL] = TABLE("CUPTI_ACTIVITY_KIND_KERNEL", cupti_activity_kind_kernel, 1),
    [RLN__T_RUNTIME] = TABLE("CUPTI_ACTIVITY_KIND_RUNTIME", cupti_activity_kind_runtime, 1),
    [RLN__T_MEMCPY] = TABLE("CUPTI_ACTIVITY_KIND_MEMCPY", cupti_activity_kind_memcpy, 1),
    [RLN__T_MEMSET] = TABLE("CUPTI_ACTIVITY_KIND_MEMSET", cupti_activity_kind_memset, 1),
    [RLN__T_SYNCHRONIZATION] = TABLE("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", cupti_activity_kind_synchronization, 0),
    [RLN__T_CUDA_EVENT] = TABLE("CUPTI_ACTIVITY_KIND_CUDA_EVENT", cupti_activity_kind_cuda_event, 0),
    [RLN__T_OVERHEAD] = TABLE("CUPTI_ACTIVITY_KIND_OVERHEAD", cupti_activity_kind_overhead, 0),
    [RLN__T_GRAPH_TRACE] = TABLE("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", cupti_activity_kind_graph_trace, 0),
    [RLN__T_GRAPH_NODE] = TABLE("CUDA_GRAPH_NODE_EVENTS", cuda_graph_node_events, 0),
    [RLN__T_PROFILER_OVERHEAD] = TABLE("PROFILER_OVERHEAD", profiler_overhead, 0),
    [RLN__T_SCHED_EVENTS] = TABLE("SCHED_EVENTS", sched_events, 0),
    [RLN__T_TARGET_INFO_CUDA_STREAM] = TABLE("TARGET_INFO_CUDA_STREAM", target_info_cuda_stream, 0),
    [RLN__T_TARGET_INFO_GPU] = TABLE("TARGET_INFO_GPU", target_info_gpu, 0),
    [RLN__T_TARGET_INFO_CUDA_DEVICE] = TABLE("TARGET_INFO_CUDA_DEVICE", target_info_cuda_device, 0),
    [RLN__T_ANALYSIS_FILE] = TABLE("ANALYSIS_FILE", analysis_file, 0),
    [RLN__T_PROCESS_STREAMS] = TABLE("ProcessStreams", process_streams, 0),
};
/* clang-format on */
