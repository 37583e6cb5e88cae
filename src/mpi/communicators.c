/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/communicators.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* Of a power of two. Programs have a few, or create and free them again and again. */
enum { N_ENTRIES = 1024 };

/* The entry was in use, and others may follow. */
#define FREED UINTPTR_MAX

static struct rln__communicator *entries[N_ENTRIES];
static pthread_mutex_t changes = PTHREAD_MUTEX_INITIALIZER;

static uint32_t mix(uint32_t a, uint32_t b)
{
    uint64_t x = ((uint64_t)a << 32 | b) + 0x9E3779B97F4A7C15u;

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(x >> 32) | 1; /* not that of the world */
}

static size_t first_entry(uintptr_t handle)
{
    return mix((uint32_t)(handle >> 4), (uint32_t)handle) >> 1 & (N_ENTRIES - 1);
}

/* --- The table -------------------------------------------------------------------- */

/* The one that is in use; freed ones keep their entries for others. */
static struct rln__communicator *look_up(uintptr_t handle)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        struct rln__communicator *c = __atomic_load_n(
            &entries[(first_entry(handle) + i) & (N_ENTRIES - 1)], __ATOMIC_ACQUIRE);

        if (!c)
            return NULL;
        if (__atomic_load_n(&c->handle, __ATOMIC_ACQUIRE) == handle)
            return c;
    }
    return NULL;
}

/* An entry for a handle that has none; the caller has the lock. */
static struct rln__communicator *new_entry(uintptr_t handle)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        struct rln__communicator **entry =
            &entries[(first_entry(handle) + i) & (N_ENTRIES - 1)];
        struct rln__communicator *c = *entry;

        if (c && c->handle != FREED)
            continue;
        if (!c)
            c = calloc(1, sizeof(*c));
        if (!c)
            return NULL;
        free(c->world_rank);
        *c = (struct rln__communicator){.handle = FREED};
        __atomic_store_n(entry, c, __ATOMIC_RELEASE);
        return c;
    }
    return NULL;
}

/* MPI has returned the handle as that of a new one: what had it before is gone. */
static void add(uintptr_t handle, uint32_t id)
{
    struct rln__communicator *c;

    rln__communicator_freed(handle);
    c = new_entry(handle);
    if (!c)
        return;
    c->id = id;
    __atomic_store_n(&c->handle, handle, __ATOMIC_RELEASE);
}

/* --- What MPI says of one --------------------------------------------------------- */

/* The rank in the world of a communicator's rank. */
static int ask_rank(const struct rln__mpi_library *library,
                    const struct rln__communicator *c, int peer)
{
    uintptr_t group = 0, world = 0;
    int rank = RLN__MPI_UNKNOWN;

    if (library->comm_group.with_two(c->handle, &group))
        return rank;
    if (!library->comm_group.with_two(library->world, &world)) {
        if (library->group_translate_ranks.translate(group, 1, &peer, world, &rank))
            rank = RLN__MPI_UNKNOWN;
        (void)library->group_free.with_address(&world);
    }
    (void)library->group_free.with_address(&group);
    return rank >= 0 ? rank : RLN__MPI_UNKNOWN; /* MPI_UNDEFINED: of another world */
}

static void describe(const struct rln__mpi_library *library,
                     struct rln__communicator *c)
{
    int is_between = 0;

    (void)library->comm_test_inter.with_comm(c->handle, &is_between);
    c->is_between = is_between != 0;
    if (c->is_between || library->comm_size.with_comm(c->handle, &c->n_ranks))
        c->n_ranks = 0;
    (void)library->comm_rank.with_comm(c->handle, &c->own_rank);
    if (c->handle == library->world || !c->n_ranks)
        return;
    c->id = mix(c->id, (uint32_t)ask_rank(library, c, 0));
    c->world_rank = malloc((size_t)c->n_ranks * sizeof(*c->world_rank));
    for (int i = 0; c->world_rank && i < c->n_ranks; i++)
        c->world_rank[i] = RLN__MPI_UNKNOWN;
}

struct rln__communicator *rln__communicator(const struct rln__mpi_library *library,
                                            uintptr_t handle)
{
    struct rln__communicator *c = look_up(handle);

    if (!c && handle != library->world)
        return NULL;
    if (!c || !__atomic_load_n(&c->is_described, __ATOMIC_ACQUIRE)) {
        (void)pthread_mutex_lock(&changes);
        c = look_up(handle);
        if (!c) {
            add(handle, 0);
            c = look_up(handle);
        }
        if (c && !c->is_described) {
            describe(library, c);
            __atomic_store_n(&c->is_described, true, __ATOMIC_RELEASE);
        }
        (void)pthread_mutex_unlock(&changes);
    }
    return c && !c->is_between && c->n_ranks > 0 ? c : NULL;
}

void rln__communicator_created(const struct rln__mpi_library *library, uintptr_t from,
                               uintptr_t handle)
{
    struct rln__communicator *parent = rln__communicator(library, from);
    uint32_t number =
        parent ? __atomic_add_fetch(&parent->n_created, 1, __ATOMIC_RELAXED) : 0;

    if (!handle || handle == library->no_communicator)
        return;
    (void)pthread_mutex_lock(&changes);
    if (parent)
        add(handle, mix(parent->id, number));
    else
        rln__communicator_freed(handle); /* what had it before */
    (void)pthread_mutex_unlock(&changes);
}

void rln__communicator_freed(uintptr_t handle)
{
    struct rln__communicator *c = look_up(handle);

    if (c)
        __atomic_store_n(&c->handle, FREED, __ATOMIC_RELEASE);
}

int rln__communicator_peer(const struct rln__mpi_library *library,
                           struct rln__communicator *c, int peer)
{
    int rank;

    if (peer == library->any_peer)
        return RLN__MPI_ANY;
    if (peer == library->no_peer)
        return RLN__MPI_NONE;
    if (peer < 0 || peer >= c->n_ranks)
        return RLN__MPI_UNKNOWN; /* an error */
    if (c->handle == library->world)
        return peer;
    if (!c->world_rank)
        return RLN__MPI_UNKNOWN;
    rank = __atomic_load_n(&c->world_rank[peer], __ATOMIC_RELAXED);
    if (rank == RLN__MPI_UNKNOWN) {
        rank = ask_rank(library, c, peer);
        __atomic_store_n(&c->world_rank[peer], rank, __ATOMIC_RELAXED);
    }
    return rank;
}
