/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/info_json.h"

#include <string.h>

#include "base/utf8.h"
#include "cli/commands/info_registered.h"
#include "rangeline/counter.h"
#include "rangeline/gpu.h"
#include "rangeline/window.h"

static void json_text(struct rln__buf *buf, const char *key, rln_text text)
{
    if (!text.bytes)
        return;
    rln__buf_format(buf, ",\"%s\":", key);
    rln__buf_json(buf, text.bytes, text.length);
}

static void json_number(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__buf_format(buf, ",\"%s\":%llu", key, (unsigned long long)value);
}

static void json_time(struct rln__buf *buf, const char *key, int64_t value)
{
    rln__buf_format(buf, ",\"%s\":%lld", key, (long long)value);
}

static void json_parts(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__buf_text(buf, ",\"parts\":[");
    for (uint32_t i = 0; i < t->n_parts; i++) {
        const rln_part_info *p = rln_info_part(info, i);

        rln__buf_text(buf, i ? ",{\"path\":" : "{\"path\":");
        rln__buf_json(buf, p->path, strlen(p->path));
        json_number(buf, "offset", p->offset);
        json_number(buf, "size", p->size_bytes);
        rln__buf_format(buf, ",\"format\":\"%u.%u\",\"finished\":%s", p->major,
                        p->minor, p->is_finished ? "true" : "false");
        if (p->is_copy)
            rln__buf_text(buf, ",\"snapshot\":true");
        if (p->is_import)
            rln__buf_text(buf, ",\"import\":true");
        if (p->buffer_bytes)
            json_number(buf, "buffer", p->buffer_bytes);
        json_text(buf, "host", p->host);
        json_text(buf, "boot_id", p->boot_id);
        json_number(buf, "clock", p->clock_kind);
        json_number(buf, "ticks_per_s", p->ticks_per_s);
        json_time(buf, "start_realtime", p->start_realtime_ns);
        if (p->shift_ns)
            json_time(buf, "shift", p->shift_ns);
        if (p->shift_ppm < 0 || p->shift_ppm > 0)
            rln__buf_format(buf, ",\"shift_ppm\":%.6g", p->shift_ppm);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_windows(struct rln__buf *buf, const rln_info *info)
{
    static const char *const causes[] = {
        [RLN_WINDOW_BY_RUN] = "run",         [RLN_WINDOW_BY_CAPTURE] = "capture",
        [RLN_WINDOW_BY_PROGRAM] = "program", [RLN_WINDOW_BY_COMMAND] = "command",
        [RLN_WINDOW_BY_TIME] = "time",       [RLN_WINDOW_BY_CUDA] = "cuda",
        [RLN_WINDOW_BY_SIZE] = "size",
    };
    const rln_window *w;

    rln__buf_text(buf, ",\"windows\":[");
    for (size_t i = 0; (w = rln_info_window(info, i)); i++) {
        rln__buf_format(buf, "%s{\"part\":%u,\"opened_by\":\"%s\"", i ? "," : "",
                        w->part, causes[w->opened_by]);
        json_time(buf, "opened", w->opened_ns);
        if (!w->is_open) {
            rln__buf_format(buf, ",\"closed_by\":\"%s\"", causes[w->closed_by]);
            json_time(buf, "closed", w->closed_ns);
        }
        json_number(buf, "events", w->n_events);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_command(struct rln__buf *buf, rln_text command)
{
    if (!command.bytes)
        return;
    rln__buf_text(buf, ",\"command\":[");
    for (size_t i = 0; i < command.length;) {
        const char *end = memchr(command.bytes + i, 0, command.length - i);
        const size_t n = end ? (size_t)(end - command.bytes) - i : command.length - i;

        rln__buf_text(buf, i ? "," : "");
        rln__buf_json(buf, command.bytes + i, n);
        i += n + 1;
    }
    rln__buf_char(buf, ']');
}

static void json_threads(struct rln__buf *buf, const rln_info *info, uint32_t process)
{
    const rln_totals *t = rln_info_totals(info);
    const char *comma = "";

    rln__buf_text(buf, ",\"threads\":[");
    for (uint32_t i = 0; i < t->n_threads; i++) {
        const rln_thread_info *thread = rln_info_thread(info, i);

        if (thread->process != process)
            continue;
        rln__buf_format(buf, "%s{\"tid\":%u", comma, thread->tid);
        json_text(buf, "name", thread->name);
        json_text(buf, "system_name", thread->system_name);
        json_number(buf, "events", thread->n_events);
        json_number(buf, "lost", thread->n_lost);
        if (thread->is_stream)
            rln__buf_text(buf, ",\"stream\":true");
        rln__buf_char(buf, '}');
        comma = ",";
    }
    rln__buf_char(buf, ']');
}

static void json_processes(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__buf_text(buf, ",\"processes\":[");
    for (uint32_t i = 0; i < t->n_processes; i++) {
        const rln_process_info *p = rln_info_process(info, i);

        rln__buf_format(buf, "%s{\"pid\":%u", i ? "," : "", p->pid);
        json_number(buf, "ppid", p->ppid);
        json_number(buf, "part", p->part);
        if (p->parent != UINT32_MAX)
            json_number(buf, "forked_by", rln_info_process(info, p->parent)->pid);
        rln__buf_format(buf, ",\"launcher\":%s", p->is_launcher ? "true" : "false");
        if (p->rank != RLN_NO_RANK)
            json_number(buf, "rank", p->rank);
        json_text(buf, "exe", p->exe);
        json_command(buf, p->command);
        json_text(buf, "directory", p->directory);
        json_text(buf, "exit", p->exit);
        json_number(buf, "events", p->n_events);
        json_number(buf, "dropped", p->n_dropped);
        json_number(buf, "strings_cut", p->n_strings_cut);
        json_number(buf, "names_refused", p->n_names_refused);
        json_number(buf, "invalid", p->n_invalid);
        json_number(buf, "payloads_cut", p->n_payloads_cut);
        json_number(buf, "payloads_unread", p->n_payloads_unread);
        json_number(buf, "waits", p->n_waits);
        json_number(buf, "waited_ns", p->waited_ns);
        if (p->n_overwritten) {
            json_number(buf, "chunks_overwritten", p->n_overwritten);
            json_time(buf, "whole_since", p->complete_since_ns);
        }
        json_threads(buf, info, i);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_gpus(struct rln__buf *buf, const rln_info *info)
{
    const rln_gpu_info *gpu;

    rln__buf_text(buf, ",\"gpus\":[");
    for (uint32_t i = 0; (gpu = rln_info_gpu(info, i)); i++) {
        rln__buf_format(buf, "%s{\"pid\":%u", i ? "," : "",
                        rln_info_process(info, gpu->process)->pid);
        json_number(buf, "device", gpu->device);
        json_text(buf, "name", gpu->name);
        json_text(buf, "uuid", gpu->uuid);
        json_number(buf, "memory", gpu->memory_bytes);
        json_number(buf, "multiprocessors", gpu->multiprocessors);
        rln__buf_format(buf, ",\"capability\":\"%u.%u\"}", gpu->capability_major,
                        gpu->capability_minor);
    }
    rln__buf_char(buf, ']');
}

static void json_domains(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    rln__buf_text(buf, ",\"domains\":[");
    for (uint32_t i = 0; i < t->n_domains; i++) {
        const rln_domain_info *d = rln_info_domain(info, i);
        const char *comma = "";

        rln__buf_format(buf, "%s{\"events\":%llu", i ? "," : "",
                        (unsigned long long)d->n_events);
        json_text(buf, "name", d->name);
        rln__buf_text(buf, ",\"categories\":{");
        for (uint32_t k = 0; k < t->n_categories && d->n_categories; k++) {
            const rln_category_info *c = rln_info_category(info, k);

            if (c->domain != i)
                continue;
            rln__buf_format(buf, "%s\"%u\":", comma, c->category);
            rln__buf_json(buf, c->name.bytes, c->name.length);
            comma = ",";
        }
        rln__buf_text(buf, "}}");
    }
    rln__buf_char(buf, ']');
}

static void json_counters(struct rln__buf *buf, const rln_info *info)
{
    const rln_counter *c;

    rln__buf_text(buf, ",\"counters\":[");
    for (uint32_t i = 0; (c = rln_info_counter(info, i)); i++) {
        rln__buf_format(buf, "%s{\"id\":%llu", i ? "," : "", (unsigned long long)c->id);
        json_number(buf, "pid", c->pid);
        json_text(buf, "domain", c->domain_name);
        json_text(buf, "name", c->name);
        json_text(buf, "description", c->description);
        json_text(buf, "type", c->type_name);
        json_text(buf, "unit", c->semantics.unit);
        json_text(buf, "scope", c->scope);
        rln__buf_format(buf, ",\"registered\":%s,\"group\":%s",
                        c->is_registered ? "true" : "false",
                        c->is_group ? "true" : "false");
        json_number(buf, "samples", c->n_samples);
        rln__buf_char(buf, '}');
    }
    rln__buf_char(buf, ']');
}

static void json_heaps(struct rln__buf *buf, const rln_info *info)
{
    const rln_heap_info *h;

    rln__buf_text(buf, ",\"heaps\":[");
    for (uint32_t i = 0; (h = rln_info_heap(info, i)); i++) {
        rln__buf_format(buf, "%s{\"heap\":%llu", i ? "," : "",
                        (unsigned long long)h->heap);
        json_number(buf, "pid", h->pid);
        json_text(buf, "domain", h->domain_name);
        json_text(buf, "name", h->name);
        json_number(buf, "size", h->size_bytes);
        json_number(buf, "regions", h->n_regions);
        json_number(buf, "bytes", h->bytes);
        json_number(buf, "peak_regions", h->peak_regions);
        json_number(buf, "peak_bytes", h->peak_bytes);
        json_number(buf, "regions_registered", h->n_registered);
        rln__buf_format(buf, ",\"registered\":%s}",
                        h->is_registered ? "true" : "false");
    }
    rln__buf_char(buf, ']');
}

static void json_unplaced(struct rln__buf *buf, const rln_info *info)
{
    static const char *const whys[] = {[RLN_UNPLACED_UNTIED] = "untied",
                                       [RLN_UNPLACED_CONTRADICTORY] = "contradictory",
                                       [RLN_UNPLACED_UNTIMED] = "untimed"};
    const rln_unplaced_info *u;

    rln__buf_text(buf, ",\"unplaced_time_domains\":[");
    for (uint32_t i = 0; (u = rln_info_unplaced(info, i)) != NULL; i++) {
        rln__buf_format(buf, "%s{\"pid\":%u", i ? "," : "",
                        rln_info_process(info, u->process)->pid);
        json_text(buf, "domain", rln_info_domain(info, u->domain)->name);
        json_number(buf, "time_domain", u->time_domain);
        json_number(buf, "events", u->n_events);
        rln__buf_format(buf, ",\"why\":\"%s\"}", whys[u->why]);
    }
    rln__buf_char(buf, ']');
}

static void json_damages(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    json_number(buf, "n_damages", t->n_damages_found);
    rln__buf_text(buf, ",\"damages\":[");
    for (uint32_t i = 0; i < t->n_damages; i++) {
        const rln_damage_info *d = rln_info_damage(info, i);

        rln__buf_text(buf, i ? ",{\"path\":" : "{\"path\":");
        rln__buf_json(buf, d->path, strlen(d->path));
        rln__buf_format(buf, ",\"offset\":%llu,\"reason\":\"%s\"}",
                        (unsigned long long)d->offset, d->reason);
    }
    rln__buf_char(buf, ']');
}

void rln__json_info(struct rln__buf *buf, const rln_info *info,
                    const rln_schema_catalog *registered,
                    const rln_stats_totals *ranges)
{
    const rln_totals *t = rln_info_totals(info);

    rln__buf_format(buf, "{\"finished\":%s", t->is_finished ? "true" : "false");
    json_number(buf, "size", t->size_bytes);
    json_number(buf, "events", t->n_events);
    json_number(buf, "marks", t->n_marks);
    json_number(buf, "pushes", t->n_pushes);
    json_number(buf, "pops", t->n_pops);
    json_number(buf, "starts", t->n_starts);
    json_number(buf, "ends", t->n_ends);
    json_number(buf, "samples", t->n_samples);
    json_number(buf, "syncs", t->n_syncs);
    json_number(buf, "memory_calls", t->n_memory_calls);
    json_number(buf, "deferred", t->n_deferred);
    json_number(buf, "unplaced", t->n_unplaced);
    if (t->n_gpu || t->n_calls) {
        json_number(buf, "gpu_operations", t->n_gpu);
        json_number(buf, "kernels", t->n_kernels);
        json_number(buf, "cuda_calls", t->n_calls);
    }
    if (rln_info_gpu(info, 0))
        json_gpus(buf, info);
    if (t->gpu_loss.length) {
        json_number(buf, "gpu_lost", t->n_gpu_lost);
        json_text(buf, "gpu_loss", t->gpu_loss);
    }
    if (t->gpu_refusal.length)
        json_text(buf, "gpu_refusal", t->gpu_refusal);
    json_number(buf, "unmatched_pops", t->n_unmatched);
    json_number(buf, "unmatched", ranges->n_unmatched);
    json_number(buf, "open", ranges->n_open);
    json_number(buf, "resources", t->n_resources);
    json_number(buf, "gaps", t->n_gaps);
    json_number(buf, "lost", t->n_lost);
    if (t->n_gaps)
        json_time(buf, "lost_since", t->lost_since_ns);
    json_number(buf, "dropped", t->n_dropped);
    json_time(buf, "first", t->first_ns);
    json_time(buf, "last", t->last_ns);
    json_time(buf, "start_realtime", t->start_realtime_ns);
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
