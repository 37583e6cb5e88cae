/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_counters.h - hands what a GPU reports to the collector, as counters.
 *
 * A number that the GPU does not have is no counter; one that it fails to report later
 * is a sample without a value. Where it does not count its energy, that is the sum of
 * its power over time.
 */
#ifndef RLN_METRICS_GPU_COUNTERS_H
#define RLN_METRICS_GPU_COUNTERS_H

#include "format/gpu_metrics.h"
#include "metrics/nvml.h"

#include <nvtx3/nvToolsExt.h>

struct rln__gpu_counters {
    const struct rln__nvml *nvml; /* borrowed */
    rln__nvml_device device;
    nvtxDomainHandle_t domain;
    uint32_t number;                 /* NVML's */
    uint8_t has[RLN__N_GPU_METRICS]; /* registered */
    uint8_t counts_energy;           /* else it is summed up */
    unsigned long long first_mj;     /* of the counter: joules are from then on */
    int64_t power_ns;                /* when `power_w` was read; 0: not yet */
    double power_w, joules;          /* the sum */
};

/* Begins to sample the GPU of a number. NULL, or why it cannot be. */
const char *rln__gpu_counters_begin(struct rln__gpu_counters *out,
                                    const struct rln__nvml *nvml,
                                    nvtxDomainHandle_t domain, uint32_t number);

void rln__gpu_counters_sample(struct rln__gpu_counters *counters);

#endif
