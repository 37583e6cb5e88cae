/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/profile/profile_end.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/shell_word.h"
#include "cli/commands/profile/profile_gpu_metrics.h"
#include "cli/commands/profile/profile_switches.h"
#include "console/die.h"
#include "format/windows.h"
#include "record/finish/empty_run.h"
#include "record/finish/trace_end.h"
#include "record/finish/trace_totals.h"
#include "record/finish/unseen_domains.h"
#include "record/start/guarded_mapping.h"
#include "record/start/launch_signals.h"
#include "record/start/python_program.h"

static bool is_quiet(const struct rln__profile *p)
{
    return rln__args_bool(&p->args, RLN__PROFILE_QUIET);
}

static void print_totals(const char *path, const struct rln__trace_totals *t,
                         bool all_ended)
{
    char line[256];

    rln__trace_totals_format(t, line, sizeof(line));
    rln__complain("%s: %s%s", path, line,
                  all_ended ? "" : "; processes that it left behind are still running");
}

static void explain_drops(const struct rln__profile *p,
                          const struct rln__trace_totals *totals)
{
    const char *overload =
        rln__args_text(&p->args, RLN__PROFILE_RECORD + RLN__RECORD_OVERLOAD);

    if (totals->is_at_size_limit)
        rln__hint("the trace reached the limit of a file's size: raise it (`ulimit "
                  "-f`), or record less (--nvtx-domain-include, --buffer)");
    else if (overload && strcmp(overload, "drop") == 0)
        rln__hint("--on-overload=\"drop\" drops events that find no free space: use "
                  "--on-overload wait, or record less (--nvtx-domain-include)");
    else if (p->memory.was_reached)
        rln__hint(
            "the trace was in memory, which was full for the program: raise the "
            "memory limit of its container or job, record on a disk (-o, --spool), "
            "or record less (--nvtx-domain-include, --buffer)");
    else
        rln__hint("the disk or memory was full: free some, or record less "
                  "(--nvtx-domain-include, --buffer)");
}

static void note_unseen_domains(const struct rln__profile *p)
{
    const char *domains = p->choice.lists[RLN__RECORD_INCLUDE];

    if (domains)
        rln__unseen_domains_note(p->trace.full_path, domains);
}

static bool is_python(const struct rln__profile *p)
{
    return p->pythons.are_seen || rln__is_python(p->launch.path) ||
           rln__mentions_python(p->launch.path);
}

/* The same command with an option that needs no annotations; owned. NULL if there is
 * none that would record more. */
static char *suggest_python(const struct rln__profile *p, const char **gain)
{
    const bool has_torch =
        p->pythons.have_torch &&
        strcmp(rln__args_text(&p->args, RLN__PROFILE_PYTORCH), "none") == 0;
    struct rln__buf text = {0};

    if (!is_python(p) || p->python_ranges || p->pythons.is_deaf)
        return NULL;
    *gain = has_torch ? "modules of PyTorch" : "functions";
    rln__buf_text(&text, "rangeline profile ");
    rln__buf_text(&text, has_torch ? "--pytorch=modules" : "--python=functions");
    for (char **word = p->words; *word; word++) {
        rln__buf_char(&text, ' ');
        rln__buf_shell_word(&text, *word, strlen(*word));
    }
    rln__buf_char(&text, '\0');
    if (!text.has_failed)
        return text.bytes;
    rln__buf_clear(&text);
    return NULL;
}

/* Returns whether anything was recorded, and prints what; otherwise removes the trace
 * and explains why. */
static bool report(struct rln__profile *p, const struct rln__launch_end *end)
{
    struct rln__trace_totals totals;
    char *python_command;
    const char *python_gain = NULL;
    const size_t n_reports = rln__attach_reports_print(p->reports, p->trace.full_path);
    int result;

    rln__pythons_print_deaf(&p->pythons);
    if (!rln__run_trace_is_ours(&p->trace)) {
        rln__complain("cannot finish trace: path=\"%s\": it was moved or replaced "
                      "during recording",
                      p->trace.path);
        return false;
    }
    result = rln__trace_totals_until(p->trace.full_path, rln__launch_is_interrupted,
                                     &totals);
    if (result == -EINTR) { /* a large one: it is kept without counting its events */
        rln__run_trace_settle(&p->trace, end->all_ended);
        rln__complain("%s: finishing was interrupted; the trace is complete",
                      p->trace.path);
        return false;
    }
    if (result < 0) {
        rln__complain("cannot read trace: path=\"%s\": %s", p->trace.path,
                      strerror(-result));
        return false;
    }
    if (totals.n_events || totals.n_batches || totals.n_dropped || totals.has_damage ||
        totals.n_modules_refused || !end->all_ended) {
        rln__run_trace_settle(&p->trace, end->all_ended);
        if (!is_quiet(p) || totals.n_dropped || totals.has_damage || !end->all_ended)
            print_totals(p->trace.path, &totals, end->all_ended);
        if (totals.n_dropped)
            explain_drops(p, &totals);
        if (totals.n_modules_refused)
            rln__note(
                "calls of NVTX's extensions were not recorded: extensions=%" PRIu64
                ": their headers have an unknown layout",
                totals.n_modules_refused);
        note_unseen_domains(p);
        if (end->all_ended)
            rln__snapshot_on_explain(&p->snapshot_on);
        return true;
    }
    python_command = suggest_python(p, &python_gain);
    rln__empty_run_explain(&(struct rln__empty_run){
        .path = p->trace.full_path,
        .range = p->capture.range,
        .nth = rln__args_text(&p->args, RLN__PROFILE_CAPTURE + RLN__CAPTURE_NTH),
        .filter = p->choice.filter,
        .filtered = p->choice.filtered,
        .gate = p->gate,
        .occurrences = p->occurrences,
        .n_held = p->n_held,
        .has_loaded = totals.n_processes > 0,
        .program = p->launch.path,
        .python_command = python_command,
        .records_python = p->python_ranges != NULL,
        .python_is_mine = p->python_ranges && strcmp(p->python_ranges, "mine") == 0,
        .reported_python =
            p->pythons.n_deaf > 0 || rln__attach_reports_lack_functions(p->reports),
        .python_gain = python_gain,
        .is_python = is_python(p),
        .exit_code = end->exit_code,
        .signal = end->signal,
        .records_gpu = p->traced.gpu,
        .records_gil = p->traced.python_gil,
        .records_mpi = p->traced.mpi,
        .has_reports = n_reports > 0,
    });
    free(python_command);
    if (totals.n_processes)
        note_unseen_domains(p);
    rln__run_trace_remove(&p->trace);
    return false;
}

/* Those that have ended, and the one that the program left open. */
static uint32_t n_occurrences(uint64_t captures)
{
    return (uint32_t)(captures >> 32) +
           (((uint32_t)captures & RLN__CAPTURE_IS_FREE) != 0);
}

bool rln__profile_is_truncated(struct rln__profile *p)
{
    struct stat st;

    if (rln__mapping_is_lost())
        return true;
    if (fstat(p->trace.file.fd, &st) < 0)
        return false;
    if (st.st_size > p->most_bytes)
        p->most_bytes = st.st_size;
    return st.st_size < p->most_bytes;
}

bool rln__profile_end(struct rln__profile *p, const struct rln__launch_end *end)
{
    char text[16];
    bool has_trace, is_cut;

    rln__guard_restore(&p->guard, p->trace.file.super);
    if (p->guard.n_restored && !rln__profile_is_truncated(p))
        rln__complain("the program overwrote the beginning of the trace: words=%" PRIu64
                      ", restored",
                      p->guard.n_restored);
    rln__profile_gpu_metrics_end(p);
    rln__profile_switches_end(p);
    (void)snprintf(text, sizeof(text), "%d", end->exit_code);
    rln__launch_record_note(&p->record, "exit", text, strlen(text));
    p->gate = __atomic_load_n(&p->trace.file.super->control.gate, __ATOMIC_ACQUIRE);
    p->occurrences = n_occurrences(p->trace.file.super->control.captures);
    p->n_held = __atomic_load_n(&p->trace.file.super->control.held, __ATOMIC_RELAXED);
    (void)rln__snapshot_on_poll(&p->snapshot_on, true);
    (void)rln__memory_limit_poll(&p->memory);
    rln__launch_record_last_clock(&p->record);
    rln__launch_record_end(&p->record);
    rln__titles_clear(&p->titles);
    is_cut = rln__profile_is_truncated(p);
    rln__mapping_forget(p->trace.file.super);
    if (end->all_ended && !is_cut)
        rln__trace_finish(&p->trace.file);
    else
        rln__file_close(&p->trace.file);
    if (is_cut)
        rln__complain("cannot finish trace: path=\"%s\": it was truncated during "
                      "recording",
                      p->trace.path);
    has_trace = !is_cut && report(p, end);
    if (p->uses_cuda && !is_quiet(p)) {
        rln__note("the program used CUDA; its GPU work was not recorded");
        rln__hint("`rangeline profile -t cuda,nvtx` records it; -t nvtx omits this "
                  "note");
    }
    return has_trace;
}
