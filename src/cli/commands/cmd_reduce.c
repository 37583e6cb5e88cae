/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_reduce.c - sums up traces where they lie, and merges such sums. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/human_units.h"
#include "cli/commands.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/input_files.h"
#include "cli/inputs/reduce_shares.h"
#include "cli/inputs/reduced_inputs.h"
#include "cli/show/whole_file.h"
#include "console/die.h"
#include "console/hint_line.h"
#include "console/same_file.h"
#include "record/start/output_name.h"

enum {
    OUTPUT,
    FORCE,
    SLICE,
    STRICT,
    JOBS,
    STEPS,
    FOLD,
    RENAME,
    WHAT, /* and the rows behind it */
    DURATION = WHAT + RLN__FILTER_KINDS,
};

static const struct rln__option options[] = {
    [OUTPUT] = {.name = "output",
                .letter = 'o',
                .kind = RLN__ARG_TEXT,
                .value = "FILE",
                .help = "write this file; .rlsum is added if it has no extension, - is "
                        "standard output. %h is the host, %p the pid, %q{VAR} a "
                        "variable's value"},
    [FORCE] = {.name = "force-overwrite",
               .letter = 'f',
               .kind = RLN__ARG_BOOL,
               .initial = "false",
               .help = "replace an existing file"},
    [SLICE] = {.name = "slice",
               .kind = RLN__ARG_TEXT,
               .value = "I/N",
               .choices = "auto",
               .help = "read only every N-th input, from the I-th on, counted from 0; "
                       "auto: the task and number of tasks of Slurm, Open MPI or PMI"},
    [STRICT] = {.name = "strict",
                .help = "exit with 1, without output, if a trace is unreadable or "
                        "damaged"},
    [JOBS] = {RLN__JOBS_OPTION},
    [STEPS] = {.name = "steps",
               .kind = RLN__ARG_TEXT,
               .value = "NAME",
               .help = "keep each range of this name, NAME or DOMAIN:NAME, for the "
                       "reports straggler and step_trace"},
    RLN__RENAME_OPTIONS(FOLD),
    RLN__NAME_OPTIONS(WHAT),
    [DURATION] = RLN__DURATION_OPTION,
};

static const struct rln__example examples[] = {
    {"sum up the traces of a job on its nodes",
     "srun rangeline reduce --slice auto -o 'p%q{SLURM_PROCID}' 'job/*.rln'"},
    {"merge these sums, and see which rank is slow",
     "rangeline reduce -o job p*.rlsum && rangeline stats -r rank_sum job.rlsum"},
};

const struct rln__command rln__command_reduce = {
    .name = "reduce",
    .summary = "sum up traces where they lie, and merge sums",
    .operands = "INPUT...",
    .description =
        "Writes a small file with the sums of all ranges, by rank and path, of GPU "
        "work, by rank and GPU, and of calls of NCCL, by rank, name and size, for jobs "
        "whose traces are too many or too far away to be read together. "
        "`rangeline stats` prints it: nvtx_sum, nvtx_pushpop_sum, "
        "nvtx_startend_sum, self_sum, cpu_sum, tree, tree:cpu, rank_sum, rank_sum:cpu, "
        "rank_calls, gpu_util and nccl_sum are the same as those of the traces, and "
        "with --steps straggler and step_trace; "
        "medians are exact up to "
        "4,096 ranges of a name, and within 0.4 % "
        "beyond.\n\nAn INPUT is a trace, a file that reduce wrote, a quoted "
        "pattern such as 'job/*.rln', or @LIST, a file with a name per line. At "
        "most as many traces are open as -j says. The same traces give the same "
        "bytes, however they are split and merged; a trace that is there twice is "
        "refused, as are sums that were made with other filters or "
        "names.\n\nTraces that are unreadable or damaged are listed in the file, "
        "and reported on standard error. Options that select time or align clocks "
        "need all traces together, and are those of stats only. A trace without a "
        "rank of a job is numbered by the order of names.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_reduce,
};

static _Noreturn void refuse_usage(const struct rln__args *args, const char *what)
{
    rln__complain("cannot reduce: no %s", what);
    rln__hint_line("", "reduce -o all", args->operands, "'job/*.rln'", "");
    exit(RLN__EXIT_USAGE);
}

static void keep_inputs(const struct rln__file_names *inputs, const char *output)
{
    struct stat to;

    if (stat(output, &to))
        return;
    for (size_t i = 0; i < inputs->n; i++) {
        if (!rln__leads_to(inputs->items[i], &to))
            continue;
        rln__complain("cannot write output: path=\"%s\": it is an input", output);
        rln__hint("choose another output name");
        exit(RLN__EXIT_FAILED);
    }
}

/* --- Reading ---------------------------------------------------------------------- */

static unsigned count_shares(const struct rln__args *args, size_t n_inputs)
{
    const uint64_t n = rln__args_count(args, JOBS);

    if (!rln__args_has(args, JOBS))
        return rln__usual_shares(n_inputs);
    if (n < 1 || n > RLN__MOST_SHARES) {
        rln__complain("cannot reduce: jobs=%" PRIu64 ": not 1 to %d", n,
                      RLN__MOST_SHARES);
        exit(RLN__EXIT_USAGE);
    }
    return n < n_inputs ? (unsigned)n : n_inputs ? (unsigned)n_inputs : 1;
}

/* The sums borrow `filter`. */
static void read_all(struct rln__shares_result *out,
                     const struct rln__file_names *inputs, const struct rln__args *args,
                     const rln_filter *filter)
{
    struct rln__reduced_options how = {
        .size = sizeof(how), .filter = filter, .steps = rln__args_text(args, STEPS)};
    const char **rules = rln__rename_rules(args, FOLD, &how.n_rules);
    const struct rln__shares shares = {
        .inputs = inputs, .options = &how, .n = count_shares(args, inputs->n)};

    how.rules = rules;
    rln__shares_read(&shares, out);
    free(rules);
    if (!out->n_read && inputs->n)
        rln__die(RLN__EXIT_FAILED, "cannot reduce: none of %zu traces could be read",
                 inputs->n);
    if (out->n_unreadable + out->n_damaged && rln__args_has(args, STRICT))
        rln__die(RLN__EXIT_FAILED,
                 "cannot reduce with --strict: unreadable=%zu, damaged=%zu",
                 out->n_unreadable, out->n_damaged);
}

/* --- Writing ---------------------------------------------------------------------- */

static void write_sums(struct rln__shares_result *r, const char *path, bool may_replace)
{
    const void *bytes;
    size_t n;
    rln_error err = {0};

    rln__die_if(rln__reduced_bytes(r->sums, &bytes, &n, &err), &err);
    rln__whole_file_write(path, bytes, n, may_replace);
}

static void say(struct rln__shares_result *r, const char *path)
{
    const size_t n_traces = rln__reduced_count_traces(r->sums);
    const char *steps = rln__reduced_steps(r->sums);
    const void *bytes;
    size_t n;
    rln_error err = {0};
    struct rln__buf size = {0};

    rln__die_if(rln__reduced_bytes(r->sums, &bytes, &n, &err), &err); /* made before */
    rln__buf_size(&size, n);
    rln__complain("%s: %.*s, %zu trace%s", path, (int)size.length, size.bytes, n_traces,
                  n_traces == 1 ? "" : "s");
    rln__buf_clear(&size);
    if (r->n_unreadable)
        rln__note("%zu trace%s could not be read, and %s listed in the file",
                  r->n_unreadable, r->n_unreadable == 1 ? "" : "s",
                  r->n_unreadable == 1 ? "is" : "are");
    if (*steps && n_traces && !rln__reduced_count_steps(r->sums))
        rln__note("no range matches: file=\"%s\", steps=\"%s\"", path, steps);
    rln__note_window_twice(r->sums);
}

int rln__cmd_reduce(int argc, char **argv)
{
    struct rln__args args;
    struct rln__file_names inputs = {0};
    struct rln__shares_result r = {0};
    rln_filter *filter; /* owned */
    const char *output;
    char *name; /* owned */

    rln__args_parse(&rln__command_reduce, argc, argv, &args);
    output = rln__args_text(&args, OUTPUT);
    if (!output || !*output)
        refuse_usage(&args, "output");
    if (!args.n_operands)
        refuse_usage(&args, "input");
    name = rln__output_expand_other(output, getpid(), ".rlsum");
    rln__file_names_add_all(&inputs, args.operands, args.n_operands);
    if (rln__args_has(&args, SLICE))
        rln__file_names_slice(&inputs, rln__args_text(&args, SLICE));
    keep_inputs(&inputs, name);
    if (!rln__args_bool(&args, FORCE) && access(name, F_OK) == 0) {
        rln__complain("cannot write output: path=\"%s\": File exists", name);
        rln__hint("choose another name with -o, or replace it with -f");
        exit(RLN__EXIT_FAILED);
    }
    filter = rln__filter_read(&args, WHAT, DURATION);
    read_all(&r, &inputs, &args, filter);
    write_sums(&r, name, rln__args_bool(&args, FORCE));
    say(&r, name);
    rln__reduced_free(r.sums);
    rln_filter_free(filter);
    rln__file_names_clear(&inputs);
    free(name);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
