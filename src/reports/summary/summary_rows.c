/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/summary/summary_rows.h"
#include "base/alloc.h"

#include <string.h>

/* --- Rows ------------------------------------------------------------------------- */

uint32_t rln__summary_row_like(struct rln__summary *s,
                               const struct rln__summary_row *like)
{
    const uint64_t key = ((uint64_t)(like->style == RLN_RANGE_START_END) << 63) |
                         ((uint64_t)(like->domain & 0x7fffffff) << 32) | like->message;
    const uint64_t found = rln__map_get(&s->by_name, key);
    struct rln__summary_row *row;

    if (found)
        return (uint32_t)found - 1;
    row = rln__append(&s->rows, &s->n_rows, &s->rows_capacity, sizeof(*row));
    if (!row)
        return RLN__NONE;
    *row = (struct rln__summary_row){
        .domain = like->domain, .message = like->message, .style = like->style};
    return rln__map_put(&s->by_name, key, s->n_rows) ? RLN__NONE
                                                     : (uint32_t)s->n_rows - 1;
}

static uint32_t add_row(struct rln__summary *s, uint32_t attr, rln_range_style style)
{
    const struct rln__attr *a = &s->reader->names.attrs[attr];
    const uint32_t message =
        rln__strings_get(&s->reader->names.strings, a->message).length ? a->message : 0;
    const struct rln__summary_row like = {
        .domain = a->domain, .message = message, .style = style};

    return rln__summary_row_like(s, &like);
}

uint32_t rln__summary_row_slow(struct rln__summary *s, uint32_t attr,
                               rln_range_style style)
{
    const size_t slot = (size_t)attr * 2 + (style == RLN_RANGE_START_END);
    uint32_t row;

    if (slot >= s->n_row_of_attr) {
        uint32_t *moved = rln__grow(s->row_of_attr, &s->row_of_attr_capacity, slot + 1,
                                    sizeof(*moved));

        if (!moved)
            return RLN__NONE;
        memset(moved + s->n_row_of_attr, 0,
               (s->row_of_attr_capacity - s->n_row_of_attr) * sizeof(*moved));
        s->row_of_attr = moved;
        s->n_row_of_attr = s->row_of_attr_capacity;
    }
    row = add_row(s, attr, style);
    if (row != RLN__NONE)
        s->row_of_attr[slot] = row + 1;
    return row;
}

/* --- The tree --------------------------------------------------------------------- */

uint32_t rln__summary_add_node(struct rln__summary *s, uint32_t parent, uint32_t row,
                               uint32_t attr)
{
    struct rln__summary_node *node =
        s->n_nodes >= RLN__NONE
            ? NULL
            : rln__append(&s->nodes, &s->n_nodes, &s->nodes_capacity, sizeof(*node));

    if (!node)
        return RLN__NONE;
    *node = (struct rln__summary_node){.parent = parent, .row = row, .attr = attr};
    s->rows[row].node = (uint32_t)s->n_nodes - 1;
    return (uint32_t)s->n_nodes - 1;
}

uint32_t rln__summary_child_slow(struct rln__summary *s, uint32_t parent, uint32_t row,
                                 uint32_t attr)
{
    const uint64_t key = ((uint64_t)parent << 32) | row;
    uint32_t child = (uint32_t)rln__map_get(&s->children, key);

    if (!child) {
        child = rln__summary_add_node(s, parent, row, attr);
        if (child == RLN__NONE || rln__map_put(&s->children, key, child))
            return RLN__NONE;
    }
    s->nodes[parent].last_row = row;
    s->nodes[parent].last_child = child;
    return child;
}
