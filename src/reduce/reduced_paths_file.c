/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_paths_file.h"
#include "base/alloc.h"
#include "reduce/reduced_durations.h"
#include "reduce/reduced_file.h"
#include "reduce/reduced_put.h"
#include "reduce/reduced_take.h"

#include <stdlib.h>
#include <string.h>

/* --- Order ------------------------------------------------------------------------ */

struct keyed {
    uint64_t key;
    const void *item;
};

/* From numbers of the object to those of the file. */
struct orders {
    const struct rln__reduced_orders *all;
    const struct rln__reduced_paths *p;
    uint32_t *numbers; /* owned, as these three; from 0 on */
    uint32_t *sorted;
    struct keyed *rows; /* in the order of the file */
};

/* Level by level, so that the parents of a level have their indices. `keys` are sorted
 * by depth, their first word. */
static void order_levels(struct orders *o, struct rln__reduced_item *keys, size_t n)
{
    size_t end;

    for (size_t begin = 0; begin < n; begin = end) {
        for (end = begin; end < n && keys[end].words[0] == keys[begin].words[0];
             end++) {
            const uint64_t *words = o->p->keys.entries[keys[end].number].key.words;

            keys[end].words[1] =
                words[0] ? (uint64_t)o->numbers[words[0] - 1] + 1 : 0; /* its parent */
            keys[end].words[2] = words[1] << 32 | o->all->strings[words[2]];
            keys[end].words[3] = o->all->strings[words[3]];
        }
        qsort(keys + begin, end - begin, sizeof(*keys), rln__by_words);
        for (size_t i = begin; i < end; i++) {
            o->numbers[keys[i].number] = (uint32_t)i;
            o->sorted[i] = keys[i].number;
        }
    }
}

static int order_paths(struct orders *o)
{
    const struct rln__reduced_paths *p = o->p;
    const size_t n = p->keys.n;
    struct rln__reduced_item *keys = rln__alloc(n + 1, sizeof(*keys));
    uint32_t *depths = rln__alloc(n + 1, sizeof(*depths));

    o->numbers = rln__alloc(n + 1, sizeof(uint32_t));
    o->sorted = rln__alloc(n + 1, sizeof(uint32_t));
    if (keys && depths && o->numbers && o->sorted) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t parent = rln__reduced_parent(p, i);

            depths[i] = parent == UINT32_MAX ? 0 : depths[parent] + 1;
            keys[i] = (struct rln__reduced_item){{depths[i]}, i};
        }
        qsort(keys, n, sizeof(*keys), rln__by_words);
        order_levels(o, keys, n);
    }
    rln__free(keys);
    rln__free(depths);
    return keys && depths && o->numbers && o->sorted ? 0 : -1;
}

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

static int order_rows(struct orders *o)
{
    const struct rln__reduced_paths *p = o->p;

    o->rows = rln__alloc(p->n_rows + 1, sizeof(*o->rows));
    if (!o->rows)
        return -1;
    for (size_t i = 0; i < p->n_rows; i++)
        o->rows[i] = (struct keyed){(uint64_t)o->numbers[p->rows[i].path] << 32 |
                                        o->all->origins[p->rows[i].origin],
                                    &p->rows[i]};
    qsort(o->rows, p->n_rows, sizeof(*o->rows), by_key);
    return 0;
}

/* --- Bytes ------------------------------------------------------------------------ */

static void put_row(const struct rln__reduced_row *row, int64_t base_ns,
                    struct rln__buf *out)
{
    rln__put_number(out, row->n);
    rln__put_number(out, row->n_open);
    rln__put_number(out, row->total_ns);
    rln__put_number(out, row->self_ns);
    rln__put_number(out, row->min_ns);
    rln__put_number(out, row->max_ns - row->min_ns);
    rln__put_number(out, (uint64_t)row->squares);
    rln__put_number(out, (uint64_t)(row->squares >> 64));
    rln__put_number(out, (uint64_t)row->first_ns - (uint64_t)base_ns);
    rln__put_number(out, (uint64_t)row->last_ns - (uint64_t)row->first_ns);
    rln__put_number(out, row->on_processor_ns);
}

/* The rows of a path, from `*at` on, and what all of them have together. */
static void put_sums(const struct orders *o, uint32_t path, size_t *at,
                     struct rln__buf *out)
{
    const struct rln__reduced_paths *p = o->p;
    const size_t begin = *at;
    uint64_t last = 0;

    while (*at < p->n_rows && o->rows[*at].key >> 32 == o->numbers[path])
        ++*at;
    rln__put_number(out, *at - begin);
    for (size_t i = begin; i < *at; i++) {
        const uint64_t origin = (uint32_t)o->rows[i].key;

        rln__put_number(out, origin - last);
        put_row(o->rows[i].item, o->all->base_ns, out);
        last = origin + 1;
    }
    if (*at == begin)
        return;
    rln__put_durations(out, &p->wholes[path].durations);
    rln__reduced_cpu_put(&p->wholes[path].cpu, out);
}

static int64_t find_base(const struct rln__reduced_paths *p)
{
    int64_t base_ns = p->n_rows ? INT64_MAX : 0;

    for (size_t i = 0; i < p->n_rows; i++)
        base_ns = p->rows[i].first_ns < base_ns ? p->rows[i].first_ns : base_ns;
    return base_ns;
}

static void put_paths(const struct orders *o, struct rln__buf *out)
{
    const struct rln__reduced_paths *p = o->p;
    size_t at = 0;

    rln__put_number(out, p->keys.n);
    for (size_t i = 0; i < p->keys.n; i++) {
        const uint32_t path = o->sorted[i];
        const uint64_t *words = p->keys.entries[path].key.words;

        rln__put_number(out, words[0] ? (uint64_t)o->numbers[words[0] - 1] + 1 : 0);
        rln__put_number(out, words[1]);
        rln__put_number(out, o->all->strings[words[2]]);
        rln__put_number(out, o->all->strings[words[3]]);
        put_sums(o, path, &at, out);
    }
}

void rln__reduced_paths_put(void *paths, struct rln__reduced_orders *all,
                            struct rln__buf *out)
{
    struct orders o = {.all = all, .p = paths};

    all->base_ns = find_base(paths);
    if (order_paths(&o) || order_rows(&o)) {
        out->has_failed = 1;
    } else {
        rln__put_signed(out, all->base_ns);
        put_paths(&o, out);
    }
    rln__free(o.numbers);
    rln__free(o.sorted);
    rln__free(o.rows);
}

/* --- Reading ---------------------------------------------------------------------- */

static void read_row(struct rln__reduced_cursor *c, struct rln__reduced_row *row)
{
    struct rln__durations_read lengths;
    uint64_t range_ns;
    int is_over;

    row->n = rln__take_number(c);
    row->n_open = rln__take_number(c);
    row->total_ns = rln__take_number(c);
    row->self_ns = rln__take_number(c);
    row->min_ns = rln__take_number(c);
    range_ns = rln__take_number(c);
    row->squares = rln__take_number(c);
    row->squares |= (rln__u128)rln__take_number(c) << 64;
    row->first_ns = (int64_t)((uint64_t)c->base_ns + rln__take_number(c));
    row->last_ns = (int64_t)((uint64_t)row->first_ns + rln__take_number(c));
    if (c->version >= RLN__REDUCED_CPU_TIMES)
        row->on_processor_ns = rln__take_number(c);
    is_over = __builtin_add_overflow(row->min_ns, range_ns, &row->max_ns);
    lengths = (struct rln__durations_read){row->n, row->min_ns, row->max_ns};
    if (is_over || !row->n || row->on_processor_ns > row->total_ns ||
        row->n_open > row->n || !rln__is_total(row->total_ns, &lengths) ||
        row->last_ns < row->first_ns)
        rln__take_fault(c, "sums that no ranges have");
}

/* What the rows of a path have together. */
static void read_whole(struct rln__reduced_cursor *c, struct rln__reduced_whole *whole)
{
    const struct rln__reduced_row *sum = &whole->sum;
    const struct rln__durations_read of = {sum->n, sum->min_ns, sum->max_ns};

    rln__take_durations(c, &whole->durations, &of);
    if (c->version < RLN__REDUCED_CPU_TIMES)
        return;
    rln__reduced_cpu_read(&whole->cpu, sum->n, sum->total_ns, c);
    if (whole->cpu.split.on_ns != sum->on_processor_ns)
        rln__take_fault(c, "sums that no ranges have");
}

static void read_sums(struct rln__reduced_paths *p, struct rln__reduced_cursor *c,
                      uint32_t path)
{
    const size_t n = rln__take_count(c, 11);
    uint64_t next = 0;

    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++) {
        struct rln__reduced_row row = {.path = path};

        row.origin = rln__take_origin(c, next);
        next = row.origin + UINT64_C(1);
        read_row(c, &row);
        if (rln__take_is_bad(c))
            return;
        rln__take_status(c, rln__reduced_add_row(p, &row, NULL));
    }
    if (n && !rln__take_is_bad(c))
        read_whole(c, &p->wholes[path]);
}

/* Numbers of paths are their indexes in the file. */
static void read_path(struct rln__reduced_paths *p, struct rln__reduced_cursor *c,
                      uint64_t *last)
{
    const uint32_t index = (uint32_t)p->keys.n;
    const uint64_t parent = rln__take_at_most(c, index, "no such parent");
    const uint64_t style = rln__take_at_most(c, RLN__RENAMED, "no such style");
    const uint64_t words[4] = {parent, style, rln__take_string(c), rln__take_string(c)};
    int order = 0;

    if (!style ||
        (parent && rln__reduced_style(p, (uint32_t)parent - 1) != RLN_RANGE_PUSH_POP) ||
        (style == RLN_RANGE_START_END && parent) || (style == RLN__RENAMED && !parent))
        rln__take_fault(c, "a path that no range has");
    for (int i = 0; i < 4 && !order && index; i++)
        order = (last[i] > words[i]) - (last[i] < words[i]);
    if (index)
        rln__take_order(c, order);
    memcpy(last, words, sizeof(words));
    if (rln__take_is_bad(c))
        return;
    if (rln__reduced_path(p, (uint32_t)(parent - 1), (uint32_t)style,
                          (uint32_t)words[2], (uint32_t)words[3]) == UINT32_MAX)
        c->is_full = 1;
    else
        read_sums(p, c, index);
}

void rln__reduced_paths_read(void *paths, struct rln__reduced_cursor *c)
{
    struct rln__reduced_paths *p = paths;
    uint64_t last[4] = {0};
    size_t n;

    c->base_ns = rln__take_signed(c);
    n = rln__take_count(c, 5);
    for (size_t i = 0; i < n && !rln__take_is_bad(c); i++)
        read_path(p, c, last);
    if (!rln__take_is_bad(c) && find_base(p) != c->base_ns)
        rln__take_fault(c, "starts that are not counted from the first");
}
