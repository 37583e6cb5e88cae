/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/compared_side.h"

#include <stdlib.h>
#include <string.h>

#include "cli/inputs/filter_options.h"
#include "cli/inputs/reduced_inputs.h"
#include "console/die.h"
#include "console/pager.h"
#include "reports/diff/diff_traces.h"

/* Sums are of whole traces. */
static void refuse_times(const char *sums, const struct rln__args *args,
                         unsigned filters)
{
    static const unsigned of_traces[] = {RLN__OPTION_ALIGN, RLN__OPTION_WINDOW,
                                         RLN__OPTION_TIME, RLN__OPTION_NVTX};

    for (size_t i = 0; i < RLN_COUNT(of_traces); i++) {
        if (!rln__args_has(args, filters + of_traces[i]))
            continue;
        rln__complain("cannot compare: file=\"%s\", option=--%s: sums have no times",
                      sums, args->command->options[filters + of_traces[i]].name);
        rln__hint("compare the traces themselves, or without that option");
        exit(RLN__EXIT_USAGE);
    }
}

static _Noreturn void refuse_other(const char *path, const char *theirs,
                                   const char *ours)
{
    rln__complain("cannot compare: file=\"%s\": it was reduced with %s, and this "
                  "comparison is with %s",
                  path, *theirs ? theirs : "no filters", *ours ? ours : "none");
    if (*theirs)
        rln__hint("give the same ones here: `rangeline diff %.*s ...`",
                  (int)strlen(theirs), theirs);
    else
        rln__hint("compare without them, or give them to `rangeline reduce`");
    exit(RLN__EXIT_USAGE);
}

static void describe(const struct rln__reduced *sums, struct rln__buf *out)
{
    const char *filters = rln__reduced_filters(sums);
    const char *renames = rln__reduced_renames(sums);

    rln__buf_format(out, "%s%s%s", renames, *filters && *renames ? " " : "", filters);
    rln__buf_char(out, '\0');
    if (out->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
}

/* What sums say that are made with the options given here. */
static void describe_given(const struct rln__args *args, unsigned filters,
                           struct rln__buf *out)
{
    rln_filter *filter = rln__filter_read(args, filters + RLN__OPTION_WHAT,
                                          filters + RLN__OPTION_DURATION);
    struct rln__reduced_options how = {.size = sizeof(how), .filter = filter};
    const char **rules =
        rln__rename_rules(args, filters + RLN__OPTION_FOLD, &how.n_rules);
    struct rln__reduced *sums;
    rln_error err = {0};

    how.rules = rules;
    rln__die_of_rules(rln__reduced_new(&how, &sums, &err), &err);
    describe(sums, out);
    rln__reduced_free(sums);
    rln_filter_free(filter);
    free(rules);
}

static void open_sums(struct rln__compared_side *side,
                      const struct rln__file_names *files, const struct rln__args *args,
                      unsigned filters)
{
    struct rln__buf ours = {0};

    describe_given(args, filters, &ours);
    side->sums = calloc(files->n, sizeof(*side->sums));
    if (!side->sums)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    for (size_t i = 0; i < files->n; i++) {
        const char *path = files->items[i];
        struct rln__buf theirs = {0};
        rln_error err = {0};

        rln__die_if(rln__reduced_open(path, &side->sums[i], &err), &err);
        side->n_sums++;
        describe(side->sums[i], &theirs);
        if (strcmp(ours.bytes, theirs.bytes) != 0)
            refuse_other(path, theirs.bytes, ours.bytes);
        rln__buf_clear(&theirs);
    }
    rln__buf_clear(&ours);
}

void rln__compared_side_open(struct rln__compared_side *side,
                             struct rln__file_names *files,
                             const struct rln__args *args, unsigned filters)
{
    const char *sums = rln__reduced_inputs_first(files);

    memset(side, 0, sizeof(*side));
    if (sums) {
        rln__pager_allow();
        refuse_times(sums, args, filters);
        open_sums(side, files, args, filters);
        side->traces.paths = rln__file_names_take(files);
        side->traces.name = side->traces.paths[0];
    } else {
        rln__input_traces_open_files(&side->traces, files);
        rln__restrict(&side->traces, args, filters);
        rln__file_names_clear(files);
    }
    side->name = side->traces.name;
}

void rln__compared_side_add(const struct rln__compared_side *side,
                            struct rln__diff *diff, int which)
{
    rln_error err = {0};

    if (side->traces.reader)
        rln__die_if(rln__diff_add_traces(diff, which, side->traces.reader, &err), &err);
    for (size_t i = 0; i < side->n_sums; i++)
        rln__die_if(rln__diff_add_sums(diff, which, side->sums[i], &err), &err);
}

void rln__compared_side_note_losses(const struct rln__compared_side *side)
{
    if (side->traces.reader)
        rln__input_traces_note_losses(&side->traces, 0);
    for (size_t i = 0; i < side->n_sums; i++)
        rln__reduced_inputs_note_losses(side->sums[i]);
}

void rln__compared_side_close(struct rln__compared_side *side)
{
    for (size_t i = 0; i < side->n_sums; i++)
        rln__reduced_free(side->sums[i]);
    free(side->sums);
    rln__input_traces_close(&side->traces);
    memset(side, 0, sizeof(*side));
}
