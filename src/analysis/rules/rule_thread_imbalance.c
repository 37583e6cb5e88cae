/* SPDX-License-Identifier: Apache-2.0 */
/* rule_thread_imbalance.c - of threads that do the same, one does more. Threads of a
 * process are alike if their names differ only in numbers, and if both are among the
 * outermost ranges, or the step, of that name. */
#include "analysis/rules.h"
#include "analysis/step.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/renaming.h"
#include "base/utf8.h"

enum { SHARE, WARNING, IMBALANCE };
enum { APART, AROUND, INSIDE }; /* of a call of the step */

/* What one thread spends in one name. */
struct cell {
    uint32_t thread, process, name;
    double ns;
    size_t range; /* its longest */
    double longest_ns;
};

/* Alike threads of a process with that name. */
struct group {
    uint64_t alike;     /* the same in other processes with such threads */
    size_t n, most;     /* threads; the cell of the slowest */
    size_t n_processes; /* with such threads, if a finding is about this one */
    double ns;
};

struct sums {
    struct cell *cells; /* owned */
    size_t n, capacity;
    struct group *groups; /* owned */
    size_t n_groups, group_capacity;
    struct rln__map cell_of, group_of;
    struct rln__buf pool; /* owned: the name of alike threads, "worker-#" */
};

static int add_range(struct sums *s, const struct rln__nesting_row *row, size_t range)
{
    const uint64_t key = (uint64_t)row->thread << 32 | row->name;
    const double ns = (double)(row->end_ns - row->start_ns);
    size_t i = (size_t)rln__map_get(&s->cell_of, key);
    struct cell *cell;

    if (!i) {
        cell = rln__append(&s->cells, &s->n, &s->capacity, sizeof(*cell));
        if (!cell)
            return -1;
        *cell = (struct cell){.thread = row->thread,
                              .process = row->process,
                              .name = row->name,
                              .range = range};
        i = s->n;
        if (rln__map_put(&s->cell_of, key, i))
            return -1;
    }
    s->cells[i - 1].ns += ns;
    if (ns > s->cells[i - 1].longest_ns) {
        s->cells[i - 1].longest_ns = ns;
        s->cells[i - 1].range = range;
    }
    return 0;
}

/* Calls of the step that are in no other; and outermost ranges without the step,
 * because its time would count twice. */
static bool counts(const struct rln__run *run, const struct rln__nesting_row *row,
                   size_t range, const unsigned char *has_step)
{
    const bool is_step = rln__run_is_step(run, row->name);
    const bool is_outermost = row->parent == SIZE_MAX;

    if (row->thread == UINT32_MAX || !row->message.bytes ||
        row->flags & (RLN_FLAG_OPEN | RLN_FLAG_RESUMED))
        return false;
    return is_step ? is_outermost || has_step[row->parent] != INSIDE
                   : is_outermost && has_step[range] != AROUND;
}

/* Where each range is: inside a call of the step, around one, or neither. */
static void mark(const struct rln__run *run, unsigned char *has_step)
{
    struct rln__nesting_row row;

    for (size_t i = 0; rln__nesting_get(run->nesting, i, &row); i++) {
        const bool is_inside = row.parent != SIZE_MAX && has_step[row.parent] == INSIDE;

        if (!is_inside && !rln__run_is_step(run, row.name))
            continue;
        has_step[i] = INSIDE;
        for (size_t at = row.parent; !is_inside && at != SIZE_MAX && !has_step[at];) {
            has_step[at] = AROUND;
            if (rln__nesting_get(run->nesting, at, &row))
                at = row.parent;
        }
    }
}

static int add_ranges(const struct rln__run *run, struct sums *s)
{
    unsigned char *has_step = rln__alloc(rln__nesting_count(run->nesting) + 1, 1);
    struct rln__nesting_row row;
    int failed = !has_step;

    if (!failed && run->message.bytes)
        mark(run, has_step);
    for (size_t i = 0; !failed && rln__nesting_get(run->nesting, i, &row); i++)
        if (counts(run, &row, i, has_step))
            failed = add_range(s, &row, i);
    rln__free(has_step);
    return failed;
}

static rln_text name_of(const struct rln__run *run, uint32_t index)
{
    const rln_thread_info *thread = rln_info_thread(run->info, index);

    if (!thread)
        return (rln_text){NULL, 0};
    return thread->name.length ? thread->name : thread->system_name;
}

static int add_to_group(const struct rln__run *run, struct sums *s, size_t cell)
{
    const struct cell *c = &s->cells[cell];
    uint64_t alike, key;
    struct group *group;
    size_t i;

    s->pool.length = 0;
    rln__fold_numbers(&s->pool, name_of(run, c->thread));
    alike = rln__mix(rln__hash_bytes(s->pool.bytes, s->pool.length) + c->name);
    key = rln__mix(alike + c->process);
    i = (size_t)rln__map_get(&s->group_of, key);

    if (!i) {
        group =
            rln__append(&s->groups, &s->n_groups, &s->group_capacity, sizeof(*group));
        if (!group)
            return -1;
        *group = (struct group){.most = cell, .alike = alike};
        i = s->n_groups;
        if (rln__map_put(&s->group_of, key, i))
            return -1;
    }
    s->groups[i - 1].n++;
    s->groups[i - 1].ns += c->ns;
    if (c->ns > s->cells[s->groups[i - 1].most].ns)
        s->groups[i - 1].most = cell;
    return s->pool.has_failed ? -1 : 0;
}

static double mean_of_others(const struct sums *s, const struct group *g)
{
    return (g->ns - s->cells[g->most].ns) / (double)(g->n > 1 ? g->n - 1 : 1);
}

static double excess_of(const struct sums *s, const struct group *g)
{
    return s->cells[g->most].ns - mean_of_others(s, g);
}

static bool is_uneven(const struct rln__inquiry *q, const struct sums *s,
                      const struct group *g)
{
    return g->n > 1 &&
           s->cells[g->most].ns > q->limits[IMBALANCE] * mean_of_others(s, g) &&
           rln__is_worth(q, excess_of(s, g));
}

/* The worst of the processes whose alike threads are uneven stands for all of them. */
static int find_worst(const struct rln__inquiry *q, struct sums *s)
{
    struct rln__map worst = {0}; /* by group.alike */
    int failed = 0;

    for (size_t i = 0; !failed && i < s->n_groups; i++) {
        struct group *g = &s->groups[i];
        const size_t known = (size_t)rln__map_get(&worst, g->alike);
        struct group *other = known ? &s->groups[known - 1] : NULL;

        if (!is_uneven(q, s, g))
            continue;
        g->n_processes = 1 + (other ? other->n_processes : 0);
        if (other && excess_of(s, other) >= excess_of(s, g)) {
            other->n_processes = g->n_processes;
            g->n_processes = 0;
            continue;
        }
        if (other)
            other->n_processes = 0;
        failed = rln__map_put(&worst, g->alike, i + 1);
    }
    rln__map_clear(&worst);
    return failed;
}

/* "thread 7/9 io-1 spends 1.80 times the mean of 2 other threads io-# in work" */
static void add_title(const struct rln__inquiry *q, const struct sums *s,
                      const struct group *g, const struct rln__nesting_row *row,
                      struct rln__buf *title)
{
    const struct cell *most = &s->cells[g->most];
    const rln_thread_info *thread = rln_info_thread(q->run->info, most->thread);
    const rln_text name = name_of(q->run, most->thread);

    rln__buf_format(title, "thread %u/%u", row->pid, thread ? thread->tid : row->tid);
    if (name.length) {
        rln__buf_char(title, ' ');
        (void)rln__buf_printable(title, name.bytes, name.length);
    }
    rln__buf_format(title, " spends %.2f times the mean of %zu other %sthread%s ",
                    most->ns / mean_of_others(s, g), g->n - 1,
                    name.length ? "" : "unnamed ", g->n == 2 ? "" : "s");
    (void)rln__buf_printable(title, s->pool.bytes, s->pool.length - 1);
    rln__buf_text(title, name.length ? " in " : "in ");
    rln__buf_range(title, row->domain_name, row->is_default_domain, row->message);
    rln__buf_format(title, " (over %g)", q->limits[IMBALANCE]);
    if (g->n_processes > 1)
        rln__buf_format(title, "; %zu more process%s such threads", g->n_processes - 1,
                        g->n_processes > 2 ? "es have" : " has");
}

static rln_status add(struct rln__inquiry *q, struct sums *s, const struct group *g,
                      rln_error *err)
{
    const struct cell *most = &s->cells[g->most];
    const double mean = mean_of_others(s, g);
    struct rln__finding *f;
    struct rln__nesting_row row;

    if (!rln__nesting_get(q->run->nesting, most->range, &row))
        return RLN_OK;
    s->pool.length = 0;
    rln__fold_numbers(&s->pool, name_of(q->run, most->thread));
    rln__buf_char(&s->pool, '\0');
    if (s->pool.has_failed)
        return rln__fail_nomem(err);
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message,
                         *s->pool.bytes ? s->pool.bytes : NULL);
    if (!f)
        return rln__fail_nomem(err);
    rln__finding_won(f, q, most->ns - mean);
    rln__finding_measure(f, "imbalance", most->ns / mean);
    rln__finding_measure(f, "threads", (double)g->n);
    rln__finding_measure(f, "most_ns", most->ns);
    rln__finding_show(f, most->range, most->longest_ns);
    rln__finding_measure(f, "processes", (double)g->n_processes);
    add_title(q, s, g, &row, &f->title);
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct sums s = {0};
    rln_status status = RLN_OK;
    int failed = add_ranges(q->run, &s);

    for (size_t i = 0; !failed && i < s.n; i++)
        failed = add_to_group(q->run, &s, i);
    if (failed || find_worst(q, &s))
        status = rln__fail_nomem(err);
    for (size_t i = 0; !status && i < s.n_groups; i++)
        if (s.groups[i].n_processes)
            status = add(q, &s, &s.groups[i], err);
    rln__map_clear(&s.cell_of);
    rln__map_clear(&s.group_of);
    rln__free(s.cells);
    rln__free(s.groups);
    rln__buf_clear(&s.pool);
    return status;
}

const struct rln__rule rln__rule_thread_imbalance = {
    .id = "thread-imbalance",
    .question = "is work spread unevenly over threads?",
    .fires =
        "of at least two threads of a process whose names differ only in numbers, "
        "one spends over `imbalance` times the mean of the others in the step, or in "
        "an outermost range of one name",
    .against = "threads with equal names may do different work: name them by what they "
               "do",
    .next = "rangeline stats -r thread_sum {traces}",
    .needs = RLN__NEEDS_ALL_EVENTS,
    .thresholds = {RLN__SHARE_THRESHOLDS,
                   {"imbalance", 1.2,
                    "threads that share work evenly differ by a few "
                    "percent"}},
    .evaluate = evaluate,
};
