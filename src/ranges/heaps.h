/* SPDX-License-Identifier: Apache-2.0 */
/* heaps.h - heap usage over time, from memory calls in time order.
 *
 *   heap --> newest region --> ... --> oldest     the regions registered now
 *   a region is found by its number, or by its address
 */
#ifndef RLN_RANGES_HEAPS_H
#define RLN_RANGES_HEAPS_H

#include "base/key_index.h"
#include "rangeline/model.h"

/* A heap that a program registered, or its process-wide one. */
struct rln__heap_info {
    uint32_t process;
    uint32_t pid;
    uint32_t domain;
    rln_text domain_name;
    rln_text name;
    uint64_t heap;             /* In its process, from 1; 0 is the process-wide one. */
    uint32_t usage;            /* NVTX_MEM_HEAP_USAGE_*; 0 if unknown. */
    uint8_t is_registered;     /* Still registered at the end of the trace. */
    uint64_t size_bytes;       /* As it was registered. */
    uint64_t n_regions, bytes; /* At the end of the trace. */
    uint64_t peak_regions, peak_bytes;
    uint64_t n_registered; /* Regions registered in total. */
};

struct rln__region {
    uint64_t size_bytes, address, number;
    uint32_t heap; /* index */
    uint32_t process;
    uint32_t older, newer; /* in its heap; + 1. `older` also links free regions */
    uint8_t has_address;
};

struct rln__heaps {
    struct rln__heap_info *heaps; /* owned, like the others below */
    uint32_t *newest;             /* region + 1, of each heap */
    size_t n, capacity, newest_capacity;
    struct rln__map current; /* process, number of a heap -> index + 1 */
    struct rln__region *regions;
    size_t n_regions, regions_capacity;
    uint32_t free;                 /* region + 1 */
    struct rln__key_index handles; /* process, is it an address, number or address */
    uint32_t *of_handle;           /* region + 1, by handle */
    size_t n_of_handle, of_handle_capacity;
};

/* 0, or -1 when there is no memory. */
int rln__heaps_add(struct rln__heaps *heaps, const rln_event *event);
void rln__heaps_clear(struct rln__heaps *heaps);

#endif
