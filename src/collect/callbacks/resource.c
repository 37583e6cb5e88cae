/* SPDX-License-Identifier: Apache-2.0 */
/* resource.c - records the names of categories, threads, resources and other objects.
 *
 * Each call is one record, and readers show the latest name. Programs may name a
 * category at each of its events; a small cache of category names avoids records that
 * repeat the last one.
 */
#include "collect/callbacks/resource.h"

#include "collect/callbacks/callbacks.h"
#include "collect/event/event.h"
#include "collect/event/row_flags.h"
#include "collect/event/shared_chunk.h"
#include "collect/event/statements.h"
#include "collect/event/wide.h"

#include <pthread.h>

/* --- categories ------------------------------------------------------------------- */

enum { KEY_BITS = 44, PLACE_BITS = 12, TAG_BITS = KEY_BITS - PLACE_BITS };

_Static_assert(RLN__MAX_DOMAINS == 1 << 12 && RLN__CATEGORY_PLACES == 1 << PLACE_BITS,
               "a key is a domain and a category");

/* The slot for a category's name in the cache, and the upper half of its content; the
 * lower half is the string's id. No two categories share both: multiplication by an odd
 * number modulo a power of two keeps them distinct. */
static uint64_t *place_of(struct rln__process_context *p, uint32_t domain,
                          uint32_t category, uint64_t *tag)
{
    const uint64_t key =
        ((uint64_t)domain << 32 | category) * 0x9e3779b97f5u & ((1ull << KEY_BITS) - 1);

    *tag = key << 32;
    return &p->category_names[key >> TAG_BITS];
}

static void put_category(uint32_t domain, uint32_t category, const char *name,
                         size_t n_bytes)
{
    struct rln__process_context *p = rln__collector.process;
    const uint32_t string = rln__intern_string(name, n_bytes);
    uint64_t tag, *place = place_of(p, domain, category, &tag);
    uint64_t known = __atomic_load_n(place, __ATOMIC_RELAXED);

    if (string && known == (tag | string))
        return;
    /* If several threads name it at the same time, their order is unknown: clear it. */
    if (!rln__put_statement(RLN__SUB_CATEGORY, rln__pair32(domain, category), string) ||
        !__atomic_compare_exchange_n(place, &known, tag | string, 0, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        __atomic_store_n(place, 0, __ATOMIC_RELAXED);
    rln__flags_note_category(domain, category, name, n_bytes);
}

void rln__on_name_category(unsigned domain, unsigned category, const char *name)
{
    if (name)
        put_category(domain, category, name, rln__text_length(name));
}

void rln__on_name_category_wide(unsigned domain, unsigned category, const void *name)
{
    struct rln__wide wide;

    rln__wide_init(&wide, name);
    if (name && wide.text)
        put_category(domain, category, wide.text, rln__text_length(wide.text));
    rln__wide_clear(&wide);
}

/* --- threads ---------------------------------------------------------------------- */

/* Programs identify a thread by gettid() or by pthread_self() truncated to 32 bits. */
static uint32_t meant_thread(uint32_t tid)
{
    return tid == (uint32_t)(uintptr_t)pthread_self() ? rln__sys_gettid() : tid;
}

static void put_thread(uint32_t tid, const char *name, size_t n_bytes)
{
    rln__put_statement(
        RLN__SUB_THREAD_NAME,
        rln__pair32(meant_thread(tid), rln__intern_string(name, n_bytes)), rln__now());
}

void rln__name_thread(unsigned tid, const char *name)
{
    if (name)
        put_thread(tid, name, rln__text_length(name));
}

void rln__name_thread_wide(unsigned tid, const void *name)
{
    struct rln__wide wide;

    rln__wide_init(&wide, name);
    if (name && wide.text)
        put_thread(tid, wide.text, rln__text_length(wide.text));
    rln__wide_clear(&wide);
}

/* --- resources -------------------------------------------------------------------- */

static uint32_t n_resources; /* atomic; ids are not inherited, but stay unique */

uint32_t rln__message_string(uint32_t type, const void *message)
{
    const struct rln__attributes *a;
    struct rln__wide wide;
    uint32_t string = 0;

    if (!message)
        return 0;
    if (type == RLN__NVTX_MESSAGE_ASCII)
        return rln__intern_string(message, rln__text_length(message));
    if (type == RLN__NVTX_MESSAGE_UNICODE) {
        rln__wide_init(&wide, message);
        if (wide.text)
            string = rln__intern_string(wide.text, rln__text_length(wide.text));
        rln__wide_clear(&wide);
        return string;
    }
    if (type != RLN__NVTX_MESSAGE_REGISTERED ||
        (uint64_t)(uintptr_t)message >> 48 != RLN__TAG_STRING)
        return 0;
    a = rln__attributes_of_string(message);
    return a ? rln__string_id(a->text) : 0;
}

static uint32_t next_id(void)
{
    return __atomic_add_fetch(&n_resources, 1, __ATOMIC_RELAXED);
}

void rln__name_object(uint32_t type, uint64_t identifier, const char *name)
{
    rln__put_statement(
        RLN__SUB_RESOURCE, rln__pair32(next_id(), 0),
        rln__pair32(type, rln__message_string(RLN__NVTX_MESSAGE_ASCII, name)),
        identifier, rln__now());
}

void rln__name_object_wide(uint32_t type, uint64_t identifier, const void *name)
{
    rln__put_statement(
        RLN__SUB_RESOURCE, rln__pair32(next_id(), 0),
        rln__pair32(type, rln__message_string(RLN__NVTX_MESSAGE_UNICODE, name)),
        identifier, rln__now());
}

void *rln__on_resource_create(uint64_t domain,
                              const struct rln__resource_attributes *from)
{
    struct rln__resource_attributes given = {0};
    uint32_t id;

    for (size_t i = 0; from && i < sizeof given && i < from->size; i++)
        ((volatile char *)&given)[i] = ((const char *)from)[i];
    id = next_id();
    if (rln__is_excluded(domain))
        return (void *)(uintptr_t)(RLN__TAG_RESOURCE + id);
    rln__put_statement(
        RLN__SUB_RESOURCE, rln__pair32(id, rln__domain_of(domain)),
        rln__pair32((uint32_t)given.identifier_type,
                    rln__message_string((uint32_t)given.message_type, given.message)),
        given.identifier, rln__now());
    return (void *)(uintptr_t)(RLN__TAG_RESOURCE + id);
}

void rln__on_resource_destroy(const void *handle)
{
    const uint64_t id = (uint64_t)(uintptr_t)handle - RLN__TAG_RESOURCE;

    if (id - 1 < UINT32_MAX)
        rln__put_statement(RLN__SUB_RESOURCE_DESTROY, id, rln__now());
    else
        rln__count(n_invalid, 1);
}

void rln__note_domain_destroy(uint32_t domain)
{
    rln__put_statement(RLN__SUB_DOMAIN_DESTROY, domain, rln__now());
}
