/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/diff/diff_samples.h"
#include "base/alloc.h"

#include <string.h>

/* Parts come one after the other, so the group is mostly the first. NULL: no memory. */
static struct rln__diff_group *group_of(struct rln__diff_samples *s,
                                        struct rln__diff_heads *heads, uint32_t index,
                                        uint32_t part)
{
    struct rln__diff_group *added;
    uint32_t *first = heads->first;
    uint32_t at;

    if (index >= heads->n) {
        first = rln__grow_to(first, &heads->n, &heads->capacity, index, sizeof(*first));
        if (!first)
            return NULL;
        heads->first = first;
    }
    first += index;
    for (at = *first; at && s->groups[at - 1].part != part;)
        at = s->groups[at - 1].next;
    if (at)
        return &s->groups[at - 1];
    added = rln__append(&s->groups, &s->n_groups, &s->groups_capacity, sizeof(*added));
    if (!added)
        return NULL;
    *added = (struct rln__diff_group){.durations = {.keeps_order = 1},
                                      .on_processor = {.keeps_order = 1},
                                      .next = *first,
                                      .part = part};
    *first = (uint32_t)s->n_groups;
    return added;
}

static int add_cpu_time(struct rln__diff_samples *s, struct rln__diff_group *group,
                        const struct rln__closing *c)
{
    const struct rln__cpu_split split =
        rln__cpu_times_of_range(&s->cpu_times, c->thread, c->start_ns, c->end_ns);

    if (!rln__cpu_times_are_comparable(&s->cpu_times, c->part, &split))
        return 0;
    group->on_processor_ns += split.on_ns;
    return rln__samples_add(&group->on_processor, split.on_ns);
}

static int take(void *context, const struct rln__closing *c, uint64_t ns, uint32_t row,
                uint32_t process)
{
    struct rln__diff_samples *s = context;
    struct rln__diff_group *group = c->state & RLN__STARTED
                                        ? group_of(s, &s->of_names, row, c->part)
                                        : group_of(s, &s->of_paths, c->tag, c->part);

    (void)process;
    if (!group)
        return -1;
    group->total_ns += ns;
    if (rln__samples_add(&group->durations, ns))
        return -1;
    return s->has_cpu_times ? add_cpu_time(s, group, c) : 0;
}

rln_status rln__diff_samples_read(struct rln__diff_samples *s, rln_reader *reader,
                                  rln_error *err)
{
    const struct rln__summary_taker taker = {s, take};
    rln_status status = RLN_OK;

    memset(s, 0, sizeof(*s));
    s->has_cpu_times = rln__has_cpu_times(reader, RLN__NONE);
    if (s->has_cpu_times)
        status = rln__cpu_times_load(&s->cpu_times, reader, err);
    if (!status)
        status = rln__summary_read_to(&s->summary, reader, &taker, err);
    if (status)
        rln__diff_samples_clear(s);
    return status;
}

void rln__diff_samples_clear(struct rln__diff_samples *s)
{
    for (size_t i = 0; i < s->n_groups; i++) {
        rln__samples_clear(&s->groups[i].durations);
        rln__samples_clear(&s->groups[i].on_processor);
    }
    rln__free(s->groups);
    rln__free(s->of_paths.first);
    rln__free(s->of_names.first);
    rln__cpu_times_clear(&s->cpu_times);
    rln__summary_clear(&s->summary);
    memset(s, 0, sizeof(*s));
}
