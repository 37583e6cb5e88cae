/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/losses.h"

#include "base/fail.h"
#include "base/hash.h"
#include "trace/open/load.h"
#include "trace/open/split_id.h"

/* --- What is missing -------------------------------------------------------------- */

static uint64_t count_unlisted(const struct rln__layout *layout)
{
    uint64_t n = 0;

    for (size_t i = 0; i < layout->n_parts; i++) {
        const uint64_t n_open = layout->parts[i].super.control.gate >> 32;

        n += n_open > RLN__MAX_WINDOWS ? n_open - RLN__MAX_WINDOWS : 0;
    }
    return n;
}

static void add_overwritten(struct rln__losses *to, const rln_reader *reader)
{
    for (size_t i = 0; i < reader->names.n_processes; i++) {
        const struct rln__trace_process *p = &reader->names.processes[i];
        int64_t ns;

        if (!p->record.n_overwritten)
            continue;
        ns = rln__clock_fit_ns(&reader->clock_fits[p->part], p->record.whole_since);
        to->complete_since_ns = ns > to->complete_since_ns ? ns : to->complete_since_ns;
        to->n_overwritten += p->record.n_overwritten;
    }
}

const struct rln__losses *rln__reader_get_losses(rln_reader *reader)
{
    const struct rln__damages *damages = &reader->damages;
    struct rln__losses *losses = &reader->losses;

    *losses = (struct rln__losses){
        .n_dropped = rln__reader_dropped(reader),
        .complete_since_ns = INT64_MIN,
        .n_unlisted = count_unlisted(&reader->layout),
        .n_damages = damages->n_found,
        .n_graph_launches = reader->n_graph_launches,
        .n_gpu_lost = reader->n_gpu_lost,
        .gpu_loss = rln__strings_get(&reader->names.strings, reader->gpu_loss),
        .gpu_refusal = rln__strings_get(&reader->names.strings, reader->gpu_refusal),
        .n_gpu_without_calls = reader->n_gpu_without_calls,
    };
    if (damages->n_found)
        losses->damage = (struct rln__damage_info){
            damages->items[0].path, damages->items[0].offset, damages->items[0].reason};
    add_overwritten(losses, reader);
    return losses;
}

/* --- What counts twice ------------------------------------------------------------ */

/* Finds a file of `profile --split` next to the trace that it was made of. */
static rln_status find_window(const struct rln__layout *layout,
                              const struct rln__map *parts, struct rln__duplicate *out)
{
    for (size_t i = 0; i < layout->n_parts; i++) {
        const struct rln__part *whole = &layout->parts[i];
        const uint64_t n = whole->super.control.gate >> 32;

        for (uint32_t k = 0; k < n && k < RLN__MAX_WINDOWS; k++) {
            const uint64_t found =
                rln__map_get(parts, rln__split_id(whole->super.trace_id, k));

            if (!found)
                continue;
            *out = (struct rln__duplicate){layout->parts[found - 1].file->path,
                                           whole->file->path, "a window of"};
            return RLN_OK;
        }
    }
    return RLN_END;
}

rln_status rln__reader_find_duplicate(rln_reader *reader,
                                      const struct rln__duplicate **out, rln_error *err)
{
    const struct rln__part *parts = reader->layout.parts;
    struct rln__map seen = {0}; /* trace -> part + 1 */
    rln_status status = RLN_END;

    for (size_t i = 0; i < reader->layout.n_parts && status == RLN_END; i++) {
        const uint64_t duplicate = rln__map_get(&seen, parts[i].super.trace_id);

        if (duplicate) {
            reader->duplicate = (struct rln__duplicate){parts[i].file->path,
                                                        parts[duplicate - 1].file->path,
                                                        "the same trace as"};
            status = RLN_OK;
        } else if (rln__map_put(&seen, parts[i].super.trace_id, i + 1)) {
            status = rln__fail_nomem(err);
        }
    }
    if (status == RLN_END)
        status = find_window(&reader->layout, &seen, &reader->duplicate);
    rln__map_clear(&seen);
    *out = status ? NULL : &reader->duplicate;
    return status;
}
