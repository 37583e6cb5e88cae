/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/nesting_settle.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "ranges/event_fill.h"
#include "ranges/nesting_order.h"

#include <string.h>

struct settling {
    struct rln__nesting *nesting; /* borrowed, as the next */
    struct rln__spill *rows;
    size_t n_rows;
    struct rln__spill until; /* owned; by row: the time up to which children count */
    struct rln__spill moves; /* owned; by row: its index when it is listed */
    uint32_t *name_of_attr;  /* owned: its number + 1 */
    size_t n_attrs, attrs_capacity;
};

static struct rln__nested *row_at(const struct settling *s, size_t index)
{
    rln__spill_touch(s->rows);
    return (struct rln__nested *)s->rows->items + index;
}

/* Where domains cross, children overlap: the part of a child's time that earlier ones
 * did not have. They come in the order of starts. */
static uint64_t time_of_its_own(const struct rln__nested *child, int64_t *until_ns)
{
    const int64_t start_ns = child->start_ns > *until_ns ? child->start_ns : *until_ns;

    if (child->end_ns <= start_ns)
        return 0;
    *until_ns = child->end_ns;
    return (uint64_t)(child->end_ns - start_ns);
}

/* A range of another domain that was open when a row began may have ended before that
 * row did: then it is not its parent. A window may have opened in a range before one
 * around it is known to begin: the range still comes after its parent. */
static void find_parents(struct settling *s)
{
    int64_t *until_ns = s->until.items;

    for (size_t i = 0; i < s->n_rows; i++) {
        struct rln__nested *row = row_at(s, i), *parent;

        rln__spill_touch(&s->until);
        while (row->parent != RLN__NONE && row_at(s, row->parent)->end_ns < row->end_ns)
            row->parent = row_at(s, row->parent)->parent;
        until_ns[i] = row->order_ns = row->start_ns;
        if (row->parent == RLN__NONE)
            continue;
        parent = row_at(s, row->parent);
        parent->inside_ns += time_of_its_own(row, &until_ns[row->parent]);
        if (row->order_ns < parent->order_ns)
            row->order_ns = parent->order_ns;
    }
}

/* Replaces a row's attributes by the number of its name. */
static int name_row(struct settling *s, struct rln__nested *row)
{
    const uint32_t attr = row->name;
    uint32_t *number = rln__key_index_item(&s->name_of_attr, &s->n_attrs,
                                           &s->attrs_capacity, attr, sizeof(*number));
    rln_attributes with;

    if (!number)
        return -1;
    if (!*number) {
        rln__fill_attributes(s->nesting->reader, attr, 0, &with);
        if (rln__range_names_number(&s->nesting->names, &with, &row->name))
            return -1;
        *number = row->name + 1;
    }
    row->name = *number - 1;
    return 0;
}

/* Lists a row in `to`, for which there is room. Its parent is one that is listed. */
static void list_row(struct settling *s, struct rln__nested *to,
                     const struct rln__nested *row)
{
    struct rln__nesting *n = s->nesting;
    struct rln__nested *listed = &to[n->n], *parent;
    int64_t *until_ns = s->until.items;

    *listed = *row;
    listed->children_ns = 0;
    until_ns[n->n++] = listed->start_ns;
    if (listed->parent == RLN__NONE)
        return;
    parent = &to[listed->parent];
    listed->level = parent->level + 1;
    parent->n_children++;
    parent->children_ns += time_of_its_own(listed, &until_ns[listed->parent]);
}

/* Rows that are left out give their children to their own parents. */
static rln_status list_rows(struct settling *s, struct rln__nesting_order *order,
                            struct rln__spill *to, rln_error *err)
{
    uint32_t *moved = s->moves.items;
    rln_status status = RLN_OK;
    size_t from;

    while (!status && rln__nesting_order_next(order, s->rows, &from)) {
        struct rln__nested *row = row_at(s, from);
        const int is_left_out = (row->flags & RLN__NESTED_LEFT_OUT) != 0;

        rln__spill_touch(to);
        rln__spill_touch(&s->until);
        rln__spill_touch(&s->moves);
        if (row->parent != RLN__NONE)
            row->parent = moved[row->parent];
        moved[from] = is_left_out ? row->parent : (uint32_t)s->nesting->n;
        if (is_left_out)
            continue;
        status = rln__spill_room(to, s->nesting->n + 1, sizeof(*row), err);
        if (!status && name_row(s, row))
            status = rln__fail_nomem(err);
        if (!status)
            list_row(s, to->items, row);
    }
    return status;
}

/* Where the rows are in the order of time already, they stay where they are. */
static rln_status order_rows(struct settling *s, size_t first_deferred, rln_error *err)
{
    struct rln__spill *listed = s->nesting->rows;
    struct rln__nesting_order order;
    rln_status status =
        rln__nesting_order_init(&order, s->rows, s->n_rows, first_deferred, err);

    if (status)
        return status;
    if (order.n_runs > 1) {
        status = list_rows(s, &order, listed, err);
    } else {
        status = list_rows(s, &order, s->rows, err);
        *listed = *s->rows;
        memset(s->rows, 0, sizeof(*s->rows));
    }
    rln__nesting_order_clear(&order);
    return status;
}

rln_status rln__nesting_settle(struct rln__nesting *nesting, struct rln__spill *rows,
                               size_t n_rows, size_t first_deferred, rln_error *err)
{
    struct settling s = {.nesting = nesting, .rows = rows, .n_rows = n_rows};
    rln_status status = rln__spill_room(&s.until, n_rows + 1, sizeof(int64_t), err);

    if (!status)
        status = rln__spill_room(&s.moves, n_rows + 1, sizeof(uint32_t), err);
    if (!status) {
        find_parents(&s);
        status = order_rows(&s, first_deferred, err);
    }
    rln__spill_clear(&s.until);
    rln__spill_clear(&s.moves);
    rln__free(s.name_of_attr);
    rln__key_index_clear(&nesting->names.keys); /* numbers are no longer looked up */
    return status;
}
