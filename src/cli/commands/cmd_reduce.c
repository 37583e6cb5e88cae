/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_reduce.c - sums up traces where they lie, and merges such sums. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/reduce_inputs.h"
#include "console/die.h"
#include "console/human_units.h"
#include "console/same_file.h"
#include "console/unfinished.h"
#include "output/output.h"
#include "record/start/output_name.h"

enum {
    OUTPUT,
    FORCE,
    SLICE,
    STRICT,
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
                .help =
                    "write this file; .rlsum is added if it has no extension. %h is "
                    "the host, %p the pid, %q{VAR} a variable's value"},
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
        "Writes a small file with the sums of all ranges, by rank and path, for jobs "
        "whose traces are too many or too far away to be read together. `rangeline "
        "stats` prints it: nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum, tree and "
        "rank_sum are the same as those of the traces; medians are exact up to 4,096 "
        "ranges of a name, and within 0.4 % beyond.\n\nAn INPUT is a trace, a file "
        "that reduce wrote, a quoted pattern such as 'job/*.rln', or @LIST, a file "
        "with "
        "a name per line. One trace at a time is open. The same traces give the same "
        "bytes, however they are split and merged; a trace that is there twice is "
        "refused, as are sums that were made with other filters or names.\n\nTraces "
        "that "
        "are unreadable or damaged are listed in the file, and reported on standard "
        "error. Options that select time or align clocks need all traces together, and "
        "are those of stats only. A trace without a rank of a job is numbered by the "
        "order of names.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .run = rln__cmd_reduce,
};

struct reduction {
    rln_reduced *sums; /* owned */
    rln_filter *filter;
    size_t n_read, n_unreadable, n_damaged;
};

static _Noreturn void refuse_usage(const char *what)
{
    rln__complain("cannot reduce: no %s", what);
    rln__hint("`rangeline reduce -o job 'job/*.rln'`");
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

static bool has_filters(const struct rln__args *args)
{
    for (unsigned i = FOLD; i <= DURATION; i++) {
        if (rln__args_has(args, i))
            return true;
    }
    return false;
}

static void begin(struct reduction *r, const struct rln__args *args)
{
    size_t n;
    const char **rules = rln__rename_rules(args, FOLD, &n);
    rln_error err = {0};
    rln_status status;

    r->filter = rln__filter_read(args, WHAT, DURATION);
    status = rln_reduced_new(r->filter, rules, n, &r->sums, &err);
    free(rules);
    rln__die_of_rules(status, &err);
}

/* Without filters on the command line, those of the first sums hold. */
static void add_sums(struct reduction *r, const char *path, bool may_begin)
{
    rln_reduced *sums;
    rln_error err = {0};

    rln__die_if(rln_reduced_open(path, &sums, &err), &err);
    r->n_read++;
    if (may_begin) {
        rln_reduced_free(r->sums);
        r->sums = sums;
        return;
    }
    rln__die_if(rln_reduced_merge(r->sums, sums, &err), &err);
    rln_reduced_free(sums);
}

static void add_trace(struct reduction *r, const char *path)
{
    const rln_reduced_trace *trace;
    size_t n = 0;
    rln_error err = {0};
    const rln_status status = rln_reduced_add_trace(r->sums, path, &err);

    if (status == RLN_ERR_NOMEM || status == RLN_ERR_ARGUMENT)
        rln__die(RLN__EXIT_FAILED, "%s", err.message);
    if (status) {
        rln__complain("%s", err.message);
        r->n_unreadable++;
        return;
    }
    r->n_read++;
    n = rln_reduced_count_traces(r->sums);
    trace = rln_reduced_trace_at(r->sums, n - 1);
    if (!trace->n_damages)
        return;
    r->n_damaged++;
    rln__complain("%" PRIu64
                  " place%s could not be read, first: file=\"%s\", offset=%" PRIu64
                  ": %.*s",
                  trace->n_damages, trace->n_damages == 1 ? "" : "s", path,
                  trace->damage_offset, (int)trace->damage.length, trace->damage.bytes);
}

static void read_all(struct reduction *r, const struct rln__file_names *inputs,
                     const struct rln__args *args)
{
    const bool is_filtered = has_filters(args);

    begin(r, args);
    for (size_t i = 0; i < inputs->n; i++) {
        if (rln_reduced_is(inputs->items[i]))
            add_sums(r, inputs->items[i], i == 0 && !is_filtered);
        else
            add_trace(r, inputs->items[i]);
    }
    if (!r->n_read && inputs->n)
        rln__die(RLN__EXIT_FAILED, "cannot reduce: none of %zu traces could be read",
                 inputs->n);
    if (r->n_unreadable + r->n_damaged && rln__args_has(args, STRICT))
        rln__die(RLN__EXIT_FAILED,
                 "cannot reduce with --strict: unreadable=%zu, damaged=%zu",
                 r->n_unreadable, r->n_damaged);
}

/* --- Writing ---------------------------------------------------------------------- */

static void write_whole(struct reduction *r, const char *path, bool may_replace)
{
    struct rln__output output;
    const void *bytes;
    size_t n;
    rln_error err = {0};
    rln_status status;

    rln__die_if(rln_reduced_bytes(r->sums, &bytes, &n, &err), &err);
    rln__unfinished_begin();
    status = rln__output_open(&output, path, may_replace, RLN__OUTPUT_STREAM, &err);
    rln__unfinished_is(status ? NULL : output.part);
    rln__die_if(status, &err);
    rln__buf_add(&output.buf, bytes, n);
    status = rln__output_end(&output, &err);
    rln__unfinished_is(NULL);
    rln__output_clear(&output);
    rln__die_if(status, &err);
}

static void say(struct reduction *r, const char *path)
{
    const size_t n_traces = rln_reduced_count_traces(r->sums);
    struct rln__buf size = {0};
    struct stat st;

    rln__buf_size(&size, stat(path, &st) == 0 ? (uint64_t)st.st_size : 0);
    rln__complain("%s: %.*s, %zu trace%s", path, (int)size.length, size.bytes, n_traces,
                  n_traces == 1 ? "" : "s");
    rln__buf_clear(&size);
    if (r->n_unreadable)
        rln__note("%zu trace%s could not be read, and %s listed in the file",
                  r->n_unreadable, r->n_unreadable == 1 ? "" : "s",
                  r->n_unreadable == 1 ? "is" : "are");
}

int rln__cmd_reduce(int argc, char **argv)
{
    struct rln__args args;
    struct rln__file_names inputs = {0};
    struct reduction r = {0};
    const char *output;
    char *name; /* owned */

    rln__args_parse(&rln__command_reduce, argc, argv, &args);
    output = rln__args_text(&args, OUTPUT);
    if (!output || !*output)
        refuse_usage("output");
    if (!args.n_operands)
        refuse_usage("input");
    name = rln__output_expand_other(output, getpid(), ".rlsum");
    for (size_t i = 0; i < args.n_operands; i++)
        rln__file_names_add(&inputs, args.operands[i]);
    if (rln__args_has(&args, SLICE))
        rln__file_names_slice(&inputs, rln__args_text(&args, SLICE));
    keep_inputs(&inputs, name);
    if (!rln__args_bool(&args, FORCE) && access(name, F_OK) == 0) {
        rln__complain("cannot write output: path=\"%s\": File exists", name);
        rln__hint("choose another name with -o, or replace it with -f");
        exit(RLN__EXIT_FAILED);
    }
    read_all(&r, &inputs, &args);
    write_whole(&r, name, rln__args_bool(&args, FORCE));
    say(&r, name);
    rln_reduced_free(r.sums);
    rln_filter_free(r.filter);
    rln__file_names_clear(&inputs);
    free(name);
    rln__args_clear(&args);
    return RLN__EXIT_OK;
}
