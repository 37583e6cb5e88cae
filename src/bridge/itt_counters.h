/* SPDX-License-Identifier: Apache-2.0 */
/* itt_counters.h - ITT's counters, as counters of NVTX with absolute values. Signatures
 * are ITT's. */
#ifndef RLN_BRIDGE_ITT_COUNTERS_H
#define RLN_BRIDGE_ITT_COUNTERS_H

#include "bridge/itt_layout.h"

/* The one of a name, domain and type, for all clients; NULL: no memory, or no name. */
struct rln__itt_counter *rln__itt_counter_create(const char *name, const char *domain);
struct rln__itt_counter *rln__itt_counter_create_typed(const char *name,
                                                       const char *domain, int type);
struct rln__itt_counter *
rln__itt_counter_create_v3(const struct rln__itt_domain *domain, const char *name,
                           int type);

void rln__itt_counter_inc(struct rln__itt_counter *counter);
void rln__itt_counter_inc_delta(struct rln__itt_counter *counter,
                                unsigned long long by);
void rln__itt_counter_dec(struct rln__itt_counter *counter);
void rln__itt_counter_dec_delta(struct rln__itt_counter *counter,
                                unsigned long long by);
void rln__itt_counter_set_value(struct rln__itt_counter *counter, const void *value);

/* These name the counter, which needs not be created. */
void rln__itt_counter_inc_v3(const struct rln__itt_domain *domain,
                             const struct rln__itt_string *name);
void rln__itt_counter_inc_delta_v3(const struct rln__itt_domain *domain,
                                   const struct rln__itt_string *name,
                                   unsigned long long by);
void rln__itt_counter_dec_v3(const struct rln__itt_domain *domain,
                             const struct rln__itt_string *name);
void rln__itt_counter_dec_delta_v3(const struct rln__itt_domain *domain,
                                   const struct rln__itt_string *name,
                                   unsigned long long by);

/* Has no effect after the first value. */
void rln__itt_bind_to_counter(struct rln__itt_counter *counter, size_t n,
                              const struct rln__itt_context *contexts);

#endif
