/* SPDX-License-Identifier: Apache-2.0 */
/* activity.h - turns CUPTI's records of activity into the elements of
 * format/gpu_schemas.h. */
#ifndef RLN_GPU_ACTIVITY_H
#define RLN_GPU_ACTIVITY_H

#include "format/gpu_schemas.h"

struct rln__activity {
    enum rln__gpu_kind kind;
    union rln__gpu_element element; /* handles and `tid` are 0 */
    struct rln__gpu_device gpu;     /* without time and handles */
    const char
        *name; /* of a kernel, mangled, or of a GPU; borrowed from CUPTI, or NULL */
    const uint8_t *uuid; /* of a GPU: 16 bytes of the record */
    /* Of a call: its number and domain in CUPTI. Of a call or overhead: the low half of
     * pthread_self(); 0 for overhead of a GPU. */
    uint32_t cbid, domain, thread;
};

enum rln__activity_answer {
    RLN__ACTIVITY_READ,
    RLN__ACTIVITY_IS_CONTEXT, /* only kernel.at.context and .device are set */
    RLN__ACTIVITY_GPU,        /* only gpu, name and uuid are set */
    RLN__ACTIVITY_OTHER,      /* no GPU work, or a kind that is not recorded */
    RLN__ACTIVITY_UNTIMED,    /* GPU work without its times, or with reversed ones */
    RLN__ACTIVITY_SHORT,      /* cut off: less than the first release has */
};

/* Reads one record, of which `n_bytes` can be read: up to the next one, or the end of
 * the buffer. */
enum rln__activity_answer rln__activity_read(const uint8_t *record, size_t n_bytes,
                                             struct rln__activity *out);

#endif
