/* SPDX-License-Identifier: Apache-2.0 */
/* info_count.c - counts events by thread, domain and window, in a scan of all chunks.
 */
#include "reports/check/info_count.h"
#include "base/fail.h"
#include "base/key_index.h"
#include "format/attributes.h"
#include "format/registry_lookup.h"
#include "reports/check/info.h"
#include "trace/decode/deferred_events.h"
#include "trace/decode/gpu_batches.h"
#include "trace/open/losses.h"

rln_thread_info *rln__info_thread(rln_info *info, uint32_t thread)
{
    return rln__key_index_item(&info->threads, &info->n_threads,
                               &info->threads_capacity, thread, sizeof(*info->threads));
}

rln_domain_info *rln__info_domain(rln_info *info, uint32_t domain)
{
    return rln__key_index_item(&info->domains, &info->n_domains,
                               &info->domains_capacity, domain, sizeof(*info->domains));
}

static struct rln__attr_use *use_of(rln_info *info, uint32_t attr)
{
    return rln__key_index_item(&info->uses, &info->n_uses, &info->uses_capacity, attr,
                               sizeof(*info->uses));
}

static int count_unmatched(void *info, const struct rln__item *end, unsigned flags,
                           uint32_t depth, int64_t t_ns, uint32_t part)
{
    rln_info *i = info;

    (void)depth;
    (void)t_ns;
    (void)part;
    if (!(flags & RLN_FLAG_UNMATCHED))
        return 0;
    i->totals.n_unmatched += end && end->kind == RLN__POP;
    i->needs_order = 1;
    return 0;
}

static int see_closed(void *info, const struct rln__closing *c)
{
    rln_info *i = info;

    i->needs_order |= c->state & RLN__STARTED
                          ? c->end_thread != c->thread
                          : i->engine.pairing.pool[c->slot].newer != RLN__NONE;
    return 0;
}

static const struct rln__range_ops ops = {
    .close = see_closed, .unmatched = count_unmatched, .leaves_self_out = 1};

/* --- Event by event --------------------------------------------------------------- */

static rln_status count_reset(rln_info *info, const struct rln__item *item,
                              int64_t t_ns, uint32_t part, rln_error *err)
{
    if (item->kind == RLN__ITEM_GAP) {
        rln_thread_info *thread = rln__info_thread(info, item->thread);
        int64_t since_ns;

        if (!thread)
            return rln__fail_nomem(err);
        thread->n_lost += item->value;
        since_ns = thread->n_events ? thread->last_ns : t_ns;
        if (!info->totals.n_gaps++ || since_ns < info->totals.lost_since_ns)
            info->totals.lost_since_ns = since_ns;
        info->totals.n_lost += item->value;
    }
    return rln__engine_restate(&info->engine, &ops, info, item, t_ns, part, err);
}

/* The domain of an event, or RLN__NONE when there is no memory. Also counts a sample,
 * since its counter is looked up here. */
static uint32_t domain_of(rln_info *info, const struct rln__item *item,
                          uint32_t process)
{
    struct rln__names *names = &info->reader->names;
    const struct rln__sync_object *object;
    struct rln_counter *counter;
    int is_unknown = 0;

    switch (item->kind) {
    case RLN__POP:
    case RLN__END:
    case RLN__ITEM_MEMORY:
        return item->ref ? rln__names_domain(names, process, item->ref, &is_unknown)
                         : 0;
    case RLN__SAMPLE:
    case RLN__NO_VALUE:
        counter = rln__counter_of_number(&info->counters, process,
                                         item->kind == RLN__SAMPLE ? item->ref >> 1
                                                                   : item->ref >> 2);
        if (!counter)
            return RLN__NONE;
        counter->n_samples++;
        return counter->domain;
    case RLN__SYNC:
        object = rln__registry_object(names, process, item->ref >> 2, item->ticks);
        return object ? rln__names_domain(names, object->process, object->domain_id,
                                          &is_unknown)
                      : 0;
    default:
        return names->attrs[item->ref].domain;
    }
}

static void count_kind(rln_totals *totals, unsigned kind)
{
    totals->n_marks += kind == RLN__MARK;
    totals->n_pushes += kind == RLN__PUSH;
    totals->n_pops += kind == RLN__POP;
    totals->n_starts += kind == RLN__START;
    totals->n_ends += kind == RLN__END;
    totals->n_samples += kind == RLN__SAMPLE || kind == RLN__NO_VALUE;
    totals->n_syncs += kind == RLN__SYNC;
    totals->n_memory_calls += kind == RLN__ITEM_MEMORY;
}

static rln_status count_domain(rln_info *info, uint32_t domain, rln_error *err)
{
    rln_domain_info *d = domain == RLN__NONE ? NULL : rln__info_domain(info, domain);

    if (!d)
        return rln__fail_nomem(err);
    d->n_events++;
    return RLN_OK;
}

static rln_status count_name(rln_info *info, const struct rln__item *item,
                             rln_error *err)
{
    const int has_attr =
        item->kind == RLN__MARK || item->kind == RLN__PUSH || item->kind == RLN__START;
    struct rln__attr_use *use;

    if (!has_attr)
        return count_domain(
            info, domain_of(info, item, info->reader->threads[item->thread].process),
            err);
    use = use_of(info, item->ref);
    if (!use)
        return rln__fail_nomem(err);
    use->n_begun++;
    return RLN_OK;
}

static void count_on(rln_thread_info *thread, uint64_t n, int64_t first_ns,
                     int64_t last_ns)
{
    if (thread->n_events == 0 || first_ns < thread->first_ns)
        thread->first_ns = first_ns;
    if (thread->n_events == 0 || last_ns > thread->last_ns)
        thread->last_ns = last_ns;
    thread->n_events += n;
}

static rln_status count(void *context, const struct rln__item *item, int64_t t_ns,
                        uint32_t part, rln_error *err)
{
    rln_info *info = context;
    struct rln__item plain; /* without payloads, which may rename a range that ends */
    rln_thread_info *thread;
    rln_status status;

    if (item->kind >= RLN__ITEM_THREAD)
        return count_reset(info, item, t_ns, part, err);
    thread = rln__info_thread(info, item->thread);
    if (!thread)
        return rln__fail_nomem(err);
    count_kind(&info->totals, item->kind);
    rln__window_counts_add(&info->windows, part, t_ns);
    count_on(thread, 1, t_ns, t_ns);
    status = count_name(info, item, err);
    plain = *item;
    plain.n_payloads = 0;
    if (!status && rln__engine_event(&info->engine, &ops, info, &plain, t_ns, part))
        status = info->engine.status ? info->engine.status : rln__fail_nomem(err);
    return status;
}

/* --- Run by run ------------------------------------------------------------------- */

/* The events of a run. */
struct run_counts {
    struct rln__attr_use *uses; /* borrowed: there are those of all attributes */
    uint64_t n_events, n_marks, n_closed;
    int64_t first_ns, last_ns;
};

RLN__INLINE int count_mark(void *run, const struct rln__item *mark, int64_t t_ns,
                           uint32_t part)
{
    struct run_counts *r = run;

    (void)t_ns;
    (void)part;
    r->uses[mark->ref].n_begun++;
    return 0;
}

RLN__INLINE uint32_t count_push(void *run, uint32_t thread, uint32_t enclosing,
                                uint32_t attr)
{
    struct run_counts *r = run;

    (void)thread;
    (void)enclosing;
    r->uses[attr].n_begun++;
    return 0;
}

RLN__INLINE int count_pop(void *run, const struct rln__closing *closing)
{
    struct run_counts *r = run;

    r->uses[closing->attr].n_ended++;
    return 0;
}

RLN__INLINE void count_events(void *run, uint64_t n_events, uint64_t n_marks,
                              uint64_t n_closed, int64_t first_ns, int64_t last_ns)
{
    struct run_counts *r = run;

    r->n_events = n_events;
    r->n_marks = n_marks;
    r->n_closed = n_closed;
    r->first_ns = first_ns;
    r->last_ns = last_ns;
}

static const struct rln__range_ops run_ops = {
    .tag = count_push,
    .close = count_pop,
    .marked = count_mark,
    .counted = count_events,
    .leaves_self_out = 1,
};

/* Of which windows the events of the run are. */
static void count_windows(rln_info *info, const struct rln__word_run *run,
                          size_t n_words, const struct run_counts *r)
{
    struct rln__clock_fit *fit = &info->reader->clock_fits[run->part];

    if (rln__window_counts_add_all(&info->windows, run->part, r->n_events, r->first_ns,
                                   r->last_ns))
        return;
    for (size_t i = 0; i < n_words; i += rln__short_words(run->words[i]))
        rln__window_counts_add(
            &info->windows, run->part,
            rln__clock_fit_ns(fit,
                              run->base_ticks + (run->words[i] >> RLN__TICKS_SHIFT)));
}

static rln_status count_run(void *context, const struct rln__word_run *run,
                            size_t *n_taken, uint64_t *last_word, rln_error *err)
{
    rln_info *info = context;
    const size_t n_attrs = info->reader->names.n_attrs;
    rln_thread_info *thread = rln__info_thread(info, run->thread);
    struct run_counts r = {.n_events = 0};
    rln_status status;

    if (!thread || (n_attrs && !use_of(info, (uint32_t)n_attrs - 1)))
        return rln__fail_nomem(err);
    r.uses = info->uses;
    status = rln__engine_run(&info->engine, &run_ops, &r, run, n_taken, last_word, err);
    if (!r.n_events)
        return status;
    info->totals.n_marks += r.n_marks;
    info->totals.n_pops += r.n_closed;
    info->totals.n_pushes += r.n_events - r.n_marks - r.n_closed;
    count_on(thread, r.n_events, r.first_ns, r.last_ns);
    count_windows(info, run, *n_taken, &r);
    return status;
}

/* Whose attributes say the domain. */
static rln_status count_domains(rln_info *info, rln_error *err)
{
    for (size_t i = 0; i < info->n_uses; i++) {
        const uint64_t n = info->uses[i].n_begun + info->uses[i].n_ended;
        rln_domain_info *domain;

        if (!n)
            continue;
        domain = rln__info_domain(info, info->reader->names.attrs[i].domain);
        if (!domain)
            return rln__fail_nomem(err);
        domain->n_events += n;
    }
    return RLN_OK;
}

/* --- Deferred and GPU events ------------------------------------------------------ */

static rln_status count_deferred_sample(rln_info *info,
                                        const struct rln__deferred_event *e,
                                        const struct rln__deferred_record *r,
                                        rln_error *err)
{
    struct rln_counter *counter;

    if (e->kind != RLN__SAMPLE || r->sub != RLN__SUB_COUNTER_BATCH)
        return RLN_OK;
    counter = rln__counter_of_id(&info->counters, r->process, r->domain_id, r->id);
    if (!counter)
        return rln__fail_nomem(err);
    counter->n_samples++;
    return RLN_OK;
}

/* Deferred events belong to a process, but to no thread. */
static rln_status count_deferred(rln_info *info, rln_error *err)
{
    rln_totals *totals = &info->totals;
    struct rln__deferred_events deferred;
    rln_status status = rln__deferred_events_load(&deferred, info->reader, err);

    for (size_t i = 0; i < deferred.n && !status; i++) {
        const struct rln__deferred_event *e = &deferred.events[i];
        const struct rln__deferred_record *r = &deferred.records[e->record];
        struct rln__item item;

        rln__deferred_events_item(&deferred, info->reader, e, &item);
        status = count_deferred_sample(info, e, r, err);
        if (status)
            break;
        count_kind(totals, item.kind);
        rln__window_counts_add(&info->windows, r->part, e->t_ns);
        totals->n_deferred++;
        if (e->why_unplaced && rln__unplaced_add(&info->unplaced, info->reader, r, e)) {
            status = rln__fail_nomem(err);
            break;
        }
        totals->n_unplaced += e->why_unplaced != 0;
        if (item.kind == RLN__SAMPLE || item.kind == RLN__POP ||
            item.kind == RLN__END) {
            item.kind = RLN__POP; /* like those, it has a domain and no attributes */
            item.ref = r->domain_id;
        }
        status = count_domain(info, domain_of(info, &item, r->process), err);
    }
    if (!status && deferred.n) {
        totals->first_ns = deferred.events[0].t_ns;
        totals->last_ns = deferred.events[deferred.n - 1].t_ns;
        totals->n_events = deferred.n;
    }
    totals->n_unplaced_clocks = (uint32_t)info->unplaced.n;
    rln__deferred_events_clear(&deferred);
    return status;
}

static void count_gpu_event(rln_info *info, const struct rln__gpu_batch *batch,
                            const struct rln__gpu_event *e)
{
    rln_totals *totals = &info->totals;
    rln_thread_info *stream =
        batch->stream == RLN__NONE ? NULL : &info->threads[batch->stream];

    totals->n_gpu += rln__gpu_is_on_stream(batch->kind) != 0;
    totals->n_kernels += batch->kind == RLN__GPU_KERNEL;
    totals->n_calls += batch->kind == RLN__GPU_CALL;
    totals->n_unplaced += e->why_unplaced != 0;
    if (!stream)
        return;
    if (!stream->n_events || e->start_ns < stream->first_ns)
        stream->first_ns = e->start_ns;
    if (!stream->n_events++ || e->end_ns > stream->last_ns)
        stream->last_ns = e->end_ns;
}

static rln_status count_gpu(rln_info *info, rln_error *err)
{
    struct rln__gpu_batches batches;
    struct rln__gpu_events events = {0};
    rln_status status = rln__gpu_batches_find(&batches, info->reader, err);

    if (!status && info->reader->n_threads &&
        !rln__info_thread(info, (uint32_t)info->reader->n_threads - 1))
        status = rln__fail_nomem(err);
    for (size_t i = 0; i < batches.n && !status; i++) {
        status = rln__gpu_batch_read(&batches, &batches.all[i], &events, err);
        for (size_t at = 0; at < events.n && !status; at++)
            count_gpu_event(info, &batches.all[i], &events.items[at]);
    }
    for (size_t i = 0; i < info->reader->gpus.n && !status; i++) {
        if (rln__gpus_add(&info->gpus, &info->reader->gpus.items[i]))
            status = rln__fail_nomem(err);
    }
    info->totals.n_gpu_lost = rln__reader_get_losses(info->reader)->n_gpu_lost;
    info->totals.gpu_loss = rln__reader_get_losses(info->reader)->gpu_loss;
    info->totals.gpu_refusal = rln__reader_get_losses(info->reader)->gpu_refusal;
    rln__free(events.items);
    rln__gpu_batches_clear(&batches);
    return status;
}

rln_status rln__info_count(rln_info *info, rln_error *err)
{
    rln_status status = rln__scan_all(info->reader, count, count_run, info, err);

    info->needs_order |= info->engine.n_early != 0;
    if (!status)
        status = count_domains(info, err);
    if (!status)
        status = count_deferred(info, err);
    return status ? status : count_gpu(info, err);
}
