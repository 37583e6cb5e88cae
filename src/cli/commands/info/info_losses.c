/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/info/info_losses.h"

#include <inttypes.h>

#include "base/count.h"
#include "base/thousands.h"
#include "console/human_units.h"

/* A thread that makes room itself waits some microseconds; that is usual. */
#define WORTH_TELLING_NS 100000000

struct losses {
    uint64_t cut, unnamed, invalid, shortened, unread, refused, waits, waited_ns;
};

static struct losses add_up(const rln_info *info)
{
    const uint32_t n = rln_info_totals(info)->n_processes;
    struct losses sum = {0};

    for (uint32_t i = 0; i < n; i++) {
        const rln_process_info *p = rln_info_process(info, i);

        sum.cut += p->n_strings_cut;
        sum.unnamed += p->n_names_refused;
        sum.invalid += p->n_invalid;
        sum.shortened += p->n_payloads_cut;
        sum.unread += p->n_payloads_unread;
        sum.refused += p->n_modules_refused;
        sum.waits += p->n_waits;
        sum.waited_ns += p->waited_ns;
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

/* The time of a loss is known if its thread has a later event. */
static void add_dropped(struct rln__buf *buf, const rln_totals *t)
{
    if (!t->n_dropped && !t->n_gaps) {
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
    add_advice(buf, "disk or memory was full: free some, or record less "
                    "(--nvtx-domain-include, --buffer)");
}

void rln__info_losses(struct rln__buf *buf, const rln_info *info)
{
    const struct losses sum = add_up(info);

    add_dropped(buf, rln_info_totals(info));
    if (sum.unnamed) {
        add_line(buf, "unnamed", sum.unnamed, "name was dropped: no space",
                 "names were dropped: no space");
        add_advice(buf, "their events are recorded without the name: free disk space");
    }
    if (sum.cut) {
        add_line(buf, "cut", sum.cut, "text was truncated to 1 MiB",
                 "texts were truncated to 1 MiB");
        add_advice(buf, "use short names, and put data into payloads");
    }
    if (sum.invalid) {
        add_line(buf, "invalid", sum.invalid,
                 "call used a handle or id that NVTX did not return",
                 "calls used handles or ids that NVTX did not return");
        add_advice(buf, "they were not recorded: look for a handle that was invented, "
                        "or used after it was destroyed");
    }
    if (sum.shortened) {
        add_line(buf, "shortened", sum.shortened,
                 "event or registration has more data than a trace keeps",
                 "events or registrations have more data than a trace keeps");
        add_advice(buf, "keep larger payloads with -e RANGELINE_PAYLOAD_BYTES=1048576; "
                        "`rangeline print` marks those that were cut");
    }
    if (sum.unread) {
        add_line(buf, "unread", sum.unread, "call points to unmapped memory",
                 "calls point to unmapped memory");
        add_advice(
            buf, "readable data was recorded: look for a wrong size, count or address");
    }
    if (sum.refused) {
        add_line(buf, "refused", sum.refused,
                 "extension of NVTX has headers of an unknown layout",
                 "extensions of NVTX have headers of an unknown layout");
        add_advice(buf, "their calls are not recorded: build the program with other "
                        "headers, such as those of `rangeline --include-dir`");
    }
    if (sum.waited_ns >= WORTH_TELLING_NS) {
        add_line(buf, "waited", sum.waits, "time, ", "times, ");
        rln__buf_duration(buf, (double)sum.waited_ns);
        rln__buf_text(buf, " in total, for space in the file");
        add_advice(
            buf,
            "no event was dropped, but the program was delayed: use a faster disk");
    }
}
