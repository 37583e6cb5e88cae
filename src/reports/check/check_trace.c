/* SPDX-License-Identifier: Apache-2.0 */
/* check_trace.c - findings about the trace itself: losses, damage, its clock, and
 * unused domains.
 *
 * Losses have neither names nor times: a filter only excludes those of a process, a
 * thread or a domain that does not match. */
#include "reports/check/check_trace.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "format/gpu_schemas.h"
#include "ranges/event_filter.h"
#include "reports/check/check_findings.h"
#include "reports/check/info.h"
#include "trace/open/losses.h"

#include <math.h>
#include <string.h>

/* A stretch of the clock is at least 50 ms long and known to microseconds: half a
 * percent is far beyond the noise of a busy machine. */
#define STEADY 0.005

static rln_text text_of(const char *text)
{
    return (rln_text){text, strlen(text)};
}

/* --- Unrecorded events ------------------------------------------------------------ */

/* The last losses of a part have no event after them that could report them. */
static int see_lost_at_end(struct rln_check *check, const rln_info *info, uint32_t part)
{
    const rln_totals *t = rln_info_totals(info);
    uint64_t n_dropped = rln_info_part(info, part)->n_dropped, n_lost = 0;
    rln_finding f = rln__check_finding(RLN_FINDING_LOST);

    for (uint32_t i = 0; i < t->n_processes; i++) {
        const rln_process_info *p = rln_info_process(info, i);

        n_dropped += p->part == part ? p->n_dropped : 0;
    }
    for (uint32_t i = 0; i < t->n_threads; i++) {
        const rln_thread_info *thread = rln_info_thread(info, i);

        if (rln_info_process(info, thread->process)->part == part)
            n_lost += thread->n_lost;
    }
    if (n_dropped <= n_lost)
        return 0;
    f.n = n_dropped - n_lost;
    f.part = part;
    f.other = text_of("at the end");
    return rln__check_add(check, &f);
}

static int see_lost(struct rln_check *check, const rln_info *info)
{
    const struct rln_filter *filter = check->reader->filter;
    const rln_totals *t = rln_info_totals(info);
    rln_finding f = rln__check_finding(RLN_FINDING_LOST);

    for (uint32_t i = 0; i < t->n_threads; i++) {
        const rln_thread_info *thread = rln_info_thread(info, i);

        if (!thread->n_lost || (filter && !rln__filter_has_thread(filter, check->reader,
                                                                  thread->process, i)))
            continue;
        f.n = thread->n_lost;
        f.thread = i;
        f.tid = thread->tid;
        f.pid = rln_info_process(info, thread->process)->pid;
        if (rln__check_add(check, &f))
            return -1;
    }
    for (uint32_t i = 0; i < t->n_parts; i++) {
        if (see_lost_at_end(check, info, i))
            return -1;
    }
    return 0;
}

static int see_refused(struct rln_check *check, const rln_info *info)
{
    const struct rln_filter *filter = check->reader->filter;
    const rln_totals *t = rln_info_totals(info);

    for (uint32_t i = 0; i < t->n_processes; i++) {
        const rln_process_info *p = rln_info_process(info, i);
        const struct {
            uint64_t n;
            const char *what;
        } counts[] = {
            {p->n_strings_cut, "messages were truncated to 1 MiB"},
            {p->n_names_refused, "names were dropped: no space"},
            {p->n_domains_refused, "domains were dropped: a process has at most 4,095"},
            {p->n_payloads_cut,
             "events or registrations have more data than a trace keeps"},
            {p->n_payloads_unread, "calls point to unmapped memory"},
            {p->is_at_size_limit,
             "the trace reached the limit of a file's size (ulimit -f)"},
            {p->n_invalid, "handles or ids were not returned by NVTX"},
            {p->n_modules_refused,
             "extensions have headers of an unknown layout: calls are not recorded"},
        };

        if (filter && !rln__filter_has_process(filter, check->reader, i))
            continue;
        for (size_t k = 0; k < RLN_COUNT(counts); k++) {
            rln_finding f = rln__check_finding(RLN_FINDING_REFUSED);

            f.n = counts[k].n;
            f.pid = p->pid;
            f.part = p->part;
            f.other = text_of(counts[k].what);
            if (f.n && rln__check_add(check, &f))
                return -1;
        }
    }
    return 0;
}

static int see_damage(struct rln_check *check, const rln_info *info)
{
    const rln_totals *t = rln_info_totals(info);

    for (uint32_t i = 0; i < t->n_damages; i++) {
        const struct rln__damage_info *d = rln__info_damage(info, i);
        rln_finding f = rln__check_finding(RLN_FINDING_DAMAGED);

        f.message = text_of(d->path);
        f.other = text_of(d->reason);
        f.offset = d->offset;
        if (rln__check_add(check, &f))
            return -1;
    }
    return 0;
}

static int see_graphs(struct rln_check *check)
{
    rln_finding f = rln__check_finding(RLN_FINDING_GRAPHS);

    f.n = rln__reader_get_losses(check->reader)->n_graph_launches;
    return f.n ? rln__check_add(check, &f) : 0;
}

static int add_gpu_loss(struct rln_check *check, uint64_t n, rln_text why)
{
    rln_finding f = rln__check_finding(RLN_FINDING_GPU_LOST);

    f.n = n;
    f.message = why;
    return why.length ? rln__check_add(check, &f) : 0;
}

static int see_gpu_losses(struct rln_check *check)
{
    const struct rln__losses *losses = rln__reader_get_losses(check->reader);

    return add_gpu_loss(check, losses->n_gpu_lost, losses->gpu_loss) ||
           add_gpu_loss(check, 1, losses->gpu_refusal);
}

static int see_unplaced(struct rln_check *check, const rln_info *info)
{
    const struct rln_filter *filter = check->reader->filter;
    const rln_totals *t = rln_info_totals(info);

    for (uint32_t i = 0; i < t->n_unplaced_clocks; i++) {
        const struct rln__unplaced_info *u = rln__info_unplaced(info, i);
        rln_finding f = rln__check_finding(RLN_FINDING_UNPLACED);

        f.n = u->n_events;
        f.pid = rln_info_process(info, u->process)->pid;
        f.part = rln_info_process(info, u->process)->part;
        f.domain = u->domain;
        f.domain_name = rln_info_domain(info, u->domain)->name;
        f.offset = u->time_domain;
        f.other = text_of(rln__unplaced_cause_name(u->why));
        if (filter && !(rln__filter_has_process(filter, check->reader, u->process) &&
                        rln__filter_has_domain(filter, f.domain, f.domain_name)))
            continue;
        if (rln__check_add(check, &f))
            return -1;
    }
    return 0;
}

static int see_unused(struct rln_check *check, uint32_t domain, rln_text name)
{
    const struct rln_filter *filter = check->reader->filter;
    rln_finding f = rln__check_finding(RLN_FINDING_UNUSED_DOMAIN);

    f.domain = domain;
    f.domain_name = name;
    if (filter && !rln__filter_has_domain(filter, domain, name))
        return 0;
    return rln__check_add(check, &f);
}

/* Domains of the same name are one. `info` lists those in which any event occurred; of
 * the others the trace has only the names. */
static int see_domains(struct rln_check *check, const rln_info *info)
{
    struct rln__names *names = &check->reader->names;
    const uint32_t n_domains = rln_info_totals(info)->n_domains;
    struct rln__map seen = {0}; /* name -> 1 */
    int failed = 0;

    /* Every program has the default domain. */
    for (uint32_t i = 1; i < n_domains && !failed; i++) {
        const rln_domain_info *d = rln_info_domain(info, i);

        failed = rln__map_put(&seen, names->domains[i].name, 1) ||
                 (d->n_events == 0 && !rln__is_gpu_domain(d->name) &&
                  see_unused(check, i, d->name));
    }
    for (size_t i = 0; i < names->n_created_domains && !failed; i++) {
        const struct rln__created_domain *created = &names->created_domains[i];
        const uint32_t name =
            rln__names_domain_text(names, created->process, created->string);

        if (rln__map_get(&seen, name) ||
            rln__is_gpu_domain(rln__strings_get(&names->strings, name)))
            continue;
        failed = rln__map_put(&seen, name, 1) ||
                 see_unused(check, n_domains + (uint32_t)i,
                            rln__strings_get(&names->strings, name));
    }
    rln__map_clear(&seen);
    return failed ? -1 : 0;
}

/* --- The clock -------------------------------------------------------------------- */

/* The clock jumped: later readings contradict earlier ones. */
static int see_jumps(struct rln_check *check, const struct rln__clock_fit *timeline)
{
    rln_finding f = rln__check_finding(RLN_FINDING_CLOCK);

    f.n = timeline->n_outliers;
    f.other = text_of("readings contradict the others");
    return f.n ? rln__check_add(check, &f) : 0;
}

/* Between two fit points, time should pass as it does between the first and the last.
 */
static int see_unsteadiness(struct rln_check *check,
                            const struct rln__clock_fit *timeline)
{
    const struct rln__clock_fit_point *first = timeline->fit_points;
    const struct rln__clock_fit_point *last = first + timeline->n_fit_points - 1;
    const double slope =
        (double)(last->ns - first->ns) / (double)(last->ticks - first->ticks);

    for (const struct rln__clock_fit_point *k = first; k < last; k++) {
        const double here = (double)(k[1].ns - k->ns) / (double)(k[1].ticks - k->ticks);
        rln_finding f = rln__check_finding(RLN_FINDING_CLOCK);

        f.has_time = 1;
        f.first_ns = k->ns;
        if (fabs(here / slope - 1) > STEADY && rln__check_add(check, &f))
            return -1;
    }
    return 0;
}

rln_status rln__check_trace(struct rln_check *check, const rln_info *info,
                            rln_error *err)
{
    const rln_reader *reader = check->reader;
    int failed = see_lost(check, info) || see_refused(check, info) ||
                 see_damage(check, info) || see_graphs(check) ||
                 see_gpu_losses(check) || see_unplaced(check, info) ||
                 see_domains(check, info);

    for (size_t i = 0; i < reader->layout.n_parts && !failed; i++) {
        failed = see_jumps(check, &reader->clock_fits[i]);
        if (!failed && reader->clock_fits[i].n_fit_points > 2)
            failed = see_unsteadiness(check, &reader->clock_fits[i]);
    }
    return failed ? rln__fail_nomem(err) : RLN_OK;
}
