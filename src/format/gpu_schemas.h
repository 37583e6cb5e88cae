/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_schemas.h - defines the payloads of GPU work: batches of deferred events in the
 * domain `rangeline.cuda`, with schemas of fixed ids.
 *
 *   kernel, copy, set, graph   operations: the batch's scope is the stream,
 *                              "GPU 0/context 1/stream 7"
 *   sync                       a wait for an event, a stream or a context: the same
 *   call, overhead, node       on a thread of the program, which each element names
 *   loss                       a mark
 *   device                     a GPU, as a process sees it
 *
 * Fields have the names and values of the columns in Nsight's tables, and their structs
 * are the elements as they are in the trace. Fields are only ever added, at the end.
 */
#ifndef RLN_FORMAT_GPU_SCHEMAS_H
#define RLN_FORMAT_GPU_SCHEMAS_H

#include "base/key_index.h"
#include "format/gpu_domain.h"

#include <stddef.h>

static inline int rln__is_gpu_domain(rln_text name)
{
    return rln__text_is(name, RLN__GPU_DOMAIN);
}

enum rln__gpu_kind {
    RLN__GPU_KERNEL,
    RLN__GPU_COPY,
    RLN__GPU_SET,
    RLN__GPU_GRAPH, /* the launch of a CUDA graph that was traced as a whole */
    RLN__GPU_CALL,  /* of CUDA's runtime or driver */
    RLN__GPU_SYNC,
    RLN__GPU_OVERHEAD,
    RLN__GPU_NODE, /* the creation of a CUDA graph's node, or its copy */
    RLN__N_GPU_KINDS,
};

#define RLN__GPU_SCHEMA(kind) (UINT64_C(0xC0DA0001) + (unsigned)(kind))

/* The first fields of every element. Times are of the time domain that the schema's
 * entries name. */
struct rln__gpu_head {
    int64_t start, end;
    uint64_t name; /* handle of a registered string */
    uint32_t correlation;
    uint32_t tid; /* of a call or overhead */
};

struct rln__gpu_stream_id {
    uint32_t device, context, green_context, stream;
};

#define RLN__GPU_NO_STREAM UINT32_MAX /* a wait for all of a context */

/* An id of a node is 0 for an operation that is not part of a graph. */
struct rln__gpu_kernel {
    struct rln__gpu_head head;
    struct rln__gpu_stream_id at;
    uint64_t short_name, mangled_name; /* handles, or 0 */
    uint64_t graph_node;
    int64_t grid_id;
    uint64_t local_memory_total;
    uint32_t grid[3], block[3], cluster[3];
    uint32_t registers_per_thread;
    uint32_t static_shared_memory, dynamic_shared_memory, shared_memory_executed;
    uint32_t local_memory_per_thread;
    uint32_t launch_type, cache_config;
    uint32_t shared_memory_limit, shared_memory_percent;
    uint32_t cluster_scheduling, most_potential_cluster, most_active_clusters;
    uint32_t graph, reserved;
};

struct rln__gpu_copy {
    struct rln__gpu_head head;
    struct rln__gpu_stream_id at;
    uint64_t bytes, graph_node, copy_count, virtual_address;
    uint32_t copy_kind, source_kind, destination_kind;
    uint32_t source_device, source_context;
    uint32_t destination_device, destination_context;
    uint32_t migration_cause;
};

struct rln__gpu_set {
    struct rln__gpu_head head;
    struct rln__gpu_stream_id at;
    uint64_t bytes, graph_node;
    uint32_t value, memory_kind;
};

struct rln__gpu_graph {
    struct rln__gpu_head head;
    struct rln__gpu_stream_id at;
    uint32_t graph, graph_exec;
};

struct rln__gpu_call {
    struct rln__gpu_head head;
    uint32_t event_class; /* 0 runtime, 1 driver */
    int32_t result;
};

struct rln__gpu_sync {
    struct rln__gpu_head head;
    struct rln__gpu_stream_id at;
    uint32_t sync_type, event, event_sync;
    uint32_t reserved;
};

struct rln__gpu_overhead {
    struct rln__gpu_head head;
    uint32_t event_class, overhead_type;
};

/* A graph that is instantiated is a copy: its operations have the nodes of the copy. */
struct rln__gpu_node {
    struct rln__gpu_head head;
    uint64_t graph_node, original_graph_node; /* 0: not a copy */
    uint32_t event_class, reserved;
};

/* What could not be recorded: an ordinary deferred mark of the domain, so that
 * everything shows it. */
#define RLN__GPU_LOSS_SCHEMA UINT64_C(0xC0DA0100)

struct rln__gpu_loss {
    int64_t time;
    uint64_t what; /* handle of a registered string */
    uint64_t n;    /* lost operations; 0: nothing is recorded at all */
};

/* A GPU of the process: no event. To readers that do not know it, a mark. */
#define RLN__GPU_DEVICE_SCHEMA UINT64_C(0xC0DA0101)

struct rln__gpu_device {
    int64_t time;        /* of its first mention */
    uint64_t name, uuid; /* handles of registered strings, or 0 */
    uint64_t memory_bytes;
    uint32_t device; /* the number that ids of streams have */
    uint32_t multiprocessors;
    uint32_t capability_major, capability_minor;
};

union rln__gpu_element {
    struct rln__gpu_head head;
    struct rln__gpu_kernel kernel;
    struct rln__gpu_copy copy;
    struct rln__gpu_set set;
    struct rln__gpu_graph graph;
    struct rln__gpu_call call;
    struct rln__gpu_sync sync;
    struct rln__gpu_overhead overhead;
    struct rln__gpu_node node;
};

struct rln__gpu_field {
    const char *name;   /* of the entry */
    const char *column; /* in Nsight's table; NULL: none */
    uint64_t flags;     /* NVTX's */
    uint16_t type;      /* NVTX's; handles are of registered strings */
    uint16_t offset;
    /* 1: 0 stands for NULL in the table; 2: it is NULL where the next field is. */
    uint8_t is_optional;
};

#define RLN__MOST_GPU_FIELDS 40

struct rln__gpu_schema {
    const char *name;
    const char *table; /* Nsight's; NULL: none */
    const struct rln__gpu_field *fields;
    uint32_t n_fields;
    uint32_t n_bytes; /* of an element */
};

extern const struct rln__gpu_schema rln__gpu_schemas[RLN__N_GPU_KINDS];
extern const struct rln__gpu_schema rln__gpu_loss_schema;
extern const struct rln__gpu_schema rln__gpu_device_schema;

/* Whether the kind is an operation on a stream, not a call or overhead on a thread. */
static inline int rln__gpu_is_on_stream(enum rln__gpu_kind kind)
{
    return kind < RLN__GPU_CALL || kind == RLN__GPU_SYNC;
}

#define RLN__MOST_GPU_NAME 96

/* Writes "GPU 0/context 1/stream 7", the path of a stream's scope, to `name`, of
 * RLN__MOST_GPU_NAME bytes; without a stream for what concerns the whole context. */
void rln__gpu_stream_path(const struct rln__gpu_stream_id *at, char *name);

/* Writes the name that Nsight gives to what has none, "[CUDA memcpy Host-to-Device]",
 * to `name`, of RLN__MOST_GPU_NAME bytes. 0: kernels, calls and nodes have names. */
int rln__gpu_usual_name(enum rln__gpu_kind kind, const union rln__gpu_element *element,
                        char *name);

/* Nsight's label, "Pageable"; NULL for an unknown number. */
const char *rln__gpu_memory_label(uint32_t memory_kind);

#endif
