/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/reduced_inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/inputs/filter_options.h"
#include "console/die.h"
#include "console/pager.h"
#include "console/stdout_error.h"

static _Noreturn void refuse_mixture(const char *trace, const char *sums)
{
    rln__complain("cannot read traces and sums of traces together: \"%s\" has sums, "
                  "\"%s\" does not",
                  sums, trace);
    rln__hint("`rangeline reduce -o NAME %s` makes sums of the trace, too", trace);
    exit(RLN__EXIT_USAGE);
}

static void refuse_filters(const char *sums, const struct rln__args *args,
                           unsigned filters)
{
    for (unsigned i = filters; i < filters + RLN__N_FILTER_OPTIONS; i++) {
        if (!rln__args_has(args, i))
            continue;
        rln__complain("cannot filter sums of traces: file=\"%s\", option=--%s", sums,
                      args->command->options[i].name);
        rln__hint(
            "give filters and names to `rangeline reduce`, which reads the traces");
        exit(RLN__EXIT_USAGE);
    }
}

static void merge(struct rln__input_traces *inputs, const char *path)
{
    struct rln__reduced *sums;
    rln_error err = {0};

    rln__die_if(rln__reduced_open(path, &sums, &err), &err);
    if (!inputs->reduced) {
        inputs->reduced = sums;
        return;
    }
    rln__die_if(rln__reduced_merge(inputs->reduced, sums, &err), &err);
    rln__reduced_free(sums);
}

const char *rln__reduced_inputs_first(const struct rln__file_names *files)
{
    const char *trace = NULL, *sums = NULL; /* the first of each */

    for (size_t i = 0; i < files->n; i++) {
        const char *path = files->items[i];

        if (rln__reduced_is(path))
            sums = sums ? sums : path;
        else
            trace = trace ? trace : path;
    }
    if (sums && trace)
        refuse_mixture(trace, sums);
    return sums;
}

bool rln__reduced_inputs_open(struct rln__input_traces *inputs,
                              struct rln__file_names *files,
                              const struct rln__args *args, unsigned filters)
{
    const char *sums = rln__reduced_inputs_first(files);

    if (!sums)
        return false;
    if (filters != RLN__NO_FILTERS)
        refuse_filters(sums, args, filters);
    rln__pager_allow();
    memset(inputs, 0, sizeof(*inputs));
    for (size_t i = 0; i < files->n; i++)
        merge(inputs, files->items[i]);
    inputs->paths = rln__file_names_take(files);
    inputs->name = inputs->paths[0];
    return true;
}

static void hint_at_reports(const struct rln__reduced *sums)
{
    const struct rln__report_info *about;
    struct rln__buf names = {0};

    for (size_t i = 0; (about = rln__report_about_at(i)); i++) {
        if (rln__reduced_has_report(sums, about, NULL))
            rln__buf_format(&names, "%s%s", names.length ? ", " : "", about->name);
        if (rln__reduced_has_report(sums, about, "cpu"))
            rln__buf_format(&names, ", %s:cpu", about->name);
    }
    rln__hint("it has %.*s%s", (int)names.length, names.bytes,
              *rln__reduced_steps(sums)
                  ? ""
                  : "; `rangeline reduce --steps NAME` adds straggler and step_trace");
    rln__buf_clear(&names);
}

size_t rln__choose_of_sums(struct rln__report_choice *c,
                           const struct rln__input_traces *inputs)
{
    const size_t n = c->n;

    for (size_t i = 0; i < c->n;) {
        if (rln__reduced_has_report(inputs->reduced, c->reports[i], c->arguments[i])) {
            i++;
            continue;
        }
        rln__print_line(stderr, "SKIPPED: %s%s%s needs the traces themselves.",
                        c->reports[i]->name, c->arguments[i] ? ":" : "",
                        c->arguments[i] ? c->arguments[i] : "");
        rln__report_choice_drop(c, i);
    }
    if (!c->is_usual && !c->n) {
        rln__complain("cannot print report: file=\"%s\": it has only sums",
                      inputs->name);
        hint_at_reports(inputs->reduced);
        exit(RLN__EXIT_FAILED);
    }
    return n - c->n;
}

/* --- Notes ------------------------------------------------------------------------ */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void note_unreadable(struct rln__reduced *sums)
{
    const struct rln__reduced_unreadable *file = rln__reduced_unreadable_at(sums, 0);
    size_t n = 0;

    if (!file)
        return;
    while (rln__reduced_unreadable_at(sums, n))
        n++;
    file = rln__reduced_unreadable_at(sums, 0);
    rln__note("%zu trace%s could not be read, first: file=\"%.*s\": %.*s", n, plural(n),
              (int)file->name.length, file->name.bytes, (int)file->reason.length,
              file->reason.bytes);
}

static void note_traces(struct rln__reduced *sums)
{
    const struct rln__reduced_trace_info *trace;
    uint64_t n_damaged = 0, n_overwritten = 0, n_dropped = 0, n_gpu_lost = 0;

    for (size_t i = 0; (trace = rln__reduced_trace_at(sums, i)); i++) {
        n_damaged += trace->n_damages > 0;
        n_overwritten += trace->n_overwritten > 0;
        n_dropped += trace->n_dropped;
        n_gpu_lost += trace->n_gpu_lost > 0;
    }
    if (n_damaged)
        rln__note("%" PRIu64 " trace%s unreadable places, which the sums lack",
                  n_damaged, n_damaged == 1 ? " has" : "s have");
    if (n_overwritten)
        rln__note("older events of %" PRIu64 " trace%s were overwritten", n_overwritten,
                  plural(n_overwritten));
    if (n_dropped)
        rln__note("%" PRIu64 " event%s dropped: no space", n_dropped,
                  n_dropped == 1 ? " was" : "s were");
    if (n_gpu_lost)
        rln__note("GPU work of %" PRIu64 " trace%s is incomplete", n_gpu_lost,
                  plural(n_gpu_lost));
}

void rln__note_window_twice(const struct rln__reduced *sums)
{
    rln_text window, of;

    if (rln__reduced_find_window(sums, &window, &of))
        rln__note("events count twice: path=\"%.*s\": it is a window of \"%.*s\"",
                  (int)window.length, window.bytes, (int)of.length, of.bytes);
}

void rln__reduced_inputs_note_medians(const struct rln__input_traces *inputs)
{
    const size_t n = rln__reduced_count_rough(inputs->reduced);

    if (n)
        rln__note("medians of %zu name%s are within 0.4 %%: %s over 4,096 times", n,
                  plural(n), n == 1 ? "it ran" : "they ran");
}

void rln__reduced_inputs_note_losses(struct rln__reduced *sums)
{
    (void)rln__flush_output();
    rln__note_window_twice(sums);
    note_unreadable(sums);
    note_traces(sums);
}
