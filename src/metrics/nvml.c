/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/nvml.h"
#include "base/count.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Of the driver; WSL has it beside its other libraries. */
static void *open_library(void)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);

    return library ? library : dlopen("/usr/lib/wsl/lib/libnvidia-ml.so.1", RTLD_NOW);
}

/* The first of these names that the library has. */
static void *find(void *library, const char *const names[2])
{
    void *symbol = dlsym(library, names[0]);

    return symbol || !names[1] ? symbol : dlsym(library, names[1]);
}

/* NULL, or what is missing. */
static const char *find_functions(struct rln__nvml *out, void *library)
{
    const struct {
        const char *names[2]; /* the second is the older one */
        size_t offset;
        int is_needed;
    } functions[] = {
        {{"nvmlInit_v2", NULL}, offsetof(struct rln__nvml, init), 1},
        {{"nvmlDeviceGetCount_v2", NULL}, offsetof(struct rln__nvml, count), 1},
        {{"nvmlDeviceGetHandleByIndex_v2", NULL},
         offsetof(struct rln__nvml, device),
         1},
        {{"nvmlErrorString", NULL}, offsetof(struct rln__nvml, error_text), 1},
        {{"nvmlDeviceGetUUID", NULL}, offsetof(struct rln__nvml, uuid), 0},
        {{"nvmlDeviceGetName", NULL}, offsetof(struct rln__nvml, name), 0},
        {{"nvmlDeviceGetTotalEnergyConsumption", NULL},
         offsetof(struct rln__nvml, energy),
         0},
        {{"nvmlDeviceGetPowerUsage", NULL}, offsetof(struct rln__nvml, power), 0},
        {{"nvmlDeviceGetUtilizationRates", NULL},
         offsetof(struct rln__nvml, utilization),
         0},
        {{"nvmlDeviceGetMemoryInfo", NULL}, offsetof(struct rln__nvml, memory), 0},
        {{"nvmlDeviceGetMemoryInfo_v2", NULL}, offsetof(struct rln__nvml, memory_2), 0},
        {{"nvmlDeviceGetClockInfo", NULL}, offsetof(struct rln__nvml, clock), 0},
        {{"nvmlDeviceGetTemperature", NULL},
         offsetof(struct rln__nvml, temperature),
         0},
        {{"nvmlDeviceGetCurrentClocksEventReasons",
          "nvmlDeviceGetCurrentClocksThrottleReasons"},
         offsetof(struct rln__nvml, slowdowns),
         0},
        {{"nvmlDeviceGetFieldValues", NULL}, offsetof(struct rln__nvml, fields), 0},
    };

    for (size_t i = 0; i < RLN_COUNT(functions); i++) {
        void *symbol = find(library, functions[i].names);

        if (!symbol && functions[i].is_needed)
            return "libnvidia-ml.so.1 lacks functions: it is too old";
        memcpy((char *)out + functions[i].offset, &symbol, sizeof(symbol));
    }
    return NULL;
}

const char *rln__nvml_load(struct rln__nvml *out)
{
    void *library = open_library();
    const char *why;
    int result;

    if (!library)
        return "libnvidia-ml.so.1 is not found: it comes with NVIDIA's driver, and in "
               "containers with its capability `utility`";
    why = find_functions(out, library);
    if (why)
        return why;
    result = out->init();
    return result ? out->error_text(result) : NULL;
}
