/* SPDX-License-Identifier: Apache-2.0 */
/* Fields never moved from CUDA 11.8 to 13.5. Records grew at their end, so their size
 * tells what they have. Only fields that all of these releases have are read here. */
#include "gpu/activity.h"
#include "gpu/cupti.h"

#include <string.h>

static uint32_t word(const uint8_t *record, size_t offset)
{
    uint32_t value;

    memcpy(&value, record + offset, sizeof(value));
    return value;
}

static uint64_t wide(const uint8_t *record, size_t offset)
{
    uint64_t value;

    memcpy(&value, record + offset, sizeof(value));
    return value;
}

static uint16_t half(const uint8_t *record, size_t offset)
{
    uint16_t value;

    memcpy(&value, record + offset, sizeof(value));
    return value;
}

static void read_times(const uint8_t *record, size_t offset, struct rln__gpu_head *head)
{
    head->start = (int64_t)wide(record, offset);
    head->end = (int64_t)wide(record, offset + 8);
}

/* Device, context and stream stand side by side. */
static void read_stream_id(const uint8_t *record, size_t offset,
                           struct rln__gpu_stream_id *at)
{
    at->device = word(record, offset);
    at->context = word(record, offset + 4);
    at->stream = word(record, offset + 8);
}

/* Nsight counts kinds of memory from "pageable", and "unknown" is the last one. */
static uint32_t memory_kind(uint32_t kind)
{
    enum { UNKNOWN = 7 };

    return kind && kind <= UNKNOWN ? kind - 1 : UNKNOWN;
}

static void read_kernel(const uint8_t *r, struct rln__activity *out)
{
    struct rln__gpu_kernel *k = &out->element.kernel;
    read_times(r, 16, &k->head);
    read_stream_id(r, 40, &k->at);
    k->head.correlation = word(r, 92);
    k->registers_per_thread = half(r, 6);
    for (size_t i = 0; i < 3; i++) {
        k->grid[i] = word(r, 52 + 4 * i);
        k->block[i] = word(r, 64 + 4 * i);
        k->cluster[i] = word(r, 176 + 4 * i);
    }
    k->static_shared_memory = word(r, 76);
    k->dynamic_shared_memory = word(r, 80);
    k->local_memory_per_thread = word(r, 84);
    k->grid_id = (int64_t)wide(r, 96);
    k->shared_memory_executed = word(r, 140);
    k->graph_node = wide(r, 144);
    k->graph = word(r, 156);
    memcpy(&out->name, r + 104, sizeof(out->name));
}

static void read_gpu(const uint8_t *r, struct rln__activity *out)
{
    out->gpu.memory_bytes = wide(r, 16);
    out->gpu.multiprocessors = word(r, 44);
    out->gpu.capability_major = word(r, 104);
    out->gpu.capability_minor = word(r, 108);
    out->gpu.device = word(r, 112);
    out->uuid = r + 120;
    memcpy(&out->name, r + 136, sizeof(out->name));
}

static void read_copy(const uint8_t *r, struct rln__activity *out)
{
    struct rln__gpu_copy *c = &out->element.copy;

    read_times(r, 16, &c->head);
    read_stream_id(r, 32, &c->at);
    c->head.correlation = word(r, 44);
    c->bytes = wide(r, 8);
    c->graph_node = wide(r, 64);
    c->copy_kind = r[4];
    c->source_kind = memory_kind(r[5]);
    c->destination_kind = memory_kind(r[6]);
    c->copy_count = 1;
}

/* From one GPU to another. */
static void read_peer_copy(const uint8_t *r, struct rln__activity *out)
{
    struct rln__gpu_copy *c = &out->element.copy;

    read_copy(r, out);
    c->source_device = word(r, 44);
    c->source_context = word(r, 48);
    c->destination_device = word(r, 52);
    c->destination_context = word(r, 56);
    c->head.correlation = word(r, 60);
    c->graph_node = wide(r, 72);
}

static void read_set(const uint8_t *r, struct rln__activity *out)
{
    struct rln__gpu_set *s = &out->element.set;

    read_times(r, 16, &s->head);
    read_stream_id(r, 32, &s->at);
    s->head.correlation = word(r, 44);
    s->bytes = wide(r, 8);
    s->value = word(r, 4);
    s->memory_kind = memory_kind(half(r, 50));
    s->graph_node = wide(r, 64);
}

static void read_call(const uint8_t *r, struct rln__activity *out)
{
    struct rln__gpu_call *c = &out->element.call;
    const int is_runtime = word(r, 0) == RLN__ACTIVITY_RUNTIME;

    read_times(r, 8, &c->head);
    c->head.correlation = word(r, 32);
    c->event_class = !is_runtime;
    c->result = (int32_t)word(r, 36);
    out->cbid = word(r, 4);
    out->domain = is_runtime ? RLN__CUPTI_RUNTIME_API : RLN__CUPTI_DRIVER_API;
    out->thread = word(r, 28);
}

/* It does not say which GPU. */
static void read_sync(const uint8_t *r, struct rln__activity *out)
{
    struct rln__gpu_sync *s = &out->element.sync;

    read_times(r, 8, &s->head);
    s->head.correlation = word(r, 24);
    s->at.context = word(r, 28);
    s->at.stream = word(r, 32);
    s->sync_type = word(r, 4);
    s->event = word(r, 36);
}

static void read_overhead(const uint8_t *r, struct rln__activity *out)
{
    enum { OF_A_THREAD = 2, UNKNOWN = 1, COMPILER = 2, LAST = 8 };
    struct rln__gpu_overhead *o = &out->element.overhead;
    const uint32_t what = word(r, 4);

    read_times(r, 24, &o->head);
    /* 0, 1 and multiples of 65,536; Nsight counts them. */
    o->overhead_type = what == 1    ? COMPILER
                       : what >> 16 ? (what >> 16) + COMPILER
                                    : UNKNOWN;
    if (o->overhead_type > LAST)
        o->overhead_type = UNKNOWN;
    if (word(r, 8) == OF_A_THREAD)
        out->thread = word(r, 16);
}

static void read_graph(const uint8_t *r, struct rln__activity *out)
{
    struct rln__gpu_graph *g = &out->element.graph;

    read_times(r, 8, &g->head);
    g->head.correlation = word(r, 4);
    g->at.device = word(r, 24);
    g->graph = word(r, 28);
    g->at.context = word(r, 32);
    g->at.stream = word(r, 36);
}

enum rln__activity_answer rln__activity_read(const uint8_t *record, size_t n_bytes,
                                             struct rln__activity *out)
{
    static const struct {
        enum rln__activity_kind is;
        enum rln__gpu_kind kind;
        uint16_t n_least; /* bytes in CUDA 11.8 */
        void (*read)(const uint8_t *record, struct rln__activity *out);
    } known[] = {
        {RLN__ACTIVITY_KERNEL, RLN__GPU_KERNEL, 200, read_kernel},
        {RLN__ACTIVITY_RUNTIME, RLN__GPU_CALL, 40, read_call},
        {RLN__ACTIVITY_DRIVER, RLN__GPU_CALL, 40, read_call},
        {RLN__ACTIVITY_COPY, RLN__GPU_COPY, 88, read_copy},
        {RLN__ACTIVITY_SET, RLN__GPU_SET, 88, read_set},
        {RLN__ACTIVITY_SYNC, RLN__GPU_SYNC, 40, read_sync},
        {RLN__ACTIVITY_OVERHEAD, RLN__GPU_OVERHEAD, 40, read_overhead},
        {RLN__ACTIVITY_PEER_COPY, RLN__GPU_COPY, 96, read_peer_copy},
        {RLN__ACTIVITY_GRAPH, RLN__GPU_GRAPH, 48, read_graph},
    };
    enum { N_GPU_BYTES = 176 }; /* in CUDA 11.8 */
    const struct rln__gpu_head *head = &out->element.head;
    uint32_t kind;
    size_t i = 0;

    if (n_bytes < sizeof(kind))
        return RLN__ACTIVITY_SHORT;
    kind = word(record, 0);
    if (kind == RLN__ACTIVITY_CONTEXT && n_bytes >= 16) {
        out->element.kernel.at.context = word(record, 4);
        out->element.kernel.at.device = word(record, 8);
        return RLN__ACTIVITY_IS_CONTEXT;
    }
    if (kind == RLN__ACTIVITY_DEVICE) {
        if (n_bytes < N_GPU_BYTES)
            return RLN__ACTIVITY_SHORT;
        memset(out, 0, sizeof(*out));
        read_gpu(record, out);
        return RLN__ACTIVITY_GPU;
    }
    while (i < sizeof(known) / sizeof(known[0]) && known[i].is != kind)
        i++;
    if (i == sizeof(known) / sizeof(known[0]))
        return RLN__ACTIVITY_OTHER;
    if (n_bytes < known[i].n_least)
        return RLN__ACTIVITY_SHORT;
    memset(out, 0, sizeof(*out));
    out->kind = known[i].kind;
    known[i].read(record, out);
    return head->start > 0 && head->end >= head->start ? RLN__ACTIVITY_READ
                                                       : RLN__ACTIVITY_UNTIMED;
}
