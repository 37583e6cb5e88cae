/* SPDX-License-Identifier: Apache-2.0 */
/* rules.h - the list of rules. */
#ifndef RLN_ANALYSIS_RULES_H
#define RLN_ANALYSIS_RULES_H

#include "analysis/rule.h"

/* Each is in rule_<id>.c. */
extern const struct rln__rule rln__rule_warm_up;
extern const struct rln__rule rln__rule_outliers;
extern const struct rln__rule rln__rule_periodic_stall;
extern const struct rln__rule rln__rule_drift;
extern const struct rln__rule rln__rule_level_shift;
extern const struct rln__rule rln__rule_long_tail;
extern const struct rln__rule rln__rule_loader_wait;
extern const struct rln__rule rln__rule_straggler;
extern const struct rln__rule rln__rule_moving_straggler;
extern const struct rln__rule rln__rule_wait_at_collective;
extern const struct rln__rule rln__rule_calls_differ;
extern const struct rln__rule rln__rule_thread_imbalance;
extern const struct rln__rule rln__rule_annotation_cost;
extern const struct rln__rule rln__rule_unannotated;
extern const struct rln__rule rln__rule_nested_duplicate;
extern const struct rln__rule rln__rule_never_closed;
extern const struct rln__rule rln__rule_gpu_idle;
extern const struct rln__rule rln__rule_gpu_low_util;
extern const struct rln__rule rln__rule_launch_bound;
extern const struct rln__rule rln__rule_sync_stall;
extern const struct rln__rule rln__rule_pageable_copy;
extern const struct rln__rule rln__rule_comm_exposed;
extern const struct rln__rule rln__rule_memory_growth;
extern const struct rln__rule rln__rule_small_messages;
extern const struct rln__rule rln__rule_lock_serial;
extern const struct rln__rule rln__rule_cold_cache;

enum { RLN__N_RULES = 26 };

extern const struct rln__rule *const rln__rules[RLN__N_RULES];

/* RLN__N_RULES if there is none of that name. */
size_t rln__rule_index(const char *id, size_t length);
/* Whether its findings say what could be won. */
bool rln__rule_has_gain(const struct rln__rule *rule);
/* SIZE_MAX if the rule has no such threshold. */
size_t rln__threshold_index(const struct rln__rule *rule, const char *name);

#endif
