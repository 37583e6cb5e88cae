/* SPDX-License-Identifier: Apache-2.0 */
/* same_summary.h - compares two results of one reader, byte for byte. */
#ifndef RLN_TESTS_SAME_SUMMARY_H
#define RLN_TESTS_SAME_SUMMARY_H

#include "reports/summary/stats.h"
#include "reports/summary/tree.h"
#include "temp_trace.h"

static inline void expect_same_stats(const struct rln__stats *a,
                                     const struct rln__stats *b)
{
    assert_memory_equal(rln__stats_get_totals(a), rln__stats_get_totals(b),
                        sizeof(struct rln__stats_totals));
    assert_int_equal(rln__stats_count(a), rln__stats_count(b));
    for (size_t i = 0; i < rln__stats_count(a); i++)
        assert_memory_equal(rln__stats_at(a, i), rln__stats_at(b, i),
                            sizeof(struct rln__stats_row));
}

static inline void expect_same_tree(const struct rln__tree *a,
                                    const struct rln__tree *b)
{
    assert_int_equal(rln__tree_count(a), rln__tree_count(b));
    for (size_t i = 0; i < rln__tree_count(a); i++)
        assert_memory_equal(rln__tree_at(a, i), rln__tree_at(b, i),
                            sizeof(struct rln__tree_node));
}

#endif
