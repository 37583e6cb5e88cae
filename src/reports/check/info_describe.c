/* SPDX-License-Identifier: Apache-2.0 */
/* info_describe.c - adds names, headers and registrations to the counts. */
#include "reports/check/info_describe.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/process_title.h"
#include "reports/check/info.h"
#include "reports/check/info_count.h"
#include "trace/open/rank.h"

#include <stdlib.h>
#include <string.h>

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
        .is_finished = super->finished == RLN__HAS_ENDED,
        .is_copy = super->finished == RLN__IS_COPY,
        .buffer_bytes = super->ring.buffer_bytes,
        .clock_kind = (uint8_t)super->clock_kind,
        .ticks_per_s = super->ticks_per_s,
        .n_dropped = super->dropped_events,
        .start_realtime_ns = (int64_t)super->created[0].realtime_ns,
        .host = fixed_text(super->host, sizeof(super->host)),
        .boot_id = fixed_text(super->boot_id, sizeof(super->boot_id)),
        .n_windows = super->control.gate >> 32,
        .closed = (uint32_t)super->control.gate & RLN__GATE_CLOSED,
        .is_import = part->file->is_import != 0,
        .shift_ns = info->reader->shifts[i].by_ns,
        .shift_ppm = info->reader->shifts[i].rate * 1e6,
    };
    info->totals.size_bytes += part->end - part->offset;
    info->totals.n_dropped += super->dropped_events;
}

/* Without what a title has left empty. */
static rln_text command_of(const struct rln__names *names,
                           const struct rln__trace_process *p)
{
    rln_text command = rln__strings_get(&names->strings, p->command);

    command.length = rln__arguments_length(command.bytes, command.length);
    return command;
}

/* Whether the process has as many domains as it may: then names were refused for that,
 * not for want of space. */
static int has_all_domains(const struct rln__names *names, uint32_t process)
{
    for (size_t i = 0; i < names->n_created_domains; i++) {
        const struct rln__created_domain *created = &names->created_domains[i];

        if (created->id == RLN__MAX_DOMAINS - 1 && created->process == process)
            return 1;
    }
    return 0;
}

static void describe_process(rln_info *info, uint32_t i)
{
    const struct rln__names *names = &info->reader->names;
    const int is_out_of_domains = has_all_domains(names, i);
    const struct rln__trace_process *p = &names->processes[i];
    const struct rln__process_record *r = &p->record;

    info->processes[i] = (rln_process_info){
        .part = p->part,
        .number = p->number,
        .pid = r->pid,
        .ppid = r->ppid,
        .parent = r->parent ? rln__names_parent(names, i) : UINT32_MAX,
        .is_launcher = (r->flags & RLN__PROCESS_LAUNCHER) != 0,
        .is_forked = (r->flags & RLN__PROCESS_FORKED) != 0,
        .is_at_size_limit = (r->flags & RLN__PROCESS_SIZE_LIMIT) != 0,
        .n_dropped = r->n_dropped,
        .n_strings_cut = r->n_strings_cut,
        .n_names_refused = is_out_of_domains ? 0 : r->n_strings_refused,
        .n_domains_refused = is_out_of_domains ? r->n_strings_refused : 0,
        .n_invalid = r->n_invalid,
        .n_payloads_cut = r->n_payloads_cut,
        .n_payloads_unread = r->n_payloads_unread,
        .n_modules_refused = r->n_modules_refused,
        .n_waits = r->n_waits,
        .waited_ns = r->waited_ns,
        .n_overwritten = r->n_overwritten,
        .complete_since_ns = r->n_overwritten
                                 ? rln__reader_ns(info->reader, p->part, r->whole_since)
                                 : 0,
        .exe = rln__strings_get(&names->strings, p->exe),
        .command = command_of(names, p),
        .title = rln__strings_get(&names->strings, p->title),
        .directory = rln__strings_get(&names->strings, p->directory),
        .exit = rln__strings_get(&names->strings, p->exit),
        .rank = rln__rank_of(info->reader, i),
    };
    info->totals.n_dropped += r->n_dropped;
    if (r->n_overwritten &&
        (info->totals.n_overwritten == 0 ||
         info->processes[i].complete_since_ns > info->totals.complete_since_ns))
        info->totals.complete_since_ns = info->processes[i].complete_since_ns;
    info->totals.n_overwritten += r->n_overwritten;
}

static void describe_thread(rln_info *info, uint32_t i)
{
    const struct rln__trace_thread *t = &info->reader->threads[i];
    const struct rln__strings *strings = &info->reader->names.strings;
    rln_thread_info *out = &info->threads[i];

    out->process = t->process;
    out->number = t->number;
    out->tid = t->tid;
    out->name = rln__strings_get(
        strings, rln__names_thread(&info->reader->names, t->process, t->tid));
    out->system_name = rln__strings_get(strings, t->system_name);
    out->is_stream = t->is_stream;
    if (out->is_stream)
        return;
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

static int by_number(const void *a, const void *b)
{
    const struct rln__name_catalog_category *x = a, *y = b;

    if (x->domain != y->domain)
        return x->domain < y->domain ? -1 : 1;
    if (x->category != y->category)
        return x->category < y->category ? -1 : 1;
    return rln__compare_text(x->name, y->name);
}

static int by_id(const void *a, const void *b)
{
    const struct rln_counter *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->domain != y->domain)
        return x->domain < y->domain ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Categories with the same domain, number and name are one, whichever process named
 * them. */
static rln_status describe_categories(rln_info *info, rln_error *err)
{
    const size_t n_named = info->reader->names.n_categories;
    rln_status status = RLN_OK;
    size_t n = 0;

    info->categories = rln__alloc(n_named, sizeof(*info->categories));
    if (!info->categories)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < n_named && !status; i++)
        status = rln__reader_category(info->reader, i, &info->categories[i], err);
    if (status)
        return status;
    if (n_named)
        qsort(info->categories, n_named, sizeof(*info->categories), by_number);
    for (size_t i = 0; i < n_named; i++) {
        if (n == 0 || by_number(&info->categories[n - 1], &info->categories[i]) != 0)
            info->categories[n++] = info->categories[i];
    }
    info->totals.n_categories = (uint32_t)n;
    return RLN_OK;
}

static rln_status describe_domains(rln_info *info, rln_error *err)
{
    const struct rln__names *names = &info->reader->names;

    if (names->n_domains && !rln__info_domain(info, (uint32_t)names->n_domains - 1))
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
        info->damages[i] = (struct rln__damage_info){
            damages->items[i].path, damages->items[i].offset, damages->items[i].reason};
}

static rln_status describe(rln_info *info, rln_error *err)
{
    const rln_reader *r = info->reader;
    rln_status status;

    info->parts = rln__alloc(r->layout.n_parts, sizeof(*info->parts));
    info->processes = rln__alloc(r->names.n_processes, sizeof(*info->processes));
    if (!info->parts || !info->processes ||
        (r->n_threads && !rln__info_thread(info, (uint32_t)r->n_threads - 1)))
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

/* Adds counters without samples; the others were added when they were counted. */
static rln_status describe_counters(rln_info *info, rln_error *err)
{
    const struct rln__registry *r = &info->reader->names.registry;
    size_t n;

    for (size_t i = 0; i < r->n_counters; i++) {
        const struct rln__registered *from = &r->counters[i].from;

        if (!rln__counter_of_id(&info->counters, from->process, from->domain_id,
                                from->id))
            return rln__fail_nomem(err);
    }
    n = info->counters.n;
    info->sorted_counters = rln__alloc(n, sizeof(*info->sorted_counters));
    if (!info->sorted_counters)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        info->sorted_counters[i] = *info->counters.items[i];
    if (n)
        qsort(info->sorted_counters, n, sizeof(*info->sorted_counters), by_id);
    info->totals.n_counters = n;
    return RLN_OK;
}

/* Heap usage depends on time order across all threads. */
static rln_status describe_heaps(rln_info *info, rln_error *err)
{
    const rln_event *event;
    rln_events *events;
    rln_status status = RLN_OK;

    if (!info->totals.n_memory_calls)
        return RLN_OK;
    status = rln__events_open_all(info->reader, &events, err);
    while (!status && (status = rln_events_next(events, &event, err)) == RLN_OK) {
        if (rln__heaps_add(&info->heaps, event))
            status = rln__fail_nomem(err);
    }
    rln_events_close(events);
    info->totals.n_heaps = info->heaps.n;
    return status == RLN_END ? RLN_OK : status;
}

rln_status rln__info_describe(rln_info *info, rln_error *err)
{
    rln_status status = describe_counters(info, err);

    if (!status)
        status = describe_heaps(info, err);
    return status ? status : describe(info, err);
}
