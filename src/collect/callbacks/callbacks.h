/* SPDX-License-Identifier: Apache-2.0 */
/* callbacks.h - declares the tables of functions that NVTX calls, by callback id. */
#ifndef RLN_COLLECT_CALLBACKS_CALLBACKS_H
#define RLN_COLLECT_CALLBACKS_CALLBACKS_H

typedef void (*rln__callback)(void);

/* Sizes of the tables. In the original modules, callback ids begin with 1, and entry 0
 * is NULL. For a NULL entry, the client's slot stays empty, and the call costs a load
 * and a branch. */
enum {
    RLN__CORE_CALLBACKS = 16,
    RLN__CORE2_CALLBACKS = 16,
    RLN__SYNC_CALLBACKS = 7,
    RLN__CUDA_CALLBACKS = 9,
    RLN__CUDART_CALLBACKS = 7,
    RLN__OPENCL_CALLBACKS = 15,
};

extern const rln__callback rln__core_callbacks[RLN__CORE_CALLBACKS];
extern const rln__callback rln__core_excluded_callbacks[RLN__CORE_CALLBACKS];
extern const rln__callback rln__core2_callbacks[RLN__CORE2_CALLBACKS];
extern const rln__callback rln__sync_callbacks[RLN__SYNC_CALLBACKS];
extern const rln__callback rln__cuda_callbacks[RLN__CUDA_CALLBACKS];
extern const rln__callback rln__cudart_callbacks[RLN__CUDART_CALLBACKS];
extern const rln__callback rln__opencl_callbacks[RLN__OPENCL_CALLBACKS];

/* Callbacks of the extensions; ids begin with 0. */
enum {
    RLN__PAYLOAD_CALLBACKS = 18,
    RLN__COUNTERS_CALLBACKS = 6,
    RLN__MEM_CALLBACKS = 17,
};

extern const rln__callback rln__payload_callbacks[RLN__PAYLOAD_CALLBACKS];
extern const rln__callback rln__counters_callbacks[RLN__COUNTERS_CALLBACKS];
extern const rln__callback rln__mem_callbacks[RLN__MEM_CALLBACKS];

#endif
