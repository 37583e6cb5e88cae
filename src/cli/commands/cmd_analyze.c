/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_analyze.c - says what costs time, how much could be won, and where to look. */
#include <stdlib.h>
#include <string.h>

#include "analysis/baseline.h"
#include "cli/commands.h"
#include "cli/findings/analyze_findings.h"
#include "cli/findings/analyze_json.h"
#include "cli/findings/analyze_options.h"
#include "cli/findings/analyze_text.h"
#include "cli/findings/analyze_time.h"
#include "cli/inputs/filter_options.h"
#include "cli/inputs/named_range.h"
#include "console/die.h"
#include "console/pager.h"
#include "console/progress.h"
#include "console/stdout_error.h"
#include "console/text_file.h"
#include "export/exporter.h"
#include "trace/open/load.h"

enum {
    RULE,
    STEP,
    SET,
    RECURSIVE,
    LOADER,
    BASELINE,
    FAIL_ON,
    WHY,
    JSON,
    SCHEMA,
    HELP_RULES,
    JOBS,
    FILTERS
};

static const struct rln__option options[] = {
    [RULE] = {.name = "rule",
              .letter = 'r',
              .kind = RLN__ARG_TEXT,
              .is_repeatable = true,
              .value = "RULE[,RULE]",
              .word_at = rln__rule_word,
              .help = "ask only these rules; default: all"},
    [STEP] =
        {.name = "step",
         .kind = RLN__ARG_TEXT,
         .value = "NAME[@DOMAIN]",
         .help = "the push/pop range that the program repeats. Without it: the "
                 "outermost name that a thread calls at least 20 times, of several "
                 "the one with the longest total, or what is repeated around it, if it "
                 "takes little of that; `step 1`, `step 2` may be one name, "
                 "`step #`. Without @DOMAIN: the default domain; @*: any"},
    [SET] = {.name = "set",
             .kind = RLN__ARG_TEXT,
             .is_repeatable = true,
             .value = "RULE.NAME=VALUE",
             .help = "set a threshold, such as outliers.share=2%; --help-rules lists "
                     "them"},
    [RECURSIVE] = {.name = "recursive",
                   .kind = RLN__ARG_TEXT,
                   .is_repeatable = true,
                   .value = "PATTERN",
                   .help = "let ranges of such a name (* is any text, ? any character) "
                           "lie in each other: nested-duplicate ignores them"},
    [LOADER] = {.name = "loader",
                .kind = RLN__ARG_TEXT,
                .is_repeatable = true,
                .value = "PATTERN",
                .help = "ranges of such a name load data, for loader-wait. Without it: "
                        "load, data, and names that "
                        "speak of loading data or of the next batch"},
    [BASELINE] = {.name = "baseline",
                  .kind = RLN__ARG_TEXT,
                  .value = "FILE",
                  .help = "mark findings that FILE, from an earlier --json, has as "
                          "known. They fail --fail-on RULE:SHARE only if they could "
                          "win less than SHARE in FILE"},
    [FAIL_ON] = {.name = "fail-on",
                 .kind = RLN__ARG_TEXT,
                 .is_repeatable = true,
                 .value = "WHAT[,WHAT]",
                 .choices = "warning",
                 .word_at = rln__rule_word,
                 .help = "exit with 1 if there is a warning (warning), a finding of a "
                         "rule (RULE), or one that could win at least a share of the "
                         "run (RULE:5%). A note names rules that abstain, which fail "
                         "nothing"},
    [WHY] = {.name = "why", .help = "say which rules had nothing to check, and why"},
    [JSON] = {.name = "json", .help = "print one JSON document with all findings"},
    [SCHEMA] = {.name = "schema", .help = "print the JSON Schema of --json"},
    [HELP_RULES] = {.name = "help-rules",
                    .has_operands = true,
                    .help = "print when rules fire and why at these thresholds: all "
                            "rules, or those of --rule, or those named as operands"},
    [JOBS] = {RLN__PROCESSORS_OPTION},
    RLN__FILTER_OPTIONS(FILTERS),
};

static const struct rln__example examples[] = {
    {"see what costs time", "rangeline analyze run.rln"},
    {"see which rank the others wait for", "rangeline analyze -r straggler rank*.rln"},
    {"name the step", "rangeline analyze --step batch@train run.rln"},
    {"fail a build on new warnings",
     "rangeline analyze --baseline old.json --fail-on warning run.rln"},
    {"fail it if slow steps cost 5 % of the run",
     "rangeline analyze --fail-on outliers:5% run.rln"},
};

static bool rule_at(size_t index, struct rln__topic *out)
{
    const struct rln__rule *rule = index < RLN__N_RULES ? rln__rules[index] : NULL;

    if (rule)
        *out = (struct rln__topic){rule->id, rule->question, NULL};
    return rule;
}

static const char *way_out(const char *name)
{
    return strcmp(name, "format") == 0 || strcmp(name, "f") == 0
               ? "use --json, the only format besides text"
               : NULL;
}

const struct rln__command rln__command_analyze = {
    .name = "analyze",
    .summary = "find what costs time, and how much could be won",
    .operands = "[FILE...]",
    .operands_help = RLN__INPUT_TRACES_HELP,
    .description =
        "Each trace is a rank unless their processes know their ranks.\n\nRules ask "
        "questions about the step, the push/pop range that the program repeats: is "
        "the start slow, which steps are slow, does it become slower, is one rank or "
        "thread slow, does the GPU wait? A finding has what was measured, what could "
        "be won at most, ranges that show it, what speaks against it, and the next "
        "command. What could be won is an upper bound of the run's time; bounds of "
        "several findings overlap.\n\nA finding that could win at least 5 % of the "
        "run is a warning, one that could win less is a note, and less than 1 % is "
        "no finding. A missing pop is a warning, and so is memory that grows. Time "
        "outside ranges, time counted twice, and slow calls without a cause inside "
        "are notes; --help-rules says it for each rule. A rule that cannot tell, "
        "because events are missing, the clock was unsteady or there is no step, "
        "abstains; --why says what it lacks. `rangeline check` finds wrong "
        "annotations.\n\nThe "
        "commands after next and view say more about a finding, and show the worst "
        "of its ranges. They have the filters of this one.\n\nFilters leave out "
        "ranges as in other commands: --filter-time 1s/ omits a warm-up.",
    RLN__OPTIONS(options),
    RLN__EXAMPLES(examples),
    .topics = {"RULES", rule_at},
    .way_out = way_out,
    .run = rln__cmd_analyze,
};

static void print_rules(const struct rln__args *args)
{
    struct rln__analysis_options rules;
    struct rln__operand_word word = {0};
    struct rln__buf out = {0};

    rln__analysis_options_init(&rules);
    rln__choose_rules(args, RULE, &rules);
    rln__set_thresholds(args, SET, &rules);
    while (rln__args_next_word(args, &word)) {
        const size_t rule = rln__rule_called(args, "help-rules", word.at, word.length);

        rln__rule_help(rln__rules[rule], rules.limits[rule], &out);
    }
    for (size_t i = 0; i < RLN__N_RULES && !args->n_operands; i++)
        if (rules.is_asked[i])
            rln__rule_help(rln__rules[i], rules.limits[i], &out);
    (void)rln__write_out(&out);
    rln__buf_clear(&out);
}

/* --- Reading ---------------------------------------------------------------------- */

static void read_baseline(const char *path, struct rln__baseline *out)
{
    struct rln__buf json = {0};
    rln_error err = {0};

    memset(out, 0, sizeof(*out));
    if (!path)
        return;
    rln__text_file_read(path, "baseline: path", &json);
    rln__die_if(rln__baseline_read(json.bytes, json.length, path, out, &err), &err);
    rln__buf_clear(&json);
}

/* The step's name is owned by the caller. */
static char *read_step(const struct rln__args *args, struct rln__step_request *out)
{
    const char *text = rln__args_text(args, STEP);
    struct rln__named_range range;
    char *copy;

    if (!text)
        return NULL;
    copy = strdup(text);
    if (!copy)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    rln__named_range_read(&range, copy);
    if (!*range.message && range.domain) {
        rln__complain("cannot analyze: step=\"%s\": no name before the @", text);
        rln__hint("`rangeline stats -r nvtx_pushpop_sum` lists names; \\@ is a part of "
                  "one");
        exit(RLN__EXIT_USAGE);
    }
    out->message = range.message;
    out->domain = range.domain;
    return copy;
}

/* Up to NULL; owned by the caller. */
static const char **read_names(const struct rln__args *args, unsigned option)
{
    const char **names = calloc(args->n_given + 1, sizeof(*names));
    size_t n = 0, at = 0;

    if (!names)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    while ((names[n] = rln__args_next(args, option, &at)))
        n++;
    return names;
}

static void analyze(const struct rln__input_traces *inputs,
                    const struct rln__analysis_options *rules,
                    struct rln__analysis *out)
{
    struct rln__progress progress;
    rln_error err = {0};
    rln_status status;

    rln__progress_begin(&progress, inputs->name, false);
    rln__reader_set_progress(inputs->reader, rln__progress_of_reading, &progress);
    status = rln__analyze(inputs->reader, rules, out, &err);
    rln__progress_end(&progress);
    rln__reader_set_progress(inputs->reader, NULL, NULL);
    if (status == RLN_ERR_ARGUMENT) {
        rln__complain("%s", err.message);
        exit(RLN__EXIT_USAGE);
    }
    rln__die_if(status, &err);
}

/* What the options say about rules, read before the traces, which may take long. */
struct request {
    struct rln__analysis_options rules;
    struct rln__fail_on fail_on;
    struct rln__baseline baseline;
    const char **recursive, **loaders; /* owned */
    char *step;                        /* owned */
};

static void read_request(const struct rln__args *args, struct request *out)
{
    rln__analysis_options_init(&out->rules);
    rln__choose_rules(args, RULE, &out->rules);
    rln__set_thresholds(args, SET, &out->rules);
    rln__read_fail_on(args, FAIL_ON, &out->rules, &out->fail_on);
    out->step = read_step(args, &out->rules.step);
    out->rules.recursive = out->recursive = read_names(args, RECURSIVE);
    out->rules.loaders = out->loaders = read_names(args, LOADER);
    read_baseline(rln__args_text(args, BASELINE), &out->baseline);
}

static void clear_request(struct request *request)
{
    rln__baseline_clear(&request->baseline);
    free(request->recursive);
    free(request->loaders);
    free(request->step);
}

/* First comes where the time is. If the step is one name without numbers, so are the
 * names there; the reader can rename only what nothing is made of any more. */
static void print_time(const struct rln__input_traces *inputs,
                       const struct rln__args *args, bool is_folded, bool has_color)
{
    static const char *const rules[] = {"numbers"};
    struct rln__buf out = {0};
    rln_error err = {0};

    if (is_folded && !rln__args_has(args, FILTERS + RLN__OPTION_FOLD) &&
        !rln__args_has(args, FILTERS + RLN__OPTION_RENAME))
        rln__die_if(rln__reader_rename(inputs->reader, rules, 1, &err), &err);
    rln__analyze_time(inputs, has_color, &out);
    if (out.has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    (void)rln__write_out(&out);
    rln__buf_clear(&out);
}

static int analyze_traces(const struct rln__args *args)
{
    struct rln__input_traces inputs;
    struct rln__analyze_job job = {.has_color = rln__has_color(),
                                   .has_baseline = rln__args_has(args, BASELINE),
                                   .says_why = rln__args_bool(args, WHY) ||
                                               rln__args_has(args, RULE)};
    struct request request;
    struct rln__buf out = {0};
    bool is_failure, is_folded;
    size_t n_ranges;

    read_request(args, &request);
    rln__input_traces_open(&inputs, args->operands, args->n_operands);
    rln__input_traces_set_jobs(&inputs, args, JOBS);
    rln__restrict(&inputs, args, FILTERS);
    analyze(&inputs, &request.rules, &job.analysis);
    job.paths = inputs.paths;
    job.name = inputs.name;
    rln__filter_words(args, FILTERS, FILTERS + RLN__N_FILTER_OPTIONS, &job.inputs);
    rln__file_names_words(inputs.paths, &job.inputs);
    rln__baseline_mark(&request.baseline, &job.analysis);
    is_failure = rln__is_failure(&request.fail_on, &job.analysis);
    if (rln__args_bool(args, JSON))
        rln__findings_json(&job, &out);
    else
        rln__findings_text(&job, &out);
    if (out.has_failed || job.inputs.has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    n_ranges = rln__nesting_count(job.analysis.run.nesting);
    is_folded = job.analysis.run.is_folded;
    rln__buf_clear(&job.inputs);
    rln__analysis_clear(&job.analysis);
    clear_request(&request);
    if (!rln__args_bool(args, JSON) && !rln__args_has(args, RULE))
        print_time(&inputs, args, is_folded, job.has_color);
    (void)rln__write_out(&out);
    rln__note_if_empty(&inputs, n_ranges);
    rln__buf_clear(&out);
    rln__input_traces_note_losses(&inputs, 0);
    rln__input_traces_close(&inputs);
    return is_failure ? RLN__EXIT_FAILED : RLN__EXIT_OK;
}

int rln__cmd_analyze(int argc, char **argv)
{
    struct rln__args args;
    int status = RLN__EXIT_OK;

    rln__args_parse(&rln__command_analyze, argc, argv, &args);
    if (rln__args_bool(&args, HELP_RULES))
        print_rules(&args);
    else if (rln__args_bool(&args, SCHEMA))
        (void)fputs(rln__findings_schema(), stdout);
    else
        status = analyze_traces(&args);
    rln__args_clear(&args);
    return status;
}
