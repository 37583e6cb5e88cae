/* SPDX-License-Identifier: Apache-2.0 */
/* rules.h - all rules, in the order in which they are asked: a line each, and a file
 * rules/rule_<name>.c; rules of one mechanism share a file. */
#ifndef RLN_ANALYSIS_RULES_H
#define RLN_ANALYSIS_RULES_H

#include "analysis/rule.h"

#define RLN__RULES(X)                                                                  \
    X(warm_up)                                                                         \
    X(few_steps)                                                                       \
    X(outliers)                                                                        \
    X(periodic_stall)                                                                  \
    X(drift)                                                                           \
    X(level_shift)                                                                     \
    X(long_tail)                                                                       \
    X(loader_wait)                                                                     \
    X(straggler)                                                                       \
    X(moving_straggler)                                                                \
    X(late_rank)                                                                       \
    X(wait_at_collective)                                                              \
    X(calls_differ)                                                                    \
    X(thread_imbalance)                                                                \
    X(annotation_cost)                                                                 \
    X(unannotated)                                                                     \
    X(nested_duplicate)                                                                \
    X(never_closed)                                                                    \
    X(gpu_idle)                                                                        \
    X(gpu_low_util)                                                                    \
    X(launch_bound)                                                                    \
    X(sync_stall)                                                                      \
    X(pageable_copy)                                                                   \
    X(comm_exposed)                                                                    \
    X(memory_growth)                                                                   \
    X(small_messages)                                                                  \
    X(lock_serial)                                                                     \
    X(preempted)                                                                       \
    X(oversubscribed)                                                                  \
    X(blocked)                                                                         \
    X(cold_cache)

#define X(name) extern const struct rln__rule rln__rule_##name;
RLN__RULES(X)
#undef X

#define X(name) RLN__RULE_##name,
enum { RLN__RULES(X) RLN__N_RULES };
#undef X

extern const struct rln__rule *const rln__rules[RLN__N_RULES];

/* RLN__N_RULES if there is none of that name. */
size_t rln__rule_index(const char *id, size_t length);
/* Whether its findings say what could be won. */
bool rln__rule_has_gain(const struct rln__rule *rule);
/* SIZE_MAX if the rule has no such threshold. */
size_t rln__threshold_index(const struct rln__rule *rule, const char *name);

#endif
