/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/print_memory.h"

#include "base/fail.h"
#include "base/utf8.h"
#include "console/human_units.h"

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

static void json_number(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__buf_format(buf, ",\"%s\":%llu", key, (unsigned long long)value);
}

static void json_address(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__buf_format(buf, ",\"%s\":\"0x%llx\"", key, (unsigned long long)value);
}

static void json_name(struct rln__buf *buf, rln_text name)
{
    if (!name.bytes)
        return;
    rln__buf_text(buf, ",\"name\":");
    rln__buf_json(buf, name.bytes, name.length);
}

static void json_heap(struct rln__buf *buf, const rln_memory_call *c)
{
    const char *usage = usage_name(c->usage);

    if (usage)
        rln__buf_format(buf, ",\"usage\":\"%s\"", usage);
    else
        json_number(buf, "usage", c->usage);
    if (c->has_address) {
        json_address(buf, "address", c->address);
        json_number(buf, "size", c->size_bytes);
    }
    json_name(buf, c->name);
    if (c->category)
        json_number(buf, "category", c->category);
}

static void json_region(struct rln__buf *buf, const rln_memory_call *c,
                        const rln_memory_region *r)
{
    const size_t begin = buf->length;

    if (r->region)
        json_number(buf, "region", r->region);
    if (r->has_address)
        json_address(buf, "address", r->address);
    if (r->has_size)
        json_number(buf, "size", r->size_bytes);
    json_name(buf, r->name);
    if (r->category)
        json_number(buf, "category", r->category);
    if (c->operation == RLN_MEMORY_PERMISSIONS_ASSIGN)
        json_number(buf, "flags", r->flags);
    if (buf->length > begin)
        buf->bytes[begin] = '{'; /* replaces the first comma */
    else
        rln__buf_char(buf, '{');
    rln__buf_char(buf, '}');
}

void rln__json_memory(struct rln__buf *buf, const rln_memory_call *c)
{
    rln__buf_format(buf, ",\"operation\":\"%s\"", operation_name(c->operation));
    if (has_heap(c))
        json_number(buf, "heap", c->heap);
    if (c->operation == RLN_MEMORY_HEAP_REGISTER)
        json_heap(buf, c);
    if (has_permissions(c))
        json_number(buf, "permissions", c->permissions);
    if (has_scope(c))
        json_number(buf, "scope", c->scope);
    if (has_device(c))
        json_number(buf, "device", c->device);
    if (c->operation == RLN_MEMORY_CUDA_MARK_INITIALIZED)
        json_address(buf, "stream", c->stream);
    if (c->flags)
        json_number(buf, "flags", c->flags);
    if (!c->n_regions)
        return;
    rln__buf_text(buf, ",\"regions\":[");
    for (size_t i = 0; i < c->n_regions; i++) {
        rln__buf_text(buf, i ? "," : "");
        json_region(buf, c, &c->regions[i]);
    }
    rln__buf_char(buf, ']');
}

/* --- Text ------------------------------------------------------------------------- */

static void text_number(struct rln__buf *buf, const char *key, uint64_t value)
{
    rln__buf_format(buf, "  %s=%llu", key, (unsigned long long)value);
}

static void text_place(struct rln__buf *buf, uint64_t address, uint64_t size)
{
    rln__buf_format(buf, "  0x%llx+", (unsigned long long)address);
    rln__buf_size(buf, size);
}

static void text_region(struct rln__buf *buf, const rln_memory_region *r)
{
    if (r->region)
        text_number(buf, "region", r->region);
    if (r->has_size)
        text_place(buf, r->address, r->size_bytes);
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
        text_place(buf, c->address, c->size_bytes);
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
