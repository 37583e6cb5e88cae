/* SPDX-License-Identifier: Apache-2.0 */
/* client_clocks.h - declares the callbacks of NVTX's PAYLOAD module for clocks and
 * scopes. */
#ifndef RLN_COLLECT_CALLBACKS_CLIENT_CLOCKS_H
#define RLN_COLLECT_CALLBACKS_CLIENT_CLOCKS_H

#include <stddef.h>
#include <stdint.h>

struct rln__nvtx_sync_point {
    int64_t source, destination;
};

int64_t rln__on_timestamp_get(void);
uint64_t rln__on_time_domain_register(uint64_t domain, const void *attributes);
void rln__on_timer_source(uint64_t domain, uint64_t time_domain, uint64_t flags,
                          int64_t (*now)(void));
void rln__on_timer_source_with_data(uint64_t domain, uint64_t time_domain,
                                    uint64_t flags, int64_t (*now)(void *), void *data);
uint64_t rln__on_scope_register(uint64_t domain, const void *attributes);
void rln__on_time_sync_point(uint64_t domain, uint64_t time_domain_1,
                             uint64_t time_domain_2, int64_t time_1, int64_t time_2);
void rln__on_time_sync_point_table(uint64_t domain, uint64_t source,
                                   uint64_t destination,
                                   const struct rln__nvtx_sync_point *points, size_t n);
void rln__on_timestamp_conversion_factor(uint64_t domain, uint64_t source,
                                         uint64_t destination, double slope,
                                         int64_t time_source, int64_t time_destination);

/* Records sync points of the system's clocks, and of clock functions that the program
 * registered in that domain, unless that was done in the last 10 ms. Called before
 * deferred events. */
void rln__clocks_sample(uint32_t domain);

#endif
