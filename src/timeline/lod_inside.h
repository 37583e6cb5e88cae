/* SPDX-License-Identifier: Apache-2.0 */
/* lod_inside.h - what is inside each occurrence of a name: the time of its children, by
 * name, of itself, and of the GPU work that was requested in it.
 *
 *   step     |-------- 0 --------|   |------ 1 ------|     part    0    1
 *              |load| |- solve -|      |load|               load   6    6
 *   GPU 0                 [  kernel ]                       solve 11
 *                                                           self   4   11
 *                                                           GPU 0 11
 *
 * Children are the ranges that begin directly inside, up to its end. Work of a GPU that
 * overlaps counts once.
 */
#ifndef RLN_TIMELINE_LOD_INSIDE_H
#define RLN_TIMELINE_LOD_INSIDE_H

#include "timeline/lod_gpus.h"
#include "timeline/lod_query.h"

/* A part that is no name: the occurrence itself, or this bit and the index of a GPU. */
#define RLN__LOD_SELF UINT32_MAX
#define RLN__LOD_OF_GPU 0x80000000u

struct rln__lod_occurrence {
    uint32_t row;
    int64_t start_ns, end_ns;
};

/* Times of a damaged trace may be absurd: the difference is unsigned. */
static inline uint64_t rln__lod_length(const struct rln__lod_occurrence *occurrence)
{
    return (uint64_t)occurrence->end_ns - (uint64_t)occurrence->start_ns;
}

/* Occurrences that are ranges of their own, and closed, in the order of their rows, then
 * of their starts: not those merged with others. */
struct rln__lod_occurrences {
    struct rln__lod_occurrence *items; /* owned */
    size_t n, capacity;
    uint64_t
        n_all; /* also those merged, never closed, or left out at equal distances */
    uint64_t n_inner;  /* left out: inside others of them */
    uint64_t n_merged; /* their lengths are unknown, but short */
};

/* Whether they are like all: if more are merged, only the long ones are here. */
static inline int rln__lod_are_usual(const struct rln__lod_occurrences *occurrences)
{
    return occurrences->n && occurrences->n_merged * 10 <= occurrences->n_all;
}

struct rln__lod_time_inside {
    uint32_t part;       /* a name, or, with kinds, the first one of its kind */
    uint32_t occurrence; /* index */
    uint32_t n;          /* children, or operations; of itself 1 */
    uint64_t ns;
};

struct rln__lod_inside {
    struct rln__lod_time_inside
        *times; /* owned; by part, then by occurrence: one each */
    size_t n, capacity;
    int is_rough; /* children are merged: these count as the longest of them */
};

/* At most this many; of more, every second, third, ... */
#define RLN__LOD_MOST_OCCURRENCES 100000u

/* All push/pop and start/end ranges of those names, which are nonzero at their numbers;
 * or only those inside no other of them. 0, or -1: no memory; either way, `out` can be
 * cleared. */
int rln__lod_find_occurrences(struct rln__lod *lod, const uint8_t *names,
                              int are_outermost, struct rln__lod_occurrences *out);
/* The median of their lengths. `values` has room for one each. */
double rln__lod_median_length(const struct rln__lod_occurrences *occurrences,
                              double *values);
void rln__lod_occurrences_clear(struct rln__lod_occurrences *occurrences);

/* What is inside occurrences, which are in the order of their rows, then of their starts.
 * `narrow`: where rows are that were read again, or `lod`; `kinds`, by name, or NULL: as
 * lod_kinds.h. 0, or -1: no memory; either way, `out` can be cleared. */
int rln__lod_measure_inside(struct rln__lod *lod, struct rln__lod *narrow,
                            const uint32_t *kinds, const struct rln__lod_gpus *gpus,
                            const struct rln__lod_occurrences *occurrences,
                            struct rln__lod_inside *out);
void rln__lod_inside_clear(struct rln__lod_inside *inside);

/* Where the times of a part begin; `inside->n`, where those of none begin and end. */
size_t rln__lod_find_part(const struct rln__lod_inside *inside, uint32_t part);

/* The times of a part begin at `first` and end before the result. */
size_t rln__lod_end_of_part(const struct rln__lod_inside *inside, size_t first);

/* The median of the part at `first` over `n` occurrences; those without it have 0.
 * `values` has room for one each. */
double rln__lod_median_of_part(const struct rln__lod_inside *inside, size_t first,
                               size_t n, double *values);

#endif
