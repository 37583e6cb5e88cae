/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/gpus.h"
#include "base/alloc.h"
#include "trace/open/load.h"

static uint64_t key_of(uint32_t process, uint32_t device)
{
    return (uint64_t)process << 32 | device;
}

int rln__gpus_add(struct rln__gpus *gpus, const struct rln__gpu_info *gpu)
{
    struct rln__gpu_info *item;

    if (rln__gpus_find(gpus, gpu->process, gpu->device))
        return 0;
    if (rln__map_put(&gpus->numbers, key_of(gpu->process, gpu->device), gpus->n + 1))
        return -1;
    item = rln__append(&gpus->items, &gpus->n, &gpus->capacity, sizeof(*item));
    if (!item)
        return -1;
    *item = *gpu;
    return 0;
}

const struct rln__gpu_info *rln__gpus_find(const struct rln__gpus *gpus,
                                           uint32_t process, uint32_t device)
{
    const uint64_t found = rln__map_get(&gpus->numbers, key_of(process, device));

    return found && found <= gpus->n ? &gpus->items[found - 1] : NULL;
}

void rln__gpus_clear(struct rln__gpus *gpus)
{
    rln__free(gpus->items);
    rln__map_clear(&gpus->numbers);
    *gpus = (struct rln__gpus){0};
}

int rln__reader_has_gpu_work(const rln_reader *reader)
{
    for (size_t i = 0; i < reader->n_threads; i++) {
        if (reader->threads[i].is_stream)
            return 1;
    }
    return 0;
}
