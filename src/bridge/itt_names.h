/* SPDX-License-Identifier: Apache-2.0 */
/* itt_names.h - domains and strings: ITT's, which are permanent, and NVTX's. */
#ifndef RLN_BRIDGE_NAMES_H
#define RLN_BRIDGE_NAMES_H

#include <nvtx3/nvToolsExt.h>

#include "bridge/itt_layout.h"

/* The one of a name, for all clients; NULL: no memory, or no name. */
struct rln__itt_domain *rln__itt_domain(const char *name);
struct rln__itt_string *rln__itt_string(const char *text);

/* Slow parts of the next two. */
nvtxDomainHandle_t rln__itt_new_handle(struct rln__itt_domain *domain);
nvtxStringHandle_t rln__itt_register(nvtxDomainHandle_t domain,
                                     struct rln__itt_string *string);

/* What a string is registered as, in one domain of NVTX. Never freed. */
struct rln__itt_registered {
    nvtxDomainHandle_t domain;
    nvtxStringHandle_t string;
    uint64_t *schemas; /* atomic; of metadata with that key (itt_metadata.c) */
    struct rln__itt_registered *next;
};

/* NVTX's handle of any client's domain; NULL: no tool records, or there is no domain.
 */
static inline nvtxDomainHandle_t rln__itt_handle(const struct rln__itt_domain *domain)
{
    struct rln__itt_domain *d = (struct rln__itt_domain *)(uintptr_t)domain;
    void *handle = d ? __atomic_load_n(&d->extra2, __ATOMIC_ACQUIRE) : NULL;

    return handle || !d ? (nvtxDomainHandle_t)handle : rln__itt_new_handle(d);
}

/* NULL: no tool records, or there is no memory. */
static inline nvtxStringHandle_t rln__itt_registered(nvtxDomainHandle_t domain,
                                                     struct rln__itt_string *string)
{
    const struct rln__itt_registered *r = __atomic_load_n(
        (struct rln__itt_registered **)&string->extra2, __ATOMIC_ACQUIRE);

    while (r && r->domain != domain)
        r = r->next;
    return r ? r->string : rln__itt_register(domain, string);
}

#endif
