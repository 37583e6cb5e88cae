/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_gpus.h"

#include "base/alloc.h"
#include "timeline/lod_facts.h"

/* "GPU 0" of the name of a stream, "GPU 0/context 1/stream 7". */
static rln_text gpu_name(rln_text stream)
{
    size_t n = 0;

    while (n < stream.length && stream.bytes[n] != '/')
        n++;
    stream.length = n;
    return stream;
}

/* RLN__NONE: no memory. */
static uint32_t number_of(struct rln__lod_gpus *gpus,
                          const struct rln__lod_thread_facts *stream)
{
    const rln_text name = gpu_name(stream->name);
    struct rln__lod_gpu *gpu;

    for (size_t i = 0; i < gpus->n; i++) {
        if (gpus->items[i].process == stream->process &&
            rln__compare_text(gpus->items[i].name, name) == 0)
            return (uint32_t)i;
    }
    gpu = rln__append(&gpus->items, &gpus->n, &gpus->capacity, sizeof(*gpu));
    if (!gpu)
        return RLN__NONE;
    *gpu = (struct rln__lod_gpu){name, stream->process};
    return (uint32_t)(gpus->n - 1);
}

int rln__lod_find_gpus(struct rln__lod *lod, struct rln__lod_gpus *out)
{
    *out = (struct rln__lod_gpus){.n = 0};
    out->of_row = rln__alloc(lod->n_rows, sizeof(*out->of_row));
    if (!out->of_row)
        return -1;
    for (size_t i = 0; i < lod->n_rows; i++) {
        const struct rln__lod_row *row = &lod->rows[i];

        out->of_row[i] = RLN__NONE;
        if (row->is_stream && row->thread != RLN__NONE) {
            const struct rln__lod_thread_facts stream =
                rln__lod_thread_facts(lod, row->thread);

            out->of_row[i] = number_of(out, &stream);
            if (out->of_row[i] == RLN__NONE)
                return -1;
        }
    }
    return 0;
}

void rln__lod_gpus_clear(struct rln__lod_gpus *gpus)
{
    rln__free(gpus->items);
    rln__free(gpus->of_row);
    *gpus = (struct rln__lod_gpus){.n = 0};
}
