/* SPDX-License-Identifier: Apache-2.0 */
/* itt_names.c - domains and strings are in lists by hash that only grow, so that
 * looking one up needs no lock:
 *
 *     lists[hash] --> newest --next--> ... --next--> oldest
 *
 * Some clients look a string up for each range.
 */
#include "bridge/itt_names.h"
#include "bridge/arena.h"

#include <string.h>

enum { N_LISTS = 1024 };

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static const char *keep_text(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *kept = rln__arena_keep(n);

    return kept ? memcpy(kept, text, n) : NULL;
}

/* --- ITT's ------------------------------------------------------------------------ */

static struct rln__itt_domain *domains[N_LISTS]; /* atomic, as the next */
static struct rln__itt_string *strings[N_LISTS];

static struct rln__itt_domain *find_domain(struct rln__itt_domain *d, const char *name)
{
    while (d && strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

struct rln__itt_domain *rln__itt_domain(const char *name)
{
    struct rln__itt_domain **list = name ? &domains[hash_of(name) % N_LISTS] : NULL;
    struct rln__itt_domain *first =
        list ? __atomic_load_n(list, __ATOMIC_ACQUIRE) : NULL;
    struct rln__itt_domain *found = list ? find_domain(first, name) : NULL, *new;

    if (found || !list)
        return found;
    new = rln__arena_keep(sizeof(*new));
    if (!new)
        return NULL;
    new->name = keep_text(name);
    new->flags = 1;
    do {
        found = new->name ? find_domain(first, name) : NULL;
        if (found || !new->name)
            return found;
        new->next = first;
    } while (!__atomic_compare_exchange_n(list, &first, new, 0, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return new;
}

static struct rln__itt_string *find_string(struct rln__itt_string *s, const char *text)
{
    while (s && strcmp(s->text, text) != 0)
        s = s->next;
    return s;
}

struct rln__itt_string *rln__itt_string(const char *text)
{
    struct rln__itt_string **list = text ? &strings[hash_of(text) % N_LISTS] : NULL;
    struct rln__itt_string *first =
        list ? __atomic_load_n(list, __ATOMIC_ACQUIRE) : NULL;
    struct rln__itt_string *found = list ? find_string(first, text) : NULL, *new;

    if (found || !list)
        return found;
    new = rln__arena_keep(sizeof(*new));
    if (!new)
        return NULL;
    new->text = keep_text(text);
    do {
        found = new->text ? find_string(first, text) : NULL;
        if (found || !new->text)
            return found;
        new->next = first;
    } while (!__atomic_compare_exchange_n(list, &first, new, 0, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return new;
}

/* --- NVTX's ----------------------------------------------------------------------- */

nvtxDomainHandle_t rln__itt_new_handle(struct rln__itt_domain *d)
{
    nvtxDomainHandle_t handle = d->name ? nvtxDomainCreateA(d->name) : NULL;

    if (handle)
        __atomic_store_n(&d->extra2, (void *)handle, __ATOMIC_RELEASE);
    return handle;
}

nvtxStringHandle_t rln__itt_register(nvtxDomainHandle_t domain,
                                     struct rln__itt_string *s)
{
    struct rln__itt_registered **list = (struct rln__itt_registered **)&s->extra2;
    nvtxStringHandle_t string =
        s->text ? nvtxDomainRegisterStringA(domain, s->text) : NULL;
    struct rln__itt_registered *new = string ? rln__arena_keep(sizeof(*new)) : NULL;

    if (!new)
        return string;
    new->domain = domain;
    new->string = string;
    new->next = __atomic_load_n(list, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(list, &new->next, new, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
        ;
    return string;
}
