/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_meters.h - how much energy GPUs drew between any two times, by the samples of their
 * energy counters (format/gpu_metrics.h).
 *
 *   joules              o            a GPU's counter is read some times a second; between
 *               o                    two readings it has risen evenly
 *        o
 *   range     [----------]           the difference between its ends
 *
 * Before the first reading and after the last one, and where a counter fell, nothing is
 * known.
 */
#ifndef RLN_REPORTS_GPU_METERS_H
#define RLN_REPORTS_GPU_METERS_H

#include "rangeline/reader.h"
#include "trace/open/opened.h"

struct rln__gpu_reading {
    int64_t t_ns;
    double joules;       /* since the first reading */
    uint64_t covered_ns; /* of the time since then, what is known */
};

/* A GPU, as one sampler counted it. */
struct rln__gpu_meter {
    uint32_t process; /* index: the sampler's */
    uint32_t number;  /* of the GPU, NVML's */
    uint32_t first;   /* meter of the same GPU, by its UUID: an index */
    rln_text scope;   /* "GPU[UUID:...]" */
    struct rln__gpu_reading *readings; /* owned; by time */
    size_t n, capacity;
    double last_counter;
    size_t last; /* reading after which the last question was: an index */
};

/* A process, and the meter of a GPU that it used. */
struct rln__gpu_used {
    uint32_t process, meter; /* indices */
};

/* Empty when zeroed. */
struct rln__gpu_meters {
    rln_reader *reader;           /* borrowed */
    struct rln__gpu_meter *items; /* owned */
    size_t n, capacity;
    struct rln__gpu_used *used; /* owned; by process, then meter */
    size_t n_used, used_capacity;
    size_t *first_used; /* owned: by process, and of one after the last */
    size_t n_processes;
};

struct rln__gpu_energy {
    double joules;
    uint64_t covered_ns; /* of each GPU's time, together, what is known */
};

/* Whether any process of the traces sampled energy. */
int rln__has_gpu_meters(rln_reader *reader);

/* On failure nothing is owned. */
rln_status rln__gpu_meters_load(struct rln__gpu_meters *meters, rln_reader *reader,
                                rln_error *err);
void rln__gpu_meters_clear(struct rln__gpu_meters *meters);

/* The GPUs of a process, `*n` of them: those that it gave work to; where that was not
 * recorded, all that were sampled in its trace. */
const struct rln__gpu_used *rln__gpu_meters_of(const struct rln__gpu_meters *meters,
                                               uint32_t process, size_t *n);

/* What all GPUs drew from the first reading of each to its last one. */
double rln__gpu_meters_joules(const struct rln__gpu_meters *meters);

/* Adds what a meter counted from one time to another, inside the reader's window. */
void rln__gpu_meters_add(struct rln__gpu_meters *meters, uint32_t meter,
                         int64_t start_ns, int64_t end_ns, struct rln__gpu_energy *sum);

#endif
