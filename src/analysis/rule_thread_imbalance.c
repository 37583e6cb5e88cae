/* SPDX-License-Identifier: Apache-2.0 */
/* rule_thread_imbalance.c - of threads that do the same, one does more. Threads of a
 * process are alike if their names differ only in numbers, and if both are among the
 * outermost ranges, or the step, of that name. */
#include "analysis/rules.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash.h"
#include "console/human_units.h"

enum { SHARE, WARNING, IMBALANCE };
enum { APART, AROUND, INSIDE }; /* of a call of the step */

/* What one thread spends in one name. */
struct cell {
    uint32_t thread, process, name;
    double ns;
    size_t range; /* its longest */
    double longest_ns;
};

/* Alike threads with that name. */
struct group {
    size_t n, most; /* threads; the cell of the slowest */
    double ns;
};

struct sums {
    struct cell *cells; /* owned */
    size_t n, capacity;
    struct group *groups; /* owned */
    size_t n_groups, group_capacity;
    struct rln__map cell_of, group_of;
};

static int add_range(struct sums *s, const rln_nesting_row *row, size_t range)
{
    const uint64_t key = (uint64_t)row->thread << 32 | row->name;
    const double ns = (double)(row->end_ns - row->start_ns);
    size_t i = (size_t)rln__map_get(&s->cell_of, key);
    struct cell *grown;

    if (!i) {
        grown = rln__grow(s->cells, &s->capacity, s->n + 1, sizeof(*grown));
        if (!grown)
            return -1;
        s->cells = grown;
        s->cells[s->n++] = (struct cell){.thread = row->thread,
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
static bool counts(const struct rln__run *run, const rln_nesting_row *row, size_t range,
                   const unsigned char *has_step)
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
    rln_nesting_row row;

    for (size_t i = 0; rln_nesting_get(run->nesting, i, &row); i++) {
        const bool is_inside = row.parent != SIZE_MAX && has_step[row.parent] == INSIDE;

        if (!is_inside && !rln__run_is_step(run, row.name))
            continue;
        has_step[i] = INSIDE;
        for (size_t at = row.parent; !is_inside && at != SIZE_MAX && !has_step[at];) {
            has_step[at] = AROUND;
            if (rln_nesting_get(run->nesting, at, &row))
                at = row.parent;
        }
    }
}

static int add_ranges(const struct rln__run *run, struct sums *s)
{
    unsigned char *has_step = rln__alloc(rln_nesting_count(run->nesting) + 1, 1);
    rln_nesting_row row;
    int failed = !has_step;

    if (!failed && run->message.bytes)
        mark(run, has_step);
    for (size_t i = 0; !failed && rln_nesting_get(run->nesting, i, &row); i++)
        if (counts(run, &row, i, has_step))
            failed = add_range(s, &row, i);
    rln__free(has_step);
    return failed;
}

/* The hash of a name in which every number is the same. */
static uint64_t hash_folded(rln_text name)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    bool is_number = false;

    for (size_t i = 0; i < name.length; i++) {
        const bool is_digit = name.bytes[i] >= '0' && name.bytes[i] <= '9';

        if (!(is_digit && is_number))
            hash = (hash ^ (is_digit ? '#' : (unsigned char)name.bytes[i])) *
                   1099511628211u;
        is_number = is_digit;
    }
    return hash;
}

static int add_to_group(const struct rln__run *run, struct sums *s, size_t cell)
{
    const struct cell *c = &s->cells[cell];
    const rln_thread_info *thread = rln_info_thread(run->info, c->thread);
    const rln_text name = !thread               ? (rln_text){NULL, 0}
                          : thread->name.length ? thread->name
                                                : thread->system_name;
    const uint64_t key =
        rln__mix(hash_folded(name) + rln__mix((uint64_t)c->process << 32 | c->name));
    size_t i = (size_t)rln__map_get(&s->group_of, key);
    struct group *grown;

    if (!i) {
        grown =
            rln__grow(s->groups, &s->group_capacity, s->n_groups + 1, sizeof(*grown));
        if (!grown)
            return -1;
        s->groups = grown;
        s->groups[s->n_groups++] = (struct group){.most = cell};
        i = s->n_groups;
        if (rln__map_put(&s->group_of, key, i))
            return -1;
    }
    s->groups[i - 1].n++;
    s->groups[i - 1].ns += c->ns;
    if (c->ns > s->cells[s->groups[i - 1].most].ns)
        s->groups[i - 1].most = cell;
    return 0;
}

static rln_status evaluate_group(struct rln__inquiry *q, const struct sums *s,
                                 const struct group *g, rln_error *err)
{
    const struct cell *most = &s->cells[g->most];
    const double mean = (g->ns - most->ns) / (double)(g->n > 1 ? g->n - 1 : 1);
    const rln_thread_info *thread = rln_info_thread(q->run->info, most->thread);
    struct rln__finding *f;
    rln_nesting_row row;

    if (g->n < 2 || most->ns <= q->limits[IMBALANCE] * mean ||
        !rln__is_worth(q, most->ns - mean) ||
        !rln_nesting_get(q->run->nesting, most->range, &row))
        return RLN_OK;
    f = rln__finding_new(q, row.domain_name, row.is_default_domain, row.message, NULL);
    if (!f)
        return rln__fail_nomem(err);
    rln__finding_won(f, q, most->ns - mean);
    rln__finding_measure(f, "imbalance", most->ns / mean);
    rln__finding_measure(f, "threads", (double)g->n);
    rln__finding_measure(f, "most_ns", most->ns);
    rln__finding_show(f, most->range, most->longest_ns);
    rln__buf_format(&f->title,
                    "thread %u/%u spends %.2f times the mean of %zu threads "
                    "like it in ",
                    row.pid, thread ? thread->tid : row.tid, f->measured[0].value,
                    g->n - 1);
    rln__buf_range(&f->title, row.domain_name, row.is_default_domain, row.message);
    rln__buf_format(&f->title, " (over %g)", q->limits[IMBALANCE]);
    return RLN_OK;
}

static rln_status evaluate(struct rln__inquiry *q, rln_error *err)
{
    struct sums s = {0};
    rln_status status = RLN_OK;
    int failed = add_ranges(q->run, &s);

    for (size_t i = 0; !failed && i < s.n; i++)
        failed = add_to_group(q->run, &s, i);
    if (failed)
        status = rln__fail_nomem(err);
    for (size_t i = 0; !status && i < s.n_groups; i++)
        status = evaluate_group(q, &s, &s.groups[i], err);
    rln__map_clear(&s.cell_of);
    rln__map_clear(&s.group_of);
    rln__free(s.cells);
    rln__free(s.groups);
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
