/* SPDX-License-Identifier: Apache-2.0 */
/* sync_sum.c - how long threads waited for each lock, and held it. */
#include "reports/sync_sum.h"
#include "base/alloc.h"
#include "reports/domain_order.h"
#include "reports/report_list.h"
#include "reports/sums.h"

#include <stdlib.h>
#include <string.h>

static uint32_t row_of(struct rln__sync_sum *s, const rln_range *r)
{
    /* The name distinguishes objects that had the same number in turn. */
    const struct rln__key key = {{r->process, r->id, r->attributes.domain,
                                  rln__key_of_text(r->attributes.message)}};
    const uint32_t number = rln__key_index_number(&s->keys, &key);
    struct rln__sync_row *row;

    if (number < s->n)
        return number;
    row = rln__key_index_item(&s->rows, &s->n, &s->capacity, number, sizeof(*row));
    if (!row)
        return UINT32_MAX;
    *row = (struct rln__sync_row){.is_default_domain = r->attributes.domain == 0,
                                  .domain_name = r->attributes.domain_name,
                                  .name = r->attributes.message,
                                  .object = r->id,
                                  .process = r->process,
                                  .pid = r->pid};
    return number;
}

static int count_thread(struct rln__sync_sum *s, uint32_t row, uint32_t thread)
{
    const struct rln__key key = {{row, thread}};
    const size_t n_before = s->threads.n;

    if (rln__key_index_number(&s->threads, &key) == UINT32_MAX)
        return -1;
    s->rows[row].n_threads += s->threads.n > n_before;
    return 0;
}

int rln__sync_sum_add(struct rln__sync_sum *s, const rln_range *r)
{
    const int is_half = (r->flags & RLN_FLAG_UNMATCHED) != 0; /* only an end */
    const uint64_t ns = is_half ? 0 : (uint64_t)(r->end_ns - r->start_ns);
    struct rln__sync_row *row;
    uint32_t number;

    if (r->style != RLN_RANGE_WAIT && r->style != RLN_RANGE_HOLD)
        return 0;
    number = row_of(s, r);
    if (number == UINT32_MAX || count_thread(s, number, r->thread) ||
        count_thread(s, number, r->end_thread))
        return -1;
    row = &s->rows[number];
    if (r->style == RLN_RANGE_WAIT) {
        row->n_waits += !is_half;
        row->n_gave_up += is_half || (r->flags & RLN_FLAG_GAVE_UP);
        row->waiting_ns += ns;
        row->max_waiting_ns = ns > row->max_waiting_ns ? ns : row->max_waiting_ns;
    } else {
        row->n_acquired += !is_half;
        row->holding_ns += ns;
        row->max_holding_ns = ns > row->max_holding_ns ? ns : row->max_holding_ns;
    }
    return 0;
}

static int by_waiting(const void *a, const void *b)
{
    const struct rln__sync_row *x = a, *y = b;
    int order;

    if (x->waiting_ns != y->waiting_ns)
        return x->waiting_ns > y->waiting_ns ? -1 : 1;
    if (x->holding_ns != y->holding_ns)
        return x->holding_ns > y->holding_ns ? -1 : 1;
    order = rln__compare_domains(x->is_default_domain, x->domain_name,
                                 y->is_default_domain, y->domain_name);
    if (!order)
        order = rln__compare_text(x->name, y->name);
    if (!order)
        order = (x->process > y->process) - (x->process < y->process);
    return order ? order : (x->object > y->object) - (x->object < y->object);
}

void rln__sync_sum_end(struct rln__sync_sum *s)
{
    if (s->n)
        qsort(s->rows, s->n, sizeof(*s->rows), by_waiting);
}

void rln__sync_sum_clear(struct rln__sync_sum *s)
{
    rln__key_index_clear(&s->keys);
    rln__key_index_clear(&s->threads);
    rln__free(s->rows);
    memset(s, 0, sizeof(*s));
}

const struct rln__sync_row *rln__sums_sync(const struct rln__sums *s, size_t index)
{
    return index < s->sync.n ? &s->sync.rows[index] : NULL;
}

/* --- The report ------------------------------------------------------------------- */

static const rln_report_column sync_objects[] = {
    RLN__TIMES("Waiting"),     RLN__NUMBERS("Waits"),     RLN__TIMES("Avg Waiting"),
    RLN__TIMES("Max Waiting"), RLN__NUMBERS("Gave Up"),   RLN__NUMBERS("Acquired"),
    RLN__TIMES("Holding"),     RLN__TIMES("Max Holding"), RLN__NUMBERS("Threads"),
    RLN__IDS("PID"),           RLN__IDS("Number"),        RLN__TEXTS("Object"),
};

static rln_status build_sync(const struct rln__report_source *source, rln_report *out)
{
    const struct rln__sync_row *row;

    for (size_t i = 0; (row = rln__sums_sync(source->sums, i)); i++) {
        rln__report_put_ns(out, row->waiting_ns);
        rln__report_put_count(out, row->n_waits);
        rln__report_put_mean(
            out, row->n_waits ? (double)row->waiting_ns / (double)row->n_waits : 0);
        rln__report_put_ns(out, row->max_waiting_ns);
        rln__report_put_count(out, row->n_gave_up);
        rln__report_put_count(out, row->n_acquired);
        rln__report_put_ns(out, row->holding_ns);
        rln__report_put_ns(out, row->max_holding_ns);
        rln__report_put_count(out, row->n_threads);
        rln__report_put_id(out, row->pid);
        rln__report_put_id(out, row->object);
        rln__report_put_qualified(out, row->domain_name, row->name);
    }
    return RLN_OK;
}

const struct rln__report_kind rln__report_sync_sum = {
    .about = {.name = "sync_sum",
              .title = "Synchronization Object Summary",
              .help = "waiting and holding times of locks, by object",
              .subject = "synchronization objects",
              .details =
                  "One row per annotated lock, the longest Waiting first. Waits "
                  "are those that got the lock; Gave Up counts attempts that "
                  "ended without it. Holding: from acquiring to releasing, added "
                  "up over the Acquired times. Threads: how many waited for or "
                  "held it. Number: the object's id in its process."},
    .build = build_sync,
    RLN__COLUMNS(sync_objects),
    .sums = RLN__SUM_SYNC,
};
