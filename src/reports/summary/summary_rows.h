/* SPDX-License-Identifier: Apache-2.0 */
/* summary_rows.h - finds the names and nodes of a summary, with caches of earlier
 * lookups. */
#ifndef RLN_REPORTS_SUMMARY_SUMMARY_ROWS_H
#define RLN_REPORTS_SUMMARY_SUMMARY_ROWS_H

#include "reports/summary/summary.h"

/* Each returns RLN__NONE when there is no memory. */
uint32_t rln__summary_row_slow(struct rln__summary *summary, uint32_t attr,
                               rln_range_style style);
uint32_t rln__summary_child_slow(struct rln__summary *summary, uint32_t parent,
                                 uint32_t row, uint32_t attr);
uint32_t rln__summary_add_node(struct rln__summary *summary, uint32_t parent,
                               uint32_t row, uint32_t attr);
/* The row of the same name as another summary's. */
uint32_t rln__summary_row_like(struct rln__summary *summary,
                               const struct rln__summary_row *row);

/* The row of a range's name. */
static inline uint32_t rln__summary_row(struct rln__summary *s, uint32_t attr,
                                        rln_range_style style)
{
    const size_t slot = (size_t)attr * 2 + (style == RLN_RANGE_START_END);

    if (slot < s->n_row_of_attr && s->row_of_attr[slot])
        return s->row_of_attr[slot] - 1;
    return rln__summary_row_slow(s, attr, style);
}

/* The node of a row's ranges, such as one with these attributes, inside another node. */
static inline uint32_t rln__summary_child(struct rln__summary *s, uint32_t parent,
                                          uint32_t row, uint32_t attr)
{
    const struct rln__summary_node *node = &s->nodes[parent];

    if (s->leaves_paths_out)
        return s->rows[row].node ? s->rows[row].node
                                 : rln__summary_add_node(s, 0, row, attr);
    return node->last_child && node->last_row == row
               ? node->last_child
               : rln__summary_child_slow(s, parent, row, attr);
}

/* The node that encloses a thread's outermost ranges. Deferred ranges belong to no
 * thread. */
static inline uint32_t rln__summary_outermost(const struct rln__summary *s,
                                              uint32_t thread)
{
    return thread < s->n_thread_nodes ? 1 + thread : 0;
}

/* The node of a range that is pushed inside another node's range. */
static inline uint32_t rln__summary_child_of(struct rln__summary *s, uint32_t parent,
                                             uint32_t attr)
{
    const uint32_t row = rln__summary_row(s, attr, RLN_RANGE_PUSH_POP);

    return row == RLN__NONE ? RLN__NONE : rln__summary_child(s, parent, row, attr);
}

#endif
