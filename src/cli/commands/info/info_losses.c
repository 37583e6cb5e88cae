/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/info/info_losses.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/count.h"
#include "base/human_units.h"
#include "base/thousands.h"

/* A thread that makes room itself waits some microseconds; that is usual. */
#define WORTH_TELLING_NS 100000000

/* Counts of the collector: what is missing besides events, and what to do. */
static const struct loss {
    const char *label, *one, *many, *advice;
    size_t count; /* its offset in a process's */
} losses[] = {
#define COUNT(field) offsetof(rln_process_info, field)
    {"unnamed", "name was dropped: no space", "names were dropped: no space",
     "their events are recorded without the name: free disk space",
     COUNT(n_names_refused)},
    {"unnamed", "domain was dropped: a process has at most 4,095",
     "domains were dropped: a process has at most 4,095",
     "their events are in the default domain: use categories instead",
     COUNT(n_domains_refused)},
    {"cut", "text was truncated to 1 MiB", "texts were truncated to 1 MiB",
     "use short names, and put data into payloads", COUNT(n_strings_cut)},
    {"invalid", "call used a handle or id that NVTX did not return",
     "calls used handles or ids that NVTX did not return",
     "they were not recorded: look for a handle that was invented, or used after it "
     "was "
     "destroyed",
     COUNT(n_invalid)},
    {"shortened", "event or registration has more data than a trace keeps",
     "events or registrations have more data than a trace keeps",
     "keep larger payloads with -e RANGELINE_PAYLOAD_BYTES=1048576; `rangeline print` "
     "marks those that were cut",
     COUNT(n_payloads_cut)},
    {"unread", "call points to unmapped memory", "calls point to unmapped memory",
     "readable data was recorded: look for a wrong size, count or address",
     COUNT(n_payloads_unread)},
    {"refused", "extension of NVTX has headers of an unknown layout",
     "extensions of NVTX have headers of an unknown layout",
     "their calls are not recorded: build the program with other headers, such as "
     "those "
     "of `rangeline --include-dir`",
     COUNT(n_modules_refused)},
#undef COUNT
};

static uint64_t sum_of(const rln_info *info, size_t count)
{
    const uint32_t n = rln_info_totals(info)->n_processes;
    uint64_t sum = 0, one;

    for (uint32_t i = 0; i < n; i++) {
        memcpy(&one, (const char *)rln_info_process(info, i) + count, sizeof(one));
        sum += one;
    }
    return sum;
}

/* "dropped     12 events found no room" */
static void add_line(struct rln__buf *buf, const char *label, uint64_t n,
                     const char *one, const char *many)
{
    rln__buf_format(buf, "%-12s", label);
    rln__buf_count(buf, n);
    rln__buf_format(buf, " %s", n == 1 ? one : many);
}

static void add_advice(struct rln__buf *buf, const char *advice)
{
    rln__buf_format(buf, "\n%14s%s\n", "", advice);
}

static int has_dropped(const rln_totals *t)
{
    return t->n_dropped || t->n_gaps;
}

static int is_at_size_limit(const rln_info *info)
{
    for (uint32_t i = 0; i < rln_info_totals(info)->n_processes; i++) {
        if (rln_info_process(info, i)->is_at_size_limit)
            return 1;
    }
    return 0;
}

/* The time of a loss is known if its thread has a later event. */
static void add_dropped(struct rln__buf *buf, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    if (!has_dropped(t)) {
        rln__buf_text(buf, "dropped     0\n");
        return;
    }
    add_line(buf, "dropped", t->n_dropped > t->n_lost ? t->n_dropped : t->n_lost,
             "event was dropped: no space", "events were dropped: no space");
    if (t->n_gaps)
        rln__buf_format(buf, ", from %.9f s on, in %" PRIu64 " %s",
                        (double)t->lost_since_ns / 1e9, t->n_gaps,
                        t->n_gaps == 1 ? "gap" : "gaps");
    if (t->n_gaps && t->n_dropped > t->n_lost) {
        rln__buf_text(buf, ", ");
        rln__buf_count(buf, t->n_dropped - t->n_lost);
        rln__buf_text(buf, " at the end of their threads");
    }
    add_advice(buf, is_at_size_limit(info)
                        ? "the trace reached the limit of a file's size: raise it "
                          "(`ulimit -f`), or record less (--nvtx-domain-include, "
                          "--buffer)"
                        : "disk or memory was full: free some, or record less "
                          "(--nvtx-domain-include, --buffer)");
}

static void add_waits(struct rln__buf *buf, const rln_info *info)
{
    const uint64_t waited_ns = sum_of(info, offsetof(rln_process_info, waited_ns));

    if (waited_ns < WORTH_TELLING_NS)
        return;
    add_line(buf, "waited", sum_of(info, offsetof(rln_process_info, n_waits)), "time, ",
             "times, ");
    rln__buf_duration(buf, (double)waited_ns);
    rln__buf_text(buf, " in total, for space in the file");
    add_advice(buf, has_dropped(rln_info_totals(info))
                        ? "the program was delayed, too: use a faster disk"
                        : "no event was dropped, but the program was delayed: use a "
                          "faster disk");
}

void rln__info_losses(struct rln__buf *buf, const rln_info *info)
{
    add_dropped(buf, info);
    for (size_t i = 0; i < RLN_COUNT(losses); i++) {
        const struct loss *loss = &losses[i];
        const uint64_t n = sum_of(info, loss->count);

        if (!n)
            continue;
        add_line(buf, loss->label, n, loss->one, loss->many);
        add_advice(buf, loss->advice);
    }
    add_waits(buf, info);
}
