/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_usual_states.h"

#include "base/alloc.h"
#include "statistics/median.h"
#include "timeline/lod_states.h"

#define LEAST_KNOWN 3u  /* the median of fewer says nothing */
#define LEAST_SHARE 0.9 /* of all: others may be those that waited */

struct measuring {
    struct rln__lod *lod;
    struct rln__cpu_times *times;
    double *values[RLN__LOD_N_USUAL_STATES]; /* owned: of those that are known */
    size_t n;
};

/* Whether it is known of an occurrence; `ns` then has its states. */
static int split_of(const struct measuring *m,
                    const struct rln__lod_occurrence *occurrence,
                    uint64_t ns[RLN__LOD_N_USUAL_STATES])
{
    const struct rln__lod_row *row = &m->lod->rows[occurrence->row];
    const rln_reader *reader = m->lod->reader;
    struct rln__cpu_split split;
    uint32_t process;

    if (!rln__lod_is_of_thread(row))
        return 0;
    split = rln__cpu_times_of(m->times, row->thread, occurrence->start_ns,
                              occurrence->end_ns);
    ns[0] = split.on_ns;
    ns[1] = split.preempted_ns;
    ns[2] = split.blocked_ns;
    process = reader->threads[row->thread].process;
    return rln__cpu_split_is_known(&split) &&
           !m->times->by_readings[reader->names.processes[process].part];
}

static int measure(struct measuring *m, const struct rln__lod_occurrences *all)
{
    uint64_t ns[RLN__LOD_N_USUAL_STATES];

    for (size_t state = 0; state < RLN__LOD_N_USUAL_STATES; state++) {
        m->values[state] = rln__alloc(all->n, sizeof(**m->values));
        if (!m->values[state])
            return -1;
    }
    for (size_t i = 0; i < all->n; i++) {
        if (!split_of(m, &all->items[i], ns))
            continue;
        for (size_t state = 0; state < RLN__LOD_N_USUAL_STATES; state++)
            m->values[state][m->n] = (double)ns[state];
        m->n++;
    }
    return 0;
}

static void compare(const struct measuring *m,
                    const uint64_t own[RLN__LOD_N_USUAL_STATES],
                    struct rln__lod_usual_states *out)
{
    static const char *const names[] = {"on", "preempted", "blocked"};

    for (size_t state = 0; state < RLN__LOD_N_USUAL_STATES; state++) {
        const struct rln__lod_usual_state item = {names[state], own[state],
                                                  rln__median(m->values[state], m->n)};

        if (item.ns || item.median_ns > 0)
            out->items[out->n++] = item;
    }
}

int rln__lod_usual_states(struct rln__lod *lod, const struct rln__lod_occurrence *own,
                          const struct rln__lod_occurrences *all,
                          struct rln__lod_usual_states *out)
{
    struct measuring m = {.lod = lod};
    uint64_t ns[RLN__LOD_N_USUAL_STATES];
    int failed = 0;

    out->n = 0;
    if (rln__lod_states_known(lod) != RLN__LOD_STATES_KNOWN)
        return 0;
    if (rln__lod_states(lod, &m.times, NULL))
        return -1;
    if (!split_of(&m, own, ns))
        return 0;
    failed = measure(&m, all);
    if (!failed && m.n >= LEAST_KNOWN && (double)m.n >= LEAST_SHARE * (double)all->n)
        compare(&m, ns, out);
    for (size_t state = 0; state < RLN__LOD_N_USUAL_STATES; state++)
        rln__free(m.values[state]);
    return failed;
}
