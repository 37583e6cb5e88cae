/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_profile.c - records one run of a program and what it starts.
 *
 *   find collector and program -> fork -> name and make the trace -> exec -> wait
 *   -> finish the trace -> one line about it
 *
 * What can be refused is refused before the program starts; once it runs, the launcher
 * never changes how it ends. All that is said here goes to standard error.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/collector_path.h"
#include "cli/commands.h"
#include "cli/die.h"
#include "cli/launch.h"
#include "cli/launch_record.h"
#include "cli/output_name.h"
#include "cli/run_id.h"
#include "cli/trace_end.h"
#include "cli/trace_totals.h"
#include "cli/variables.h"

enum {
    OUTPUT,
    FORCE_OVERWRITE,
    STATS,
    ENV_VAR,
    INHERIT_ENVIRONMENT,
    WAIT,
    IGNORED, /* and the rows behind it */
};

#define IGNORED_TEXT(long_name, short_name)                                            \
    {                                                                                  \
        .name = (long_name), .letter = (short_name), .kind = RLN__ARG_TEXT,            \
        .is_ignored = true, .value = "VALUE", .help = "no meaning here"                \
    }
#define IGNORED_BOOL(long_name, short_name)                                            \
    {                                                                                  \
        .name = (long_name), .letter = (short_name), .kind = RLN__ARG_BOOL,            \
        .is_ignored = true, .help = "no meaning here"                                  \
    }

static const struct rln__option options[] = {
    [OUTPUT] = {.group = "Output",
                .name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "NAME",
                .initial = "report#",
                .help = "write the trace to NAME.rln; # at the end is the first free "
                        "number, %h the host, %p the program's pid, %q{VAR} a "
                        "variable's value, %% a percent sign"},
    [FORCE_OVERWRITE] = {.name = "force-overwrite",
                         .letter = 'f',
                         .kind = RLN__ARG_BOOL,
                         .initial = "false",
                         .help = "replace a trace of that name"},
    [STATS] = {.name = "stats",
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help =
                   "print `rangeline stats` of the trace when the program has ended"},
    [ENV_VAR] = {.group = "Program",
                 .name = "env-var",
                 .letter = 'e',
                 .kind = RLN__ARG_TEXT,
                 .is_repeatable = true,
                 .value = "A=B[,C=D...]",
                 .help = "set variables for the program; \\, is a comma in a value"},
    [INHERIT_ENVIRONMENT] = {.name = "inherit-environment",
                             .letter = 'n',
                             .kind = RLN__ARG_BOOL,
                             .initial = "true",
                             .help = "give the program the environment of this shell"},
    [WAIT] = {.name = "wait",
              .kind = RLN__ARG_CHOICE,
              .choices = "primary|all",
              .initial = "all",
              .help =
                  "end when the program has ended, or when all that it started has"},
    [IGNORED] = IGNORED_TEXT("trace", 't'),
    IGNORED_TEXT("sample", 's'),
    IGNORED_TEXT("backtrace", 'b'),
    IGNORED_TEXT("cpuctxsw", 0),
    IGNORED_TEXT("cudabacktrace", 0),
    IGNORED_TEXT("cuda-graph-trace", 0),
    IGNORED_TEXT("gpu-metrics-devices", 0),
    IGNORED_TEXT("samples-per-backtrace", 0),
    IGNORED_TEXT("sampling-period", 0),
    IGNORED_BOOL("cuda-memory-usage", 0),
    IGNORED_BOOL("discard-environment", 0),
    IGNORED_BOOL("trace-fork-before-exec", 0),
    IGNORED_BOOL("show-output", 'w'),
    IGNORED_BOOL("stop-on-exit", 'x'),
};

static const struct rln__example examples[] = {
    {"record ./program in report1.rln, report2.rln, ...",
     "rangeline profile ./program"},
    {"record a Python program, and print where the time went",
     "rangeline profile --stats true -o train python3 train.py"},
    {"one trace for each rank of an MPI program",
     "mpirun -n 4 rangeline profile -o 'run-%q{OMPI_COMM_WORLD_RANK}' ./solver"},
};

const struct rln__command rln__command_profile = {
    .name = "profile",
    .summary = "record the NVTX ranges and marks of a program",
    .operands = "[--] PROGRAM [ARGUMENT...]",
    .description =
        "Runs PROGRAM and records the NVTX events of it and of every process that it "
        "starts into one trace. The program needs no change, no GPU and no driver: any "
        "copy of the NVTX headers loads the collector that this command names in "
        "NVTX_INJECTION64_PATH.\n\n"
        "Signals are passed on. The exit status is the program's, or 128 and the "
        "number "
        "of the signal that ended it; 127 if the program is not found, 126 if it "
        "cannot be executed, 2 if recording cannot begin. If it made no NVTX call, no "
        "trace is left.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .stops_at_operand = true,
    .run = rln__cmd_profile,
};

/* --- The trace -------------------------------------------------------------------- */

struct profile {
    struct rln__args args;
    struct rln__launch launch;
    struct rln__file file;
    dev_t device; /* of the file, also when it is closed */
    ino_t inode;
    struct rln__launch_record record;
    char *path;               /* owned; as it was given */
    char full_path[PATH_MAX]; /* for processes in other folders */
    uint8_t run_id[16];
    char run_id_text[RLN__RUN_ID_TEXT];
};

static _Noreturn void refuse_trace(const char *path, int error)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    (void)snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 0,
                   path);
    rln__complain("cannot create trace: path=\"%s\": %s", path, strerror(error));
    if (error == EEXIST)
        rln__hint("choose another name with -o, or replace it with -f true");
    else if (error == ENOENT && slash && access(folder, F_OK) < 0)
        rln__hint("`mkdir -p '%s'`", folder);
    else if (error == ENOSPC)
        rln__hint(
            "recording leaves the last 2 %% of a disk (256 MiB at least) to others; "
            "choose another place with -o");
    else if (error == EFBIG)
        rln__hint("the shell allows no larger files: see `ulimit -f`");
    else
        rln__hint("choose another place with -o");
    exit(RLN__EXIT_USAGE); /* 1 could be the program's own status */
}

/* Never truncates: somebody may have the old trace mapped. */
static void remove_old(const char *path)
{
    if (unlink(path) == 0 || errno == ENOENT)
        return;
    rln__complain("cannot replace trace: path=\"%s\": %s", path, strerror(errno));
    rln__hint("choose another name with -o");
    exit(RLN__EXIT_FAILED);
}

static void create_trace(struct profile *p)
{
    const enum rln__clock_kind clock = rln__clock_choose();
    char *pattern = rln__output_expand(rln__args_text(&p->args, OUTPUT), p->launch.pid);
    const bool overwrites = rln__args_bool(&p->args, FORCE_OVERWRITE);
    int result;

    for (unsigned number = 1;; number++) {
        free(p->path);
        p->path = rln__output_numbered(pattern, number);
        if (overwrites && !rln__output_has_number(pattern))
            remove_old(p->path);
        result = rln__file_create(&p->file, p->path, p->run_id, clock, 0);
        if (result != -EEXIST || !rln__output_has_number(pattern))
            break;
    }
    if (result == 0 && !realpath(p->path, p->full_path))
        result = -errno;
    free(pattern);
    if (result < 0)
        refuse_trace(p->path, -result);
}

/* --- What the launcher says about the run ----------------------------------------- */

static void note(struct profile *p, const char *key, const char *value)
{
    rln__launch_record_note(&p->record, key, value, strlen(value));
}

static void note_command(struct profile *p)
{
    char *text = NULL;
    size_t n_bytes = 0;
    FILE *out = open_memstream(&text, &n_bytes);

    if (!out)
        return;
    for (char **word = p->launch.argv; *word; word++)
        (void)fwrite(*word, 1, strlen(*word) + 1, out);
    if (fclose(out) == 0 && n_bytes)
        rln__launch_record_note(&p->record, "command", text, n_bytes - 1);
    free(text);
}

static void note_environment(struct profile *p)
{
    static const char *const ranks[] = {
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_LOCAL_RANK",
        "OMPI_COMM_WORLD_SIZE",
        "PMI_RANK",
        "PMI_SIZE",
        "SLURM_PROCID",
        "SLURM_LOCALID",
        "SLURM_JOB_ID",
    };
    char text[PATH_MAX];
    ssize_t n;

    if (getcwd(text, sizeof(text)))
        note(p, "directory", text);
    n = readlink("/proc/self/ns/pid", text, sizeof(text));
    if (n > 0)
        rln__launch_record_note(&p->record, "pid_namespace", text, (size_t)n);
    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++)
        if (getenv(ranks[i]))
            note(p, ranks[i], getenv(ranks[i]));
}

static void begin_record(struct profile *p)
{
    const int result = rln__launch_record_begin(&p->record, &p->file);

    if (result < 0) {
        (void)unlink(p->path);
        refuse_trace(p->path, -result);
    }
    note_command(p);
    note_environment(p);
}

static void each_second(void *context)
{
    struct profile *p = context;

    rln__launch_record_clock(&p->record);
}

/* --- The end ---------------------------------------------------------------------- */

/* Says why there is no trace, and how to get one. */
static void explain_no_events(bool has_loaded)
{
    if (has_loaded) {
        rln__complain("no trace was left: the program loaded NVTX, but opened no range "
                      "and set no mark");
        return;
    }
    rln__complain("no trace was left: no NVTX call of the program came here");
    rln__hint(
        "annotate it: in C, #include <nvtx3/nvToolsExt.h>, nvtxRangePush(\"step\") "
        "and nvtxRangePop(); in Python, with nvtx.annotate(\"step\")");
}

static void print_totals(const struct profile *p, const struct rln__trace_totals *t,
                         bool all_ended)
{
    char line[256];

    rln__trace_totals_format(t, line, sizeof(line));
    rln__complain("%s: %s%s", p->path, line,
                  all_ended ? "" : "; processes that it left behind still run");
}

/* Somebody may have put another file in its place, which is not ours to read or remove.
 */
static bool is_still_ours(const struct profile *p)
{
    struct stat st;

    return lstat(p->full_path, &st) == 0 && st.st_dev == p->device &&
           st.st_ino == p->inode;
}

/* Was anything recorded? Then says what; otherwise removes the trace and says why. */
static bool report(const struct profile *p, const struct rln__launch_end *end)
{
    struct rln__trace_totals totals;
    int result;

    if (!is_still_ours(p)) {
        rln__complain("the trace was moved or replaced while it was recorded: "
                      "path=\"%s\"",
                      p->path);
        return false;
    }
    result = rln__trace_totals_read(p->full_path, &totals);
    if (result < 0) {
        rln__complain("cannot read trace: path=\"%s\": %s", p->path, strerror(-result));
        return false;
    }
    if (totals.n_events || totals.n_dropped || !end->all_ended) {
        print_totals(p, &totals, end->all_ended);
        return true;
    }
    (void)unlink(p->full_path);
    explain_no_events(totals.n_processes > 0);
    return false;
}

static bool finish(struct profile *p, const struct rln__launch_end *end)
{
    char text[16];

    (void)snprintf(text, sizeof(text), "%d", end->exit_code);
    note(p, "exit", text);
    p->device = p->file.device;
    p->inode = p->file.inode;
    rln__launch_record_last_clock(&p->record);
    rln__launch_record_end(&p->record);
    if (end->all_ended)
        rln__trace_finish(&p->file);
    else
        rln__file_close(&p->file);
    return report(p, end);
}

/* In a process of its own: whatever becomes of it, the exit status is the program's. */
static void print_stats(const struct profile *p)
{
    char *words[] = {"stats", (char *)(uintptr_t)p->full_path, NULL};
    pid_t child;

    (void)fflush(NULL);
    child = fork();
    if (child == 0)
        exit(rln__cmd_stats(2, words));
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* --- The command ------------------------------------------------------------------ */

static void prepare_launch(struct profile *p, struct rln__variables *variables)
{
    const char *collector = rln__collector_path();
    size_t at = 0;
    const char *list;

    while ((list = rln__args_next(&p->args, ENV_VAR, &at)))
        rln__variables_parse(variables, list);
    rln__run_id_new(p->run_id, p->run_id_text);
    rln__variables_add(variables, "NVTX_INJECTION64_PATH", collector);
    rln__variables_add(variables, "RANGELINE_RUN", p->run_id_text);
    p->launch.argv = p->args.operands;
    p->launch.inherits_environment = rln__args_bool(&p->args, INHERIT_ENVIRONMENT);
    p->launch.assignments = variables->assignments;
    p->launch.n_assignments = variables->n_assignments;
    p->launch.waits_for_all = strcmp(rln__args_text(&p->args, WAIT), "all") == 0;
    p->launch.each_second = each_second;
    p->launch.each_second_context = p;
}

int rln__cmd_profile(int argc, char **argv)
{
    struct profile p = {.path = NULL};
    struct rln__variables variables = {0};
    struct rln__launch_end end;
    enum rln__exit failed;

    rln__args_parse(&rln__command_profile, argc, argv, &p.args);
    if (p.args.n_operands == 0) {
        rln__complain("cannot record: the program to run is missing");
        rln__hint("`rangeline profile [options] PROGRAM [ARGUMENT...]`");
        rln__args_clear(&p.args);
        return RLN__EXIT_USAGE;
    }
    prepare_launch(&p, &variables);
    rln__launch_find(&p.launch);
    rln__launch_fork(&p.launch);
    create_trace(&p);
    begin_record(&p);
    failed = rln__launch_go(&p.launch, p.full_path);
    if (failed) {
        (void)unlink(p.full_path);
        end.exit_code = (int)failed;
    } else {
        rln__launch_wait(&p.launch, &end);
        if (finish(&p, &end) && rln__args_bool(&p.args, STATS))
            print_stats(&p);
    }
    rln__variables_clear(&variables);
    rln__args_clear(&p.args);
    free(p.path);
    return end.exit_code;
}
