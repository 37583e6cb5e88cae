/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - implements NVTX's module MEM: heaps, regions of memory and their
 * permissions.
 *
 * A call is a record with its arguments as operands; docs/reference/FORMAT.md 5 lists
 * them. Long arrays are written as several records. Only the structures that describe
 * memory are read, never the memory itself.
 */
#include "collect/callbacks/callbacks.h"
#include "collect/callbacks/resource.h"
#include "collect/capture/domain_filter.h"
#include "collect/capture/gate_word.h"
#include "collect/event/chunk.h"
#include "collect/event/safe_read.h"

/* NVTX's callback ids. */
enum operation {
    HEAP_REGISTER = 0,
    HEAP_UNREGISTER = 1,
    HEAP_RESET = 2,
    REGIONS_REGISTER = 3,
    REGIONS_RESIZE = 4,
    REGIONS_UNREGISTER = 5,
    REGIONS_NAME = 6,
    PERMISSIONS_ASSIGN = 7,
    PERMISSIONS_CREATE = 8,
    PERMISSIONS_DESTROY = 9,
    PERMISSIONS_RESET = 10,
    PERMISSIONS_BIND = 11,
    PERMISSIONS_UNBIND = 12,
    CUDA_PROCESS_WIDE = 13,
    CUDA_DEVICE_WIDE = 14,
    CUDA_PEER_ACCESS = 15,
    CUDA_MARK_INITIALIZED = 16,
};

enum {
    TYPE_VIRTUAL_ADDRESS = 1, /* NVTX_MEM_TYPE_* */
    REF_POINTER = 1,          /* NVTX_MEM_REGION_REF_TYPE_* */
    REF_HANDLE = 2,
    MAX_OPERANDS = 64, /* of a record: this may be a signal stack */
};

/* The descriptions, with their ABI layout. */
struct virtual_range {
    size_t n_bytes;
    const void *address;
};

struct heap_description {
    uint16_t compatible;
    uint16_t size;
    uint32_t reserved;
    uint32_t usage;
    uint32_t type;
    size_t n_specific_bytes;
    const void *specific;
    uint32_t category;
    uint32_t message_type;
    const void *message;
};

struct register_batch {
    uint16_t compatible;
    uint16_t size;
    uint32_t type;
    uint64_t heap;
    size_t n;
    size_t element_bytes;
    const char *elements;
    uint64_t *handles; /* or NULL */
};

struct resize_batch {
    uint16_t compatible;
    uint16_t size;
    uint32_t type; /* of the regions or references */
    size_t n;
    size_t element_bytes;
    const char *elements;
};

struct name_element {
    uint32_t reference_type;
    uint32_t name_type;
    uint64_t region;
    const void *name;
    uint32_t category;
    uint32_t reserved;
};

struct name_batch {
    uint16_t compatible;
    uint16_t size;
    uint32_t reserved;
    size_t n;
    size_t element_bytes;
    const char *elements;
};

struct assign_element {
    uint32_t flags;
    uint32_t reference_type;
    uint64_t region;
};

struct assign_batch {
    uint16_t compatible;
    uint16_t size;
    uint32_t reserved;
    uint64_t permissions;
    size_t n;
    size_t element_bytes;
    const char *elements;
};

/* --- handles ---------------------------------------------------------------------- */

enum handle_kind { HEAP = 1, REGION = 2, PERMISSIONS = 3 };

static uint32_t n_made[4]; /* atomic, by kind; a forked child continues */

static uint64_t new_handle(enum handle_kind kind)
{
    const uint32_t n = __atomic_add_fetch(&n_made[kind], 1, __ATOMIC_RELAXED);

    return RLN__TAG_MEMORY | (uint64_t)kind << 40 | n;
}

/* The number of a handle; 0, the process-wide one, if the handle is not ours. */
static uint32_t number_of(enum handle_kind kind, uint64_t handle)
{
    if (handle >> 40 == (RLN__TAG_MEMORY | (uint64_t)kind << 40) >> 40)
        return (uint32_t)handle;
    if (handle)
        rln__count(n_invalid, 1);
    return 0;
}

static uint64_t reference_of(uint32_t type, uint64_t region)
{
    return type == REF_HANDLE ? number_of(REGION, region) : region;
}

/* --- a record --------------------------------------------------------------------- */

static void put(uint64_t domain, enum operation operation, const uint64_t *operands,
                size_t n)
{
    struct rln__reserved_slot slot;

    if (rln__is_excluded(domain))
        return;
    rln__gate_keeps_unrecorded(1);
    slot = rln__take_long(3 + n);
    rln__gate_keeps_unrecorded(0);
    if (rln__is_lost(slot))
        return;
    slot.at[1] = rln__now();
    slot.at[2] = rln__pair32(operation, rln__domain_of(domain));
    for (size_t i = 0; i < n; i++)
        slot.at[3 + i] = operands[i];
    rln__put_word(slot.at, rln__long_word(RLN__LONG, RLN__SUB_MEMORY, 3 + n));
}

#define PUT(domain, operation, ...)                                                    \
    put((domain), (operation), (const uint64_t[]){__VA_ARGS__},                        \
        RLN_COUNT(((const uint64_t[]){__VA_ARGS__})))

/* Copies a description; 0 if it is too short or unmapped. */
static int read_description(void *to, size_t n_bytes, const void *from)
{
    struct {
        uint16_t compatible, size;
    } head;

    if (rln__safe_read_all(&head, (const uint32_t *)from) && head.size >= n_bytes &&
        rln__safe_read(to, from, n_bytes) == n_bytes)
        return 1;
    rln__count(n_invalid, 1);
    return 0;
}

/* An array, written as records with `words_each` operands per element after a head of
 * `n_head` operands that each record repeats. The head's last operand ends in the
 * number of elements. */
struct list {
    const char *elements;
    size_t n, element_bytes;
    uint32_t type; /* of regions or references */
};

struct array {
    uint64_t domain;
    enum operation operation;
    struct list list;
    uint64_t *handles;
    size_t n_head, words_each;
    int has_type;                    /* that operand is {type:32, n:32} */
    uint64_t operands[MAX_OPERANDS]; /* the head, set by callers, and the elements */
};

static void begin(struct array *a, uint64_t domain, enum operation operation,
                  size_t n_head, size_t words_each)
{
    a->domain = domain;
    a->operation = operation;
    a->handles = NULL;
    a->n_head = n_head;
    a->words_each = words_each;
    a->has_type = operation != REGIONS_NAME && operation != PERMISSIONS_ASSIGN;
}

/* Writes an element's operands; 0 if the element is unmapped. */
typedef int put_element(struct array *a, size_t i, uint64_t *to);

static void put_array(struct array *a, put_element *put_one)
{
    const size_t most = (MAX_OPERANDS - a->n_head) / a->words_each;
    size_t i = 0;
    int is_there = 1;

    while (is_there && i < a->list.n) {
        size_t n = 0;

        while (n < most && i < a->list.n) {
            is_there = put_one(a, i, &a->operands[a->n_head + n * a->words_each]);
            if (!is_there)
                break;
            n++;
            i++;
        }
        a->operands[a->n_head - 1] = a->has_type ? rln__pair32(a->list.type, n) : n;
        if (n)
            put(a->domain, a->operation, a->operands, a->n_head + n * a->words_each);
    }
    if (!is_there)
        rln__count(n_payloads_unread, 1);
}

/* --- heaps ------------------------------------------------------------------------ */

static uint64_t on_heap_register(uint64_t domain, const void *from)
{
    struct virtual_range range = {0, NULL};
    struct heap_description given;
    const uint64_t handle = new_handle(HEAP);

    if (!read_description(&given, sizeof given, from))
        return 0;
    if (given.type == TYPE_VIRTUAL_ADDRESS && given.n_specific_bytes >= sizeof range &&
        !rln__safe_read_all(&range, (const struct virtual_range *)given.specific))
        range = (struct virtual_range){0, NULL};
    PUT(domain, HEAP_REGISTER, (uint32_t)handle, rln__pair32(given.usage, given.type),
        (uint64_t)(uintptr_t)range.address, range.n_bytes,
        rln__pair32(given.category,
                    rln__message_string(given.message_type, given.message)));
    return handle;
}

static void on_heap_unregister(uint64_t domain, uint64_t heap)
{
    PUT(domain, HEAP_UNREGISTER, number_of(HEAP, heap));
}

static void on_heap_reset(uint64_t domain, uint64_t heap)
{
    PUT(domain, HEAP_RESET, number_of(HEAP, heap));
}

/* --- regions ---------------------------------------------------------------------- */

/* Reads a virtual range. NVTX does not define other kinds of regions yet, so they are
 * only counted; but an array ends at unmapped memory, however many elements it claims.
 */
static int read_range(const struct array *a, size_t i, struct virtual_range *out)
{
    char last;

    *out = (struct virtual_range){0, NULL};
    if (a->list.type != TYPE_VIRTUAL_ADDRESS)
        return a->list.element_bytes &&
               rln__safe_read_all(&last, a->list.elements +
                                             (i + 1) * a->list.element_bytes - 1);
    return a->list.element_bytes >= sizeof *out &&
           rln__safe_read_all(
               out,
               (const struct virtual_range *)(const void *)(a->list.elements +
                                                            i * a->list.element_bytes));
}

static int put_range(struct array *a, size_t i, uint64_t *to)
{
    struct virtual_range range;

    if (!read_range(a, i, &range))
        return 0;
    to[0] = (uint64_t)(uintptr_t)range.address;
    to[1] = range.n_bytes;
    return 1;
}

/* Stores the new handle at the program's address. The kernel copies it, because the
 * address may be unmapped. */
static int put_new_region(struct array *a, size_t i, uint64_t *to)
{
    const uint64_t handle = new_handle(REGION);

    if (!put_range(a, i, to + 1))
        return 0;
    to[0] = (uint32_t)handle;
    return !a->handles || rln__poke(&a->handles[i], handle);
}

static void on_regions_register(uint64_t domain, const void *from)
{
    struct register_batch given;
    struct array a;

    if (!read_description(&given, sizeof given, from))
        return;
    begin(&a, domain, REGIONS_REGISTER, 2, 3);
    a.list = (struct list){given.elements, given.n, given.element_bytes, given.type};
    a.handles = given.handles;
    a.operands[0] = number_of(HEAP, given.heap);
    put_array(&a, put_new_region);
}

static void on_regions_resize(uint64_t domain, const void *from)
{
    struct resize_batch given;
    struct array a;

    if (!read_description(&given, sizeof given, from))
        return;
    begin(&a, domain, REGIONS_RESIZE, 1, 2);
    a.list = (struct list){given.elements, given.n, given.element_bytes, given.type};
    put_array(&a, put_range);
}

static int put_reference(struct array *a, size_t i, uint64_t *to)
{
    uint64_t region;

    if (a->list.element_bytes < sizeof region ||
        !rln__safe_read_all(
            &region, (const uint64_t *)(const void *)(a->list.elements +
                                                      i * a->list.element_bytes)))
        return 0;
    *to = reference_of(a->list.type, region);
    return 1;
}

static void on_regions_unregister(uint64_t domain, const void *from)
{
    struct resize_batch given; /* the same layout */
    struct array a;

    if (!read_description(&given, sizeof given, from))
        return;
    begin(&a, domain, REGIONS_UNREGISTER, 1, 1);
    a.list = (struct list){given.elements, given.n, given.element_bytes, given.type};
    put_array(&a, put_reference);
}

static int put_name(struct array *a, size_t i, uint64_t *to)
{
    struct name_element e;

    if (a->list.element_bytes < sizeof e ||
        !rln__safe_read_all(
            &e, (const struct name_element *)(const void *)(a->list.elements +
                                                            i * a->list.element_bytes)))
        return 0;
    to[0] = rln__pair32(e.reference_type, e.category);
    to[1] = reference_of(e.reference_type, e.region);
    to[2] = rln__message_string(e.name_type, e.name);
    return 1;
}

static void on_regions_name(uint64_t domain, const void *from)
{
    struct name_batch given;
    struct array a;

    if (!read_description(&given, sizeof given, from))
        return;
    begin(&a, domain, REGIONS_NAME, 1, 3);
    a.list = (struct list){given.elements, given.n, given.element_bytes, 0};
    put_array(&a, put_name);
}

/* --- permissions ------------------------------------------------------------------ */

static int put_assignment(struct array *a, size_t i, uint64_t *to)
{
    struct assign_element e;

    if (a->list.element_bytes < sizeof e ||
        !rln__safe_read_all(
            &e,
            (const struct assign_element *)(const void *)(a->list.elements +
                                                          i * a->list.element_bytes)))
        return 0;
    to[0] = rln__pair32(e.flags, e.reference_type);
    to[1] = reference_of(e.reference_type, e.region);
    return 1;
}

static void on_permissions_assign(uint64_t domain, const void *from)
{
    struct assign_batch given;
    struct array a;

    if (!read_description(&given, sizeof given, from))
        return;
    begin(&a, domain, PERMISSIONS_ASSIGN, 2, 2);
    a.list = (struct list){given.elements, given.n, given.element_bytes, 0};
    a.operands[0] = number_of(PERMISSIONS, given.permissions);
    put_array(&a, put_assignment);
}

static uint64_t on_permissions_create(uint64_t domain, int32_t flags)
{
    const uint64_t handle = new_handle(PERMISSIONS);

    PUT(domain, PERMISSIONS_CREATE, (uint32_t)handle, (uint32_t)flags);
    return handle;
}

static void on_permissions_destroy(uint64_t domain, uint64_t permissions)
{
    PUT(domain, PERMISSIONS_DESTROY, number_of(PERMISSIONS, permissions));
}

static void on_permissions_reset(uint64_t domain, uint64_t permissions)
{
    PUT(domain, PERMISSIONS_RESET, number_of(PERMISSIONS, permissions));
}

static void on_permissions_bind(uint64_t domain, uint64_t permissions, uint32_t scope,
                                uint32_t flags)
{
    PUT(domain, PERMISSIONS_BIND, number_of(PERMISSIONS, permissions),
        rln__pair32(scope, flags));
}

static void on_permissions_unbind(uint64_t domain, uint32_t scope)
{
    PUT(domain, PERMISSIONS_UNBIND, scope);
}

/* --- CUDA ------------------------------------------------------------------------- */

static uint64_t on_cuda_process_wide(uint64_t domain)
{
    const uint64_t handle = new_handle(PERMISSIONS);

    PUT(domain, CUDA_PROCESS_WIDE, (uint32_t)handle);
    return handle;
}

static uint64_t on_cuda_device_wide(uint64_t domain, int device)
{
    const uint64_t handle = new_handle(PERMISSIONS);

    PUT(domain, CUDA_DEVICE_WIDE, (uint32_t)handle, (uint64_t)device);
    return handle;
}

static void on_cuda_peer_access(uint64_t domain, uint64_t permissions, int device,
                                uint32_t flags)
{
    PUT(domain, CUDA_PEER_ACCESS, number_of(PERMISSIONS, permissions), (uint64_t)device,
        flags);
}

static void on_cuda_mark_initialized(uint64_t domain, uint64_t stream,
                                     uint8_t is_per_thread, const void *from)
{
    struct resize_batch given; /* the same layout */
    struct array a;

    if (!read_description(&given, sizeof given, from))
        return;
    begin(&a, domain, CUDA_MARK_INITIALIZED, 3, 2);
    a.list = (struct list){given.elements, given.n, given.element_bytes, given.type};
    a.operands[0] = stream;
    a.operands[1] = is_per_thread != 0;
    put_array(&a, put_range);
}

const rln__callback rln__mem_callbacks[RLN__MEM_CALLBACKS] = {
    [HEAP_REGISTER] = (rln__callback)on_heap_register,
    [HEAP_UNREGISTER] = (rln__callback)on_heap_unregister,
    [HEAP_RESET] = (rln__callback)on_heap_reset,
    [REGIONS_REGISTER] = (rln__callback)on_regions_register,
    [REGIONS_RESIZE] = (rln__callback)on_regions_resize,
    [REGIONS_UNREGISTER] = (rln__callback)on_regions_unregister,
    [REGIONS_NAME] = (rln__callback)on_regions_name,
    [PERMISSIONS_ASSIGN] = (rln__callback)on_permissions_assign,
    [PERMISSIONS_CREATE] = (rln__callback)on_permissions_create,
    [PERMISSIONS_DESTROY] = (rln__callback)on_permissions_destroy,
    [PERMISSIONS_RESET] = (rln__callback)on_permissions_reset,
    [PERMISSIONS_BIND] = (rln__callback)on_permissions_bind,
    [PERMISSIONS_UNBIND] = (rln__callback)on_permissions_unbind,
    [CUDA_PROCESS_WIDE] = (rln__callback)on_cuda_process_wide,
    [CUDA_DEVICE_WIDE] = (rln__callback)on_cuda_device_wide,
    [CUDA_PEER_ACCESS] = (rln__callback)on_cuda_peer_access,
    [CUDA_MARK_INITIALIZED] = (rln__callback)on_cuda_mark_initialized,
};
