/* SPDX-License-Identifier: Apache-2.0 */
#include "format/gpu_schemas.h"
#include "base/count.h"
#include "format/nvtx_payload.h"
#include "format/nvtx_time.h"

#include <stdio.h>

/* Times and names are the event's own, and need not be shown once more. */
#define TIME_OF(what)                                                                  \
    (RLN__ENTRY_HIDE | (uint64_t)RLN__PURPOSE_TIMESTAMP << 10 |                        \
     (uint64_t)RLN__ENTRY_OF_##what << 12)
#define MESSAGE (RLN__ENTRY_HIDE | (uint64_t)RLN__PURPOSE_MESSAGE << 10)
#define I32 RLN__TYPE_INT32
#define U32 RLN__TYPE_UINT32
#define I64 RLN__TYPE_INT64
#define U64 RLN__TYPE_UINT64
#define TEXT RLN__TYPE_STRING_HANDLE

/* A column has the name of its entry. */
#define FIELD(column, type, kind, member)                                              \
    {                                                                                  \
        column, column, 0, type, offsetof(struct rln__gpu_##kind, member), 0           \
    }
#define HIDDEN(column, type, kind, member)                                             \
    {                                                                                  \
        column, column, RLN__ENTRY_HIDE, type,                                         \
            offsetof(struct rln__gpu_##kind, member), 1                                \
    }
#define OF_NEXT(column, type, kind, member)                                            \
    {                                                                                  \
        column, column, 0, type, offsetof(struct rln__gpu_##kind, member), 2           \
    }
#define OPTIONAL(column, type, kind, member)                                           \
    {                                                                                  \
        column, column, 0, type, offsetof(struct rln__gpu_##kind, member), 1           \
    }

/* clang-format off */
#define TIMES_AND_NAME(name_column)                                                    \
    {"start", "start", TIME_OF(BEGIN), I64, offsetof(struct rln__gpu_head, start), 0}, \
    {"end", "end", TIME_OF(END), I64, offsetof(struct rln__gpu_head, end), 0},         \
    {"name", name_column, MESSAGE, TEXT, offsetof(struct rln__gpu_head, name), 0}
#define HEAD(kind, name_column)                                                        \
    TIMES_AND_NAME(name_column),                                                       \
    FIELD("correlationId", U32, kind, head.correlation)
#define STREAM(kind)                                                                   \
    FIELD("deviceId", U32, kind, at.device),                                           \
    FIELD("contextId", U32, kind, at.context),                                         \
    FIELD("greenContextId", U32, kind, at.green_context),                              \
    FIELD("streamId", U32, kind, at.stream)
#define THREAD(kind)                                                                   \
    {"tid", NULL, RLN__ENTRY_HIDE, RLN__TYPE_TID32, offsetof(struct rln__gpu_head, tid), 0}
/* clang-format on */

static const struct rln__gpu_field kernel[] = {
    HEAD(kernel, "demangledName"),
    STREAM(kernel),
    HIDDEN("shortName", TEXT, kernel, short_name),
    HIDDEN("mangledName", TEXT, kernel, mangled_name),
    OPTIONAL("graphNodeId", U64, kernel, graph_node),
    FIELD("gridId", I64, kernel, grid_id),
    FIELD("localMemoryTotal", U64, kernel, local_memory_total),
    FIELD("gridX", U32, kernel, grid[0]),
    FIELD("gridY", U32, kernel, grid[1]),
    FIELD("gridZ", U32, kernel, grid[2]),
    FIELD("blockX", U32, kernel, block[0]),
    FIELD("blockY", U32, kernel, block[1]),
    FIELD("blockZ", U32, kernel, block[2]),
    FIELD("clusterX", U32, kernel, cluster[0]),
    FIELD("clusterY", U32, kernel, cluster[1]),
    FIELD("clusterZ", U32, kernel, cluster[2]),
    FIELD("registersPerThread", U32, kernel, registers_per_thread),
    FIELD("staticSharedMemory", U32, kernel, static_shared_memory),
    FIELD("dynamicSharedMemory", U32, kernel, dynamic_shared_memory),
    FIELD("sharedMemoryExecuted", U32, kernel, shared_memory_executed),
    FIELD("localMemoryPerThread", U32, kernel, local_memory_per_thread),
    FIELD("launchType", U32, kernel, launch_type),
    FIELD("cacheConfig", U32, kernel, cache_config),
    FIELD("sharedMemoryLimitConfig", U32, kernel, shared_memory_limit),
    FIELD("clusterSchedulingPolicy", U32, kernel, cluster_scheduling),
    FIELD("maxPotentialClusterSize", U32, kernel, most_potential_cluster),
    FIELD("maxActiveClusters", U32, kernel, most_active_clusters),
    OPTIONAL("sharedMemoryRequestedPercentage", U32, kernel, shared_memory_percent),
    OPTIONAL("graphId", U32, kernel, graph),
};

_Static_assert(RLN_COUNT(kernel) <= RLN__MOST_GPU_FIELDS, "the others are shorter");

static const struct rln__gpu_field copy[] = {
    HEAD(copy, NULL),
    STREAM(copy),
    FIELD("bytes", U64, copy, bytes),
    OPTIONAL("graphNodeId", U64, copy, graph_node),
    FIELD("copyCount", U64, copy, copy_count),
    OPTIONAL("virtualAddress", U64, copy, virtual_address),
    FIELD("copyKind", U32, copy, copy_kind),
    FIELD("srcKind", U32, copy, source_kind),
    FIELD("dstKind", U32, copy, destination_kind),
    OF_NEXT("srcDeviceId", U32, copy, source_device),
    OPTIONAL("srcContextId", U32, copy, source_context),
    OF_NEXT("dstDeviceId", U32, copy, destination_device),
    OPTIONAL("dstContextId", U32, copy, destination_context),
    OPTIONAL("migrationCause", U32, copy, migration_cause),
};

static const struct rln__gpu_field set[] = {
    HEAD(set, NULL),
    STREAM(set),
    FIELD("bytes", U64, set, bytes),
    OPTIONAL("graphNodeId", U64, set, graph_node),
    FIELD("value", U32, set, value),
    FIELD("memKind", U32, set, memory_kind),
};

static const struct rln__gpu_field graph[] = {
    HEAD(graph, NULL),
    STREAM(graph),
    FIELD("graphId", U32, graph, graph),
    FIELD("graphExecId", U32, graph, graph_exec),
};

static const struct rln__gpu_field call[] = {
    HEAD(call, "nameId"),
    THREAD(call),
    FIELD("eventClass", U32, call, event_class),
    FIELD("returnValue", I32, call, result),
};

static const struct rln__gpu_field sync[] = {
    HEAD(sync, NULL),
    FIELD("deviceId", U32, sync, at.device),
    FIELD("contextId", U32, sync, at.context),
    OPTIONAL("greenContextId", U32, sync, at.green_context), /* unlike the others' */
    FIELD("streamId", U32, sync, at.stream),
    FIELD("syncType", U32, sync, sync_type),
    FIELD("eventId", U32, sync, event),
    FIELD("eventSyncId", U32, sync, event_sync),
};

static const struct rln__gpu_field overhead[] = {
    HEAD(overhead, NULL),
    THREAD(overhead),
    FIELD("eventClass", U32, overhead, event_class),
    FIELD("overheadType", U32, overhead, overhead_type),
};

static const struct rln__gpu_field node[] = {
    TIMES_AND_NAME("nameId"),
    THREAD(node),
    FIELD("eventClass", U32, node, event_class),
    FIELD("graphNodeId", U64, node, graph_node),
    OPTIONAL("originalGraphNodeId", U64, node, original_graph_node),
};

static const struct rln__gpu_field loss[] = {
    {"time", NULL, TIME_OF(MARK), I64, offsetof(struct rln__gpu_loss, time), 0},
    {"what", NULL, MESSAGE, TEXT, offsetof(struct rln__gpu_loss, what), 0},
    FIELD("lost", U64, loss, n),
};

/* Columns of TARGET_INFO_GPU. */
static const struct rln__gpu_field device[] = {
    {"time", NULL, TIME_OF(MARK), I64, offsetof(struct rln__gpu_device, time), 0},
    {"name", "name", MESSAGE, TEXT, offsetof(struct rln__gpu_device, name), 0},
    FIELD("uuid", TEXT, device, uuid),
    FIELD("totalMemory", U64, device, memory_bytes),
    FIELD("id", U32, device, device),
    FIELD("smCount", U32, device, multiprocessors),
    FIELD("computeMajor", U32, device, capability_major),
    FIELD("computeMinor", U32, device, capability_minor),
};

#define SCHEMA(kind, nsys)                                                             \
    {                                                                                  \
#kind, nsys, kind, RLN_COUNT(kind), sizeof(struct rln__gpu_##kind)             \
    }

const struct rln__gpu_schema rln__gpu_schemas[RLN__N_GPU_KINDS] = {
    [RLN__GPU_KERNEL] = SCHEMA(kernel, "CUPTI_ACTIVITY_KIND_KERNEL"),
    [RLN__GPU_COPY] = SCHEMA(copy, "CUPTI_ACTIVITY_KIND_MEMCPY"),
    [RLN__GPU_SET] = SCHEMA(set, "CUPTI_ACTIVITY_KIND_MEMSET"),
    [RLN__GPU_GRAPH] = SCHEMA(graph, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"),
    [RLN__GPU_CALL] = SCHEMA(call, "CUPTI_ACTIVITY_KIND_RUNTIME"),
    [RLN__GPU_SYNC] = SCHEMA(sync, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"),
    [RLN__GPU_OVERHEAD] = SCHEMA(overhead, "CUPTI_ACTIVITY_KIND_OVERHEAD"),
    [RLN__GPU_NODE] = SCHEMA(node, "CUDA_GRAPH_NODE_EVENTS"),
};

const struct rln__gpu_schema rln__gpu_loss_schema = {
    "loss", NULL, loss, RLN_COUNT(loss), sizeof(struct rln__gpu_loss)};

const struct rln__gpu_schema rln__gpu_device_schema = {"device", "TARGET_INFO_GPU",
                                                       device, RLN_COUNT(device),
                                                       sizeof(struct rln__gpu_device)};

/* --- Labels ----------------------------------------------------------------------- */

static const char *copy_label(uint32_t copy_kind)
{
    static const char *const labels[] = {
        "Unknown",
        "Host-to-Device",
        "Device-to-Host",
        "Host-to-Array",
        "Array-to-Host",
        "Array-to-Array",
        "Array-to-Device",
        "Device-to-Array",
        "Device-to-Device",
        "Host-to-Host",
        "Peer-to-Peer",
        "Unified Host-to-Device",
        "Unified Device-to-Host",
        "Unified Device-to-Device",
    };

    return copy_kind < RLN_COUNT(labels) ? labels[copy_kind] : labels[0];
}

const char *rln__gpu_memory_label(uint32_t memory_kind)
{
    static const char *const labels[] = {
        "Pageable", "Pinned",        "Device",         "Array",
        "Managed",  "Device Static", "Managed Static", "Unknown",
    };

    return memory_kind < RLN_COUNT(labels) ? labels[memory_kind] : NULL;
}

static const char *sync_label(uint32_t sync_type)
{
    static const char *const labels[] = {
        "Unknown", "Event sync", "Stream wait sync", "Stream sync", "Context sync",
    };

    return sync_type < RLN_COUNT(labels) ? labels[sync_type] : "sync";
}

static const char *overhead_label(uint32_t overhead_type)
{
    static const char *const labels[] = {
        "Undefined",
        "Unknown",
        "Driver JIT compiler (CUDA)",
        "Buffer flush (Profiler)",
        "Instrumentation (Profiler)",
        "Resource creation/destruction (Profiler)",
        "Runtime module loading (CUDA)",
        "Lazy function loading (CUDA)",
        "Command buffer full (CUDA)",
    };

    return overhead_type < RLN_COUNT(labels) ? labels[overhead_type] : "Overhead";
}

void rln__gpu_stream_path(const struct rln__gpu_stream_id *at, char *name)
{
    char green[32] = "", stream[24] = "";

    if (at->green_context)
        (void)snprintf(green, sizeof(green), "/green context %u", at->green_context);
    if (at->stream != RLN__GPU_NO_STREAM)
        (void)snprintf(stream, sizeof(stream), "/stream %u", at->stream);
    (void)snprintf(name, RLN__MOST_GPU_NAME, "GPU %u/context %u%s%s", at->device,
                   at->context, green, stream);
}

int rln__gpu_usual_name(enum rln__gpu_kind kind, const union rln__gpu_element *e,
                        char *name)
{
    switch (kind) {
    case RLN__GPU_COPY:
        return snprintf(name, RLN__MOST_GPU_NAME, "[CUDA memcpy %s]",
                        copy_label(e->copy.copy_kind));
    case RLN__GPU_SET:
        return snprintf(name, RLN__MOST_GPU_NAME, "[CUDA memset]");
    case RLN__GPU_GRAPH:
        return snprintf(name, RLN__MOST_GPU_NAME, "[CUDA graph]");
    case RLN__GPU_SYNC:
        return snprintf(name, RLN__MOST_GPU_NAME, "[CUDA %s]",
                        sync_label(e->sync.sync_type));
    case RLN__GPU_OVERHEAD:
        return snprintf(name, RLN__MOST_GPU_NAME, "[%s]",
                        overhead_label(e->overhead.overhead_type));
    default:
        return 0;
    }
}
