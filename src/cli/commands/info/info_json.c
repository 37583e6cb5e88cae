/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/info/info_json.h"

#include <string.h>

#include "base/json.h"
#include "cli/commands/info/info_registered.h"
#include "rangeline/values.h"
#include "ranges/heaps.h"
#include "reports/check/info.h"
#include "reports/summary/stats.h"
#include "trace/open/gpus.h"
#include "trace/open/losses.h"
#include "trace/open/schema_catalog.h"
#include "trace/open/window_list.h"

static void json_parts(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__json_begin(buf, "parts", '[');
    for (uint32_t i = 0; i < t->n_parts; i++) {
        const rln_part_info *p = rln_info_part(info, i);

        rln__json_begin(buf, NULL, '{');
        rln__json_text(buf, "path", p->path);
        rln__json_u64(buf, "offset", p->offset);
        rln__json_u64(buf, "size", p->size_bytes);
        rln__json_key(buf, "format");
        rln__buf_format(buf, "\"%u.%u\"", p->major, p->minor);
        rln__json_bool(buf, "finished", p->is_finished);
        rln__json_flag(buf, "snapshot", p->is_copy);
        rln__json_flag(buf, "import", p->is_import);
        rln__json_some(buf, "buffer", p->buffer_bytes);
        rln__json_string(buf, "host", p->host);
        rln__json_string(buf, "boot_id", p->boot_id);
        rln__json_u64(buf, "clock", p->clock_kind);
        rln__json_u64(buf, "ticks_per_s", p->ticks_per_s);
        rln__json_i64(buf, "start_realtime", p->start_realtime_ns);
        if (p->shift_ns)
            rln__json_i64(buf, "shift", p->shift_ns);
        if (p->shift_ppm < 0 || p->shift_ppm > 0) {
            rln__json_key(buf, "shift_ppm");
            rln__buf_format(buf, "%.6g", p->shift_ppm);
        }
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_windows(struct rln__buf *buf, const rln_info *info)
{
    static const char *const causes[] = {
        [RLN__WINDOW_BY_RUN] = "run",         [RLN__WINDOW_BY_CAPTURE] = "capture",
        [RLN__WINDOW_BY_PROGRAM] = "program", [RLN__WINDOW_BY_COMMAND] = "command",
        [RLN__WINDOW_BY_TIME] = "time",       [RLN__WINDOW_BY_CUDA] = "cuda",
        [RLN__WINDOW_BY_SIZE] = "size",
    };
    const struct rln__window_info *w;

    rln__json_begin(buf, "windows", '[');
    for (size_t i = 0; (w = rln__info_window(info, i)); i++) {
        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "part", w->part);
        rln__json_word(buf, "opened_by", causes[w->opened_by]);
        rln__json_i64(buf, "opened", w->opened_ns);
        if (!w->is_open) {
            rln__json_word(buf, "closed_by", causes[w->closed_by]);
            rln__json_i64(buf, "closed", w->closed_ns);
        }
        rln__json_u64(buf, "events", w->n_events);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_command(struct rln__buf *buf, rln_text command)
{
    if (!command.bytes)
        return;
    rln__json_begin(buf, "command", '[');
    for (size_t i = 0; i < command.length;) {
        const char *end = memchr(command.bytes + i, 0, command.length - i);
        const size_t n = end ? (size_t)(end - command.bytes) - i : command.length - i;

        rln__json_string(buf, NULL, (rln_text){command.bytes + i, n});
        i += n + 1;
    }
    rln__buf_char(buf, ']');
}

static void json_threads(struct rln__buf *buf, const rln_info *info, uint32_t process)
{
    const rln_totals *t = rln_info_totals(info);

    rln__json_begin(buf, "threads", '[');
    for (uint32_t i = 0; i < t->n_threads; i++) {
        const rln_thread_info *thread = rln_info_thread(info, i);

        if (thread->process != process)
            continue;
        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "tid", thread->tid);
        rln__json_string(buf, "name", thread->name);
        rln__json_string(buf, "system_name", thread->system_name);
        rln__json_u64(buf, "events", thread->n_events);
        rln__json_u64(buf, "lost", thread->n_lost);
        rln__json_flag(buf, "stream", thread->is_stream);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_switches(struct rln__buf *buf, const rln_info *info, uint32_t launcher)
{
    int64_t since_ns;
    rln_text why;

    rln__json_bool(buf, "switches",
                   rln__info_has_switches(info, launcher, &why, &since_ns));
    rln__json_string(buf, "no_switches", why);
    if (since_ns != INT64_MIN)
        rln__json_i64(buf, "switches_since", since_ns);
}

static void json_processes(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__json_begin(buf, "processes", '[');
    for (uint32_t i = 0; i < t->n_processes; i++) {
        const rln_process_info *p = rln_info_process(info, i);

        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "pid", p->pid);
        rln__json_u64(buf, "ppid", p->ppid);
        rln__json_u64(buf, "part", p->part);
        if (p->parent != UINT32_MAX)
            rln__json_u64(buf, "forked_by", rln_info_process(info, p->parent)->pid);
        rln__json_bool(buf, "launcher", p->is_launcher);
        if (p->rank != RLN_NO_RANK)
            rln__json_u64(buf, "rank", p->rank);
        rln__json_string(buf, "exe", p->exe);
        json_command(buf, p->command);
        rln__json_string(buf, "title", p->title);
        rln__json_string(buf, "directory", p->directory);
        rln__json_string(buf, "exit", p->exit);
        if (p->is_launcher)
            json_switches(buf, info, i);
        rln__json_u64(buf, "events", p->n_events);
        rln__json_u64(buf, "dropped", p->n_dropped);
        rln__json_u64(buf, "strings_cut", p->n_strings_cut);
        rln__json_u64(buf, "names_refused", p->n_names_refused);
        rln__json_flag(buf, "at_size_limit", p->is_at_size_limit);
        if (p->n_domains_refused)
            rln__json_u64(buf, "domains_refused", p->n_domains_refused);
        rln__json_u64(buf, "invalid", p->n_invalid);
        rln__json_u64(buf, "payloads_cut", p->n_payloads_cut);
        rln__json_u64(buf, "payloads_unread", p->n_payloads_unread);
        if (p->n_modules_refused)
            rln__json_u64(buf, "modules_refused", p->n_modules_refused);
        rln__json_u64(buf, "waits", p->n_waits);
        rln__json_u64(buf, "waited_ns", p->waited_ns);
        if (p->n_overwritten) {
            rln__json_u64(buf, "chunks_overwritten", p->n_overwritten);
            rln__json_i64(buf, "whole_since", p->complete_since_ns);
        }
        json_threads(buf, info, i);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_gpus(struct rln__buf *buf, const rln_info *info)
{
    const struct rln__gpu_info *gpu;

    rln__json_begin(buf, "gpus", '[');
    for (uint32_t i = 0; (gpu = rln__info_gpu(info, i)); i++) {
        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "pid", rln_info_process(info, gpu->process)->pid);
        rln__json_u64(buf, "device", gpu->device);
        rln__json_string(buf, "name", gpu->name);
        rln__json_string(buf, "uuid", gpu->uuid);
        rln__json_u64(buf, "memory", gpu->memory_bytes);
        rln__json_u64(buf, "multiprocessors", gpu->multiprocessors);
        rln__json_key(buf, "capability");
        rln__buf_format(buf, "\"%u.%u\"}", gpu->capability_major,
                        gpu->capability_minor);
    }
    rln__buf_char(buf, ']');
}

static void json_domains(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__json_begin(buf, "domains", '[');
    for (uint32_t i = 0; i < t->n_domains; i++) {
        const rln_domain_info *d = rln_info_domain(info, i);

        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "events", d->n_events);
        rln__json_string(buf, "name", d->name);
        rln__json_begin(buf, "categories", '{');
        for (uint32_t k = 0; k < t->n_categories && d->n_categories; k++) {
            const struct rln__name_catalog_category *c = rln__info_category(info, k);

            if (c->domain != i)
                continue;
            rln__json_key(buf, NULL);
            rln__buf_format(buf, "\"%u\":", c->category);
            rln__buf_json(buf, c->name.bytes, c->name.length);
        }
        rln__buf_text(buf, "}}");
    }
    rln__buf_char(buf, ']');
}

static void json_counters(struct rln__buf *buf, const rln_info *info)
{
    const rln_counter *c;

    rln__json_begin(buf, "counters", '[');
    for (uint32_t i = 0; (c = rln__info_counter(info, i)); i++) {
        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "id", c->id);
        rln__json_u64(buf, "pid", c->pid);
        rln__json_string(buf, "domain", c->domain_name);
        rln__json_string(buf, "name", c->name);
        rln__json_string(buf, "description", c->description);
        rln__json_string(buf, "type", c->type_name);
        rln__json_string(buf, "unit", c->semantics.unit);
        rln__json_string(buf, "scope", c->scope);
        rln__json_bool(buf, "registered", c->is_registered);
        rln__json_bool(buf, "group", c->is_group);
        rln__json_u64(buf, "samples", c->n_samples);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_heaps(struct rln__buf *buf, const rln_info *info)
{
    const struct rln__heap_info *h;

    rln__json_begin(buf, "heaps", '[');
    for (uint32_t i = 0; (h = rln__info_heap(info, i)); i++) {
        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "heap", h->heap);
        rln__json_u64(buf, "pid", h->pid);
        rln__json_string(buf, "domain", h->domain_name);
        rln__json_string(buf, "name", h->name);
        rln__json_u64(buf, "size", h->size_bytes);
        rln__json_u64(buf, "regions", h->n_regions);
        rln__json_u64(buf, "bytes", h->bytes);
        rln__json_u64(buf, "peak_regions", h->peak_regions);
        rln__json_u64(buf, "peak_bytes", h->peak_bytes);
        rln__json_u64(buf, "regions_registered", h->n_registered);
        rln__json_bool(buf, "registered", h->is_registered);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_unplaced(struct rln__buf *buf, const rln_info *info)
{
    static const char *const whys[] = {[RLN__UNPLACED_UNTIED] = "untied",
                                       [RLN__UNPLACED_CONTRADICTORY] = "contradictory",
                                       [RLN__UNPLACED_UNTIMED] = "untimed"};
    const struct rln__unplaced_info *u;

    rln__json_begin(buf, "unplaced_time_domains", '[');
    for (uint32_t i = 0; (u = rln__info_unplaced(info, i)) != NULL; i++) {
        rln__json_begin(buf, NULL, '{');
        rln__json_u64(buf, "pid", rln_info_process(info, u->process)->pid);
        rln__json_string(buf, "domain", rln_info_domain(info, u->domain)->name);
        rln__json_u64(buf, "time_domain", u->time_domain);
        rln__json_u64(buf, "events", u->n_events);
        rln__json_word(buf, "why", whys[u->why]);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_damages(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__json_u64(buf, "n_damages", t->n_damages_found);
    rln__json_begin(buf, "damages", '[');
    for (uint32_t i = 0; i < t->n_damages; i++) {
        const struct rln__damage_info *d = rln__info_damage(info, i);

        rln__json_begin(buf, NULL, '{');
        rln__json_text(buf, "path", d->path);
        rln__json_u64(buf, "offset", d->offset);
        rln__json_word(buf, "reason", d->reason);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

void rln__json_info(struct rln__buf *buf, const rln_info *info,
                    const struct rln__schema_catalog *registered,
                    const struct rln__stats_totals *ranges)
{
    const rln_totals *t = rln_info_totals(info);

    rln__json_begin(buf, NULL, '{');
    rln__json_bool(buf, "finished", t->is_finished);
    rln__json_u64(buf, "size", t->size_bytes);
    rln__json_u64(buf, "events", t->n_events);
    rln__json_u64(buf, "marks", t->n_marks);
    rln__json_u64(buf, "pushes", t->n_pushes);
    rln__json_u64(buf, "pops", t->n_pops);
    rln__json_u64(buf, "starts", t->n_starts);
    rln__json_u64(buf, "ends", t->n_ends);
    rln__json_u64(buf, "samples", t->n_samples);
    rln__json_u64(buf, "syncs", t->n_syncs);
    rln__json_u64(buf, "memory_calls", t->n_memory_calls);
    rln__json_u64(buf, "deferred", t->n_deferred);
    rln__json_u64(buf, "unplaced", t->n_unplaced);
    if (t->n_gpu || t->n_calls) {
        rln__json_u64(buf, "gpu_operations", t->n_gpu);
        rln__json_u64(buf, "kernels", t->n_kernels);
        rln__json_u64(buf, "cuda_calls", t->n_calls);
    }
    if (rln__info_gpu(info, 0))
        json_gpus(buf, info);
    if (t->gpu_loss.length) {
        rln__json_u64(buf, "gpu_lost", t->n_gpu_lost);
        rln__json_string(buf, "gpu_loss", t->gpu_loss);
    }
    if (t->gpu_refusal.length)
        rln__json_string(buf, "gpu_refusal", t->gpu_refusal);
    rln__json_u64(buf, "unmatched_pops", t->n_unmatched);
    rln__json_u64(buf, "unmatched", ranges->n_unmatched);
    rln__json_u64(buf, "open", ranges->n_open);
    rln__json_u64(buf, "resources", t->n_resources);
    rln__json_u64(buf, "gaps", t->n_gaps);
    rln__json_u64(buf, "lost", t->n_lost);
    if (t->n_gaps)
        rln__json_i64(buf, "lost_since", t->lost_since_ns);
    rln__json_u64(buf, "dropped", t->n_dropped);
    rln__json_i64(buf, "first", t->first_ns);
    rln__json_i64(buf, "last", t->last_ns);
    rln__json_i64(buf, "start_realtime", t->start_realtime_ns);
    json_parts(buf, info);
    json_windows(buf, info);
    json_processes(buf, info);
    json_domains(buf, info);
    rln__json_registered(buf, registered);
    json_counters(buf, info);
    json_heaps(buf, info);
    json_unplaced(buf, info);
    json_damages(buf, info);
    rln__buf_text(buf, "}\n");
}
