/* SPDX-License-Identifier: Apache-2.0 */
/* profile_options.c - the options of `rangeline profile`, and its help. */
#include "cli/commands/profile/profile_options.h"

#include "cli/commands.h"
#include "cli/commands/export/export_tables.h"
#include "cli/commands/nsys_options.h"

static const struct rln__option options[] = {
    [RLN__PROFILE_OUTPUT] =
        {.group = "Output",
         .name = "output",
         .letter = 'o',
         .kind = RLN__ARG_TEXT,
         .value = "NAME",
         .initial = "report#",
         .help = "write NAME.rln; # at the end is the first free number, %h the host, "
                 "%p the program's pid, %q{VAR} a variable's value, %% a percent sign"},
    [RLN__PROFILE_FORCE_OVERWRITE] = {.name = "force-overwrite",
                                      .letter = 'f',
                                      .kind = RLN__ARG_BOOL,
                                      .initial = "false",
                                      .help = "replace existing files"},
    [RLN__PROFILE_SPOOL] =
        {.name = "spool",
         .kind = RLN__ARG_TEXT,
         .value = "FOLDER",
         .help = "record in FOLDER, on a fast disk or in memory (/dev/shm), and move "
                 "the trace after the run; until then NAME.rln is a link to it"},
    [RLN__PROFILE_SPLIT] =
        {.name = "split",
         .kind = RLN__ARG_BOOL,
         .initial = "false",
         .help = "after the run, also write each window to its own trace NAME.1.rln, "
                 "NAME.2.rln, ...; a range open in two windows is whole in both"},
    [RLN__PROFILE_STATS] = {.name = "stats",
                            .kind = RLN__ARG_BOOL,
                            .initial = "false",
                            .help =
                                "after the run, print `rangeline stats` of the trace"},
    [RLN__PROFILE_EXPORT] =
        {.name = "export",
         .kind = RLN__ARG_CHOICE,
         .is_repeatable = true,
         .is_list = true,
         .value = "TYPE[,TYPE]",
         .choices = "none|" RLN__NSYS_TYPES,
         .word_at = rln__export_type_at,
         .way_out = rln__export_way_out,
         .help = "after the run, also `rangeline export` the trace to these formats"},
    [RLN__PROFILE_AFTER_READY] =
        {.name = "after-report-ready",
         .kind = RLN__ARG_TEXT,
         .value = "COMMAND",
         .help = "after the run and the exports, run a command of the shell, which "
                 "finds the trace's path in NSYS_REPORT_PATH"},
    [RLN__PROFILE_QUIET] = {.name = "quiet",
                            .letter = 'q',
                            .help = "print nothing if a trace was written and nothing "
                                    "was lost"},
    RLN__RECORD_OPTIONS(RLN__PROFILE_RECORD),
    [RLN__PROFILE_SWITCHES] =
        {.name = "cpuctxsw",
         .kind = RLN__ARG_CHOICE,
         .choices = "process-tree|system-wide|none",
         .help =
             "record when each thread of the program was on a processor, was "
             "preempted or blocked: `stats -r cpu_sum`. Where the kernel refuses, "
             "clocks are read that say less; never with --buffer. system-wide means "
             "process-tree"},
    RLN__CAPTURE_OPTIONS(RLN__PROFILE_CAPTURE, "none|nvtx|cudaProfilerApi",
                         rln__nsys_trigger_way_out),
    [RLN__PROFILE_START_LATER] = {.name = "start-later",
                                  .letter = 'Y',
                                  .kind = RLN__ARG_BOOL,
                                  .initial = "false",
                                  .help = "record nothing until `rangeline start`"},
    [RLN__PROFILE_DELAY] = {.name = "delay",
                            .letter = 'y',
                            .kind = RLN__ARG_SECONDS,
                            .value = "SECONDS",
                            .help = "record nothing in the first SECONDS"},
    [RLN__PROFILE_DURATION] = {.name = "duration",
                               .letter = 'd',
                               .kind = RLN__ARG_SECONDS,
                               .value = "SECONDS",
                               .help = "stop recording SECONDS after it began; the "
                                       "program continues unless --kill is given"},
    [RLN__PROFILE_MAX_SIZE] =
        {.name = "max-size",
         .kind = RLN__ARG_BYTES,
         .value = "SIZE",
         .help = "stop recording when the trace reaches SIZE (500M, 2G); checked every "
                 "100 ms, so it can grow slightly larger"},
    [RLN__PROFILE_SNAPSHOT_ON] =
        {.name = "snapshot-on",
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .value = "TRIGGER",
         .choices = "crash|signal|signal=SIGUSR1|range=",
         .help =
             "write a snapshot NAME.1.rln, NAME.2.rln, ... on TRIGGER: crash: a fault "
             "ends the program or a process that it left behind; signal[=SIGNAL]: this "
             "command gets SIGUSR2 or SIGNAL; range=MESSAGE[@DOMAIN]: such a range "
             "ends, at most one snapshot per second"},
    [RLN__PROFILE_KILL] =
        {.name = "kill",
         .kind = RLN__ARG_TEXT,
         .value = "SIGNAL",
         .choices = "none|sigkill|sigterm",
         .initial = "none",
         .help =
             "send SIGNAL (name or number) to the program and its descendants when "
             "recording ends before them: --duration, --max-size, or a -shutdown mode"},
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
         .help = "pass this shell's environment to the program"},
    [RLN__PROFILE_WAIT] = {.name = "wait",
                           .kind = RLN__ARG_CHOICE,
                           .choices = "primary|all",
                           .initial = "all",
                           .help = "exit when the program has ended (primary), or when "
                                   "every process that it started has (all)"},
    [RLN__PROFILE_AS] =
        {.name = "as",
         .kind = RLN__ARG_CHOICE,
         .choices = "rangeline|nsys",
         .initial = "rangeline",
         .help = "nsys: set NSYS_PROFILING_SESSION_ID, for programs that annotate, or "
                 "call cudaProfilerStart(), only if Nsight records them"},
    [RLN__PROFILE_COMMAND_FILE] =
        {.name = "command-file",
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .is_file = true,
         .value = "FILE",
         .help = "also read the options that are in FILE; those of the command line "
                 "come after them"},
    [RLN__PROFILE_PYTHON] =
        {.group = "Python",
         .name = "python",
         .kind = RLN__ARG_CHOICE,
         .choices = "none|functions|mine",
         .initial = "none",
         .help = "annotate every call of a Python function, in all Pythons of the run; "
                 "mine: only of functions outside installed packages and the standard "
                 "library. PROGRAM may be just a script"},
    [RLN__PROFILE_PYTHON_INCLUDE] =
        {.name = "python-include",
         .kind = RLN__ARG_TEXT,
         .is_repeatable = true,
         .value = "PATTERN[,...]",
         .help = "annotate only calls of functions in these modules (`package`), files "
                 "or folders (`src/`), or of these names (`*.load`); with "
                 "--python=mine, of these too"},
    [RLN__PROFILE_PYTHON_EXCLUDE] = {.name = "python-exclude",
                                     .kind = RLN__ARG_TEXT,
                                     .is_repeatable = true,
                                     .value = "PATTERN[,...]",
                                     .help = "annotate no calls of these functions"},
    [RLN__PROFILE_NVTX] = {.name = "nvtx",
                           .kind = RLN__ARG_CHOICE,
                           .choices = "installed|rangeline",
                           .initial = "installed",
                           .help = "package that `import nvtx` loads: rangeline.nvtx "
                                   "costs less, and closes the ranges that it opens"},
    [RLN__PROFILE_PYTORCH] =
        {.name = "pytorch",
         .kind = RLN__ARG_CHOICE,
         .choices = "none|ranges|ops|ops-shapes|modules|modules-shapes|"
                    "autograd-nvtx|autograd-shapes-nvtx|functions-trace|"
                    "functions-trace-shapes",
         .is_list = true,
         .value = "MODE[,MODE]",
         .bare = "ranges",
         .initial = "none",
         .help = "ranges (or no MODE): torch.cuda.nvtx records on CPU builds of "
                 "PyTorch; ops, modules: also one range per operator or module; "
                 "ops-shapes, modules-shapes: with tensor shapes. nsys's autograd-nvtx "
                 "and functions-trace mean ops and modules, and so with shapes"},
    RLN__GPU_OPTIONS(RLN__PROFILE_GPU),
    RLN__INTERFACE_OPTIONS(RLN__PROFILE_INTERFACES),
    [RLN__PROFILE_IGNORED] = RLN__NSYS_OPTIONS,
};

static const struct rln__example examples[] = {
    {"record ./program in report1.rln, the next run in report2.rln, ...",
     "rangeline profile ./program"},
    {"record only the tenth step",
     "rangeline profile -c nvtx -p step --capture-nth 9 ./program"},
    {"record a Python program and print where the time went",
     "rangeline profile --stats true -o train python3 train.py"},
    {"record a range for every call of the program's own Python functions",
     "rangeline profile --python=mine train.py"},
    {"record a range for each PyTorch operator, forward and backward",
     "rangeline profile --pytorch=ops python3 train.py"},
    {"record the kernels, too", "rangeline profile -t cuda,nvtx python3 train.py"},
    {"record one trace per rank of an MPI program",
     "mpirun -n 4 rangeline profile -o 'run-%q{OMPI_COMM_WORLD_RANK}' ./solver"},
};

const struct rln__command rln__command_profile = {
    .name = "profile",
    .summary = "record the NVTX ranges and marks of a program",
    .operands = "[--] PROGRAM [ARGUMENT...]",
    .ignored_because = "only NVTX events, GPU work and switches are recorded",
    .description =
        "Runs PROGRAM and records its NVTX events, and those of all processes that it "
        "starts, into one trace. The program needs no change, GPU or driver: any copy "
        "of the NVTX headers loads the collector, which this command names in "
        "NVTX_INJECTION64_PATH.\n\nWith -c, --delay, --start-later and `rangeline "
        "stop`, only parts of the run are recorded: windows of one trace. Outside "
        "windows, only the ends of recorded ranges are recorded, and a call costs one "
        "check.\n\nSignals are passed on. The exit status is the program's, or 128 "
        "plus the number of the signal that ended it; 127 if the program is not found, "
        "126 if it is not executable, 2 if recording cannot start. Without NVTX calls, "
        "no trace is written.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .stops_at_operand = true,
    .way_out = rln__nsys_way_out,
    .run = rln__cmd_profile,
};
