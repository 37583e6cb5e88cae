/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/clock_tuples.h"

#include "base/alloc.h"

#include <string.h>

static void add_tuple(struct rln__clock_tuples *t, uint32_t part,
                      struct rln__clock_tuple tuple)
{
    t->all[t->begins[part] + t->n[part]++] = tuple;
}

void rln__clock_tuples_clear(struct rln__clock_tuples *t)
{
    rln__free(t->all);
    rln__free(t->begins);
    rln__free(t->n);
}

/* 0, or -1: no memory; to be cleared in either case. */
static int make_room(const rln_reader *r, struct rln__clock_tuples *t)
{
    const struct rln__layout *layout = &r->layout;

    t->all = rln__alloc(2 * layout->n_parts + r->names.n_tuples + layout->n_chunks,
                        sizeof(*t->all));
    t->begins = rln__alloc(layout->n_parts + 1, sizeof(*t->begins));
    t->n = rln__alloc(layout->n_parts + 1, sizeof(*t->n));
    if (!t->all || !t->begins || !t->n)
        return -1;
    for (size_t i = 0; i < r->names.n_tuples; i++)
        t->begins[r->names.tuples[i].part + 1]++;
    for (size_t i = 0; i < layout->n_chunks; i++)
        t->begins[layout->chunks[i].part + 1]++;
    for (size_t i = 0; i < layout->n_parts; i++)
        t->begins[i + 1] += t->begins[i] + 2;
    return 0;
}

static void collect_tuples(const rln_reader *r, struct rln__clock_tuples *t)
{
    for (uint32_t i = 0; i < r->layout.n_parts; i++) {
        add_tuple(t, i, r->layout.parts[i].super.created[0]);
        add_tuple(t, i, r->layout.parts[i].super.created[1]);
    }
    for (size_t i = 0; i < r->names.n_tuples; i++)
        add_tuple(t, r->names.tuples[i].part, r->names.tuples[i].tuple);
    for (size_t i = 0; i < r->layout.n_chunks; i++) {
        const struct rln__chunk_info *c = &r->layout.chunks[i];

        add_tuple(t, c->part,
                  (struct rln__clock_tuple){c->base_ticks, c->base_monotonic_ns,
                                            c->base_realtime_ns,
                                            c->uncertainty_16ticks * 16u});
    }
}

int rln__clock_tuples_gather(const rln_reader *r, struct rln__clock_tuples *out)
{
    memset(out, 0, sizeof(*out));
    if (make_room(r, out))
        return -1;
    collect_tuples(r, out);
    return 0;
}
