/* SPDX-License-Identifier: Apache-2.0 */
/* resource.h - records names of objects: resources, domains, handles of CUDA. */
#ifndef RLN_COLLECT_CALLBACKS_RESOURCE_H
#define RLN_COLLECT_CALLBACKS_RESOURCE_H

#include <stdint.h>

/* nvtxResourceAttributes_t, with its ABI layout. */
struct rln__resource_attributes {
    uint16_t version;
    uint16_t size;
    int32_t identifier_type;
    uint64_t identifier;
    int32_t message_type;
    const void *message;
};

_Static_assert(sizeof(struct rln__resource_attributes) == 32, "the NVTX v3 ABI");

void *rln__on_resource_create(uint64_t domain,
                              const struct rln__resource_attributes *given);
void rln__on_resource_destroy(const void *handle);
void rln__note_domain_destroy(uint32_t domain);

/* Shared by both core tables. */
void rln__on_name_category(unsigned domain, unsigned category, const char *name);
void rln__on_name_category_wide(unsigned domain, unsigned category, const void *name);
void rln__name_thread(unsigned tid, const char *name);
void rln__name_thread_wide(unsigned tid, const void *name);

/* Names an object of CUDA, its runtime or OpenCL: a resource without a handle, of
 * NVTX's type (NVTX_RESOURCE_TYPE_*). */
void rln__name_object(uint32_t type, uint64_t identifier, const char *name);
void rln__name_object_wide(uint32_t type, uint64_t identifier, const void *name);

/* The string id of a message of an NVTX message type; 0 if there is none. */
uint32_t rln__message_string(uint32_t type, const void *message);

#endif
