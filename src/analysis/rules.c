/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/rules.h"

#include <string.h>

const struct rln__rule *const rln__rules[RLN__N_RULES] = {
    &rln__rule_warm_up,          &rln__rule_outliers,
    &rln__rule_periodic_stall,   &rln__rule_drift,
    &rln__rule_level_shift,      &rln__rule_long_tail,
    &rln__rule_loader_wait,      &rln__rule_straggler,
    &rln__rule_moving_straggler, &rln__rule_wait_at_collective,
    &rln__rule_calls_differ,     &rln__rule_thread_imbalance,
    &rln__rule_annotation_cost,  &rln__rule_unannotated,
    &rln__rule_nested_duplicate, &rln__rule_never_closed,
    &rln__rule_gpu_idle,         &rln__rule_gpu_low_util,
    &rln__rule_launch_bound,     &rln__rule_sync_stall,
    &rln__rule_pageable_copy,    &rln__rule_comm_exposed,
    &rln__rule_memory_growth,    &rln__rule_small_messages,
    &rln__rule_lock_serial,      &rln__rule_cold_cache,
};

size_t rln__rule_index(const char *id, size_t length)
{
    size_t i = 0;

    while (i < RLN__N_RULES && (strlen(rln__rules[i]->id) != length ||
                                memcmp(rln__rules[i]->id, id, length) != 0))
        i++;
    return i;
}

bool rln__rule_has_gain(const struct rln__rule *rule)
{
    return rln__threshold_index(rule, "warning") != SIZE_MAX;
}

size_t rln__threshold_index(const struct rln__rule *rule, const char *name)
{
    for (size_t i = 0; i < RLN__MOST_THRESHOLDS && rule->thresholds[i].name; i++)
        if (strcmp(rule->thresholds[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}
