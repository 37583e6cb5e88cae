/* SPDX-License-Identifier: Apache-2.0 */
/* resource.c - names of categories, threads and resources.
 *
 * Each call is one record in the chunk of names; nothing is remembered here, so the
 * latest name is the one that readers show.
 */
#include "collect/resource.h"

#include "collect/callbacks.h"
#include "collect/intern.h"
#include "collect/lifecycle.h"
#include "collect/names_chunk.h"
#include "collect/wide.h"

#include <pthread.h>

/* Writes a record of at most four words behind its first. */
static void put_record(enum rln__name_sub sub, size_t n_words,
                       const uint64_t operands[4])
{
    const rln__sigmask mask = rln__block_signals();
    struct rln__process *p = rln__process_ready();
    uint64_t *at =
        p && rln__process_has_record(p) ? rln__names_take(p, 1 + n_words) : NULL;

    for (size_t i = 0; at && i < n_words; i++)
        at[1 + i] = operands[i];
    if (at)
        rln__names_put(at, sub, 1 + n_words);
    else
        rln__count(n_strings_refused, 1);
    rln__restore_signals(mask);
}

/* --- categories ------------------------------------------------------------------- */

static void put_category(uint32_t domain, uint32_t category, const char *name,
                         size_t n_bytes)
{
    put_record(RLN__SUB_CATEGORY, 2,
               (const uint64_t[4]){rln__pair32(domain, category),
                                   rln__intern_string(name, n_bytes)});
}

void rln__name_category(unsigned domain, unsigned category, const char *name)
{
    if (name)
        put_category(domain, category, name, rln__text_length(name));
}

void rln__name_category_wide(unsigned domain, unsigned category, const void *name)
{
    struct rln__wide wide;

    rln__wide_init(&wide, name);
    if (name && wide.text)
        put_category(domain, category, wide.text, wide.n_bytes);
    rln__wide_clear(&wide);
}

/* --- threads ---------------------------------------------------------------------- */

/* Programs name themselves by pthread_self() cut to 32 bits as well as by gettid(). */
static uint32_t meant_thread(uint32_t tid)
{
    return tid == (uint32_t)(uintptr_t)pthread_self() ? rln__sys_gettid() : tid;
}

static void put_thread(uint32_t tid, const char *name, size_t n_bytes)
{
    put_record(RLN__SUB_THREAD_NAME, 2,
               (const uint64_t[4]){
                   rln__pair32(meant_thread(tid), rln__intern_string(name, n_bytes)),
                   rln__now()});
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
        put_thread(tid, wide.text, wide.n_bytes);
    rln__wide_clear(&wide);
}

/* --- resources -------------------------------------------------------------------- */

static uint32_t n_resources; /* atomic; ids are not inherited, but stay unique */

static uint32_t message_string(const struct rln__resource_attributes *given)
{
    const struct rln__attributes *a;
    struct rln__wide wide;
    uint32_t string = 0;

    if (!given->message)
        return 0;
    if (given->message_type == 1)
        return rln__intern_string(given->message, rln__text_length(given->message));
    if (given->message_type == 2) {
        rln__wide_init(&wide, given->message);
        if (wide.text)
            string = rln__intern_string(wide.text, wide.n_bytes);
        rln__wide_clear(&wide);
        return string;
    }
    if ((uint64_t)(uintptr_t)given->message >> 48 != RLN__TAG_STRING)
        return 0;
    a = rln__attributes_of_string(given->message);
    return a ? rln__string_id(a->text) : 0;
}

void *rln__on_resource_create(uint64_t domain,
                              const struct rln__resource_attributes *from)
{
    struct rln__resource_attributes given = {0};
    uint32_t id;

    for (size_t i = 0; from && i < sizeof given && i < from->size; i++)
        ((volatile char *)&given)[i] = ((const char *)from)[i];
    id = __atomic_add_fetch(&n_resources, 1, __ATOMIC_RELAXED);
    put_record(RLN__SUB_RESOURCE, 4,
               (const uint64_t[4]){
                   rln__pair32(id, rln__domain_of(domain)),
                   rln__pair32((uint32_t)given.identifier_type, message_string(&given)),
                   given.identifier, rln__now()});
    return (void *)(uintptr_t)(RLN__TAG_RESOURCE + id);
}

void rln__on_resource_destroy(const void *handle)
{
    const uint64_t id = (uint64_t)(uintptr_t)handle - RLN__TAG_RESOURCE;

    if (id - 1 < UINT32_MAX)
        put_record(RLN__SUB_RESOURCE_DESTROY, 2, (const uint64_t[4]){id, rln__now()});
    else
        rln__count(n_invalid, 1);
}

void rln__note_domain_destroy(uint32_t domain)
{
    put_record(RLN__SUB_DOMAIN_DESTROY, 2, (const uint64_t[4]){domain, rln__now()});
}
