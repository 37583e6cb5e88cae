/* SPDX-License-Identifier: Apache-2.0 */
#include "model/given_twice.h"

#include "base/fail.h"
#include "base/hash.h"
#include "model/load.h"
#include "model/split_id.h"

/* Files of `profile --split` beside the trace that they were made of. */
static rln_status find_window(const struct rln__layout *layout,
                              const struct rln__map *parts,
                              struct rln__given_twice *out)
{
    for (size_t i = 0; i < layout->n_parts; i++) {
        const struct rln__part *whole = &layout->parts[i];
        const uint64_t n = whole->super.control.gate >> 32;

        for (uint32_t k = 0; k < n && k < RLN__MAX_WINDOWS; k++) {
            const uint64_t found =
                rln__map_get(parts, rln__split_id(whole->super.trace_id, k));

            if (!found)
                continue;
            *out = (struct rln__given_twice){layout->parts[found - 1].file->path,
                                             whole->file->path, "a window of"};
            return RLN_OK;
        }
    }
    return RLN_END;
}

rln_status rln__find_given_twice(const rln_reader *reader, struct rln__given_twice *out,
                                 rln_error *err)
{
    const struct rln__part *parts = reader->layout.parts;
    struct rln__map seen = {0}; /* trace -> part + 1 */
    rln_status status = RLN_END;

    for (size_t i = 0; i < reader->layout.n_parts && status == RLN_END; i++) {
        const uint64_t twin = rln__map_get(&seen, parts[i].super.trace_id);

        if (twin) {
            *out = (struct rln__given_twice){
                parts[i].file->path, parts[twin - 1].file->path, "the same trace as"};
            status = RLN_OK;
        } else if (rln__map_put(&seen, parts[i].super.trace_id, i + 1)) {
            status = rln__fail_nomem(err);
        }
    }
    if (status == RLN_END)
        status = find_window(&reader->layout, &seen, out);
    rln__map_clear(&seen);
    return status;
}
