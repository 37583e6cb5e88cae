/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge/itt_sync.h"
#include "bridge/itt_names.h"
#include "bridge/open_ranges.h"

#include <nvtx3/nvToolsExtSync.h>

#include <stdio.h>

static uint64_t key_of(const void *address)
{
    return (uint64_t)(uintptr_t)address ^ 0x6c6f636b00000000u; /* no key of ranges */
}

static nvtxSyncUser_t create(void *address, const char *text)
{
    static struct rln__itt_domain all = {.flags = 1, .name = "ITT sync"};
    nvtxDomainHandle_t domain = rln__itt_handle(&all);
    nvtxSyncUserAttributes_t attributes = {.version = NVTX_VERSION,
                                           .size = NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE};
    nvtxSyncUser_t lock;

    if (*text) {
        attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
        attributes.message.ascii = text;
    }
    lock = domain ? nvtxDomainSyncUserCreate(domain, &attributes) : NULL;
    if (lock && rln__open_range_keep(key_of(address), (uint64_t)(uintptr_t)lock)) {
        nvtxDomainSyncUserDestroy(lock);
        return NULL;
    }
    return lock;
}

void rln__itt_sync_destroy(void *address)
{
    const uint64_t lock = rln__open_range_take(key_of(address));

    if (lock)
        nvtxDomainSyncUserDestroy((nvtxSyncUser_t)(uintptr_t)lock);
}

void rln__itt_sync_create(void *address, const char *type, const char *name,
                          int attribute)
{
    char text[256];

    (void)attribute;
    rln__itt_sync_destroy(address);
    (void)snprintf(text, sizeof(text), "%s%s%s", type ? type : "",
                   type && *type && name && *name ? ": " : "", name ? name : "");
    (void)create(address, text);
}

void rln__itt_sync_rename(void *address, const char *name)
{
    rln__itt_sync_create(address, NULL, name, 0);
}

static nvtxSyncUser_t lock_at(void *address)
{
    const uint64_t lock = rln__open_range_find(key_of(address));

    return lock ? (nvtxSyncUser_t)(uintptr_t)lock : create(address, "");
}

void rln__itt_sync_prepare(void *address)
{
    nvtxDomainSyncUserAcquireStart(lock_at(address));
}

void rln__itt_sync_cancel(void *address)
{
    nvtxDomainSyncUserAcquireFailed(lock_at(address));
}

void rln__itt_sync_acquired(void *address)
{
    nvtxDomainSyncUserAcquireSuccess(lock_at(address));
}

void rln__itt_sync_releasing(void *address)
{
    nvtxDomainSyncUserReleasing(lock_at(address));
}
