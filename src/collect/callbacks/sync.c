/* SPDX-License-Identifier: Apache-2.0 */
/* sync.c - implements NVTX's module SYNC: locks of the program.                   [hot]
 *
 * An object is a number, and each step of a thread with it is one word. Readers compute
 * which threads wait and which hold.
 */
#include "collect/callbacks/callbacks.h"
#include "collect/callbacks/resource.h"
#include "collect/capture/domain_filter.h"
#include "collect/event/put.h"
#include "collect/event/statements.h"

/* nvtxSyncUserAttributes_t, with its ABI layout. */
struct sync_attributes {
    uint16_t version;
    uint16_t size; /* bytes of this structure that the program has filled in */
    int32_t message_type;
    const void *message;
};

_Static_assert(sizeof(struct sync_attributes) == 16, "the NVTX v3 ABI");

enum { OBJECT_BITS = 22 }; /* of a word's id; the step has the other two */

static uint32_t n_objects; /* atomic; a forked child continues its parent's */

static void *on_create(uint64_t domain, const struct sync_attributes *given)
{
    const int has_name = given && given->size >= sizeof *given;
    uint32_t id;

    if (rln__is_excluded(domain))
        return NULL;
    id = __atomic_add_fetch(&n_objects, 1, __ATOMIC_RELAXED);
    if (id >> OBJECT_BITS) {
        __atomic_store_n(&n_objects, 1u << OBJECT_BITS, __ATOMIC_RELAXED);
        rln__count(n_strings_refused, 1);
        return NULL;
    }
    rln__put_statement(
        RLN__SUB_OBJECT, rln__pair32(id, rln__domain_of(domain)),
        has_name ? rln__message_string((uint32_t)given->message_type, given->message)
                 : 0,
        rln__now());
    return (void *)(uintptr_t)(RLN__TAG_SYNC + id);
}

/* The object's number; 0 if the handle is not ours. */
static inline uint32_t object_of(uint64_t handle)
{
    const uint64_t id = handle - RLN__TAG_SYNC;

    if (RLN_LIKELY(id - 1 < (1u << OBJECT_BITS) - 1))
        return (uint32_t)id;
    if (handle) /* NULL: the object was created before the tool attached */
        rln__count(n_invalid, 1);
    return 0;
}

static void on_destroy(uint64_t handle)
{
    const uint32_t object = object_of(handle);

    if (object)
        rln__put_statement(RLN__SUB_OBJECT_DESTROY, object, rln__now());
}

static inline __attribute__((always_inline)) void put_step(uint64_t handle,
                                                           enum rln__sync_step step)
{
    const uint32_t object = object_of(handle);

    if (RLN_LIKELY(object != 0))
        rln__put(RLN__SYNC, 0, rln__place_id(object << 2 | step), 0);
}

static void on_acquire_start(uint64_t handle)
{
    put_step(handle, RLN__SYNC_WAITS);
}

static void on_acquire_failed(uint64_t handle)
{
    put_step(handle, RLN__SYNC_GAVE_UP);
}

static void on_acquire_success(uint64_t handle)
{
    put_step(handle, RLN__SYNC_HAS);
}

static void on_releasing(uint64_t handle)
{
    put_step(handle, RLN__SYNC_RELEASES);
}

const rln__callback rln__sync_callbacks[RLN__SYNC_CALLBACKS] = {
    NULL,
    (rln__callback)on_create,
    (rln__callback)on_destroy,
    (rln__callback)on_acquire_start,
    (rln__callback)on_acquire_failed,
    (rln__callback)on_acquire_success,
    (rln__callback)on_releasing,
};
