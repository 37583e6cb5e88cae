/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/trace_line.h"

#include "base/hash.h"
#include "base/human_units.h"
#include "base/thousands.h"
#include "trace/open/load.h"

/* Those that recorded something: streams of GPUs, and what samples them, are no threads
 * of the program. */
static void add_threads(struct rln__buf *out, const rln_reader *reader)
{
    struct rln__map processes = {0};
    size_t n_processes = 0, n_threads = 0;

    for (size_t i = 0; i < reader->n_threads; i++) {
        const uint32_t index = reader->threads[i].process;
        const uint64_t process = (uint64_t)index + 1;

        if (reader->threads[i].is_stream ||
            reader->names.processes[index].record.flags & RLN__PROCESS_SAMPLER)
            continue;
        n_threads++;
        if (rln__map_get(&processes, process))
            continue;
        (void)rln__map_put(&processes, process,
                           1); /* without memory some count twice */
        n_processes++;
    }
    rln__map_clear(&processes);
    rln__buf_counted(out, n_processes, "process, ", "processes, ");
    rln__buf_counted(out, n_threads, "thread, ", "threads, ");
}

void rln__trace_line(const struct rln__input_traces *inputs,
                     const struct rln__stats *stats, struct rln__buf *out)
{
    const struct rln__stats_totals *t = rln__stats_get_totals(stats);

    rln__file_names_summary(inputs->paths, out);
    rln__buf_text(out, ": ");
    if (inputs->reader) { /* sums may be of traces of many days */
        rln__buf_duration(
            out, t->last_ns > t->first_ns ? (double)(t->last_ns - t->first_ns) : 0);
        rln__buf_text(out, ", ");
        add_threads(out, inputs->reader);
    }
    rln__buf_counted(out, t->n_events, "event\n", "events\n");
}
