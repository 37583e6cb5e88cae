/* SPDX-License-Identifier: Apache-2.0 */
/* rule_small_messages.c - most of the time of sends is what each costs whatever its
 * size.
 *
 *     time |                 . '      t = a + b * bytes, through the medians of sizes
 *          |         . '
 *        a | . '                      n calls: at least a * n of the time is theirs,
 *          +------------------- bytes however little they send
 */
#include "analysis/inputs/sized_calls.h"
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/human_units.h"
#include "base/thousands.h"
#include "statistics/median.h"

#include <math.h>
#include <stdlib.h>

enum { SHARE, WARNING, EACH, FIT, CALLS, SIZES };

/* Sizes that differ by less than an eighth of a power of two are one. */
#define SIZES_A_DOUBLING 8
/* Up to this size, time that does not depend on it is what messages cost; */
#define SMALL_BYTES 65536
/* as long as the medians differ by less, */
#define FLAT 1.5
/* and are not so long that they are waiting for the other side. */
#define LONGEST_NS 100e3
/* Fewer calls of a size have no median. */
#define LEAST_OF_A_SIZE 3u

/* --- The line --------------------------------------------------------------------- */

/* Sums for a line through points of which large ones vary as much as small ones, in
 * percent: their weight is how many calls they have, divided by the squared time. */
struct fit {
    double w, x, y, xx, xy, yy;
    double least_ns, most_ns; /* medians */
    double most_bytes;
    size_t n_sizes;
};

static int by_bytes(const void *a, const void *b)
{
    const struct rln__sized_call *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static double size_class(double bytes)
{
    return floor(log2(bytes + 1) * SIZES_A_DOUBLING);
}

static void add_size(struct fit *fit, double bytes, double *ns, size_t n)
{
    const double y = rln__median(ns, n);
    double w;

    if (n < LEAST_OF_A_SIZE || y <= 0)
        return;
    w = (double)n / (y * y);
    fit->w += w;
    fit->x += w * bytes;
    fit->y += w * y;
    fit->xx += w * bytes * bytes;
    fit->xy += w * bytes * y;
    fit->yy += w * y * y;
    fit->least_ns = fit->n_sizes++ ? fmin(fit->least_ns, y) : y;
    fit->most_ns = fmax(fit->most_ns, y);
    fit->most_bytes = fmax(fit->most_bytes, bytes);
}

struct line {
    double a, r2; /* ns, share of the variance */
};

/* What each message costs, if time shows it. */
static bool draw(const struct rln__inquiry *q, const struct fit *f, struct line *out)
{
    const double xx = f->xx - f->x * f->x / f->w;
    const double yy = f->yy - f->y * f->y / f->w;
    const double xy = f->xy - f->x * f->y / f->w;

    if (!f->n_sizes || (double)f->n_sizes < q->limits[SIZES])
        return false;
    out->r2 = xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
    if (xy > 0 && out->r2 >= q->limits[FIT]) {
        out->a = fmin((f->y - xy / xx * f->x) / f->w, f->least_ns);
        return out->a > 0;
    }
    out->a = f->least_ns;
    return f->most_bytes <= SMALL_BYTES && f->most_ns <= FLAT * f->least_ns &&
           f->most_ns <= LONGEST_NS;
}

/* Sorts the calls. 0, -1 when there is no memory, or 1: there is no line. */
static int find_line(const struct rln__inquiry *q, struct rln__sized_name *name,
                     struct line *out)
{
    double *ns = rln__alloc(name->n + 1, sizeof(*ns));
    struct fit fit = {0};

    if (!ns)
        return -1;
    qsort(name->calls, name->n, sizeof(*name->calls), by_bytes);
    for (size_t from = 0, to; from < name->n; from = to) {
        const double class = size_class(name->calls[from].bytes);
        double bytes = 0;

        for (to = from; to < name->n && size_class(name->calls[to].bytes) == class;
             to++) {
            ns[to - from] = name->calls[to].ns;
            bytes += name->calls[to].bytes;
        }
        add_size(&fit, bytes / (double)(to - from), ns, to - from);
    }
    rln__free(ns);
    return draw(q, &fit, out) ? 0 : 1;
}

/* --- Findings --------------------------------------------------------------------- */

struct cost {
    double ns, all_ns; /* of each message; of the calls */
    double most_ns;    /* the former, of the thread where it is largest */
    double median_bytes;
};

/* 0, or -1 when there is no memory. */
static int sum_up(const struct rln__inquiry *q, const struct rln__sized_name *name,
                  const struct line *line, struct cost *out)
{
    const size_t n_threads = rln_info_totals(q->run->info)->n_threads;
    double *by_thread = rln__alloc(n_threads + 1, sizeof(*by_thread));

    *out = (struct cost){.median_bytes = name->calls[name->n / 2].bytes};
    if (!by_thread)
        return -1;
    for (size_t i = 0; i < name->n; i++) {
        const struct rln__sized_call *call = &name->calls[i];
        const double each_ns = fmin(line->a, call->ns);
        const size_t thread = call->thread < n_threads ? call->thread : n_threads;

        out->ns += each_ns;
        out->all_ns += call->ns;
        by_thread[thread] += each_ns;
        out->most_ns = fmax(out->most_ns, by_thread[thread]);
    }
    rln__free(by_thread);
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct rln__sized_call *x = a, *y = b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Shows those that take longest for what they send. */
static void show(const struct rln__run *run, struct rln__sized_name *name,
                 struct rln__finding *f)
{
    struct rln__nesting_row row;

    qsort(name->calls, name->n, sizeof(*name->calls), by_start);
    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        const struct rln__sized_call key = {.start_ns = row.start_ns,
                                            .thread = row.thread};
        const struct rln__sized_call *call;

        if (row.message.bytes != name->message.bytes)
            continue;
        call = bsearch(&key, name->calls, name->n, sizeof(key), by_start);
        if (call)
            rln__finding_show(f, i, call->ns / (call->bytes + 1));
    }
}

static rln_status add(struct rln__inquiry *q, struct rln__sized_name *name,
                      const struct line *line, const struct cost *cost, rln_error *err)
{
    struct rln__finding *f = rln__finding_new(
        q, name->domain_name, name->is_default_domain, name->message, NULL);

    if (!f)
        return rln__fail_nomem(err);
    rln__finding_won(f, q, cost->most_ns / 2);
    rln__finding_measure(f, "each_ns", line->a);
    rln__finding_measure(f, "each", cost->ns / cost->all_ns);
    rln__finding_measure(f, "fit", line->r2);
    rln__finding_measure(f, "median_bytes", cost->median_bytes);
    show(q->run, name, f);
    rln__buf_count(&f->title, name->n);
    rln__buf_text(&f->title, " calls of ");
    rln__buf_range(&f->title, name->domain_name, name->is_default_domain,
                   name->message);
    rln__buf_text(&f->title, " take ");
    rln__buf_duration(&f->title, line->a);
    rln__buf_format(&f->title,
                    " each whatever they send, %.0f %% of their time (over %g %%); the "
                    "median is ",
                    cost->ns / cost->all_ns * 100, q->limits[EACH] * 100);
    rln__buf_size(&f->title, (uint64_t)cost->median_bytes);
    return RLN_OK;
}

static rln_status evaluate_name(struct rln__inquiry *q, struct rln__sized_name *name,
                                rln_error *err)
{
    struct line line;
    struct cost cost;
    int failed;

    if ((double)name->n < q->limits[CALLS])
        return RLN_OK;
    failed = find_line(q, name, &line);
    if (failed > 0)
        return RLN_OK;
    if (failed || sum_up(q, name, &line, &cost))
        return rln__fail_nomem(err);
    if (cost.ns < q->limits[EACH] * cost.all_ns || !rln__is_worth(q, cost.most_ns / 2))
        return RLN_OK;
    return add(q, name, &line, &cost, err);
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct rln__sized_calls all;
    rln_status status = rln__sized_calls_read(q->reader, &all, err);

    if (!status && !all.n)
        q->why = "no payload of a push/pop range has a field that is named like bytes";
    for (size_t i = 0; !status && i < all.n; i++)
        status = evaluate_name(q, &all.names[i], err);
    rln__sized_calls_clear(&all);
    return status;
}

const struct rln__rule rln__rule_small_messages = {
    .id = "small-messages",
    .question = "are messages so small that each costs more than its bytes?",
    .fires =
        "a line through the median times of at least `sizes` sizes (a + b * bytes) "
        "explains at least `fit` of how they vary, or all of up to 64 KiB take alike, "
        "and less than 100 us; and a, the time of a message without bytes, is at "
        "least `each` of the time of a name with at least `calls` calls. Sizes are "
        "fields of payloads that are named like bytes or message size",
    .against = "messages that depend on each other cannot be sent as one; what could "
               "be won is half of what each costs, of the thread where that is most",
    .next = "rangeline stats -r payload_sum {traces}",
    .needs = RLN__NEEDS_CLOCK | RLN__READS_TRACE,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"each", 0.5, "then bytes cost less than messages"},
                   {"fit", 0.5, "else size is not what time depends on"},
                   {"calls", 100, "fewer are not worth joining"},
                   {"sizes", 3, "a line fits any two"}},
    .evaluate = evaluate,
};
