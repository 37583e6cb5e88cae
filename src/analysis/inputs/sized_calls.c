/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/inputs/sized_calls.h"

#include <ctype.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "rangeline/values.h"
#include "ranges/pattern.h"
#include "trace/open/schema_catalog.h"

/* Schemas of GPU work, as docs/reference/FORMAT.md numbers them, begin with these bits.
 */
#define GPU_WORK 0xC0DAu

/* More than any machine has. */
#define MOST_BYTES 0x1p62

/* "bytes", "n_bytes", "Message size [bytes]" as NCCL names it; not "byte offset". */
static bool is_size(rln_text name)
{
    static const char *const patterns[] = {
        "*bytes*", "*message?size*", "*messagesize*", "*msg?size*", "*msgsize*", NULL};
    char lower[64];
    const size_t n = name.length < sizeof(lower) ? name.length : sizeof(lower);

    for (size_t i = 0; i < n; i++)
        lower[i] = (char)tolower((unsigned char)name.bytes[i]);
    for (size_t i = 0; patterns[i]; i++)
        if (rln__text_matches(patterns[i], (rln_text){lower, n}))
            return true;
    return false;
}

/* 0: none has one, -1: there is no memory. */
static int has_sizes(rln_reader *reader, rln_error *err)
{
    struct rln__schema_catalog *catalog;
    const struct rln__listed_schema *schema;
    int found = 0;

    if (rln__schema_catalog_open(reader, &catalog, err))
        return -1;
    for (size_t i = 0; !found && (schema = rln__schema_catalog_schema(catalog, i)); i++)
        for (uint32_t k = 0; schema->id >> 16 != GPU_WORK && k < schema->n_entries; k++)
            found |= is_size(schema->entries[k].name);
    rln__schema_catalog_close(catalog);
    return found;
}

/* The largest: a call may say what it sends and what it receives. */
static bool find_size(const rln_payload *payloads, size_t n, double *out)
{
    *out = -1;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 1; k < payloads[i].n_fields; k++) {
            const rln_field *f = &payloads[i].fields[k];

            if ((f->kind != RLN_FIELD_INT && f->kind != RLN_FIELD_UINT &&
                 f->kind != RLN_FIELD_FLOAT && f->kind != RLN_FIELD_DOUBLE) ||
                !is_size(f->name))
                continue;
            *out = f->number > *out ? f->number : *out;
        }
    return *out >= 0 && *out < MOST_BYTES;
}

static int add_call(struct rln__sized_calls *all, const rln_range *r, double bytes)
{
    const rln_attributes *a = &r->attributes;
    const struct rln__key key = {{a->domain, rln__key_of_text(a->message)}};
    const uint32_t number = rln__key_index_number(&all->keys, &key);
    struct rln__sized_name *name = rln__key_index_item(
        &all->names, &all->n, &all->capacity, number, sizeof(*name));
    struct rln__sized_call *call;

    if (!name)
        return -1;
    call = rln__append(&name->calls, &name->n, &name->capacity, sizeof(*call));
    if (!call)
        return -1;
    name->domain_name = a->domain_name;
    name->message = a->message;
    name->is_default_domain = a->domain == 0;
    *call = (struct rln__sized_call){bytes, (double)(r->end_ns - r->start_ns),
                                     r->start_ns, r->thread};
    return 0;
}

static rln_status add(struct rln__sized_calls *all, rln_ranges *ranges,
                      const rln_range *r, rln_error *err)
{
    const rln_payload *payloads;
    rln_status status;
    double bytes;
    size_t n;

    /* No flag: it is complete, and on its thread's stack. */
    if (r->style != RLN_RANGE_PUSH_POP || r->flags || !r->n_payloads ||
        !r->attributes.message.length)
        return RLN_OK;
    status = rln_ranges_payloads(ranges, &payloads, &n, err);
    if (!status && find_size(payloads, n, &bytes) && add_call(all, r, bytes))
        status = rln__fail_nomem(err);
    return status;
}

rln_status rln__sized_calls_read(rln_reader *reader, struct rln__sized_calls *out,
                                 rln_error *err)
{
    const rln_range *range;
    rln_ranges *ranges;
    rln_status status;
    int has;

    *out = (struct rln__sized_calls){0};
    has = has_sizes(reader, err);
    if (has <= 0)
        return has ? RLN_ERR_NOMEM : RLN_OK;
    status = rln_ranges_open(reader, &ranges, err);
    while (!status && !(status = rln_ranges_next(ranges, &range, err)))
        status = add(out, ranges, range, err);
    rln_ranges_close(ranges);
    return status == RLN_END ? RLN_OK : status;
}

void rln__sized_calls_clear(struct rln__sized_calls *all)
{
    for (size_t i = 0; i < all->n; i++)
        rln__free(all->names[i].calls);
    rln__free(all->names);
    rln__key_index_clear(&all->keys);
    *all = (struct rln__sized_calls){0};
}
