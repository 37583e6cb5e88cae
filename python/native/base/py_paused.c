/* SPDX-License-Identifier: Apache-2.0 */
/* py_paused.c - implements the hash table of open ranges, with open addressing and
 * linear probing, at most half full. A large table is freed when it becomes empty, a
 * small one is kept for the next range.
 */
#include "base/py_paused.h"

#define N_INITIAL_SLOTS 4

struct outer {
    struct outer *outer;
    struct rln_py_started started;
};

struct slot {
    const void *frame; /* NULL: empty */
    struct rln_py_started started;
    struct outer *outer; /* owned */
};

struct rln_py_paused {
    size_t n_used;
    size_t n_slots; /* a power of two */
    struct slot slots[];
};

static size_t home_of(const struct rln_py_paused *table, const void *frame)
{
    /* Frame addresses are multiples of 16 and often close together: mix the bits, and
     * take the upper half. */
    const uint64_t mixed = (uint64_t)(uintptr_t)frame * 0x9e3779b97f4a7c15u;

    return (size_t)(mixed >> 32) & (table->n_slots - 1);
}

/* The frame's slot, or the empty slot where the frame belongs. */
static struct slot *find(struct rln_py_paused *table, const void *frame)
{
    size_t i = home_of(table, frame);

    while (table->slots[i].frame && table->slots[i].frame != frame)
        i = (i + 1) & (table->n_slots - 1);
    return &table->slots[i];
}

static int make_room(struct rln_py_paused **paused)
{
    struct rln_py_paused *const before = *paused;
    const size_t n_slots = before ? 2 * before->n_slots : N_INITIAL_SLOTS;
    struct rln_py_paused *table;

    if (before && 2 * (before->n_used + 1) <= before->n_slots)
        return 0;
    table = PyMem_RawCalloc(1, sizeof(*table) + n_slots * sizeof(table->slots[0]));
    if (!table)
        return -1;
    table->n_slots = n_slots;
    for (size_t i = 0; before && i < before->n_slots; i++) {
        if (before->slots[i].frame)
            *find(table, before->slots[i].frame) = before->slots[i];
    }
    table->n_used = before ? before->n_used : 0;
    PyMem_RawFree(before);
    *paused = table;
    return 0;
}

int rln_py_paused_add(struct rln_py_paused **paused, const void *frame,
                      struct rln_py_started started)
{
    struct slot *slot;

    if (make_room(paused))
        return -1;
    slot = find(*paused, frame);
    if (slot->frame) {
        struct outer *const outer = PyMem_RawMalloc(sizeof(*outer));

        if (!outer)
            return -1;
        outer->started = slot->started;
        outer->outer = slot->outer;
        slot->outer = outer;
    } else {
        slot->frame = frame;
        (*paused)->n_used++;
    }
    slot->started = started;
    return 0;
}

/* Empties a slot, and moves back the entries that it had displaced. */
static void remove_slot(struct rln_py_paused *table, struct slot *slot)
{
    const size_t mask = table->n_slots - 1;
    size_t hole = (size_t)(slot - table->slots);

    for (size_t i = (hole + 1) & mask; table->slots[i].frame; i = (i + 1) & mask) {
        const size_t home = home_of(table, table->slots[i].frame);

        if (((i - home) & mask) < ((i - hole) & mask))
            continue; /* its home comes after the hole */
        table->slots[hole] = table->slots[i];
        hole = i;
    }
    table->slots[hole] = (struct slot){.frame = NULL};
    table->n_used--;
}

static void take_from(struct rln_py_paused **paused, struct slot *slot,
                      struct rln_py_started *started)
{
    struct outer *const outer = slot->outer;

    *started = slot->started;
    if (outer) {
        slot->started = outer->started;
        slot->outer = outer->outer;
        PyMem_RawFree(outer);
        return;
    }
    remove_slot(*paused, slot);
    if ((*paused)->n_used == 0 && (*paused)->n_slots > N_INITIAL_SLOTS) {
        PyMem_RawFree(*paused);
        *paused = NULL;
    }
}

bool rln_py_paused_take(struct rln_py_paused **paused, const void *frame,
                        struct rln_py_started *started)
{
    struct slot *const slot = *paused && frame ? find(*paused, frame) : NULL;

    if (!slot || !slot->frame)
        return false;
    take_from(paused, slot, started);
    return true;
}

bool rln_py_paused_has(struct rln_py_paused *paused, const void *frame)
{
    return paused && find(paused, frame)->frame;
}

bool rln_py_paused_take_any(struct rln_py_paused **paused,
                            struct rln_py_started *started)
{
    for (size_t i = 0; *paused && i < (*paused)->n_slots; i++) {
        if ((*paused)->slots[i].frame) {
            take_from(paused, &(*paused)->slots[i], started);
            return true;
        }
    }
    return false;
}

bool rln_py_paused_is_empty(const struct rln_py_paused *paused)
{
    return !paused || paused->n_used == 0;
}

void rln_py_paused_free(struct rln_py_paused *paused)
{
    struct rln_py_started started;

    while (rln_py_paused_take_any(&paused, &started))
        Py_XDECREF(started.as_outer);
    PyMem_RawFree(paused);
}
