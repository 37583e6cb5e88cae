/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/collectives.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "rangeline/values.h"
#include "ranges/events.h"
#include "reports/countable_ns.h"
#include "reports/gpu/gpu_ranges.h"

/* --- Sums ------------------------------------------------------------------------- */

int rln__collective_add(struct rln__collective *a, const struct rln__collective *b)
{
    if (!a->n) {
        *a = *b;
        return 0;
    }
    if (__builtin_add_overflow(a->n, b->n, &a->n) ||
        __builtin_add_overflow(a->total_ns, b->total_ns, &a->total_ns) ||
        __builtin_add_overflow(a->n_on_gpu, b->n_on_gpu, &a->n_on_gpu) ||
        __builtin_add_overflow(a->gpu_ns, b->gpu_ns, &a->gpu_ns))
        return -1;
    a->min_ns = b->min_ns < a->min_ns ? b->min_ns : a->min_ns;
    a->max_ns = b->max_ns > a->max_ns ? b->max_ns : a->max_ns;
    return 0;
}

rln_status rln__collectives_add(struct rln__collectives *all, uint32_t of,
                                rln_text name, uint64_t bytes,
                                const struct rln__collective *sum, rln_error *err)
{
    const struct rln__key key = {{of, rln__key_of_text(name), bytes}};
    struct rln__collective_row *row = rln__key_index_item(
        &all->items, &all->n, &all->capacity, rln__key_index_number(&all->keys, &key),
        sizeof(*all->items));

    if (!row)
        return rln__fail_nomem(err);
    row->of = of;
    row->name = name;
    row->bytes = bytes;
    return rln__collective_add(&row->sum, sum)
               ? rln__fail(err, RLN_ERR_FORMAT, 0,
                           "cannot add sums: they exceed 64 bits")
               : RLN_OK;
}

void rln__collectives_clear(struct rln__collectives *all)
{
    rln__key_index_clear(&all->keys);
    rln__free(all->items);
    *all = (struct rln__collectives){.n = 0};
}

/* --- Of traces -------------------------------------------------------------------- */

struct search {
    struct rln__collectives *all;
    rln_reader *reader;
    int is_too_long; /* more than 64 bits */
};

static int is_of_nccl(rln_text domain)
{
    return rln__text_is(domain, "NCCL") || rln__text_is(domain, "RCCL");
}

/* "Message size [bytes]" */
static int is_size(const rln_field *field)
{
    static const char unit[] = "[bytes]";
    const size_t n = sizeof(unit) - 1;

    return (field->kind == RLN_FIELD_UINT || field->kind == RLN_FIELD_INT) &&
           field->name.length >= n &&
           memcmp(field->name.bytes + field->name.length - n, unit, n) == 0;
}

/* RLN_END: the call says no size, as ncclGroupStart(). */
static rln_status find_size(rln_ranges *ranges, const rln_range *range, uint64_t *bytes,
                            rln_error *err)
{
    const rln_payload *payloads;
    size_t n = 0;
    rln_status status =
        range->n_payloads ? rln_ranges_payloads(ranges, &payloads, &n, err) : RLN_END;

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 1; k < payloads[i].n_fields; k++) {
            if (!is_size(&payloads[i].fields[k]))
                continue;
            *bytes = payloads[i].fields[k].bits;
            return RLN_OK;
        }
    }
    return status ? status : RLN_END;
}

static rln_status count_call(void *context, rln_ranges *ranges, const rln_range *range,
                             uint32_t *name, rln_error *err)
{
    struct search *s = context;
    const rln_range inside = rln__range_inside(s->reader, range);
    const int64_t ns = rln__countable_ns(&inside);
    struct rln__collective one = {.n = 1};
    uint64_t bytes;
    rln_status status;

    if (!is_of_nccl(range->attributes.domain_name) || ns < 0 ||
        range->style != RLN_RANGE_PUSH_POP || !range->attributes.message.length)
        return RLN_END;
    status = find_size(ranges, range, &bytes, err);
    if (status)
        return status;
    one.total_ns = one.min_ns = one.max_ns = (uint64_t)ns;
    status = rln__collectives_add(s->all, range->process, range->attributes.message,
                                  bytes, &one, err);
    if (!status) {
        const struct rln__key key = {
            {range->process, rln__key_of_text(range->attributes.message), bytes}};

        *name = rln__key_index_number(&s->all->keys, &key); /* it is there */
    }
    return status;
}

static int count_kernel(void *context, const struct rln__gpu_op *op,
                        struct rln__gpu_range *range)
{
    struct search *s = context;
    struct rln__collective *sum;

    if (!range)
        return 0;
    sum = &s->all->items[range->name].sum;
    sum->n_on_gpu += !range->n_ops++;
    s->is_too_long |= __builtin_add_overflow(
        sum->gpu_ns, (uint64_t)(op->end_ns - op->start_ns), &sum->gpu_ns);
    return 0;
}

/* Most traces have none, and are not read again. */
static int has_nccl(const rln_reader *reader)
{
    const struct rln__names *names = &reader->names;

    for (size_t i = 0; i < names->n_domains; i++) {
        if (is_of_nccl(rln__strings_get(&names->strings, names->domains[i].name)))
            return 1;
    }
    return 0;
}

rln_status rln__collectives_read(struct rln__collectives *all, rln_reader *reader,
                                 rln_error *err)
{
    static const struct rln__gpu_choice kernels = {.kinds = RLN__GPU_KERNELS};
    struct search s = {.all = all, .reader = reader};
    const struct rln__gpu_visitor visitor = {
        .context = &s, .op = count_kernel, .name = count_call};
    rln_status status;

    *all = (struct rln__collectives){.n = 0};
    if (!has_nccl(reader))
        return RLN_OK;
    status = rln__gpu_ranges_visit(reader, &kernels, NULL, &visitor, err);
    return !status && s.is_too_long ? rln__fail(err, RLN_ERR_FORMAT, 0,
                                                "cannot add sums: they exceed 64 bits")
                                    : status;
}
