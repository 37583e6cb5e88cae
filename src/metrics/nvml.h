/* SPDX-License-Identifier: Apache-2.0 */
/* nvml.h - the functions of NVIDIA's NVML that say what a GPU does, found at run time.
 *
 * No header of NVML is needed: these functions and their structs have kept their layout
 * since they were introduced. None needs a privilege. All return 0 for success.
 */
#ifndef RLN_METRICS_NVML_H
#define RLN_METRICS_NVML_H

#include <stdint.h>

enum rln__nvml_result {
    RLN__NVML_OK = 0,
    RLN__NVML_NOT_SUPPORTED = 3,
    RLN__NVML_LOST = 15, /* the GPU: it is not reached any more */
};

/* nvmlClockType_t */
enum { RLN__NVML_CLOCK_SM = 1, RLN__NVML_CLOCK_MEMORY = 2 };

/* nvmlTemperatureSensors_t */
enum { RLN__NVML_TEMPERATURE_GPU = 0 };

/* Field ids, of the driver's nvml.h. */
enum { RLN__NVML_POWER_NOW = 186 }; /* mW, an unsigned int; NVML_FI_DEV_POWER_INSTANT */

/* Why clocks are lower than they could be: nvmlClocksEventReason..., bits. */
enum {
    RLN__NVML_POWER_CAP = 0x04,
    RLN__NVML_HARDWARE_SLOWDOWN = 0x08, /* one of the three below, or a power draw */
    RLN__NVML_HOT_BY_SOFTWARE = 0x20,
    RLN__NVML_HOT = 0x40,
    RLN__NVML_POWER_BRAKE = 0x80,
};

typedef struct rln__nvml_gpu *rln__nvml_device; /* NVML's handle */

struct rln__nvml_utilization {
    unsigned gpu, memory; /* % of the time since the last sample, of 1/6 s to 1 s */
};

/* nvmlMemory_t: `used` has what the driver reserves, too. */
struct rln__nvml_memory {
    unsigned long long total, unused, used;
};

/* nvmlMemory_v2_t */
struct rln__nvml_memory_2 {
    unsigned version;
    unsigned long long total, reserved, unused, used;
};

#define RLN__NVML_MEMORY_2 ((unsigned)sizeof(struct rln__nvml_memory_2) | 2u << 24)

struct rln__nvml_field {
    unsigned field, scope;
    long long timestamp_us, latency_us;
    int type, result;
    union {
        double as_double;
        unsigned as_unsigned;
        unsigned long long as_u64;
    } value;
};

/* All but the first four are NULL where the library is too old for them. */
struct rln__nvml {
    int (*init)(void);
    int (*count)(unsigned *n);
    int (*device)(unsigned index, rln__nvml_device *device);
    const char *(*error_text)(int result);
    int (*uuid)(rln__nvml_device, char *text, unsigned n_bytes);
    int (*name)(rln__nvml_device, char *text, unsigned n_bytes);
    int (*energy)(rln__nvml_device,
                  unsigned long long *mj);        /* since the driver's start */
    int (*power)(rln__nvml_device, unsigned *mw); /* the mean of a second */
    int (*utilization)(rln__nvml_device, struct rln__nvml_utilization *);
    int (*memory)(rln__nvml_device, struct rln__nvml_memory *);
    int (*memory_2)(rln__nvml_device, struct rln__nvml_memory_2 *);
    int (*clock)(rln__nvml_device, int type, unsigned *mhz);
    int (*temperature)(rln__nvml_device, int sensor, unsigned *celsius);
    int (*slowdowns)(rln__nvml_device, unsigned long long *reasons);
    int (*fields)(rln__nvml_device, int n, struct rln__nvml_field *fields);
};

/* Loads and starts it. NULL, or why it cannot be used. */
const char *rln__nvml_load(struct rln__nvml *out);

#endif
