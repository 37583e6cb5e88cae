/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/engine.h"
#include "base/alloc.h"
#include "base/fail.h"

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
        struct rln__item *kept = rln__append(&e->end_items, &e->n_end_items,
                                             &e->end_items_capacity, sizeof(*kept));

        if (!kept)
            return -1;
        *kept = *item;
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

/* --- What records restate ---------------------------------------------------------
 *
 * Where a thread begins, where events were lost or overwritten, in a forked child, and
 * when a window opens.
 */

static int resume(struct rln__engine *e, const struct rln__range_ops *ops,
                  void *visitor, uint32_t thread, uint32_t domain_id, uint32_t attr,
                  int64_t opened_ns, uint32_t part)
{
    struct rln__pairing *p = &e->pairing;
    const uint32_t enclosing = rln__pair_innermost(p, thread);
    const uint32_t index = rln__pair_resume(p, domain_id, thread, opened_ns, attr);
    struct rln__open *o = index == RLN__NONE ? NULL : &p->pool[index];

    if (!o)
        return -1;
    o->part = (uint16_t)part;
    /* A window may have opened before its thread's first record. */
    if (enclosing == RLN__NONE)
        p->threads[thread].clock_ns = opened_ns;
    else if (!ops->leaves_self_out)
        rln__engine_pass(e, &p->threads[thread], enclosing, opened_ns);
    o->node = rln__engine_tag(e, ops, visitor, thread, enclosing, attr);
    if (o->node == RLN__NONE)
        return -1;
    return ops->open ? ops->open(visitor, o, NULL, part) : 0;
}

/* Opens ranges that were pushed while no window was open: {domain:32, id:32} each. */
static int resume_all(struct rln__engine *e, const struct rln__range_ops *ops,
                      void *visitor, const struct rln__item *item, int64_t t_ns,
                      uint32_t part, const uint64_t *words)
{
    const uint32_t process = e->reader->threads[item->thread].process;
    const int64_t opened_ns = rln__windows_opening(&e->reader->windows, part, t_ns);

    for (uint32_t i = rln__reset_words(item); i < item->n_words; i++) {
        const uint32_t attr =
            rln__reader_attr(e->reader, process, (uint32_t)(words[i] >> 32));

        if (attr == RLN__NONE || resume(e, ops, visitor, item->thread,
                                        (uint32_t)words[i], attr, opened_ns, part))
            return -1;
    }
    return 0;
}

/* Closes what may have been closed unseen. Without words, the thread begins. */
static int reset(struct rln__engine *e, const struct rln__range_ops *ops,
                 const struct rln__item *item, int64_t t_ns, const uint64_t *words)
{
    const int loses = item->kind == RLN__ITEM_GAP || item->kind == RLN__ITEM_CONTINUED;
    const uint32_t n_head = rln__reset_words(item);
    struct rln__pairing *p = &e->pairing;

    if (!ops->leaves_self_out && item->thread < p->n_threads)
        rln__engine_pass(e, &p->threads[item->thread], p->threads[item->thread].newest,
                         t_ns);
    return rln__pair_reset(p, item->thread,
                           !words  ? RLN__RESET_THREAD
                           : loses ? RLN__RESET_GAP
                                   : RLN__RESET_INHERITED,
                           words ? words + n_head : NULL,
                           words ? item->n_words - n_head : 0);
}

rln_status rln__engine_restate(struct rln__engine *e, const struct rln__range_ops *ops,
                               void *visitor, const struct rln__item *item,
                               int64_t t_ns, uint32_t part, rln_error *err)
{
    uint64_t *words = NULL; /* owned */
    rln_status status = RLN_OK;
    int failed;

    if (item->kind != RLN__ITEM_THREAD)
        status =
            rln__stream_words(e->reader->layout.parts[part].file, item, &words, err);
    if (status)
        return status;
    failed = item->kind == RLN__ITEM_RESUMED
                 ? resume_all(e, ops, visitor, item, t_ns, part, words)
                 : reset(e, ops, item, t_ns, words);
    rln__free(words);
    return failed ? rln__fail_nomem(err) : RLN_OK;
}
