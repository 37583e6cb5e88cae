/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/gpu_counters.h"
#include "base/count.h"
#include "base/monotonic.h"

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>

#include <stdio.h>
#include <string.h>

/* --- Reading ---------------------------------------------------------------------- */

/* Each returns NVML's result. */
typedef int read_metric(struct rln__gpu_counters *c, double *out);

static int read_power(struct rln__gpu_counters *c, double *watts)
{
    struct rln__nvml_field now = {.field = RLN__NVML_POWER_NOW};
    unsigned mw = 0;
    int result;

    /* Since Ampere nvmlDeviceGetPowerUsage() is the mean of a second. */
    if (c->nvml->fields && !c->nvml->fields(c->device, 1, &now) &&
        now.result == RLN__NVML_OK) {
        *watts = now.value.as_unsigned / 1e3;
        return RLN__NVML_OK;
    }
    result = c->nvml->power ? c->nvml->power(c->device, &mw) : RLN__NVML_NOT_SUPPORTED;
    *watts = mw / 1e3;
    return result;
}

/* Adds up what it has drawn since the last time. */
static int sum_power(struct rln__gpu_counters *c, double *joules)
{
    double watts;
    const int result = read_power(c, &watts);
    const int64_t now_ns = rln__monotonic_ns();

    if (result)
        return result;
    if (c->power_ns)
        c->joules += (double)(now_ns - c->power_ns) / 1e9 * (c->power_w + watts) / 2;
    c->power_ns = now_ns;
    c->power_w = watts;
    *joules = c->joules;
    return RLN__NVML_OK;
}

static int read_energy(struct rln__gpu_counters *c, double *joules)
{
    unsigned long long mj = 0;
    int result;

    if (!c->counts_energy)
        return sum_power(c, joules);
    result = c->nvml->energy(c->device, &mj);
    *joules = ((double)mj - (double)c->first_mj) / 1e3;
    return result;
}

static int read_utilization(struct rln__gpu_counters *c, double *percent)
{
    struct rln__nvml_utilization u = {0, 0};
    const int result = c->nvml->utilization ? c->nvml->utilization(c->device, &u)
                                            : RLN__NVML_NOT_SUPPORTED;

    *percent = u.gpu;
    return result;
}

static int read_memory_utilization(struct rln__gpu_counters *c, double *percent)
{
    struct rln__nvml_utilization u = {0, 0};
    const int result = c->nvml->utilization ? c->nvml->utilization(c->device, &u)
                                            : RLN__NVML_NOT_SUPPORTED;

    *percent = u.memory;
    return result;
}

static int read_memory(struct rln__gpu_counters *c, double *bytes)
{
    struct rln__nvml_memory_2 now = {.version = RLN__NVML_MEMORY_2};
    struct rln__nvml_memory older = {0, 0, 0};
    int result;

    if (c->nvml->memory_2 && !c->nvml->memory_2(c->device, &now)) {
        *bytes = (double)now.used;
        return RLN__NVML_OK;
    }
    result =
        c->nvml->memory ? c->nvml->memory(c->device, &older) : RLN__NVML_NOT_SUPPORTED;
    *bytes = (double)older.used;
    return result;
}

static int read_clock(const struct rln__gpu_counters *c, int which, double *out)
{
    unsigned mhz = 0;
    const int result = c->nvml->clock ? c->nvml->clock(c->device, which, &mhz)
                                      : RLN__NVML_NOT_SUPPORTED;

    *out = mhz;
    return result;
}

static int read_sm_clock(struct rln__gpu_counters *c, double *mhz)
{
    return read_clock(c, RLN__NVML_CLOCK_SM, mhz);
}

static int read_memory_clock(struct rln__gpu_counters *c, double *mhz)
{
    return read_clock(c, RLN__NVML_CLOCK_MEMORY, mhz);
}

static int read_temperature(struct rln__gpu_counters *c, double *celsius)
{
    unsigned degrees = 0;
    const int result =
        c->nvml->temperature
            ? c->nvml->temperature(c->device, RLN__NVML_TEMPERATURE_GPU, &degrees)
            : RLN__NVML_NOT_SUPPORTED;

    *celsius = degrees;
    return result;
}

/* 100 % while one of the reasons holds the clocks down, so that the mean is the share of
 * time. */
static int read_slowdown(const struct rln__gpu_counters *c, unsigned reasons,
                         double *percent)
{
    unsigned long long now = 0;
    const int result = c->nvml->slowdowns ? c->nvml->slowdowns(c->device, &now)
                                          : RLN__NVML_NOT_SUPPORTED;

    *percent = now & reasons ? 100 : 0;
    return result;
}

static int read_power_capped(struct rln__gpu_counters *c, double *percent)
{
    return read_slowdown(c, RLN__NVML_POWER_CAP | RLN__NVML_POWER_BRAKE, percent);
}

static int read_hot(struct rln__gpu_counters *c, double *percent)
{
    return read_slowdown(c, RLN__NVML_HOT_BY_SOFTWARE | RLN__NVML_HOT, percent);
}

/* --- Counters --------------------------------------------------------------------- */

static const struct {
    const char *name, *unit;
    read_metric *read;
    uint64_t interpolation;
} metrics[RLN__N_GPU_METRICS] = {
    [RLN__METRIC_ENERGY] = {"energy", "J", read_energy,
                            NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR},
    [RLN__METRIC_POWER] = {"power", "W", read_power,
                           NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR},
    [RLN__METRIC_UTILIZATION] = {"utilization", "%", read_utilization,
                                 NVTX_COUNTER_FLAG_INTERPOLATION_SINCE_LAST},
    [RLN__METRIC_MEMORY_UTILIZATION] = {"memory utilization", "%",
                                        read_memory_utilization,
                                        NVTX_COUNTER_FLAG_INTERPOLATION_SINCE_LAST},
    [RLN__METRIC_MEMORY] = {"memory", "bytes", read_memory,
                            NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT},
    [RLN__METRIC_SM_CLOCK] = {"SM clock", "MHz", read_sm_clock,
                              NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT},
    [RLN__METRIC_MEMORY_CLOCK] = {"memory clock", "MHz", read_memory_clock,
                                  NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT},
    [RLN__METRIC_TEMPERATURE] = {"temperature", "C", read_temperature,
                                 NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR},
    [RLN__METRIC_POWER_CAPPED] = {"slowed by its power limit", "%", read_power_capped,
                                  NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT},
    [RLN__METRIC_HOT] = {"slowed by heat", "%", read_hot,
                         NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT},
};

/* GPU[UUID:...], as NVTX has it. */
static uint64_t register_scope(const struct rln__gpu_counters *c, const char *uuid)
{
    char path[128];
    const nvtxScopeAttr_t scope = {.structSize = sizeof(scope),
                                   .path = path,
                                   .parentScope = NVTX_SCOPE_CURRENT_VM};

    if (*uuid)
        (void)snprintf(path, sizeof(path), "GPU[UUID:%s]", uuid);
    else
        (void)snprintf(path, sizeof(path), "GPU[NVSMI:%u]", c->number);
    return nvtxScopeRegister(c->domain, &scope);
}

static void register_counter(struct rln__gpu_counters *c, unsigned metric,
                             uint64_t scope, const char *description)
{
    const nvtxSemanticsCounter_t semantics = {
        .header = {.structSize = sizeof(semantics),
                   .semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1,
                   .version = NVTX_COUNTER_SEMANTIC_VERSION},
        .flags = NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE | metrics[metric].interpolation,
        .unit = metrics[metric].unit,
        .unitScaleNumerator = 1,
        .unitScaleDenominator = 1,
    };
    char name[64];
    const nvtxCounterAttr_t counter = {
        .structSize = sizeof(counter),
        .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
        .name = name,
        .description = description,
        .scopeId = scope,
        .semantics = &semantics.header,
        .counterId = RLN__GPU_METRIC_ID(c->number, metric),
    };

    (void)snprintf(name, sizeof(name), "GPU %u %s", c->number, metrics[metric].name);
    (void)nvtxCounterRegister(c->domain, &counter);
    c->has[metric] = 1;
}

static void text_of(int (*read)(rln__nvml_device, char *, unsigned),
                    rln__nvml_device device, char *text, unsigned n_bytes)
{
    if (!read || read(device, text, n_bytes))
        *text = '\0';
}

const char *rln__gpu_counters_begin(struct rln__gpu_counters *out,
                                    const struct rln__nvml *nvml,
                                    nvtxDomainHandle_t domain, uint32_t number)
{
    char uuid[96], name[96]; /* NVML asks for no more */
    uint64_t scope;
    double value;
    int result;

    *out = (struct rln__gpu_counters){.nvml = nvml, .domain = domain, .number = number};
    if (number >= RLN__MOST_METERED_GPUS)
        return "there are too many GPUs";
    result = nvml->device(number, &out->device);
    if (result)
        return nvml->error_text(result);
    out->counts_energy = nvml->energy && !nvml->energy(out->device, &out->first_mj);
    text_of(nvml->uuid, out->device, uuid, sizeof(uuid));
    text_of(nvml->name, out->device, name, sizeof(name));
    scope = register_scope(out, uuid);
    for (unsigned i = 0; i < RLN__N_GPU_METRICS; i++)
        if (!metrics[i].read(out, &value))
            register_counter(out, i, scope, name);
    return NULL;
}

void rln__gpu_counters_sample(struct rln__gpu_counters *c)
{
    for (unsigned i = 0; i < RLN__N_GPU_METRICS; i++) {
        const uint64_t id = RLN__GPU_METRIC_ID(c->number, i);
        double value;

        if (!c->has[i])
            continue;
        if (metrics[i].read(c, &value))
            nvtxCounterSampleNoValue(c->domain, id, NVTX_COUNTER_SAMPLE_UNAVAILABLE);
        else
            nvtxCounterSampleFloat64(c->domain, id, value);
    }
}
