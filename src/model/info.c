/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - describes the opened traces: one scan, and what names and headers say. */
#include "base/alloc.h"
#include "base/fail.h"
#include "model/pair.h"
#include "model/scan.h"
#include "rangeline/model.h"

#include <stdlib.h>
#include <string.h>

struct rln_info {
    rln_reader *reader; /* borrowed */
    rln_totals totals;
    rln_part_info *parts; /* owned, as all these */
    rln_process_info *processes;
    rln_thread_info *threads;
    size_t n_threads, threads_capacity;
    rln_domain_info *domains;
    size_t n_domains, domains_capacity;
    rln_category_info *categories;
    rln_damage_info damages[RLN__MAX_DAMAGES];
    struct rln__pairing pairing; /* only to know which pops close nothing */
};

/* --- Counting --------------------------------------------------------------------- */

static rln_thread_info *thread_info(rln_info *info, uint32_t thread)
{
    rln_thread_info *threads;

    if (thread < info->n_threads)
        return &info->threads[thread];
    threads = rln__grow(info->threads, &info->threads_capacity, (size_t)thread + 1,
                        sizeof(*threads));
    if (!threads)
        return NULL;
    memset(threads + info->n_threads, 0,
           ((size_t)thread + 1 - info->n_threads) * sizeof(*threads));
    info->threads = threads;
    info->n_threads = (size_t)thread + 1;
    return &threads[thread];
}

static rln_domain_info *domain_info(rln_info *info, uint32_t domain)
{
    rln_domain_info *domains;

    if (domain < info->n_domains)
        return &info->domains[domain];
    domains = rln__grow(info->domains, &info->domains_capacity, (size_t)domain + 1,
                        sizeof(*domains));
    if (!domains)
        return NULL;
    memset(domains + info->n_domains, 0,
           ((size_t)domain + 1 - info->n_domains) * sizeof(*domains));
    info->domains = domains;
    info->n_domains = (size_t)domain + 1;
    return &domains[domain];
}

/* 0, or -1 when there is no memory. */
static int count_stacks(rln_info *info, const struct rln__item *item, int64_t t_ns)
{
    uint32_t index, depth;

    if (item->kind == RLN__PUSH)
        return rln__pair_push(&info->pairing,
                              info->reader->names.attrs[item->ref].domain_id,
                              item->thread, t_ns, item->ref) == RLN__NONE
                   ? -1
                   : 0;
    if (rln__pair_pop(&info->pairing, item->thread, item->ref, &index, &depth) &
        RLN_FLAG_UNMATCHED)
        info->totals.n_unmatched++;
    if (index != RLN__NONE)
        rln__pair_release(&info->pairing, index);
    return 0;
}

static rln_status count_reset(rln_info *info, const struct rln__item *item,
                              uint32_t part, rln_error *err)
{
    const int is_gap = item->kind == RLN__ITEM_GAP;
    uint64_t *words; /* owned */
    rln_status status;

    if (item->kind == RLN__ITEM_THREAD)
        return rln__pair_reset(&info->pairing, item->thread, RLN__RESET_THREAD, NULL, 0)
                   ? rln__fail_nomem(err)
                   : RLN_OK;
    if (is_gap) {
        rln_thread_info *thread = thread_info(info, item->thread);

        if (!thread)
            return rln__fail_nomem(err);
        thread->n_lost += item->value;
        info->totals.n_gaps++;
        info->totals.n_lost += item->value;
    }
    status =
        rln__stream_words(info->reader->layout.parts[part].file, item, &words, err);
    if (status)
        return status;
    if (rln__pair_reset(&info->pairing, item->thread,
                        is_gap ? RLN__RESET_GAP : RLN__RESET_INHERITED, words + 3,
                        item->n_words - 3))
        status = rln__fail_nomem(err);
    rln__free(words);
    return status;
}

static rln_status count(void *context, const struct rln__item *item, int64_t t_ns,
                        uint32_t part, rln_error *err)
{
    rln_info *info = context;
    rln_totals *totals = &info->totals;
    rln_thread_info *thread;
    rln_domain_info *domain;
    uint32_t domain_index;
    int is_unknown = 0;

    if (item->kind >= RLN__ITEM_THREAD)
        return count_reset(info, item, part, err);
    thread = thread_info(info, item->thread);
    if (!thread)
        return rln__fail_nomem(err);
    totals->n_marks += item->kind == RLN__MARK;
    totals->n_pushes += item->kind == RLN__PUSH;
    totals->n_pops += item->kind == RLN__POP;
    totals->n_starts += item->kind == RLN__START;
    totals->n_ends += item->kind == RLN__END;
    if (thread->n_events == 0 || t_ns < thread->first_ns)
        thread->first_ns = t_ns;
    if (thread->n_events == 0 || t_ns > thread->last_ns)
        thread->last_ns = t_ns;
    thread->n_events++;

    if (item->kind == RLN__POP || item->kind == RLN__END)
        domain_index =
            item->ref == 0
                ? 0
                : rln__names_domain(&info->reader->names,
                                    info->reader->threads[item->thread].process,
                                    item->ref, &is_unknown);
    else
        domain_index = info->reader->names.attrs[item->ref].domain;
    domain = domain_index == RLN__NONE ? NULL : domain_info(info, domain_index);
    if (!domain)
        return rln__fail_nomem(err);
    domain->n_events++;
    if (item->kind == RLN__PUSH || item->kind == RLN__POP)
        return count_stacks(info, item, t_ns) ? rln__fail_nomem(err) : RLN_OK;
    return RLN_OK;
}

/* --- Describing ------------------------------------------------------------------- */

static rln_text fixed_text(const char *bytes, size_t size)
{
    const size_t length = strnlen(bytes, size);
    const rln_text text = {length ? bytes : NULL, length};

    return text;
}

static void describe_part(rln_info *info, uint32_t i)
{
    const struct rln__part *part = &info->reader->layout.parts[i];
    const struct rln__superblock *super = &part->super;

    info->parts[i] = (rln_part_info){
        .path = part->file->path,
        .offset = part->offset,
        .size_bytes = part->end - part->offset,
        .major = super->major,
        .minor = super->minor,
        .is_finished = super->finished != 0,
        .clock_kind = (uint8_t)super->clock_kind,
        .ticks_per_s = super->ticks_per_s,
        .n_dropped = super->dropped_events,
        .start_realtime_ns = (int64_t)super->created[0].realtime_ns,
        .host = fixed_text(super->host, sizeof(super->host)),
        .boot_id = fixed_text(super->boot_id, sizeof(super->boot_id)),
    };
    info->totals.size_bytes += part->end - part->offset;
    info->totals.n_dropped += super->dropped_events;
}

static void describe_process(rln_info *info, uint32_t i)
{
    const struct rln__names *names = &info->reader->names;
    const struct rln__process *p = &names->processes[i];
    const struct rln__process_record *r = &p->record;

    info->processes[i] = (rln_process_info){
        .part = p->part,
        .number = p->number,
        .pid = r->pid,
        .ppid = r->ppid,
        .parent = r->parent ? rln__names_parent(names, i) : UINT32_MAX,
        .is_launcher = (r->flags & RLN__PROCESS_LAUNCHER) != 0,
        .is_forked = (r->flags & RLN__PROCESS_FORKED) != 0,
        .n_dropped = r->n_dropped,
        .n_strings_cut = r->n_strings_cut,
        .n_names_refused = r->n_strings_refused,
        .n_invalid = r->n_invalid,
        .n_waits = r->n_waits,
        .waited_ns = r->waited_ns,
        .exe = rln__strings_get(&names->strings, p->exe),
        .command = rln__strings_get(&names->strings, p->command),
        .directory = rln__strings_get(&names->strings, p->directory),
        .exit = rln__strings_get(&names->strings, p->exit),
    };
    info->totals.n_dropped += r->n_dropped;
}

static void describe_thread(rln_info *info, uint32_t i)
{
    const struct rln__thread *t = &info->reader->threads[i];
    const struct rln__strings *strings = &info->reader->names.strings;
    rln_thread_info *out = &info->threads[i];

    out->process = t->process;
    out->number = t->number;
    out->tid = t->tid;
    out->name = rln__strings_get(
        strings, rln__names_thread(&info->reader->names, t->process, t->tid));
    out->system_name = rln__strings_get(strings, t->system_name);
    info->processes[t->process].n_threads++;
    info->processes[t->process].n_events += out->n_events;
    if (out->n_events == 0)
        return;
    if (info->totals.n_events == 0 || out->first_ns < info->totals.first_ns)
        info->totals.first_ns = out->first_ns;
    if (info->totals.n_events == 0 || out->last_ns > info->totals.last_ns)
        info->totals.last_ns = out->last_ns;
    info->totals.n_events += out->n_events;
}

static int compare_text(rln_text a, rln_text b)
{
    const size_t n = a.length < b.length ? a.length : b.length;
    const int order = n ? memcmp(a.bytes, b.bytes, n) : 0;

    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int by_number(const void *a, const void *b)
{
    const rln_category_info *x = a, *y = b;

    if (x->domain != y->domain)
        return x->domain < y->domain ? -1 : 1;
    if (x->category != y->category)
        return x->category < y->category ? -1 : 1;
    return compare_text(x->name, y->name);
}

/* Categories of one domain, number and name are one, whatever process named them. */
static rln_status describe_categories(rln_info *info, rln_error *err)
{
    struct rln__names *names = &info->reader->names;
    size_t n = 0;

    info->categories = rln__alloc(names->n_categories, sizeof(*info->categories));
    if (!info->categories)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < names->n_categories; i++) {
        const struct rln__category *c = &names->categories[i];
        int is_unknown = 0;
        const uint32_t domain =
            rln__names_domain(names, c->process, c->domain_id, &is_unknown);

        if (domain == RLN__NONE)
            return rln__fail_nomem(err);
        info->categories[i] = (rln_category_info){
            domain, c->category,
            rln__strings_get(&names->strings,
                             rln__names_string(names, c->process, c->name))};
    }
    if (names->n_categories)
        qsort(info->categories, names->n_categories, sizeof(*info->categories),
              by_number);
    for (size_t i = 0; i < names->n_categories; i++) {
        if (n == 0 || by_number(&info->categories[n - 1], &info->categories[i]) != 0)
            info->categories[n++] = info->categories[i];
    }
    info->totals.n_categories = (uint32_t)n;
    return RLN_OK;
}

static rln_status describe_domains(rln_info *info, rln_error *err)
{
    const struct rln__names *names = &info->reader->names;

    if (names->n_domains && !domain_info(info, (uint32_t)names->n_domains - 1))
        return rln__fail_nomem(err);
    for (size_t i = 0; i < names->n_domains; i++)
        info->domains[i].name =
            rln__strings_get(&names->strings, names->domains[i].name);
    for (uint32_t i = 0; i < info->totals.n_categories; i++)
        info->domains[info->categories[i].domain].n_categories++;
    info->totals.n_domains = (uint32_t)names->n_domains;
    return RLN_OK;
}

static void describe_damages(rln_info *info)
{
    const struct rln__damages *damages = &info->reader->damages;

    info->totals.n_damages_found = damages->n_found;
    info->totals.n_damages = damages->n_found < RLN__MAX_DAMAGES
                                 ? (uint32_t)damages->n_found
                                 : RLN__MAX_DAMAGES;
    for (uint32_t i = 0; i < info->totals.n_damages; i++)
        info->damages[i] = (rln_damage_info){
            damages->items[i].path, damages->items[i].offset, damages->items[i].reason};
}

static rln_status describe(rln_info *info, rln_error *err)
{
    const rln_reader *r = info->reader;
    rln_status status;

    info->parts = rln__alloc(r->layout.n_parts, sizeof(*info->parts));
    info->processes = rln__alloc(r->names.n_processes, sizeof(*info->processes));
    if (!info->parts || !info->processes ||
        (r->n_threads && !thread_info(info, (uint32_t)r->n_threads - 1)))
        return rln__fail_nomem(err);
    for (uint32_t i = 0; i < r->layout.n_parts; i++)
        describe_part(info, i);
    for (uint32_t i = 0; i < r->names.n_processes; i++)
        describe_process(info, i);
    for (uint32_t i = 0; i < r->n_threads; i++)
        describe_thread(info, i);
    status = describe_categories(info, err);
    if (!status)
        status = describe_domains(info, err);
    for (size_t i = 0; i < r->names.n_events; i++)
        info->totals.n_resources += r->names.events[i].sub == RLN__SUB_RESOURCE;
    info->totals.n_parts = (uint32_t)r->layout.n_parts;
    info->totals.n_processes = (uint32_t)r->names.n_processes;
    info->totals.n_threads = (uint32_t)r->n_threads;
    info->totals.n_chunks = r->layout.n_chunks;
    info->totals.is_finished = rln_reader_is_finished(r) != 0;
    info->totals.start_realtime_ns = info->parts[0].start_realtime_ns;
    describe_damages(info);
    return status;
}

rln_status rln_info_open(rln_reader *reader, rln_info **out, rln_error *err)
{
    rln_info *info = rln__alloc(1, sizeof(*info));
    rln_status status;

    *out = NULL;
    if (!info)
        return rln__fail_nomem(err);
    info->reader = reader;
    rln__pairing_init(&info->pairing);
    status = rln__scan_all(reader, count, info, err);
    rln__pairing_clear(&info->pairing);
    if (!status)
        status = describe(info, err);
    if (status) {
        rln_info_close(info);
        return status;
    }
    *out = info;
    return RLN_OK;
}

void rln_info_close(rln_info *info)
{
    if (!info)
        return;
    rln__free(info->parts);
    rln__free(info->processes);
    rln__free(info->threads);
    rln__free(info->domains);
    rln__free(info->categories);
    rln__free(info);
}

const rln_totals *rln_info_totals(const rln_info *info)
{
    return &info->totals;
}

const rln_part_info *rln_info_part(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_parts ? &info->parts[index] : NULL;
}

const rln_process_info *rln_info_process(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_processes ? &info->processes[index] : NULL;
}

const rln_thread_info *rln_info_thread(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_threads ? &info->threads[index] : NULL;
}

const rln_domain_info *rln_info_domain(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_domains ? &info->domains[index] : NULL;
}

const rln_category_info *rln_info_category(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_categories ? &info->categories[index] : NULL;
}

const rln_damage_info *rln_info_damage(const rln_info *info, uint32_t index)
{
    return index < info->totals.n_damages ? &info->damages[index] : NULL;
}
