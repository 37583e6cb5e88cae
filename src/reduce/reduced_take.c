/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_take.h"

void rln__take_fault(struct rln__reduced_cursor *c, const char *fault)
{
    if (!c->fault)
        c->fault = fault;
}

int rln__take_is_bad(const struct rln__reduced_cursor *c)
{
    return c->fault || c->is_full;
}

void rln__take_status(struct rln__reduced_cursor *c, rln_status status)
{
    if (status == RLN_ERR_NOMEM)
        c->is_full = 1;
    else if (status)
        rln__take_fault(c, "sums of more than 64 bits");
}

uint64_t rln__take_number(struct rln__reduced_cursor *c)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 70 && c->at < c->end && !rln__take_is_bad(c);
         shift += 7) {
        const uint64_t byte = c->bytes[c->at++];

        if (shift == 63 && byte > 1)
            break;
        value |= (byte & 127) << shift;
        if (byte >= 128)
            continue;
        if (!byte && shift)
            rln__take_fault(c, "a number is longer than it need be");
        return value;
    }
    rln__take_fault(c, "a number does not end");
    return 0;
}

uint64_t rln__take_at_most(struct rln__reduced_cursor *c, uint64_t most,
                           const char *fault)
{
    const uint64_t value = rln__take_number(c);

    if (value <= most)
        return value;
    rln__take_fault(c, fault);
    return 0;
}

size_t rln__take_count(struct rln__reduced_cursor *c, size_t item_bytes)
{
    return (size_t)rln__take_at_most(c, (c->end - c->at) / item_bytes,
                                     "more items than bytes");
}

int64_t rln__take_signed(struct rln__reduced_cursor *c)
{
    const uint64_t value = rln__take_number(c);

    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

uint64_t rln__take_fixed(struct rln__reduced_cursor *c, unsigned n_bytes)
{
    uint64_t value = 0;

    if (c->end - c->at < n_bytes) {
        rln__take_fault(c, "a number does not end");
        return 0;
    }
    for (unsigned i = 0; i < n_bytes; i++)
        value |= (uint64_t)c->bytes[c->at++] << 8 * i;
    return value;
}

rln_text rln__take_text(struct rln__reduced_cursor *c)
{
    const size_t length = rln__take_count(c, 1);
    const rln_text text = {(const char *)c->bytes + c->at, length};

    c->at += length;
    return text;
}

uint32_t rln__take_string(struct rln__reduced_cursor *c)
{
    return (uint32_t)rln__take_at_most(c, c->n_strings, "no such string");
}

uint32_t rln__take_origin(struct rln__reduced_cursor *c, uint64_t from)
{
    const uint64_t origin =
        from + rln__take_at_most(c, c->r->origins.n, "no such origin");

    if (origin >= c->r->origins.n)
        rln__take_fault(c, "no such origin");
    return (uint32_t)origin;
}

void rln__take_order(struct rln__reduced_cursor *c, int order)
{
    if (order >= 0)
        rln__take_fault(c, "out of order");
}
