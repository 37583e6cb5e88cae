/* SPDX-License-Identifier: Apache-2.0 */
/* align.c - puts the clocks of several machines on the time line of the first.
 *
 *   ends of a range, by process --+
 *                                 +--> pairs {own, first's} of each clock --> shift
 *   synchronization points -------+
 *
 * All parts of one boot share a clock. Each clock is fitted separately: a line through
 * the differences, by medians, so that a straggler moves nothing.
 */
#include "ranges/align.h"
#include "statistics/median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "format/attributes.h"
#include "rangeline/model.h"
#include "trace/open/load.h"
#include "trace/open/time_domain.h"

/* With fewer pairs, or in a shorter time, a deviation is not due to the rate. */
#define FEW_PAIRS 4
#define SHORT_NS 1000000000

#define MAX_RATE 1e-3 /* no clock is further off */

/* Damage may claim any time. No two real clocks are further apart: 73 years. */
#define MAX_APART_NS (INT64_MAX / 4)

/* Something that both machines recorded, at the times of their own clocks. */
struct moment {
    int64_t own_ns, first_ns;
};

struct clock {
    uint32_t part; /* the first that has it */
    int64_t *ends; /* owned: ends of the range, by number */
    size_t n_ends, ends_capacity;
    struct moment *pairs; /* owned */
    size_t n_pairs, pairs_capacity;
    struct rln__shift shift;
};

struct alignment {
    rln_reader *reader;
    const struct rln__alignment *how;
    struct clock *clocks;    /* owned */
    uint32_t *clock_of_part; /* owned */
    size_t n_clocks;
    size_t *n_seen; /* owned: how often the range was seen, by process */
};

static struct clock *clock_of(const struct alignment *a, uint32_t process)
{
    return &a->clocks[a->clock_of_part[a->reader->names.processes[process].part]];
}

static int find_clocks(struct alignment *a)
{
    const struct rln__layout *layout = &a->reader->layout;

    a->clocks = rln__alloc(layout->n_parts, sizeof(*a->clocks));
    a->clock_of_part = rln__alloc(layout->n_parts, sizeof(*a->clock_of_part));
    a->n_seen = rln__alloc(a->reader->names.n_processes + 1, sizeof(*a->n_seen));
    if (!a->clocks || !a->clock_of_part || !a->n_seen)
        return -1;
    for (uint32_t i = 0; i < layout->n_parts; i++) {
        const uint32_t first = rln__clock_part(layout, i);
        size_t k = 0;

        while (k < a->n_clocks && a->clocks[k].part != first)
            k++;
        if (k == a->n_clocks)
            a->clocks[a->n_clocks++].part = first;
        a->clock_of_part[i] = (uint32_t)k;
    }
    return 0;
}

static void clear(struct alignment *a)
{
    for (size_t i = 0; i < a->n_clocks; i++) {
        rln__free(a->clocks[i].ends);
        rln__free(a->clocks[i].pairs);
    }
    rln__free(a->clocks);
    rln__free(a->clock_of_part);
    rln__free(a->n_seen);
}

static int add_pair(struct clock *c, int64_t own_ns, int64_t first_ns)
{
    const rln__i128 apart = (rln__i128)first_ns - own_ns;
    struct moment *pair;

    if (apart > MAX_APART_NS || apart < -MAX_APART_NS)
        return 0;
    pair = rln__append(&c->pairs, &c->n_pairs, &c->pairs_capacity, sizeof(*pair));
    if (!pair)
        return -1;
    *pair = (struct moment){own_ns, first_ns};
    return 0;
}

/* --- A range that all clocks have ------------------------------------------------- */

static int is_the_range(const struct alignment *a, const rln_range *range)
{
    const uint32_t left_out = RLN_FLAG_OPEN | RLN_FLAG_LOST | RLN_FLAG_UNMATCHED |
                              RLN_FLAG_INHERITED | RLN_FLAG_UNPLACED;

    return range->style <= RLN_RANGE_START_END && !(range->flags & left_out) &&
           rln__text_is(range->attributes.message, a->how->message) &&
           (a->how->is_any_domain ||
            (a->how->domain
                 ? rln__text_is(range->attributes.domain_name, a->how->domain)
                 : range->attributes.domain == 0));
}

/* All processes wait for the last one to leave, so its end counts for the machine. */
static int add_end(struct alignment *a, const rln_range *range)
{
    struct clock *c = clock_of(a, range->process);
    const size_t number = a->n_seen[range->process]++;
    int64_t *end;

    if (number < c->n_ends) {
        if (range->end_ns > c->ends[number])
            c->ends[number] = range->end_ns;
        return 0;
    }
    end = rln__append(&c->ends, &c->n_ends, &c->ends_capacity, sizeof(*end));
    if (!end)
        return -1;
    *end = range->end_ns;
    return 0;
}

static rln_status read_ends(struct alignment *a, rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status = rln_ranges_open(a->reader, &ranges, err);

    if (status)
        return status;
    while ((status = rln_ranges_next(ranges, &range, err)) == RLN_OK) {
        if (range->process < a->reader->names.n_processes && is_the_range(a, range) &&
            add_end(a, range)) {
            status = rln__fail_nomem(err);
            break;
        }
    }
    rln_ranges_close(ranges);
    return status == RLN_END ? RLN_OK : status;
}

static rln_status find_common_ends(struct alignment *a, rln_error *err)
{
    const struct clock *first = &a->clocks[0];
    const rln_status status = read_ends(a, err);

    for (size_t i = 1; i < a->n_clocks && !status; i++) {
        struct clock *c = &a->clocks[i];

        for (size_t k = 0; k < c->n_ends && k < first->n_ends; k++) {
            if (add_pair(c, c->ends[k], first->ends[k]))
                return rln__fail_nomem(err);
        }
    }
    return status;
}

/* --- Synchronization points with a shared clock ----------------------------------- */

/* Domains of one name are one domain, across processes. */
static uint32_t domain_of(const struct alignment *a, const struct rln__sync_points *s)
{
    int is_unknown;

    return rln__names_domain(&a->reader->names, s->process, s->domain_id, &is_unknown);
}

/* Which side of the points is the shared clock: 1 the source, 2 the destination; the
 * other is the machine's own clock. 0: neither. -1: no memory. */
static int shared_side(struct rln__time_domains *times,
                       const struct rln__sync_points *s, uint32_t *own)
{
    const uint32_t source =
        rln__time_domains_find(times, s->process, s->domain_id, s->source);
    const uint32_t destination =
        rln__time_domains_find(times, s->process, s->domain_id, s->destination);
    int is_source, is_destination;

    if (source == UINT32_MAX || destination == UINT32_MAX)
        return -1;
    is_source = rln__time_domains_is_own(times, source);
    is_destination = rln__time_domains_is_own(times, destination);
    *own = is_source ? source : destination;
    if (is_source == is_destination)
        return 0;
    return is_source ? 2 : 1;
}

/* The first machine's number for the same time domain; UINT32_MAX if it has none. */
static uint32_t first_machines(const struct alignment *a,
                               struct rln__time_domains *times,
                               const struct rln__sync_points *like, uint64_t id)
{
    const struct rln__registry *r = &a->reader->names.registry;

    for (size_t i = 0; i < r->n_sync_points; i++) {
        const struct rln__sync_points *s = &r->sync_points[i];

        if (clock_of(a, s->process) == &a->clocks[0] &&
            (s->source == id || s->destination == id) &&
            domain_of(a, s) == domain_of(a, like))
            return rln__time_domains_find(times, s->process, s->domain_id, id);
    }
    return UINT32_MAX;
}

static int add_points(struct alignment *a, struct rln__time_domains *times,
                      const struct rln__sync_points *s)
{
    const struct rln__registry *r = &a->reader->names.registry;
    uint32_t own = 0;
    const int side = shared_side(times, s, &own);
    uint32_t shared;

    if (side <= 0)
        return side;
    shared = first_machines(a, times, s, side == 1 ? s->source : s->destination);
    for (size_t i = 0; i < s->n && shared != UINT32_MAX; i++) {
        const struct rln__sync_point *p = &r->points[s->first + i];
        int64_t own_ns, first_ns;

        if (!rln__time_domains_ns(times, own, side == 1 ? p->destination : p->source,
                                  &own_ns) &&
            !rln__time_domains_ns(times, shared, side == 1 ? p->source : p->destination,
                                  &first_ns) &&
            add_pair(clock_of(a, s->process), own_ns, first_ns))
            return -1;
    }
    return 0;
}

static rln_status find_common_points(struct alignment *a, rln_error *err)
{
    const struct rln__registry *r = &a->reader->names.registry;
    struct rln__time_domains times;
    rln_status status = rln__time_domains_init(&times, a->reader, err);

    if (status)
        return status;
    for (size_t i = 0; i < r->n_sync_points && !status; i++) {
        if (clock_of(a, r->sync_points[i].process) != &a->clocks[0] &&
            add_points(a, &times, &r->sync_points[i]))
            status = rln__fail_nomem(err);
    }
    rln__time_domains_clear(&times);
    return status;
}

/* --- The line through the differences --------------------------------------------- */

static int by_own(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;

    return (x->own_ns > y->own_ns) - (x->own_ns < y->own_ns);
}

/* The time since the first one. */
static double since_first(const struct clock *c, size_t i)
{
    return (double)c->pairs[i].own_ns - (double)c->pairs[0].own_ns;
}

/* Relative to the first one's, as whole differences may exceed a double's digits. */
static double difference(const struct clock *c, size_t i)
{
    const struct moment *m = &c->pairs[i], *zero = &c->pairs[0];

    return (double)((m->first_ns - m->own_ns) - (zero->first_ns - zero->own_ns));
}

static double rate_of(const struct clock *c, double *scratch)
{
    const size_t n = c->n_pairs, half = n / 2;
    size_t n_slopes = 0;
    double rate;

    if (n < FEW_PAIRS || since_first(c, n - 1) < SHORT_NS)
        return 0;
    for (size_t i = 0; i + half < n; i++) {
        const double apart = since_first(c, i + half) - since_first(c, i);

        if (apart > 0)
            scratch[n_slopes++] = (difference(c, i + half) - difference(c, i)) / apart;
    }
    rate = n_slopes ? rln__median(scratch, n_slopes) : 0;
    return fabs(rate) < MAX_RATE ? rate : 0;
}

static rln_status fit(struct clock *c, rln_error *err)
{
    double *scratch = rln__alloc(c->n_pairs, sizeof(*scratch));

    if (!scratch)
        return rln__fail_nomem(err);
    qsort(c->pairs, c->n_pairs, sizeof(*c->pairs), by_own);
    c->shift.at_ns = c->pairs[0].own_ns;
    c->shift.rate = rate_of(c, scratch);
    for (size_t i = 0; i < c->n_pairs; i++)
        scratch[i] = difference(c, i) - c->shift.rate * since_first(c, i);
    c->shift.by_ns = c->pairs[0].first_ns - c->pairs[0].own_ns +
                     llround(rln__median(scratch, c->n_pairs));
    rln__free(scratch);
    return RLN_OK;
}

/* --- Aligning --------------------------------------------------------------------- */

static rln_status refuse(const struct alignment *a, uint32_t part, rln_error *err)
{
    const char *path = a->reader->layout.parts[part].file->path;

    if (a->how->by == RLN__ALIGN_RANGE)
        return rln__fail(
            err, RLN_ERR_ARGUMENT, 0,
            "cannot align clocks: range=\"%s\", path=\"%s\": no such range ended",
            a->how->message, path);
    return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                     "cannot align clocks: path=\"%s\": no synchronization points with "
                     "a clock of the first trace",
                     path);
}

static rln_status align(struct alignment *a, rln_error *err)
{
    rln_status status = a->how->by == RLN__ALIGN_RANGE ? find_common_ends(a, err)
                                                       : find_common_points(a, err);

    if (!status && a->how->by == RLN__ALIGN_RANGE && a->clocks[0].n_ends == 0)
        status = refuse(a, 0, err);
    for (size_t i = 1; i < a->n_clocks && !status; i++)
        status = a->clocks[i].n_pairs ? fit(&a->clocks[i], err)
                                      : refuse(a, a->clocks[i].part, err);
    return status;
}

static rln_status move(const struct alignment *a, rln_error *err)
{
    const size_t n = a->reader->layout.n_parts;
    struct rln__shift *shifts = rln__alloc(n, sizeof(*shifts));
    rln_status status;

    if (!shifts)
        return rln__fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        shifts[i] = a->clocks[a->clock_of_part[i]].shift;
    status = rln__reader_shift(a->reader, shifts, err);
    rln__free(shifts);
    return status;
}

rln_status rln__reader_align(rln_reader *r, const struct rln__alignment *how,
                             rln_error *err)
{
    struct alignment a = {.reader = r, .how = how};
    rln_status status = RLN_OK;

    if (how->by > RLN__ALIGN_SYNC_POINTS ||
        (how->by == RLN__ALIGN_RANGE && !how->message))
        return rln__fail(err, RLN_ERR_ARGUMENT, 0, "cannot align clocks: by=%d",
                         (int)how->by);
    /* Starts from unshifted clocks, so that aligning again gives the same result. */
    status = rln__reader_shift(r, NULL, err);
    if (!status && find_clocks(&a))
        status = rln__fail_nomem(err);
    if (!status && how->by != RLN__ALIGN_REALTIME && a.n_clocks > 1)
        status = align(&a, err);
    if (!status)
        status = move(&a, err);
    clear(&a);
    return status;
}
