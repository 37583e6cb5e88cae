/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/info/info_screen.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/count.h"
#include "base/human_units.h"
#include "base/shell_word.h"
#include "base/thousands.h"
#include "base/utf8.h"
#include "cli/commands/info/info_losses.h"
#include "cli/commands/info/info_registered.h"
#include "format/layout.h"
#include "rangeline/values.h"
#include "ranges/heaps.h"
#include "reports/check/info.h"
#include "reports/summary/stats.h"
#include "trace/open/gpus.h"
#include "trace/open/losses.h"
#include "trace/open/schema_catalog.h"
#include "trace/open/window_list.h"

#define MAX_LISTED 20

static void add_time(struct rln__buf *buf, int64_t realtime_ns)
{
    const time_t seconds = (time_t)(realtime_ns / 1000000000);
    struct tm tm;
    char text[64];

    if (realtime_ns <= 0 || !localtime_r(&seconds, &tm) ||
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm) == 0)
        return;
    rln__buf_text(buf, text);
}

static void add_label(struct rln__buf *buf, const char *label)
{
    rln__buf_format(buf, "%-12s", label);
}

static void add_more(struct rln__buf *buf, uint32_t n)
{
    if (n > MAX_LISTED)
        rln__buf_format(buf, "%14s... and %u more (--json has all)\n", "",
                        n - MAX_LISTED);
}

/* What it takes on disk, as `profile` has it: space for events to come is a hole. A part
 * of several has its length. */
static void add_size(struct rln__buf *buf, const rln_part_info *part)
{
    struct stat st;
    uint64_t bytes = part->size_bytes;

    if (stat(part->path, &st) == 0 && (uint64_t)st.st_size == bytes &&
        (uint64_t)st.st_blocks * 512 < bytes)
        bytes = (uint64_t)st.st_blocks * 512;
    rln__buf_size(buf, bytes);
}

/* ", moved by -1.2 ms, made 3.5 ppm faster": to be on the first trace's time line */
static void add_shift(struct rln__buf *buf, const rln_part_info *part)
{
    if (part->shift_ns) {
        rln__buf_text(buf, part->shift_ns < 0 ? ", shifted by -" : ", shifted by ");
        rln__buf_duration(buf, fabs((double)part->shift_ns));
    }
    if (part->shift_ppm > 0)
        rln__buf_format(buf, ", sped up by %.2f ppm", part->shift_ppm);
    else if (part->shift_ppm < 0)
        rln__buf_format(buf, ", slowed down by %.2f ppm", -part->shift_ppm);
}

/* A launcher marks the end of the run; a program that records itself cannot. */
static bool has_launcher(const rln_info *info, uint32_t part)
{
    const uint32_t n = rln_info_totals(info)->n_processes;

    for (uint32_t i = 0; i < n; i++) {
        const rln_process_info *p = rln_info_process(info, i);

        if (p->part == part && p->is_launcher)
            return true;
    }
    return false;
}

static void add_part(struct rln__buf *buf, const rln_info *info, uint32_t index)
{
    const rln_part_info *part = rln_info_part(info, index);
    static const char *const clocks[] = {"unknown", "TSC", "CNTVCT_EL0",
                                         "CLOCK_MONOTONIC_RAW"};

    add_label(buf, "trace");
    (void)rln__buf_printable(buf, part->path, strlen(part->path));
    if (part->offset)
        rln__buf_format(buf, " at %llu", (unsigned long long)part->offset);
    rln__buf_text(buf, ", ");
    if (part->is_import) {
        rln__buf_text(buf, "a SQLite export\n");
    } else {
        add_size(buf, part);
        rln__buf_format(buf, ", format %u.%u, %s\n", part->major, part->minor,
                        part->is_finished           ? "finished"
                        : part->is_copy             ? "a snapshot"
                        : has_launcher(info, index) ? "not finished"
                                                    : "recorded by the program itself");
    }
    add_label(buf, "recorded");
    add_time(buf, part->start_realtime_ns);
    if (part->host.length) {
        rln__buf_text(buf, " on ");
        (void)rln__buf_printable(buf, part->host.bytes, part->host.length);
    }
    if (!part->is_import)
        rln__buf_format(buf, ", clock %s",
                        clocks[part->clock_kind < 4 ? part->clock_kind : 0]);
    add_shift(buf, part);
    rln__buf_char(buf, '\n');
}

/* "the newest 16.0 MiB of each process; 1,210 chunks were overwritten, all is there
 * from 12.3 s on" */
static void add_newest(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);
    uint64_t buffer_bytes = 0;

    for (uint32_t i = 0; i < t->n_parts && !buffer_bytes; i++)
        buffer_bytes = rln_info_part(info, i)->buffer_bytes;
    if (!buffer_bytes)
        return;
    add_label(buf, "kept");
    rln__buf_text(buf, "the newest ");
    rln__buf_size(buf, buffer_bytes);
    rln__buf_text(buf, " of each process; ");
    if (!t->n_overwritten) {
        rln__buf_text(buf, "nothing was overwritten\n");
        return;
    }
    rln__buf_counted(buf, t->n_overwritten, "chunk was", "chunks were");
    rln__buf_format(buf, " overwritten, all events from %.9f s on are there\n",
                    (double)t->complete_since_ns / 1e9);
}

static void add_counts(struct rln__buf *buf, const rln_totals *t)
{
    const struct {
        uint64_t n;
        const char *one, *many;
    } counts[] = {
        {t->n_pushes, "push", "pushes"},
        {t->n_pops, "pop", "pops"},
        {t->n_starts, "start", "starts"},
        {t->n_ends, "end", "ends"},
        {t->n_marks, "mark", "marks"},
        {t->n_samples, "counter sample", "counter samples"},
        {t->n_syncs, "synchronization step", "synchronization steps"},
        {t->n_memory_calls, "memory call", "memory calls"},
        {t->n_resources, "resource", "resources"},
    };
    const char *comma = ": ";

    add_label(buf, "events");
    rln__buf_count(buf, t->n_events);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (!counts[i].n)
            continue;
        rln__buf_text(buf, comma);
        rln__buf_counted(buf, counts[i].n, counts[i].one, counts[i].many);
        comma = ", ";
    }
    rln__buf_char(buf, '\n');
    add_label(buf, "duration");
    rln__buf_duration(buf, (double)(t->last_ns - t->first_ns));
    rln__buf_text(buf, " from the first event to the last\n");
}

/* "1, 0.004210112 s to 0.016539889 s (12.3 ms), 24 events, opened by a capture range"
 */
static void add_window(struct rln__buf *buf, const struct rln__window_info *w,
                       size_t index)
{
    static const char *const causes[] = {
        [RLN__WINDOW_BY_RUN] = "the run",
        [RLN__WINDOW_BY_CAPTURE] = "a capture range",
        [RLN__WINDOW_BY_PROGRAM] = "the program",
        [RLN__WINDOW_BY_COMMAND] = "a command",
        [RLN__WINDOW_BY_TIME] = "--delay or --duration",
        [RLN__WINDOW_BY_CUDA] = "cudaProfilerStart or cudaProfilerStop",
        [RLN__WINDOW_BY_SIZE] = "--max-size",
    };

    add_label(buf, "window");
    rln__buf_format(buf, "%zu, %.9f s to %.9f s (", index, (double)w->opened_ns / 1e9,
                    (double)w->closed_ns / 1e9);
    rln__buf_duration(buf, (double)(w->closed_ns - w->opened_ns));
    rln__buf_text(buf, "), ");
    rln__buf_counted(buf, w->n_events, "event", "events");
    rln__buf_format(buf, ", opened by %s", causes[w->opened_by]);
    if (w->is_open)
        rln__buf_text(buf, ", open to the end\n");
    else
        rln__buf_format(buf, ", closed by %s\n", causes[w->closed_by]);
}

/* Why a part is not being recorded, or was not at the end. */
static void add_closed(struct rln__buf *buf, const rln_part_info *part)
{
    static const struct {
        uint32_t bit;
        const char *text;
    } reasons[] = {
        {RLN_CLOSED_OVER, "has ended"},
        {RLN_CLOSED_CAPTURE, "waits for a capture range"},
        {RLN_CLOSED_PROGRAM, "was stopped by the program"},
        {RLN_CLOSED_COMMAND, "waits for `rangeline start`"},
        {RLN_CLOSED_DELAY, "waits for its delay"},
        {RLN_CLOSED_CUDA, "waits for cudaProfilerStart"},
    };
    const char *comma = "recording ";

    if (!part->closed || (part->n_windows && part->is_finished))
        return; /* the windows show it */
    add_label(buf, "window");
    rln__buf_text(buf, part->n_windows ? "none open: " : "none was opened: ");
    for (size_t i = 0; i < RLN_COUNT(reasons); i++) {
        if (!(part->closed & reasons[i].bit))
            continue;
        rln__buf_format(buf, "%s%s", comma, reasons[i].text);
        comma = ", ";
        if (reasons[i].bit == RLN_CLOSED_OVER)
            break; /* for good, whatever else is set */
    }
    rln__buf_char(buf, '\n');
}

/* A trace lists a bounded number of windows; events of later ones are recorded, too. */
static void add_unlisted(struct rln__buf *buf, const rln_part_info *part)
{
    if (part->n_windows <= RLN__MAX_WINDOWS)
        return;
    add_label(buf, "window");
    rln__buf_counted(buf, part->n_windows, "was opened", "were opened");
    rln__buf_text(buf, ", ");
    if (part->buffer_bytes)
        rln__buf_counted(buf, part->n_windows - RLN__MAX_WINDOWS,
                         "is not listed: the oldest\n", "are not listed: the oldest\n");
    else
        rln__buf_counted(buf, part->n_windows - RLN__MAX_WINDOWS,
                         "is not listed: the newest\n", "are not listed: the newest\n");
}

/* A part that was recorded as a whole has no window to list. */
static void add_windows(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);
    uint32_t n_listed = 0;
    const struct rln__window_info *w;

    for (size_t i = 0; (w = rln__info_window(info, i)); i++) {
        if (rln_info_part(info, w->part)->n_windows && n_listed++ < MAX_LISTED)
            add_window(buf, w, i);
    }
    add_more(buf, n_listed);
    for (uint32_t i = 0; i < t->n_parts && i < MAX_LISTED; i++)
        add_unlisted(buf, rln_info_part(info, i));
    for (uint32_t i = 0; i < t->n_parts && i < MAX_LISTED; i++)
        add_closed(buf, rln_info_part(info, i));
}

/* Quoted where a shell needs it, so that the line can be typed again. */
static void add_command(struct rln__buf *buf, rln_text command)
{
    const size_t length = command.length < 200 ? command.length : 200;

    for (size_t i = 0; i < length;) {
        const char *end = memchr(command.bytes + i, 0, length - i);
        const size_t n = end ? (size_t)(end - command.bytes) - i : length - i;

        if (i)
            rln__buf_char(buf, ' ');
        rln__buf_shell_word(buf, command.bytes + i, n);
        i += n + 1;
    }
    if (length < command.length)
        rln__buf_text(buf, "...");
}

static void add_threads(struct rln__buf *buf, const rln_info *info, uint32_t process)
{
    const rln_totals *t = rln_info_totals(info);
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->n_threads; i++) {
        const rln_thread_info *thread = rln_info_thread(info, i);
        const rln_text name = thread->name.length ? thread->name : thread->system_name;

        if (thread->process != process || n++ >= MAX_LISTED)
            continue;
        if (thread->is_stream)
            rln__buf_format(buf, "%14s", "");
        else
            rln__buf_format(buf, "%14sthread %u ", "", thread->tid);
        (void)rln__buf_printable(buf, name.bytes, name.length);
        rln__buf_text(buf, name.length ? ", " : "");
        if (thread->is_stream)
            rln__buf_counted(buf, thread->n_events, "operation", "operations");
        else
            rln__buf_counted(buf, thread->n_events, "event", "events");
        if (thread->n_lost)
            rln__buf_format(buf, ", %llu lost", (unsigned long long)thread->n_lost);
        rln__buf_char(buf, '\n');
    }
    add_more(buf, n);
}

/* Whether it is the only argument. */
static int is_title(rln_text command, rln_text title)
{
    return command.length - title.length <= 1 &&
           memcmp(command.bytes, title.bytes, title.length) == 0;
}

static void add_process(struct rln__buf *buf, const rln_info *info, uint32_t i)
{
    const rln_process_info *p = rln_info_process(info, i);
    const rln_process_info *parent =
        p->parent == UINT32_MAX ? NULL : rln_info_process(info, p->parent);

    add_label(buf, "process");
    rln__buf_format(buf, "%u", p->pid);
    if (p->rank != RLN_NO_RANK)
        rln__buf_format(buf, ", rank %u%s", p->rank,
                        p->command.length || p->exe.length ? ":" : "");
    if (p->command.length || p->exe.length)
        rln__buf_char(buf, ' ');
    add_command(buf, p->command.length ? p->command : p->exe);
    if (p->title.length && !is_title(p->command, p->title)) {
        rln__buf_text(buf, ", titled ");
        (void)rln__buf_printable(buf, p->title.bytes, p->title.length);
    }
    if (p->is_forked && parent)
        rln__buf_format(buf, ", forked by %u", parent->pid);
    rln__buf_char(buf, '\n');
    add_threads(buf, info, i);
}

static void add_switches(struct rln__buf *buf, const rln_info *info, uint32_t launcher)
{
    int64_t since_ns;
    rln_text why;
    const int has_any = rln__info_has_switches(info, launcher, &why, &since_ns);

    if (!has_any && !why.length)
        return;
    add_label(buf, "switches");
    rln__buf_text(buf, !has_any     ? "not recorded: "
                       : why.length ? "`rangeline stats -r cpu_sum`; not recorded: "
                                    : "of all threads: `rangeline stats -r cpu_sum`");
    (void)rln__buf_printable(buf, why.bytes, why.length);
    if (since_ns != INT64_MIN)
        rln__buf_format(buf, "; those before %.9f s were overwritten",
                        (double)since_ns / 1e9);
    rln__buf_char(buf, '\n');
}

/* The command line of `rangeline profile`, how the program ended, and whether its
 * context switches are here. */
static void add_launch(struct rln__buf *buf, const rln_info *info, uint32_t i)
{
    const rln_process_info *p = rln_info_process(info, i);

    add_label(buf, "command");
    add_command(buf, p->command);
    if (p->exit.length) {
        rln__buf_text(buf, ", exit status ");
        (void)rln__buf_printable(buf, p->exit.bytes, p->exit.length);
    } else {
        rln__buf_text(buf, ", exit status not recorded");
    }
    rln__buf_char(buf, '\n');
    add_switches(buf, info, i);
}

static void add_processes(struct rln__buf *buf, const rln_info *info)
{
    const uint32_t n_all = rln_info_totals(info)->n_processes;
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_all; i++)
        if (!rln_info_process(info, i)->is_launcher && n++ < MAX_LISTED)
            add_process(buf, info, i);
    add_more(buf, n);
}

static void add_launches(struct rln__buf *buf, const rln_info *info)
{
    const uint32_t n_all = rln_info_totals(info)->n_processes;
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_all; i++)
        if (rln_info_process(info, i)->is_launcher && n++ < MAX_LISTED)
            add_launch(buf, info, i);
    add_more(buf, n);
}

static void add_domains(struct rln__buf *buf, const rln_info *info,
                        const struct rln__schema_catalog *registered)
{
    const rln_totals *t = rln_info_totals(info);

    for (uint32_t i = 0; i < t->n_domains && i < MAX_LISTED; i++) {
        const rln_domain_info *d = rln_info_domain(info, i);

        if (i == 0 && d->n_events == 0)
            continue;
        add_label(buf, "domain");
        if (i == 0)
            rln__buf_text(buf, "(default)");
        else if (!d->name.length)
            rln__buf_text(buf, "\"\"");
        (void)rln__buf_printable(buf, d->name.bytes, d->name.length);
        rln__buf_text(buf, ", ");
        rln__buf_counted(buf, d->n_events, "event", "events");
        if (d->n_categories)
            rln__buf_format(buf, ", %u %s", d->n_categories,
                            d->n_categories == 1 ? "category" : "categories");
        rln__buf_char(buf, '\n');
        rln__info_registered(buf, registered, i, MAX_LISTED);
    }
    add_more(buf, t->n_domains);
}

/* "io:queued, int64, bytes, in Process[100], 12 samples" */
static void add_counter(struct rln__buf *buf, const rln_counter *c)
{
    const rln_text parts[] = {c->type_name, c->semantics.unit, c->scope};

    add_label(buf, "counter");
    (void)rln__buf_printable(buf, c->domain_name.bytes, c->domain_name.length);
    rln__buf_text(buf, c->domain ? ":" : "");
    if (c->name.length)
        (void)rln__buf_printable(buf, c->name.bytes, c->name.length);
    else
        rln__buf_format(buf, "%llu", (unsigned long long)c->id);
    for (size_t i = 0; i < RLN_COUNT(parts); i++) {
        if (!parts[i].length)
            continue;
        rln__buf_text(buf, i == 2                  ? ", in "
                           : i == 0 && c->is_group ? ", group "
                                                   : ", ");
        (void)rln__buf_printable(buf, parts[i].bytes, parts[i].length);
    }
    rln__buf_text(buf, c->is_registered ? ", " : ", never registered, ");
    rln__buf_counted(buf, c->n_samples, "sample", "samples");
    rln__buf_char(buf, '\n');
}

static void add_counters(struct rln__buf *buf, const rln_info *info)
{
    const uint32_t n = (uint32_t)rln_info_totals(info)->n_counters;

    for (uint32_t i = 0; i < n && i < MAX_LISTED; i++)
        add_counter(buf, rln__info_counter(info, i));
    add_more(buf, n);
}

/* "1 pool, 4 regions, 12.0 KiB in use; at most 5, 20.0 KiB" */
static void add_heap(struct rln__buf *buf, const struct rln__heap_info *h)
{
    add_label(buf, "heap");
    (void)rln__buf_printable(buf, h->domain_name.bytes, h->domain_name.length);
    rln__buf_text(buf, h->domain ? ":" : "");
    (void)rln__buf_printable(buf, h->name.bytes, h->name.length);
    rln__buf_text(buf, h->name.length ? " " : "");
    if (h->heap)
        rln__buf_format(buf, "(%llu)", (unsigned long long)h->heap);
    else
        rln__buf_text(buf, "(process-wide)");
    if (h->size_bytes) {
        rln__buf_text(buf, " of ");
        rln__buf_size(buf, h->size_bytes);
    }
    rln__buf_text(buf, ", ");
    rln__buf_counted(buf, h->n_regions, "region", "regions");
    rln__buf_text(buf, " with ");
    rln__buf_size(buf, h->bytes);
    rln__buf_text(buf, "; at most ");
    rln__buf_count(buf, h->peak_regions);
    rln__buf_text(buf, " with ");
    rln__buf_size(buf, h->peak_bytes);
    rln__buf_text(buf, h->is_registered ? "\n" : ", then unregistered\n");
}

static void add_heaps(struct rln__buf *buf, const rln_info *info)
{
    const uint32_t n = (uint32_t)rln_info_totals(info)->n_heaps;

    for (uint32_t i = 0; i < n && i < MAX_LISTED; i++)
        add_heap(buf, rln__info_heap(info, i));
    add_more(buf, n);
}

/* "time domain 16777224 of io in process 100, 3 events: nothing ties ..." */
static void add_unplaced(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);
    const struct rln__unplaced_info *u;

    add_label(buf, "unplaced");
    rln__buf_counted(buf, t->n_unplaced,
                     "event has an unknown time, and appears at its submission:\n",
                     "events have unknown times, and appear at their submission:\n");
    for (uint32_t i = 0; (u = rln__info_unplaced(info, i)) && i < MAX_LISTED; i++) {
        const rln_domain_info *domain = rln_info_domain(info, u->domain);

        rln__buf_format(buf, "              time domain %llu",
                        (unsigned long long)u->time_domain);
        if (domain && domain->name.length) {
            rln__buf_text(buf, " of ");
            (void)rln__buf_printable(buf, domain->name.bytes, domain->name.length);
        }
        rln__buf_format(buf, " in process %u, ",
                        rln_info_process(info, u->process)->pid);
        rln__buf_counted(buf, u->n_events, "event", "events");
        rln__buf_format(buf, ":\n                %s\n",
                        rln__unplaced_cause_name(u->why));
    }
    add_more(buf, t->n_unplaced_clocks);
}

static void add_deferred(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    if (!t->n_deferred)
        return;
    add_label(buf, "deferred");
    rln__buf_counted(buf, t->n_deferred, "event was submitted with its own time\n",
                     "events were submitted with their own times\n");
    if (t->n_unplaced)
        add_unplaced(buf, info);
}

/* "GPU 0 of process 4242: NVIDIA H100 80GB HBM3" */
static void add_gpu_names(struct rln__buf *buf, const rln_info *info, bool has_label)
{
    const struct rln__gpu_info *gpu;
    uint32_t n = 0;

    for (; (gpu = rln__info_gpu(info, n)); n++) {
        if (n >= MAX_LISTED)
            continue;
        if (!n && !has_label)
            add_label(buf, "gpu");
        else
            rln__buf_format(buf, "%14s", "");
        rln__buf_format(buf, "GPU %u of process %u: ", gpu->device,
                        rln_info_process(info, gpu->process)->pid);
        if (!gpu->name.length)
            rln__buf_text(buf, "without a name");
        (void)rln__buf_printable(buf, gpu->name.bytes, gpu->name.length);
        rln__buf_char(buf, '\n');
    }
    add_more(buf, n);
}

/* "gpu  4,010 kernels, 1,655 other operations, 7,466 calls" */
static void add_gpu(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    if (t->n_gpu || t->n_calls) {
        add_label(buf, "gpu");
        rln__buf_counted(buf, t->n_kernels, "kernel, ", "kernels, ");
        rln__buf_counted(buf, t->n_gpu - t->n_kernels, "other operation, ",
                         "other operations, ");
        rln__buf_counted(buf, t->n_calls, "call\n", "calls\n");
    }
    add_gpu_names(buf, info, t->n_gpu || t->n_calls);
    if (t->gpu_loss.length) {
        add_label(buf, "gpu lost");
        rln__buf_counted(buf, t->n_gpu_lost, "x ", "x ");
        rln__buf_add(buf, t->gpu_loss.bytes, t->gpu_loss.length);
        rln__buf_char(buf, '\n');
    }
    if (t->gpu_refusal.length) {
        add_label(buf, "gpu lost");
        rln__buf_text(buf, "all of a process: ");
        rln__buf_add(buf, t->gpu_refusal.bytes, t->gpu_refusal.length);
        rln__buf_char(buf, '\n');
    }
}

static void add_troubles(struct rln__buf *buf, const rln_info *info,
                         const struct rln__stats_totals *ranges)
{
    const rln_totals *t = rln_info_totals(info);

    rln__info_losses(buf, info);
    if (ranges->n_unmatched) {
        add_label(buf, "unmatched");
        rln__buf_counted(buf, ranges->n_unmatched, "pop or end closes nothing\n",
                         "pops or ends close nothing\n");
    }
    if (ranges->n_open) {
        add_label(buf, "open");
        rln__buf_counted(buf, ranges->n_open, "range was never closed\n",
                         "ranges were never closed\n");
    }
    for (uint32_t i = 0; i < t->n_damages && i < MAX_LISTED; i++) {
        const struct rln__damage_info *d = rln__info_damage(info, i);

        add_label(buf, "damage");
        (void)rln__buf_printable(buf, d->path, strlen(d->path));
        rln__buf_format(buf, ", offset=%llu: %s\n", (unsigned long long)d->offset,
                        d->reason);
    }
    if (t->n_damages_found > MAX_LISTED) {
        add_label(buf, "damage");
        rln__buf_count(buf, t->n_damages_found);
        rln__buf_text(buf, " places in total\n");
    }
}

void rln__info_screen(struct rln__buf *buf, const rln_info *info,
                      const struct rln__schema_catalog *registered,
                      const struct rln__stats_totals *ranges)
{
    const rln_totals *t = rln_info_totals(info);

    for (uint32_t i = 0; i < t->n_parts && i < MAX_LISTED; i++)
        add_part(buf, info, i);
    add_more(buf, t->n_parts);
    add_launches(buf, info);
    add_windows(buf, info);
    add_newest(buf, info);
    add_counts(buf, t);
    add_processes(buf, info);
    add_domains(buf, info, registered);
    add_counters(buf, info);
    add_heaps(buf, info);
    add_deferred(buf, info);
    add_gpu(buf, info);
    add_troubles(buf, info, ranges);
}
