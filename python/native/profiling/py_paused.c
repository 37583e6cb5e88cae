/* SPDX-License-Identifier: Apache-2.0 */
/* py_paused.c - a hash table with open addressing and linear probing, at most half
 * full. A large table is freed when it becomes empty, a small one is kept for the next
 * range.
 */
#include "profiling/py_paused.h"

#define N_PLACES_AT_FIRST 4

struct outer {
    struct outer *outer;
    nvtxRangeId_t id;
};

struct place {
    const void *frame; /* NULL: empty */
    nvtxRangeId_t id;
    struct outer *outer; /* owned */
};

struct rln_py_paused {
    size_t n_used;
    size_t n_places; /* a power of two */
    struct place place[];
};

static size_t home_of(const struct rln_py_paused *table, const void *frame)
{
    /* Frame addresses are multiples of 16 and often close together: mix the bits, and
     * take the upper half. */
    const uint64_t mixed = (uint64_t)(uintptr_t)frame * 0x9e3779b97f4a7c15u;

    return (size_t)(mixed >> 32) & (table->n_places - 1);
}

/* The frame's place, or the empty one where it belongs. */
static struct place *find(struct rln_py_paused *table, const void *frame)
{
    size_t i = home_of(table, frame);

    while (table->place[i].frame && table->place[i].frame != frame)
        i = (i + 1) & (table->n_places - 1);
    return &table->place[i];
}

static int make_room(struct rln_py_paused **paused)
{
    struct rln_py_paused *const before = *paused;
    const size_t n_places = before ? 2 * before->n_places : N_PLACES_AT_FIRST;
    struct rln_py_paused *table;

    if (before && 2 * (before->n_used + 1) <= before->n_places)
        return 0;
    table = PyMem_RawCalloc(1, sizeof(*table) + n_places * sizeof(table->place[0]));
    if (!table)
        return -1;
    table->n_places = n_places;
    for (size_t i = 0; before && i < before->n_places; i++) {
        if (before->place[i].frame)
            *find(table, before->place[i].frame) = before->place[i];
    }
    table->n_used = before ? before->n_used : 0;
    PyMem_RawFree(before);
    *paused = table;
    return 0;
}

int rln_py_paused_add(struct rln_py_paused **paused, const void *frame,
                      nvtxRangeId_t id)
{
    struct place *place;

    if (make_room(paused))
        return -1;
    place = find(*paused, frame);
    if (place->frame) {
        struct outer *const outer = PyMem_RawMalloc(sizeof(*outer));

        if (!outer)
            return -1;
        outer->id = place->id;
        outer->outer = place->outer;
        place->outer = outer;
    } else {
        place->frame = frame;
        (*paused)->n_used++;
    }
    place->id = id;
    return 0;
}

/* Empties a place, and moves back entries that were only after it because it was full.
 */
static void remove_place(struct rln_py_paused *table, struct place *place)
{
    const size_t mask = table->n_places - 1;
    size_t hole = (size_t)(place - table->place);

    for (size_t i = (hole + 1) & mask; table->place[i].frame; i = (i + 1) & mask) {
        const size_t home = home_of(table, table->place[i].frame);

        if (((i - home) & mask) < ((i - hole) & mask))
            continue; /* its home comes after the hole */
        table->place[hole] = table->place[i];
        hole = i;
    }
    table->place[hole] = (struct place){NULL, 0, NULL};
    table->n_used--;
}

static void take_from(struct rln_py_paused **paused, struct place *place,
                      nvtxRangeId_t *id)
{
    struct outer *const outer = place->outer;

    *id = place->id;
    if (outer) {
        place->id = outer->id;
        place->outer = outer->outer;
        PyMem_RawFree(outer);
        return;
    }
    remove_place(*paused, place);
    if ((*paused)->n_used == 0 && (*paused)->n_places > N_PLACES_AT_FIRST) {
        PyMem_RawFree(*paused);
        *paused = NULL;
    }
}

bool rln_py_paused_take(struct rln_py_paused **paused, const void *frame,
                        nvtxRangeId_t *id)
{
    struct place *const place = *paused && frame ? find(*paused, frame) : NULL;

    if (!place || !place->frame)
        return false;
    take_from(paused, place, id);
    return true;
}

bool rln_py_paused_take_any(struct rln_py_paused **paused, nvtxRangeId_t *id)
{
    for (size_t i = 0; *paused && i < (*paused)->n_places; i++) {
        if ((*paused)->place[i].frame) {
            take_from(paused, &(*paused)->place[i], id);
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
    nvtxRangeId_t id;

    while (rln_py_paused_take_any(&paused, &id))
        ;
    PyMem_RawFree(paused);
}
