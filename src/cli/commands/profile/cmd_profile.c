/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_profile.c - records one run of a program and its descendants.
 *
 *   find collector and program -> fork -> name and create the trace -> exec -> wait
 *   -> finish the trace -> one line about it
 *
 * Invalid options are refused before the program starts; once it runs, the launcher
 * never changes how it ends. All messages go to standard error.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "cli/commands.h"
#include "cli/commands/export/export_tables.h"
#include "cli/commands/profile/after_run.h"
#include "cli/commands/profile/profile_end.h"
#include "cli/commands/profile/profile_gpu_metrics.h"
#include "cli/commands/profile/profile_options.h"
#include "cli/commands/profile/profile_switches.h"
#include "console/die.h"
#include "console/signal_name.h"
#include "format/superblock_guard.h"
#include "format/windows.h"
#include "record/during/cuda_use.h"
#include "record/during/memory_limit.h"
#include "record/during/snapshot.h"
#include "record/during/snapshot_on.h"
#include "record/during/watch.h"
#include "record/finish/trace_totals.h"
#include "record/start/attach_reports.h"
#include "record/start/collector_path.h"
#include "record/start/guarded_mapping.h"
#include "record/start/launch.h"
#include "record/start/launch_notes.h"
#include "record/start/launch_record.h"
#include "record/start/launch_signals.h"
#include "record/start/output_name.h"
#include "record/start/preload.h"
#include "record/start/python_program.h"
#include "record/start/run_id.h"
#include "record/start/run_trace.h"
#include "record/start/variables.h"

#define MOST_PROCESSES 256 /* looked at each second: less than 10 ms */

/* --- The trace -------------------------------------------------------------------- */

/* The name of the first window's own file. Owned; NULL: there will be none. */
static char *first_split_name(const struct rln__profile *p, const char *path)
{
    char *pattern, *name;

    if (!rln__args_bool(&p->args, RLN__PROFILE_SPLIT))
        return NULL;
    pattern = rln__snapshot_pattern(path);
    name = rln__output_numbered(pattern, 1);
    free(pattern);
    return name;
}

/* Finds the files to be written after the run, when it would be too late to refuse. */
static char *find_blocker(void *context, const char *path, const char **option)
{
    const struct rln__profile *p = context;
    const bool overwrites = rln__args_bool(&p->args, RLN__PROFILE_FORCE_OVERWRITE);
    char *split = first_split_name(p, path);
    struct stat st;

    *option = "split";
    if (split && !overwrites && lstat(split, &st) == 0)
        return split;
    free(split);
    *option = "export";
    for (size_t i = 0; i < p->n_exports; i++) {
        char *name = rln__export_usual_name(path, p->exports[i]);

        if (!overwrites && lstat(name, &st) == 0)
            return name;
        free(name);
    }
    return NULL;
}

static _Noreturn void refuse_same_name(const char *type, const char *other)
{
    rln__complain("cannot record: --export=\"%s\": %s has a file of that name", type,
                  other);
    rln__hint("export one of them later, with `rangeline export -t %s -o FILE`", type);
    exit(RLN__EXIT_USAGE);
}

static void add_export(struct rln__profile *p, const char *type)
{
    char *name = rln__export_usual_name("", type);

    for (size_t i = 0; i < p->n_exports; i++) {
        char *other = rln__export_usual_name("", p->exports[i]);
        const bool is_same = strcmp(name, other) == 0;

        free(other);
        if (is_same && type != p->exports[i])
            refuse_same_name(type, p->exports[i]);
        if (is_same)
            goto out;
    }
    p->exports[p->n_exports++] = type;
out:
    free(name);
}

/* "sqlite,json", "none". */
static void choose_exports(struct rln__profile *p)
{
    const char *list;
    size_t at = 0;

    while ((list = rln__args_next(&p->args, RLN__PROFILE_EXPORT, &at))) {
        while (*list) {
            const size_t length = strcspn(list, ",");
            const char *type = rln__export_type_called(list, length);

            if (type) /* not `none` */
                add_export(p, type);
            list += length + (list[length] == ',');
        }
    }
}

/* The name that snapshots have in front of their numbers. */
static const char *snapshots_beside(const struct rln__run_trace *t)
{
    return t->spool.folder[0] || strcmp(t->path, t->final_path) != 0 ? t->final_path
                                                                     : t->full_path;
}

static void create_trace(struct rln__profile *p)
{
    const char *output = rln__args_text(&p->args, RLN__PROFILE_OUTPUT);
    char *pattern = rln__output_expand(output, p->launch.pid);

    rln__run_trace_create(&p->trace, &(struct rln__run_trace_request){
                                         .output = output,
                                         .pattern = pattern,
                                         .overwrites = rln__args_bool(
                                             &p->args, RLN__PROFILE_FORCE_OVERWRITE),
                                         .run_id = p->run_id,
                                         .run_id_text = p->run_id_text,
                                         .buffer_bytes = p->choice.buffer_bytes,
                                         .find_blocker = find_blocker,
                                         .context = p,
                                     });
    free(pattern);
}

static void begin_record(struct rln__profile *p)
{
    const int result = rln__launch_record_begin(&p->record, &p->trace.file);

    if (result < 0) {
        rln__run_trace_remove(&p->trace);
        rln__run_trace_refuse(&p->trace, rln__args_text(&p->args, RLN__PROFILE_OUTPUT),
                              -result);
    }
    rln__launch_note_command(&p->record, p->launch.argv);
    rln__launch_note_environment(&p->record);
}

/* Recording ends before the program does. */
static void end_recording(const struct rln__profile *p, enum rln__watch_end why)
{
    static const char *const reasons[] = {
        [RLN__WATCH_DURATION] = "--duration has passed",
        [RLN__WATCH_SIZE] = "the trace has reached --max-size",
        [RLN__WATCH_CAPTURED] = "the last capture range has closed",
    };

    const bool is_quiet = rln__args_bool(&p->args, RLN__PROFILE_QUIET);

    if (!is_quiet && rln__trace_has_events(p->trace.full_path))
        rln__complain("recording has ended: %s; %s can be read now", reasons[why],
                      p->trace.path);
    else if (!is_quiet)
        rln__complain("recording has ended: %s", reasons[why]);
    if (p->kill_signal)
        rln__launch_kill(&p->launch, p->kill_signal);
}

static long attend(void *context)
{
    struct rln__profile *p = context;
    const enum rln__watch_end end = rln__watch_poll(&p->watch);
    const long memory_ms = rln__memory_limit_poll(&p->memory);
    long watch_ms, snapshot_ms, next_ms;

    if (end != RLN__WATCH_GOES_ON) {
        rln__profile_switches_end(p);
        end_recording(p, end);
    }
    watch_ms =
        rln__watch_is_needed(&p->watch) ? rln__watch_next_ms(&p->watch) : LONG_MAX;
    snapshot_ms = rln__snapshot_on_poll(&p->snapshot_on, false);
    next_ms = watch_ms < snapshot_ms ? watch_ms : snapshot_ms;
    return memory_ms < next_ms ? memory_ms : next_ms;
}

static void on_death(void *context, pid_t pid, int signal)
{
    const struct rln__profile *p = context;

    rln__snapshot_on_death(&p->snapshot_on, pid, signal);
}

static void on_own_signal(void *context, int signal)
{
    const struct rln__profile *p = context;

    rln__snapshot_on_signal(&p->snapshot_on, signal);
}

static _Noreturn void refuse_with_split(const char *other)
{
    rln__complain("cannot record: --split cannot be used with --%s", other);
    rln__hint(
        strcmp(other, "buffer") == 0
            ? "omit --split, and read the windows left in the buffer with --window"
            : "omit --split, and read each window with --window");
    exit(RLN__EXIT_USAGE);
}

/* Windows of a ring buffer would be incomplete, and snapshots have the same names. */
static void check_split(const struct rln__profile *p)
{
    const char *other = p->choice.buffer_bytes ? "buffer"
                        : rln__args_has(&p->args, RLN__PROFILE_SNAPSHOT_ON)
                            ? "snapshot-on"
                            : NULL;

    if (rln__args_bool(&p->args, RLN__PROFILE_SPLIT) && other)
        refuse_with_split(other);
}

static void choose_snapshots(struct rln__profile *p)
{
    size_t at = 0;
    const char *occasion;

    (void)sigemptyset(&p->snapshot_on.signals);
    while ((occasion = rln__args_next(&p->args, RLN__PROFILE_SNAPSHOT_ON, &at)))
        rln__snapshot_on_parse(occasion, &p->snapshot_on);
    p->snapshot_on.trace = p->trace.full_path;
    p->launch.on_death = on_death;
    p->launch.on_own_signal = on_own_signal;
    p->launch.on_context = p;
    p->launch.own_signals = p->snapshot_on.signals;
}

static void each_second(void *context)
{
    struct rln__profile *p = context;
    struct rln__pids pids;

    rln__guard_restore(&p->guard, p->trace.file.super);
    (void)rln__memory_limit_poll(&p->memory);
    (void)rln__profile_is_truncated(p); /* remembers the size */
    rln__launch_record_clock(&p->record);
    pids = rln__pids_of_run(p->launch.pid, MOST_PROCESSES);
    rln__titles_poll(&p->titles, &pids, &p->record);
    rln__pythons_poll(&p->pythons, &pids, p->python_ranges != NULL);
    if (!p->uses_cuda && !rln__args_has(&p->args, RLN__PROFILE_GPU + RLN__GPU_TRACE))
        p->uses_cuda = rln__uses_cuda(&pids);
    free(pids.items);
}

/* --- When it is recorded ---------------------------------------------------------- */

static int read_signal(const char *text)
{
    const int number = rln__signal_of(text);

    if (number || strcmp(text, "none") == 0)
        return number;
    rln__complain("cannot record: --kill=\"%s\": not a signal", text);
    rln__hint("use none, a name such as SIGTERM or int, or a number from 1 to %d",
              SIGRTMAX);
    exit(RLN__EXIT_USAGE);
}

/* An amount must not be 0 if it is given. */
static uint64_t read_limit(const struct rln__profile *p, unsigned option)
{
    const uint64_t limit = rln__args_count(&p->args, option);

    if (limit || !rln__args_has(&p->args, option))
        return limit;
    rln__complain("cannot record: --%s=\"%s\": nothing would be recorded",
                  p->args.command->options[option].name,
                  rln__args_text(&p->args, option));
    rln__hint("omit it to record without this limit");
    exit(RLN__EXIT_USAGE);
}

static void choose_windows(struct rln__profile *p)
{
    static const uint32_t gates[] = {
        [RLN__TRIGGER_NONE] = 0,
        [RLN__TRIGGER_NVTX] = RLN__GATE_CAPTURE | RLN__GATE_WATCHED,
        [RLN__TRIGGER_CUDA] = RLN__GATE_CUDA | RLN__GATE_BY_CUDA,
    };

    rln__capture_parse(&p->args, RLN__PROFILE_CAPTURE, &p->capture);
    rln__record_parse(&p->args, RLN__PROFILE_RECORD, &p->choice);
    p->kill_signal = read_signal(rln__args_text(&p->args, RLN__PROFILE_KILL));
    p->watch = (struct rln__watch){
        .delay_ns = rln__args_count(&p->args, RLN__PROFILE_DELAY),
        .duration_ns = read_limit(p, RLN__PROFILE_DURATION),
        .max_bytes = read_limit(p, RLN__PROFILE_MAX_SIZE),
        .starts_later = rln__args_bool(&p->args, RLN__PROFILE_START_LATER),
        .shuts_down = p->capture.shuts_down,
        .first_gate = gates[p->capture.trigger] |
                      (p->choice.has_categories ? RLN__GATE_CATEGORIES : 0u),
    };
}

/* --- The command ------------------------------------------------------------------ */

/* Only the command line decides what is recorded. Variables of `rangeline env` in the
 * shell, or of an outer launcher, belong to another run. */
static void forget_other_runs(void)
{
    static const char *const theirs[] = {
        "RANGELINE_BUFFER",
        "RANGELINE_CAPTURE",
        "RANGELINE_CAPTURE_NTH",
        "RANGELINE_CAPTURE_END",
        "RANGELINE_CATEGORIES",
        "RANGELINE_CUDA_API",
        "RANGELINE_CUDA_FLUSH_INTERVAL",
        "RANGELINE_CUDA_GRAPH_TRACE",
        "RANGELINE_CUDA_OWN",
        "RANGELINE_CUPTI",
        "RANGELINE_DOMAIN_INCLUDE",
        "RANGELINE_DOMAIN_EXCLUDE",
        "RANGELINE_ITT",
        "RANGELINE_ON_OVERLOAD",
        "RANGELINE_OUTPUT",
        RLN__PYTHON_EXCLUDE_VARIABLE,
        RLN__PYTHON_INCLUDE_VARIABLE,
        RLN__PYTHON_RANGES_VARIABLE,
        "RANGELINE_PYTORCH",
        "RANGELINE_REPORT",
        "RANGELINE_SNAPSHOT",
    };
    static const struct {
        const char *variable, *library;
    } libraries[] = {
        {"CUDA_INJECTION64_PATH", "/librangeline-gpu.so"},
        {"INTEL_LIBITTNOTIFY64", "/librangeline-itt.so"},
    };

    for (size_t i = 0; i < RLN_COUNT(theirs); i++)
        (void)unsetenv(theirs[i]);
    for (size_t i = 0; i < RLN_COUNT(libraries); i++) {
        const char *path = getenv(libraries[i].variable);
        const char *name = path ? strrchr(path, '/') : NULL;

        if (name && strcmp(name, libraries[i].library) == 0) /* not another tool's */
            (void)unsetenv(libraries[i].variable);
    }
}

/* By this variable PETSc, GROMACS and servers of language models see Nsight. It is not
 * set without a request: CUDA.jl then runs a command `nsys`, and fails without one. */
static void pose_as_nsys(struct rln__variables *variables)
{
    static const char name[] = "NSYS_PROFILING_SESSION_ID";
    char number[16];

    if (rln__variables_find(variables, name, false)) /* by --env-var */
        return;
    (void)snprintf(number, sizeof(number), "%d", (int)getpid());
    rln__variables_add(variables, name, number);
}

static void add_patterns(const struct rln__profile *p, struct rln__variables *variables,
                         unsigned option, const char *variable)
{
    char *patterns = rln__args_joined(&p->args, option);
    char *absolute = patterns ? rln__python_patterns(patterns) : NULL;

    if (absolute)
        rln__variables_add(variables, variable, absolute);
    free(absolute);
    free(patterns);
}

/* Functions and modules are annotated by what each Python of the run loads at startup,
 * so that workers are, too, however they are started. */
static void hook_python(struct rln__profile *p, struct rln__variables *variables)
{
    const char *torch = rln__args_text(&p->args, RLN__PROFILE_PYTORCH);
    const char *ranges = p->python_ranges;

    if (strcmp(torch, "none") != 0)
        rln__variables_add(variables, "RANGELINE_PYTORCH", torch);
    if (ranges) {
        rln__variables_add(variables, RLN__PYTHON_RANGES_VARIABLE, ranges);
        add_patterns(p, variables, RLN__PROFILE_PYTHON_INCLUDE,
                     RLN__PYTHON_INCLUDE_VARIABLE);
        add_patterns(p, variables, RLN__PROFILE_PYTHON_EXCLUDE,
                     RLN__PYTHON_EXCLUDE_VARIABLE);
        p->launch.argv = rln__python_words(p->args.operands);
    }
    if (ranges || strcmp(torch, "none") != 0)
        rln__python_hook(variables, p->launch.inherits_environment,
                         ranges ? "annotate functions" : "hook into PyTorch",
                         p->args.operands);
}

/* Patterns alone choose among all functions. */
static const char *choose_python_ranges(const struct rln__args *args)
{
    const char *ranges = rln__args_text(args, RLN__PROFILE_PYTHON);

    if (rln__args_has(args, RLN__PROFILE_PYTHON))
        return strcmp(ranges, "none") == 0 ? NULL : ranges;
    return rln__args_has(args, RLN__PROFILE_PYTHON_INCLUDE) ||
                   rln__args_has(args, RLN__PROFILE_PYTHON_EXCLUDE)
               ? "functions"
               : NULL;
}

static void prepare_launch(struct rln__profile *p, struct rln__variables *variables)
{
    const char *collector = rln__collector_path();
    size_t at = 0;
    const char *list;

    forget_other_runs();
    while ((list = rln__args_next(&p->args, RLN__PROFILE_ENV_VAR, &at)))
        rln__variables_parse(variables, list);
    if (strcmp(rln__args_text(&p->args, RLN__PROFILE_AS), "nsys") == 0)
        pose_as_nsys(variables);
    rln__record_variables(&p->choice, &p->args, RLN__PROFILE_RECORD, variables);
    rln__capture_variables(&p->args, RLN__PROFILE_CAPTURE, variables);
    if (p->snapshot_on.range)
        rln__variables_add(variables, "RANGELINE_SNAPSHOT", p->snapshot_on.range);
    p->traced =
        rln__gpu_variables(&p->args, RLN__PROFILE_GPU, variables,
                           rln__args_bool(&p->args, RLN__PROFILE_INHERIT_ENVIRONMENT),
                           p->choice.buffer_bytes > 0);
    p->metered_gpus = rln__gpu_metrics_choice(
        &p->args, RLN__PROFILE_GPU, variables,
        rln__args_bool(&p->args, RLN__PROFILE_INHERIT_ENVIRONMENT), p->traced.gpu);
    if (p->metered_gpus)
        (void)rln__gpu_metrics_path(); /* dies while there is no trace yet */
    if (p->capture.trigger == RLN__TRIGGER_CUDA || p->traced.gpu)
        rln__preload_profiler(
            variables, rln__args_bool(&p->args, RLN__PROFILE_INHERIT_ENVIRONMENT));
    rln__interface_variables(
        &p->args, RLN__PROFILE_INTERFACES, variables,
        rln__args_bool(&p->args, RLN__PROFILE_INHERIT_ENVIRONMENT));
    rln__run_id_new(p->run_id, p->run_id_text);
    rln__variables_add(variables, "NVTX_INJECTION64_PATH", collector);
    rln__variables_add(variables, "RANGELINE_RUN", p->run_id_text);
    p->reports = rln__attach_reports_open(p->run_id, variables);
    p->launch.argv = p->args.operands;
    p->launch.inherits_environment =
        rln__args_bool(&p->args, RLN__PROFILE_INHERIT_ENVIRONMENT);
    if (strcmp(rln__args_text(&p->args, RLN__PROFILE_NVTX), "rangeline") == 0)
        rln__python_stand_in(variables, p->launch.inherits_environment,
                             p->args.operands);
    p->python_ranges = choose_python_ranges(&p->args);
    hook_python(p, variables);
    p->launch.assignments = variables->assignments;
    p->launch.n_assignments = variables->n_assignments;
    p->launch.waits_for_all =
        strcmp(rln__args_text(&p->args, RLN__PROFILE_WAIT), "all") == 0;
    p->launch.each_second = each_second;
    p->launch.each_second_context = p;
    p->launch.attend_context = p;
}

/* Looks for losses of GPU work, splits, exports and sums up the trace, and calls a
 * command, as requested. */
static void use_trace(const struct rln__profile *p)
{
    const bool overwrites = rln__args_bool(&p->args, RLN__PROFILE_FORCE_OVERWRITE);
    const char *command = rln__args_text(&p->args, RLN__PROFILE_AFTER_READY);
    const bool calls = command && *command;

    if (!p->traced.gpu && !rln__args_bool(&p->args, RLN__PROFILE_SPLIT) &&
        !rln__args_bool(&p->args, RLN__PROFILE_STATS) && !p->n_exports && !calls)
        return;
    rln__launch_take_signals_back(&p->launch);
    if (p->traced.gpu)
        rln__after_gpu(p->trace.full_path,
                       rln__args_bool(&p->args, RLN__PROFILE_STATS));
    if (rln__args_bool(&p->args, RLN__PROFILE_SPLIT))
        rln__after_split(p->trace.path, overwrites);
    for (size_t i = 0; i < p->n_exports; i++)
        rln__after_export(p->trace.full_path, p->exports[i], overwrites,
                          rln__args_bool(&p->args, RLN__PROFILE_QUIET));
    if (rln__args_bool(&p->args, RLN__PROFILE_STATS))
        rln__after_stats(p->trace.full_path);
    if (calls)
        rln__after_ready(command, p->trace.full_path, p->args.operands[0]);
}

static void note_missing_torch(const struct rln__profile *p)
{
    const char *mode = rln__args_text(&p->args, RLN__PROFILE_PYTORCH);

    if (strcmp(mode, "none") == 0 || !rln__attach_reports_lack_torch(p->reports))
        return;
    rln__note("--pytorch=%s had no effect, it seems: no import of torch was seen",
              mode);
    rln__hint("use the Python that has PyTorch, without its options -I, -E and -S");
}

int rln__cmd_profile(int argc, char **argv)
{
    struct rln__profile p = {.words = argv + 1};
    struct rln__variables variables = {0};
    struct rln__launch_end end;
    enum rln__exit failed;
    bool has_trace;

    rln__args_parse(&rln__command_profile, argc, argv, &p.args);
    if (p.args.n_operands == 0) {
        rln__complain("cannot record: the program is missing");
        rln__hint("`rangeline profile ./program`, with its arguments after it");
        rln__args_clear(&p.args);
        return RLN__EXIT_USAGE;
    }
    choose_windows(&p);
    choose_exports(&p);
    check_split(&p);
    rln__trace_spool_open(&p.trace.spool, rln__args_text(&p.args, RLN__PROFILE_SPOOL));
    choose_snapshots(&p);
    if (p.snapshot_on.range)
        p.watch.first_gate |= RLN__GATE_SNAPSHOTS;
    prepare_launch(&p, &variables);
    rln__launch_find(&p.launch);
    rln__launch_fork(&p.launch);
    rln__pythons_begin(&p.pythons, p.launch.pid, p.launch.argv,
                       p.python_ranges != NULL);
    create_trace(&p);
    rln__mapping_guard(p.trace.file.super, RLN__SUPERBLOCK_BYTES);
    rln__guard_begin(&p.guard, p.trace.file.super);
    rln__watch_begin(&p.watch, &p.trace.file);
    p.snapshot_on.super = p.trace.file.super;
    p.snapshot_on.switches = &p.switches;
    p.snapshot_on.beside = snapshots_beside(&p.trace);
    rln__memory_limit_begin(&p.memory, &p.trace.file, p.launch.pid);
    if (rln__watch_is_needed(&p.watch) || p.snapshot_on.range || p.memory.is_in_memory)
        p.launch.attend = attend;
    begin_record(&p);
    rln__profile_switches(&p);
    rln__profile_gpu_metrics(&p, &variables);
    (void)rln__profile_is_truncated(&p);
    failed = rln__launch_go(&p.launch, p.trace.full_path);
    if (failed) {
        rln__gpu_sampler_end(&p.gpu_sampler, NULL, 0);
        rln__switch_recorder_end(&p.switches);
        rln__run_trace_remove(&p.trace);
        end.exit_code = (int)failed;
    } else {
        rln__launch_wait(&p.launch, &end);
        has_trace = rln__profile_end(&p, &end);
        if (end.all_ended)
            note_missing_torch(&p);
        if (has_trace)
            use_trace(&p);
    }
    rln__variables_clear(&variables);
    rln__record_clear(&p.choice);
    rln__args_clear(&p.args);
    rln__run_trace_clear(&p.trace);
    rln__memory_limit_clear(&p.memory);
    return end.exit_code;
}
