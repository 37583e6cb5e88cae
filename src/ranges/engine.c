/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/engine.h"
#include "base/alloc.h"

#include <string.h>

int rln__engine_init(struct rln__engine *e, rln_reader *reader, rln_error *err)
{
    memset(e, 0, sizeof(*e));
    e->reader = reader;
    e->err = err;
    rln__pairing_init(&e->pairing);
    return rln__part_ends_init(&e->part_ends, reader);
}

void rln__engine_clear(struct rln__engine *e)
{
    rln__pairing_clear(&e->pairing);
    rln__part_ends_clear(&e->part_ends);
    rln__map_clear(&e->early);
    rln__free(e->ends);
    rln__free(e->end_items);
    memset(e, 0, sizeof(*e));
    rln__pairing_init(&e->pairing);
}

static int list_end(struct rln__engine *e, size_t i)
{
    e->ends[i].next = (uint32_t)rln__map_get(&e->early, e->ends[i].id);
    return rln__map_put(&e->early, e->ends[i].id, i + 1);
}

int rln__engine_keep_end(struct rln__engine *e, const struct rln__item *item,
                         uint64_t id, int64_t t_ns)
{
    struct rln__early_end *ends =
        rln__grow(e->ends, &e->ends_capacity, e->n_ends + 1, sizeof(*ends));

    if (!ends || e->n_ends >= RLN__NONE - 1)
        return -1;
    e->ends = ends;
    ends[e->n_ends] =
        (struct rln__early_end){.t_ns = t_ns, .id = id, .thread = item->thread};
    if (rln__item_payloads(item)) {
        struct rln__item *items = rln__grow(e->end_items, &e->end_items_capacity,
                                            e->n_end_items + 1, sizeof(*items));

        if (!items)
            return -1;
        e->end_items = items;
        items[e->n_end_items++] = *item;
        ends[e->n_ends].item = (uint32_t)e->n_end_items;
    }
    e->n_early++;
    return list_end(e, e->n_ends++);
}

int rln__engine_take_end(struct rln__engine *e, const struct rln__range_ops *ops,
                         void *visitor, uint64_t id, int64_t start_ns, uint32_t part,
                         struct rln__early_end *out)
{
    const uint32_t first = (uint32_t)rln__map_remove(&e->early, id);
    uint32_t best = 0;

    for (uint32_t i = first; i; i = e->ends[i - 1].next) {
        struct rln__early_end *end = &e->ends[i - 1];

        end->is_taken = 1;
        e->n_early--;
        if (end->t_ns >= start_ns && (!best || end->t_ns <= e->ends[best - 1].t_ns))
            best = i;
    }
    for (uint32_t i = first; i; i = e->ends[i - 1].next) {
        if (i != best && rln__engine_unmatched(ops, visitor, NULL, RLN_FLAG_UNMATCHED,
                                               0, e->ends[i - 1].t_ns, part))
            return -1;
    }
    if (best)
        *out = e->ends[best - 1];
    return best != 0;
}

int rln__engine_drop_old_ends(struct rln__engine *e)
{
    const size_t n_before = e->n_ends;
    int failed = 0;

    rln__map_clear(&e->early);
    e->n_ends = e->n_end_items = e->n_early = 0;
    for (size_t i = 0; i < n_before && !failed; i++) {
        struct rln__early_end end = e->ends[i];

        if (end.is_taken || end.is_old)
            continue;
        if (end.item) {
            e->end_items[e->n_end_items++] = e->end_items[end.item - 1];
            end.item = (uint32_t)e->n_end_items;
        }
        end.is_old = 1;
        e->ends[e->n_ends] = end;
        e->n_early++;
        failed = list_end(e, e->n_ends++);
    }
    return failed;
}

uint32_t rln__engine_renamed(struct rln__engine *e, const struct rln__item *end,
                             uint32_t part, uint32_t attr)
{
    e->status = rln__closing_attr(e->reader, part, end, &attr, e->err);
    return e->status ? RLN__NONE : attr;
}

struct restating {
    struct rln__engine *engine;
    const struct rln__range_ops *ops;
    void *visitor;
    uint32_t part;
};

static int goes_on(void *context, uint32_t range, uint32_t enclosing)
{
    const struct restating *r = context;
    struct rln__pairing *p = &r->engine->pairing;
    struct rln__open *o = &p->pool[range];

    if (!r->ops->leaves_self_out)
        rln__engine_pass(r->engine, &p->threads[o->thread], enclosing, o->t_ns);
    o->node =
        rln__engine_tag(r->engine, r->ops, r->visitor, o->thread, enclosing, o->attr);
    if (o->node == RLN__NONE)
        return -1;
    return r->ops->open ? r->ops->open(r->visitor, o, NULL, r->part) : 0;
}

rln_status rln__engine_restate(struct rln__engine *e, const struct rln__range_ops *ops,
                               void *visitor, const struct rln__item *item,
                               int64_t t_ns, uint32_t part, rln_error *err)
{
    struct restating restating = {e, ops, visitor, part};
    struct rln__pairing *p = &e->pairing;

    if (!ops->leaves_self_out && item->kind != RLN__ITEM_RESUMED &&
        item->thread < p->n_threads)
        rln__engine_pass(e, &p->threads[item->thread], p->threads[item->thread].newest,
                         t_ns);
    return rln__open_state_read(&e->pairing, e->reader, item, part, t_ns, goes_on,
                                &restating, err);
}
