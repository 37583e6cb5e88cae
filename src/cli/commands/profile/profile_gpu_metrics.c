/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/profile/profile_gpu_metrics.h"

#include <string.h>

#include "console/die.h"
#include "record/start/collector_path.h"

static void note_none(const struct rln__profile *p, const char *why)
{
    const char *request = rln__gpu_metrics_request(&p->args, RLN__PROFILE_GPU);

    if (request)
        rln__note("GPUs are not sampled: --gpu-metrics-devices=\"%s\": %s", request,
                  why);
}

void rln__profile_gpu_metrics(struct rln__profile *p,
                              const struct rln__variables *variables)
{
    int result;

    if (!p->metered_gpus)
        return;
    result =
        rln__gpu_sampler_begin(&p->gpu_sampler, &(struct rln__gpu_sampler_request){
                                                    .path = rln__gpu_metrics_path(),
                                                    .gpus = p->metered_gpus,
                                                    .trace = p->trace.full_path,
                                                    .variables = variables,
                                                });
    if (result < 0)
        note_none(p, strerror(-result));
}

void rln__profile_gpu_metrics_end(struct rln__profile *p)
{
    char why[256];
    char *end;

    rln__gpu_sampler_end(&p->gpu_sampler, why, sizeof(why));
    for (char *line = why; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        note_none(p, line);
    }
}
