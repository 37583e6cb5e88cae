/* SPDX-License-Identifier: Apache-2.0 */
#include "export/samples.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "trace/payload/in_unit.h"

#include <math.h>
#include <string.h>

static struct rln__sampled_counter *counter_of(struct rln__sampling *s,
                                               const rln_counter *counter)
{
    const uint64_t key = (uint64_t)(uintptr_t)counter;
    const uint64_t found = rln__map_get(&s->by_counter, key);
    struct rln__sampled_counter *added;

    if (found)
        return &s->counters[found - 1];
    added = rln__append(&s->counters, &s->n, &s->capacity, sizeof(*added));
    if (!added)
        return NULL;
    *added = (struct rln__sampled_counter){.number = (uint32_t)s->n};
    return rln__map_put(&s->by_counter, key, s->n) ? NULL : added;
}

/* Room for so many fields; those that are new have no value. */
static int make_fields(struct rln__sampled_counter *c, size_t n)
{
    struct rln__sampled *fields =
        rln__grow(c->fields, &c->capacity, n, sizeof(*fields));

    if (!fields)
        return -1;
    c->fields = fields;
    for (; c->n < n; c->n++) {
        fields[c->n] = (struct rln__sampled){.index = (uint32_t)c->n,
                                             .type = RLN_PAYLOAD_I64,
                                             .level = NAN,
                                             .is_new = 1};
        c->is_new = 1;
    }
    return 0;
}

static void set(struct rln__sampled *f, uint8_t type, uint64_t bits)
{
    const rln_semantics *m = f->semantics;
    double level = rln__number_double(type, bits);

    f->type = type;
    f->bits = bits;
    f->has_value = f->had_value = 1;
    level = rln__in_unit(m, level);
    if (m->value_type == RLN_VALUE_DELTA && isfinite(f->level))
        level += f->level;
    f->level = level;
}

static void set_no_value(struct rln__sampled *f, uint8_t reason)
{
    if (reason == RLN_NO_VALUE_ZERO)
        set(f, f->type, 0);
    else if (reason == RLN_NO_VALUE_UNCHANGED && f->had_value)
        set(f, f->type, f->bits);
    else
        f->has_value = 0;
}

rln_status rln__sampling_see(struct rln__sampling *s, const rln_event *e,
                             const struct rln__sampled_counter **out, rln_error *err)
{
    struct rln__sampled_counter *c = counter_of(s, e->counter);
    size_t n = e->n_values;

    *out = NULL;
    if (!c)
        return rln__fail_nomem(err);
    /* A group's fields are known from its first sample with values. */
    if (!n && !e->counter->is_group)
        n = 1;
    for (size_t i = 0; c->is_new && i < c->n; i++)
        c->fields[i].is_new = 0;
    c->is_new = !c->was_seen;
    c->was_seen = 1;
    if (n > c->n && make_fields(c, n))
        return rln__fail_nomem(err);
    for (size_t i = 0; i < c->n; i++) {
        struct rln__sampled *f = &c->fields[i];

        if (i < e->n_values) {
            f->field = e->values[i].name;
            f->semantics = e->values[i].semantics;
            set(f, e->values[i].type, e->values[i].bits);
            continue;
        }
        if (!f->semantics)
            f->semantics = &e->counter->semantics;
        set_no_value(f, e->no_value);
    }
    *out = c;
    return RLN_OK;
}

void rln__sampling_clear(struct rln__sampling *s)
{
    for (size_t i = 0; i < s->n; i++)
        rln__free(s->counters[i].fields);
    rln__free(s->counters);
    rln__map_clear(&s->by_counter);
    memset(s, 0, sizeof(*s));
}
