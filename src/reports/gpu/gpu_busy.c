/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/gpu/gpu_busy.h"
#include "base/alloc.h"
#include "base/busy_times.h"

uint32_t rln__gpu_busy_gpu(struct rln__gpu_busy *b, const struct rln__gpu_op *op)
{
    const struct rln__key key = {{op->process, op->device}};

    return rln__key_index_number(&b->gpus, &key);
}

int rln__gpu_busy_add(struct rln__gpu_busy *b, uint32_t group, uint32_t gpu,
                      int64_t start_ns, int64_t end_ns, uint64_t *ns)
{
    const struct rln__key key = {{group, gpu}};
    struct rln__gpu_until *until =
        rln__key_index_item(&b->until, &b->n, &b->capacity,
                            rln__key_index_number(&b->pairs, &key), sizeof(*until));

    if (!until)
        return -1;
    if (!until->is_known)
        *until = (struct rln__gpu_until){INT64_MIN, 1};
    *ns += rln__busy_more(&until->ns, start_ns, end_ns);
    return 0;
}

void rln__gpu_busy_clear(struct rln__gpu_busy *b)
{
    rln__free(b->until);
    rln__key_index_clear(&b->gpus);
    rln__key_index_clear(&b->pairs);
    *b = (struct rln__gpu_busy){.n = 0};
}
