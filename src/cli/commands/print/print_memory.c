/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/print/print_memory.h"

#include "base/fail.h"
#include "base/human_units.h"
#include "base/json.h"

#define MAX_LISTED 8 /* regions in a line of text */

static const char *operation_name(uint32_t operation)
{
    static const char *const names[] = {
        "heap_register",       "heap_unregister",       "heap_reset",
        "regions_register",    "regions_resize",        "regions_unregister",
        "regions_name",        "permissions_assign",    "permissions_create",
        "permissions_destroy", "permissions_reset",     "permissions_bind",
        "permissions_unbind",  "cuda_process_wide",     "cuda_device_wide",
        "cuda_peer_access",    "cuda_mark_initialized",
    };

    return operation < RLN_COUNT(names) ? names[operation] : "unknown";
}

/* NULL for an unknown one. */
static const char *usage_name(uint32_t usage)
{
    return usage == 1 ? "sub_allocator" : usage == 2 ? "layout" : NULL;
}

static int has_heap(const rln_memory_call *c)
{
    return c->operation <= RLN_MEMORY_REGIONS_REGISTER;
}

static int has_permissions(const rln_memory_call *c)
{
    return c->operation >= RLN_MEMORY_PERMISSIONS_ASSIGN &&
           c->operation <= RLN_MEMORY_CUDA_PEER_ACCESS &&
           c->operation != RLN_MEMORY_PERMISSIONS_UNBIND;
}

static int has_scope(const rln_memory_call *c)
{
    return c->operation == RLN_MEMORY_PERMISSIONS_BIND ||
           c->operation == RLN_MEMORY_PERMISSIONS_UNBIND;
}

static int has_device(const rln_memory_call *c)
{
    return c->operation == RLN_MEMORY_CUDA_DEVICE_WIDE ||
           c->operation == RLN_MEMORY_CUDA_PEER_ACCESS;
}

/* --- JSON ------------------------------------------------------------------------- */

static void json_heap(struct rln__buf *buf, const rln_memory_call *c)
{
    const char *usage = usage_name(c->usage);

    if (usage)
        rln__json_word(buf, "usage", usage);
    else
        rln__json_u64(buf, "usage", c->usage);
    if (c->has_address) {
        rln__json_address(buf, "address", c->address);
        rln__json_u64(buf, "size", c->size_bytes);
    }
    rln__json_string(buf, "name", c->name);
    rln__json_some(buf, "category", c->category);
}

static void json_region(struct rln__buf *buf, const rln_memory_call *c,
                        const rln_memory_region *r)
{
    rln__json_begin(buf, NULL, '{');
    rln__json_some(buf, "region", r->region);
    if (r->has_address)
        rln__json_address(buf, "address", r->address);
    if (r->has_size)
        rln__json_u64(buf, "size", r->size_bytes);
    rln__json_string(buf, "name", r->name);
    rln__json_some(buf, "category", r->category);
    if (c->operation == RLN_MEMORY_PERMISSIONS_ASSIGN)
        rln__json_u64(buf, "flags", r->flags);
    rln__buf_char(buf, '}');
}

void rln__json_memory(struct rln__buf *buf, const rln_memory_call *c)
{
    rln__json_word(buf, "operation", operation_name(c->operation));
    if (has_heap(c))
        rln__json_u64(buf, "heap", c->heap);
    if (c->operation == RLN_MEMORY_HEAP_REGISTER)
        json_heap(buf, c);
    if (has_permissions(c))
        rln__json_u64(buf, "permissions", c->permissions);
    if (has_scope(c))
        rln__json_u64(buf, "scope", c->scope);
    if (has_device(c))
        rln__json_u64(buf, "device", c->device);
    if (c->operation == RLN_MEMORY_CUDA_MARK_INITIALIZED)
        rln__json_address(buf, "stream", c->stream);
    rln__json_some(buf, "flags", c->flags);
    if (!c->n_regions)
        return;
    rln__json_begin(buf, "regions", '[');
    for (size_t i = 0; i < c->n_regions; i++)
        json_region(buf, c, &c->regions[i]);
    rln__buf_char(buf, ']');
}

/* --- Text ------------------------------------------------------------------------- */

static void text_number(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__buf_format(buf, "  %s=%llu", key, (unsigned long long)value);
}

static void text_extent(struct rln__buf *buf, uint64_t address, uint64_t size)
{
    rln__buf_format(buf, "  0x%llx+", (unsigned long long)address);
    rln__buf_size(buf, size);
}

static void text_region(struct rln__buf *buf, const rln_memory_region *r)
{
    if (r->region)
        text_number(buf, "region", r->region);
    if (r->has_size)
        text_extent(buf, r->address, r->size_bytes);
    else if (r->has_address)
        rln__buf_format(buf, "  0x%llx", (unsigned long long)r->address);
    if (r->flags)
        rln__buf_format(buf, ":%s%s%s%s", r->flags & 1 ? "r" : "",
                        r->flags & 2 ? "w" : "", r->flags & 4 ? "a" : "",
                        r->flags & 8 ? "reset" : "");
    if (r->name.length) {
        rln__buf_char(buf, ' ');
        (void)rln__buf_printable(buf, r->name.bytes, r->name.length);
    }
}

void rln__text_memory(struct rln__buf *buf, const rln_memory_call *c)
{
    rln__buf_text(buf, operation_name(c->operation));
    if (has_heap(c))
        text_number(buf, "heap", c->heap);
    if (c->name.length) {
        rln__buf_char(buf, ' ');
        (void)rln__buf_printable(buf, c->name.bytes, c->name.length);
    }
    if (c->has_address)
        text_extent(buf, c->address, c->size_bytes);
    if (usage_name(c->usage))
        rln__buf_format(buf, "  %s", usage_name(c->usage));
    if (has_permissions(c))
        text_number(buf, "permissions", c->permissions);
    if (has_scope(c))
        text_number(buf, "scope", c->scope);
    if (has_device(c))
        text_number(buf, "device", c->device);
    if (c->flags)
        text_number(buf, "flags", c->flags);
    for (size_t i = 0; i < c->n_regions && i < MAX_LISTED; i++)
        text_region(buf, &c->regions[i]);
    if (c->n_regions > MAX_LISTED)
        rln__buf_format(buf, "  ... and %zu more", c->n_regions - MAX_LISTED);
}
