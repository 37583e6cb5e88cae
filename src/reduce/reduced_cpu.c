/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_cpu.h"

#include "reduce/reduced_durations.h"
#include "reduce/reduced_put.h"
#include "reduce/reduced_take.h"

/* --- Sums ------------------------------------------------------------------------- */

static void add_known(struct rln__cpu_split *sum, const struct rln__cpu_split *split)
{
    rln__cpu_split_add(sum, split);
    sum->unknown_ns = 0;
}

int rln__reduced_cpu_add(struct rln__reduced_cpu *cpu,
                         const struct rln__cpu_split *split, int is_comparable)
{
    add_known(&cpu->split, split);
    if (!is_comparable)
        return 0;
    cpu->times_ns += split->on_ns;
    return rln__duration_histogram_add(&cpu->times, split->on_ns);
}

int rln__reduced_cpu_merge(struct rln__reduced_cpu *a, const struct rln__reduced_cpu *b)
{
    add_known(&a->split, &b->split);
    a->times_ns += b->times_ns;
    return rln__duration_histogram_merge(&a->times, &b->times);
}

void rln__reduced_cpu_clear(struct rln__reduced_cpu *cpu)
{
    rln__duration_histogram_clear(&cpu->times);
}

struct rln__cpu_split rln__reduced_cpu_split(const struct rln__reduced_cpu *cpu,
                                             uint64_t total_ns)
{
    struct rln__cpu_split split = cpu->split;

    split.unknown_ns = total_ns - rln__cpu_split_known_ns(&split);
    return split;
}

/* --- The file --------------------------------------------------------------------- */

void rln__reduced_cpu_put(struct rln__reduced_cpu *cpu, struct rln__buf *out)
{
    rln__put_number(out, cpu->split.on_ns);
    rln__put_number(out, cpu->split.preempted_ns);
    rln__put_number(out, cpu->split.blocked_ns);
    rln__put_number(out, cpu->split.to_own_ns);
    rln__put_number(out, cpu->times.n);
    if (!cpu->times.n)
        return;
    rln__put_number(out, cpu->times_ns);
    rln__put_number(out, cpu->times.min_ns);
    rln__put_number(out, cpu->times.max_ns - cpu->times.min_ns);
    rln__put_durations(out, &cpu->times);
}

static void read_split(struct rln__cpu_split *split, uint64_t total_ns,
                       struct rln__reduced_cursor *c)
{
    uint64_t sum;

    split->on_ns = rln__take_number(c);
    split->preempted_ns = rln__take_number(c);
    split->blocked_ns = rln__take_number(c);
    split->to_own_ns = rln__take_number(c);
    if (__builtin_add_overflow(split->on_ns, split->preempted_ns, &sum) ||
        __builtin_add_overflow(sum, split->blocked_ns, &sum) || sum > total_ns ||
        split->to_own_ns > split->preempted_ns)
        rln__take_fault(c, "more time than the ranges took");
}

void rln__reduced_cpu_read(struct rln__reduced_cpu *cpu, uint64_t n, uint64_t total_ns,
                           struct rln__reduced_cursor *c)
{
    struct rln__durations_read of = {.n = 0};
    uint64_t range_ns;

    read_split(&cpu->split, total_ns, c);
    of.n = rln__take_at_most(c, n, "more times than ranges");
    if (!of.n)
        return;
    cpu->times_ns =
        rln__take_at_most(c, cpu->split.on_ns, "more time than the ranges took");
    of.min_ns = rln__take_number(c);
    range_ns = rln__take_number(c);
    if (__builtin_add_overflow(of.min_ns, range_ns, &of.max_ns) ||
        !rln__is_total(cpu->times_ns, &of))
        rln__take_fault(c, "sums that no ranges have");
    rln__take_durations(c, &cpu->times, &of);
}
