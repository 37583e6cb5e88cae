/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/range_prefix.h"
#include "base/fail.h"
#include "reports/report_build.h"

#include <string.h>

static uint64_t call_key(uint32_t process, uint32_t correlation)
{
    return (uint64_t)process << 32 | correlation;
}

struct search {
    struct rln__range_prefix *prefix;
    uint64_t call; /* the last one */
    uint64_t ns;   /* of the shortest range around it so far */
};

/* The ranges around a call come in sequence, by their beginning. */
static int see(void *context, const struct rln__gpu_op *op,
               struct rln__gpu_range *range)
{
    struct search *s = context;
    const uint64_t call = call_key(op->process, op->correlation);
    uint64_t ns;

    if (!range)
        return 0;
    ns = (uint64_t)range->end_ns - (uint64_t)range->start_ns;
    if (call == s->call && ns > s->ns)
        return 0;
    s->call = call;
    s->ns = ns;
    return rln__map_put(&s->prefix->by_call, call, (uint64_t)range->name + 1);
}

rln_status rln__range_prefix_read(struct rln__range_prefix *p, rln_reader *reader,
                                  const char *argument, rln_error *err)
{
    static const struct rln__gpu_choice kernels = {.kinds = RLN__GPU_KERNELS};
    struct search search = {.prefix = p, .call = UINT64_MAX};
    const struct rln__gpu_visitor visitor = {.context = &search, .op = see};

    memset(p, 0, sizeof(*p));
    return rln__report_has_word(argument, "nvtx-name")
               ? rln__gpu_ranges_visit(reader, &kernels, &p->names, &visitor, err)
               : RLN_OK;
}

int rln__range_prefix_add(struct rln__range_prefix *p, uint32_t process,
                          uint32_t correlation, rln_text *name)
{
    const uint64_t number = rln__map_get(&p->by_call, call_key(process, correlation));
    uint32_t text;
    rln_text range;

    if (!number)
        return 0;
    range = p->names.items[number - 1].message;
    p->scratch.length = 0;
    rln__buf_add(&p->scratch, range.bytes, range.length);
    rln__buf_char(&p->scratch, '/');
    rln__buf_add(&p->scratch, name->bytes, name->length);
    if (p->scratch.has_failed)
        return -1;
    text = rln__strings_add(&p->texts, p->scratch.bytes, p->scratch.length);
    *name = rln__strings_get(&p->texts, text);
    return text ? 0 : -1;
}

void rln__range_prefix_clear(struct rln__range_prefix *p)
{
    rln__range_names_clear(&p->names);
    rln__map_clear(&p->by_call);
    rln__strings_clear(&p->texts);
    rln__buf_clear(&p->scratch);
    memset(p, 0, sizeof(*p));
}
