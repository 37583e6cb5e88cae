/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_merge.h"
#include "base/alloc.h"
#include "base/fail.h"

#include <string.h>

/* --- What cannot be merged -------------------------------------------------------- */

static rln_text source_of(const struct rln__reduced *r,
                          const struct rln__reduced_trace *trace)
{
    return rln__strings_get(&r->sources, trace->source);
}

rln_status rln__reduced_refuse_twice(const struct rln__reduced *into,
                                     const struct rln__reduced *from, rln_error *err)
{
    for (size_t i = 0; i < from->n_traces; i++) {
        const struct rln__reduced_trace *trace = &from->traces[i];

        for (size_t k = 0; k < trace->n_parts; k++) {
            const uint64_t found =
                rln__map_get(&into->traces_by_id, trace->parts[k].id);
            const rln_text a = source_of(from, trace);
            rln_text b, name;

            if (!found)
                continue;
            b = source_of(into, &into->traces[found - 1]);
            name = rln__strings_get(&into->strings, into->traces[found - 1].name);
            return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                             "cannot add trace twice: path=\"%.*s\": it has the trace "
                             "\"%.*s\" of \"%.*s\"",
                             (int)(a.length < 150 ? a.length : 150), a.bytes,
                             (int)(name.length < 80 ? name.length : 80), name.bytes,
                             (int)(b.length < 150 ? b.length : 150), b.bytes);
        }
    }
    return RLN_OK;
}

static const char *or_none(const char *options)
{
    return *options ? options : "none";
}

/* The file that sums were read from first; NULL: none so far. */
static const char *name_of(const struct rln__reduced *r)
{
    return r->source ? rln__strings_get(&r->sources, r->source).bytes : NULL;
}

static rln_status refuse_other(const struct rln__reduced *into,
                               const struct rln__reduced *from, const char *what,
                               const struct rln__buf *ours,
                               const struct rln__buf *theirs, rln_error *err)
{
    const char *a = or_none(theirs->bytes), *b = or_none(ours->bytes);
    const char *path = name_of(from) ? name_of(from) : "";

    if (strcmp(a, b) == 0)
        return RLN_OK;
    if (!name_of(into))
        return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                         "cannot merge sums: path=\"%.150s\": its %s are %.100s, not "
                         "%.100s",
                         path, what, a, b);
    return rln__fail(err, RLN_ERR_ARGUMENT, 0,
                     "cannot merge sums: path=\"%.120s\": its %s are %.90s, those of "
                     "\"%.120s\" are %.90s",
                     path, what, a, name_of(into), b);
}

static rln_status refuse_others(const struct rln__reduced *into,
                                const struct rln__reduced *from, rln_error *err)
{
    rln_status status =
        refuse_other(into, from, "filters", &into->filters, &from->filters, err);

    if (!status)
        status = refuse_other(into, from, "rules for names", &into->renames,
                              &from->renames, err);
    if (!status)
        status = refuse_other(into, from, "steps", &into->steps_name, &from->steps_name,
                              err);
    return status;
}

/* --- Numbers of the one and of the other ------------------------------------------ */

uint32_t rln__reduced_string_of(struct rln__reduced_numbers *n, uint32_t string)
{
    if (!string)
        return 0;
    if (!n->strings[string])
        n->strings[string] = rln__reduced_string(
            n->into, rln__strings_get(&n->from->strings, string), &n->failed);
    return n->strings[string];
}

static int number_origins(struct rln__reduced_numbers *n)
{
    for (uint32_t i = 0; i < n->from->origins.n && !n->failed; i++) {
        const uint64_t *words = n->from->origins.entries[i].key.words;

        n->origins[i] = rln__reduced_origin(n->into, (unsigned)words[0], words[1],
                                            (uint32_t)words[2]);
        n->failed = n->origins[i] == UINT32_MAX;
    }
    return n->failed;
}

static int begin(struct rln__reduced_numbers *n, struct rln__reduced *into,
                 const struct rln__reduced *from)
{
    *n = (struct rln__reduced_numbers){.into = into, .from = from};
    n->strings = rln__alloc(from->strings.n + 1, sizeof(uint32_t));
    n->origins = rln__alloc(from->origins.n + 1, sizeof(uint32_t));
    return !n->strings || !n->origins || number_origins(n) ? -1 : 0;
}

static void end(struct rln__reduced_numbers *n)
{
    rln__free(n->strings);
    rln__free(n->origins);
}

/* --- Adding ----------------------------------------------------------------------- */

static int copy_parts(struct rln__reduced_numbers *n, struct rln__reduced_trace *to,
                      const struct rln__reduced_trace *from)
{
    to->n_parts = 0;
    to->parts = rln__alloc(from->n_parts, sizeof(*to->parts));
    for (size_t i = 0; to->parts && i < from->n_parts; i++) {
        struct rln__reduced_part *part = &to->parts[i];
        const size_t n_ranks = from->parts[i].n_ranks;

        *part = from->parts[i];
        part->host = rln__reduced_string_of(n, part->host);
        part->ranks = rln__alloc(n_ranks + 1, sizeof(uint32_t));
        if (!part->ranks)
            return -1;
        if (n_ranks)
            memcpy(part->ranks, from->parts[i].ranks, n_ranks * sizeof(uint32_t));
        to->n_parts++;
    }
    return to->parts ? 0 : -1;
}

static int add_trace(struct rln__reduced_numbers *n,
                     const struct rln__reduced_trace *from)
{
    const rln_text source = source_of(n->from, from);
    struct rln__reduced_trace trace = *from;

    if (copy_parts(n, &trace, from)) {
        rln__reduced_trace_clear(&trace);
        return -1;
    }
    trace.name = rln__reduced_string_of(n, from->name);
    trace.damage = rln__reduced_string_of(n, from->damage);
    trace.source = rln__strings_add(&n->into->sources, source.bytes, source.length);
    if (n->failed || !trace.source) {
        rln__reduced_trace_clear(&trace);
        return -1;
    }
    return rln__reduced_append(n->into, &trace);
}

static rln_status add_all(struct rln__reduced_numbers *n, rln_error *err)
{
    const struct rln__reduced *from = n->from;
    rln_status status = RLN_OK;

    for (size_t i = 0; i < from->n_traces; i++) {
        if (add_trace(n, &from->traces[i]))
            return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < from->n_unreadable; i++) {
        if (rln__reduced_add_unreadable(
                n->into, rln__reduced_string_of(n, from->unreadable[i].name),
                rln__reduced_string_of(n, from->unreadable[i].reason)) ||
            n->failed)
            return rln__fail_nomem(err);
    }
    for (size_t i = 0; i < RLN__N_REDUCED_KINDS && !status; i++)
        status = rln__reduced_kinds[i]->merge(n->into->sums[i], from->sums[i], n, err);
    return status == RLN_ERR_FORMAT ? RLN_ERR_ARGUMENT : status;
}

rln_status rln__reduced_merge(struct rln__reduced *into,
                              const struct rln__reduced *from, rln_error *err)
{
    struct rln__reduced_numbers numbers = {0};
    rln_status status = refuse_others(into, from, err);

    if (!status)
        status = rln__reduced_refuse_twice(into, from, err);
    if (status)
        return status;
    rln__buf_clear(&into->bytes);
    status =
        begin(&numbers, into, from) ? rln__fail_nomem(err) : add_all(&numbers, err);
    end(&numbers);
    return status;
}
