/* SPDX-License-Identifier: Apache-2.0 */
/* profile_options.c - the options of `rangeline profile`, and its help. */
#include "cli/commands/profile_options.h"

#include "cli/commands.h"
#include "cli/commands/export_tables.h"

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
    [RLN__PROFILE_OUTPUT] =
        {.group = "Output",
         .name = "output",
         .letter = 'o',
         .kind = RLN__ARG_TEXT,
         .value = "NAME",
         .initial = "report#",
         .help = "write the trace to NAME.rln; # at the end is the first free "
                 "number, %h the host, %p the program's pid, %q{VAR} a "
                 "variable's value, %% a percent sign"},
    [RLN__PROFILE_FORCE_OVERWRITE] = {.name = "force-overwrite",
                                      .letter = 'f',
                                      .kind = RLN__ARG_BOOL,
                                      .initial = "false",
                                      .help = "replace a trace of that name"},
    [RLN__PROFILE_SPOOL] =
        {.name = "spool",
         .kind = RLN__ARG_TEXT,
         .value = "FOLDER",
         .help = "record in this folder, on a fast disk or in memory "
                 "(/dev/shm), and move the trace to where it belongs when the "
                 "program has ended; NAME.rln is a link to it until then"},
    [RLN__PROFILE_SPLIT] =
        {.name = "split",
         .kind = RLN__ARG_BOOL,
         .initial = "false",
         .help =
             "write each window of the trace to a file of its own as well, "
             "NAME.1.rln, NAME.2.rln, ..., when the program has ended; a range that is "
             "open in two of them is in both, whole"},
    [RLN__PROFILE_STATS] =
        {.name = "stats",
         .kind = RLN__ARG_BOOL,
         .initial = "false",
         .help = "print `rangeline stats` of the trace when the program has ended"},
    [RLN__PROFILE_EXPORT] =
        {.name = "export",
         .kind = RLN__ARG_CHOICE,
         .is_repeatable = true,
         .value = "TYPE",
         .choices = "none",
         .word_at = rln__export_type_at,
         .help = "`rangeline export` the trace to this format, too, when the "
                 "program has ended"},
    RLN__RECORD_OPTIONS(RLN__PROFILE_RECORD),
    RLN__CAPTURE_OPTIONS(RLN__PROFILE_CAPTURE, "none|nvtx|cudaProfilerApi"),
    [RLN__PROFILE_START_LATER] = {.name = "start-later",
                                  .letter = 'Y',
                                  .kind = RLN__ARG_BOOL,
                                  .initial = "false",
                                  .help = "record nothing before `rangeline start`"},
    [RLN__PROFILE_DELAY] = {.name = "delay",
                            .letter = 'y',
                            .kind = RLN__ARG_SECONDS,
                            .value = "SECONDS",
                            .help = "record nothing in the first SECONDS"},
    [RLN__PROFILE_DURATION] =
        {.name = "duration",
         .letter = 'd',
         .kind = RLN__ARG_SECONDS,
         .value = "SECONDS",
         .help = "record no more SECONDS after recording began; the program "
                 "runs on, unless --kill says otherwise"},
    [RLN__PROFILE_MAX_SIZE] =
        {.name = "max-size",
         .kind = RLN__ARG_BYTES,
         .value = "SIZE",
         .help = "record no more when the trace has SIZE (500M, 2G); it is "
                 "looked at ten times a second, so it gets larger by what "
                 "comes in a tenth of one"},
    [RLN__PROFILE_SNAPSHOT_ON] =
        {.name = "snapshot-on",
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .value = "OCCASION",
         .choices = "crash|signal|signal=SIGUSR1|range=",
         .help = "take a snapshot, NAME.1.rln, NAME.2.rln, ...; crash: when "
                 "the program, or what it left behind, is ended by a "
                 "fault; signal[=SIGNAL]: when this command gets SIGUSR2, "
                 "or SIGNAL; range=MESSAGE[@DOMAIN]: when such a range has "
                 "ended, at most one a second"},
    [RLN__PROFILE_KILL] =
        {.name = "kill",
         .kind = RLN__ARG_TEXT,
         .value = "SIGNAL",
         .choices = "none|sigkill|sigterm",
         .initial = "none",
         .help = "send the program and its descendants this signal, a name or a "
                 "number, when recording is over before them: --duration, "
                 "--max-size, a -shutdown mode"},
    [RLN__PROFILE_ENV_VAR] =
        {.group = "Program",
         .name = "env-var",
         .letter = 'e',
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .value = "A=B[,C=D...]",
         .help = "set variables for the program; \\, is a comma in a value"},
    [RLN__PROFILE_INHERIT_ENVIRONMENT] =
        {.name = "inherit-environment",
         .letter = 'n',
         .kind = RLN__ARG_BOOL,
         .initial = "true",
         .help = "give the program the environment of this shell"},
    [RLN__PROFILE_WAIT] =
        {.name = "wait",
         .kind = RLN__ARG_CHOICE,
         .choices = "primary|all",
         .initial = "all",
         .help = "end when the program has ended, or when all that it started has"},
    [RLN__PROFILE_PYTHON] =
        {.group = "Python",
         .name = "python",
         .kind = RLN__ARG_CHOICE,
         .choices = "none|functions",
         .initial = "none",
         .help = "annotate every call of a function in Python; PROGRAM may be a "
                 "script's name alone"},
    [RLN__PROFILE_NVTX] =
        {.name = "nvtx",
         .kind = RLN__ARG_CHOICE,
         .choices = "installed|rangeline",
         .initial = "installed",
         .help = "what `import nvtx` means: rangeline.nvtx costs less, and closes "
                 "what it opens"},
    [RLN__PROFILE_PYTORCH] =
        {.name = "pytorch",
         .kind = RLN__ARG_CHOICE,
         .choices = "none|ranges|ops|ops-shapes|modules|modules-shapes|"
                    "autograd-nvtx|autograd-shapes-nvtx",
         .value = "MODE",
         .bare = "ranges",
         .initial = "none",
         .help = "ranges (or no MODE): torch.cuda.nvtx records on CPU builds of "
                 "PyTorch; ops: also one range an operator; modules: one a "
                 "module; ops-shapes, modules-shapes: with the shapes of "
                 "tensors; nsys's autograd-nvtx and autograd-shapes-nvtx mean "
                 "ops and ops-shapes"},
    [RLN__PROFILE_IGNORED] = IGNORED_TEXT("trace", 't'),
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
    {"record the tenth step alone",
     "rangeline profile -c nvtx -p step --capture-nth 9 ./program"},
    {"record a Python program, and print where the time went",
     "rangeline profile --stats true -o train python3 train.py"},
    {"a range for every call of a function in Python",
     "rangeline profile --python=functions train.py"},
    {"a range for each operator of PyTorch, forward and backward",
     "rangeline profile --pytorch=ops python3 train.py"},
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
        "With -c, --delay, --start-later and `rangeline stop`, parts of the run are "
        "recorded: windows of one trace. What begins while none is open is not in it; "
        "a range that was recorded has its end all the same. While no window is open "
        "the program pays for the decision only.\n\n"
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
