/* SPDX-License-Identifier: Apache-2.0 */
/* lod_building.h - how far an index has been built: what only its passes need. */
#ifndef RLN_TIMELINE_LOD_BUILDING_H
#define RLN_TIMELINE_LOD_BUILDING_H

#include "ranges/predicate.h"
#include "trace/decode/deferred_events.h"
#include "trace/order/gpu_order.h"
#include "trace/order/scan.h"

enum rln__lod_phase {
    RLN__LOD_EVENTS,
    RLN__LOD_DEFERRED_EVENTS,
    RLN__LOD_GPU_WORK,
    RLN__LOD_COMPLETE,
};

struct rln__lod_call {
    int64_t start_ns, end_ns;
    uint32_t thread; /* index */
    uint8_t is_by_other_clock;
};

/* Calls that requested work of GPUs. */
struct rln__lod_calls {
    struct rln__map by_id;       /* process, correlation -> index + 1 */
    struct rln__lod_call *items; /* owned */
    size_t n, capacity;
};

struct rln__lod_building {
    enum rln__lod_phase phase;
    int has_begun; /* the phase: its members are owned */
    struct rln__scan_steps scan;
    struct rln__deferred_events deferred;
    size_t n_deferred_done;
    struct rln__gpu_order gpu;
    struct rln__predicate gpu_predicate;
    struct rln__lod_calls calls;
};

void rln__lod_building_clear(struct rln__lod_building *building);

#endif
