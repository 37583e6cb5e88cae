/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/stats/stats_notes.h"

#include <inttypes.h>
#include <string.h>

#include "base/count.h"
#include "base/human_units.h"
#include "console/die.h"
#include "ranges/cpu_lives.h"

/* The name of the first report of a kind; NULL: there is none. */
static const char *first_of(const struct rln__report_choice *chosen,
                            bool (*is_of)(const struct rln__report_info *about,
                                          const char *argument))
{
    for (size_t i = 0; i < chosen->n; i++)
        if (is_of(chosen->reports[i], chosen->arguments[i]))
            return chosen->reports[i]->name;
    return NULL;
}

static bool is_of_kernels(const struct rln__report_info *about, const char *argument)
{
    (void)argument;
    return about->is_of_kernels;
}

void rln__stats_note_graphs(const struct rln__report_choice *chosen, rln_reader *reader)
{
    const uint64_t n = rln__reader_get_losses(reader)->n_graph_launches;
    const char *of_kernels = first_of(chosen, is_of_kernels);

    if (!n || !of_kernels)
        return;
    rln__note("%s lacks the kernels of %" PRIu64 " launch%s of CUDA graphs", of_kernels,
              n, n == 1 ? "" : "es");
    rln__hint("`--cuda-graph-trace=node` records their nodes");
}

static bool is_of_launches(const struct rln__report_info *about, const char *argument)
{
    return rln__report_reads_launches(about, argument);
}

void rln__stats_note_calls(const struct rln__report_choice *chosen, rln_reader *reader)
{
    const uint64_t n = rln__reader_get_losses(reader)->n_gpu_without_calls;
    const char *of_launches = first_of(chosen, is_of_launches);

    if (!n || !of_launches)
        return;
    rln__note("%s lacks %" PRIu64 " GPU operation%s: no calls of CUDA were recorded",
              of_launches, n, n == 1 ? "" : "s");
    rln__hint("`--cuda-api=launch` records the calls that launch them");
}

static bool is_of_processors(const struct rln__report_info *about, const char *argument)
{
    return strcmp(about->name, "cpu_sum") == 0 ||
           (argument && strcmp(about->name, "outliers") == 0) ||
           (argument && !rln__report_takes_range(about) && strstr(argument, "cpu"));
}

void rln__stats_note_switches(const struct rln__report_choice *chosen,
                              rln_reader *reader)
{
    const rln_text why = rln__cpu_times_why_missing(reader, RLN__NONE);
    const int64_t since_ns = rln__cpu_times_since_ns(reader, RLN__NONE);
    const char *of_processors = first_of(chosen, is_of_processors);

    if (why.length && of_processors)
        rln__note("%s: context switches were not recorded: %.*s", of_processors,
                  (int)why.length, why.bytes);
    if (since_ns != INT64_MIN && of_processors)
        rln__note("%s: context switches before %.9f s were overwritten", of_processors,
                  (double)since_ns / 1e9);
}

/* Less is nothing to look for: a share in percent of the time that threads could run. */
#define LEAST_PREEMPTED 10
#define LEAST_PREEMPTED_NS 100000000

void rln__stats_note_preempted(const struct rln__report_choice *chosen,
                               const struct rln__input_traces *inputs)
{
    struct rln__cpu_split sum = {0};
    struct rln__buf text = {0}, files = {0};
    uint64_t percent;
    int has_readings;

    if (!chosen->is_usual || inputs->filter ||
        rln__cpu_lives_sum(inputs->reader, &sum, &has_readings, NULL) ||
        sum.preempted_ns < LEAST_PREEMPTED_NS)
        return;
    percent = (uint64_t)((double)sum.preempted_ns * 100 /
                         (double)(sum.preempted_ns + sum.on_ns));
    rln__buf_duration(&text, (double)sum.preempted_ns);
    if (percent >= LEAST_PREEMPTED && !text.has_failed) {
        rln__note("%s had the processor for %" PRIu64
                  " %% of the time that threads could run: %.*s",
                  rln__cpu_split_who(&sum, has_readings), percent, (int)text.length,
                  text.bytes);
        rln__file_names_words(inputs->paths, &files);
        rln__hint("`rangeline stats -r cpu_sum%.*s` says in which ranges",
                  (int)files.length, files.bytes);
    }
    rln__buf_clear(&text);
    rln__buf_clear(&files);
}

/* By its name, as the help says. */
static bool is_of_gpus(const struct rln__report_info *about, const char *argument)
{
    static const char *const parts[] = {"gpu", "kern", "cuda", "nccl"};

    for (size_t i = 0; i < RLN_COUNT(parts); i++)
        if (strstr(about->name, parts[i]))
            return true;
    return argument && !rln__report_takes_range(about) && strstr(argument, "gpu");
}

void rln__note_gpu_losses(const struct rln__losses *losses)
{
    if (losses->n_gpu_lost)
        rln__note("GPU work is incomplete: %" PRIu64 " x %.*s", losses->n_gpu_lost,
                  (int)losses->gpu_loss.length, losses->gpu_loss.bytes);
}

void rln__stats_note_gpu_losses(const struct rln__report_choice *chosen,
                                rln_reader *reader)
{
    if (first_of(chosen, is_of_gpus))
        rln__note_gpu_losses(rln__reader_get_losses(reader));
}

static void print_note(uint64_t n, const char *one, const char *many)
{
    if (n)
        rln__note("%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

void rln__stats_note(const struct rln__report_choice *chosen,
                     const struct rln__stats *stats,
                     const struct rln__input_traces *inputs)
{
    const struct rln__stats_totals *t = rln__stats_get_totals(stats);

    if (chosen->is_usual && rln__stats_count(stats) == 0 && t->n_events &&
        !inputs->filter && !inputs->reduced)
        rln__hint("`rangeline stats -r mark_sum,counter_sum %s` summarizes marks and "
                  "counters",
                  inputs->name);
    print_note(t->n_open, "range was never closed; it counts up to the last event",
               "ranges were never closed; they count up to the last event");
    print_note(
        t->n_resumed,
        "range was open before its window; it counts from when the window opened",
        "ranges were open before their windows; they count from when the windows "
        "opened");
    print_note(t->n_unmatched, "pop or end closes nothing",
               "pops or ends close nothing");
    print_note(
        t->n_unplaced,
        "deferred event was omitted: its time is unknown; `rangeline info` says why",
        "deferred events were omitted: their times are unknown; `rangeline info` says "
        "why");
    print_note(t->n_lost_events, "event was dropped: no space",
               "events were dropped: no space");
    print_note(t->n_lost_ranges, "range was omitted: its end may have been dropped",
               "ranges were omitted: their ends may have been dropped");
}
