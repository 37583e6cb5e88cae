/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_segments.h"

#include "base/alloc.h"

#define MOST_SEEDS 256u /* of a segment; older ones are left out */

static int take_seeds(struct rln__lod *lod, struct rln__lod_segment *segment)
{
    const struct rln__pairing *p = &lod->engine.pairing;
    const uint32_t newest = rln__pair_innermost(p, segment->thread);
    uint32_t n = 0;

    for (uint32_t i = newest; i != RLN__NONE && n < MOST_SEEDS; i = p->pool[i].older)
        n++;
    segment->open = n ? rln__alloc(n, sizeof(*segment->open)) : NULL;
    if (n && !segment->open)
        return -1;
    segment->n_open = n;
    for (uint32_t i = newest; n > 0; i = p->pool[i].older) {
        const struct rln__open *o = &p->pool[i];
        const struct rln__lod_begun *b = &lod->begun[i];

        segment->open[--n] = (struct rln__lod_seed){
            .t_ns = o->t_ns,
            .address = b->event.address,
            .attr = o->attr,
            .domain_id = lod->reader->names.attrs[o->attr].domain_id,
            .level = b->level,
            .value_type = b->value_type,
            .has_payloads = b->has_payloads,
            .state = o->state,
            .held = o->value};
    }
    return 0;
}

int rln__lod_begin_segment(struct rln__lod *lod, struct rln__lod_thread *t,
                           const struct rln__item *item, int64_t t_ns, uint32_t part)
{
    const struct rln__chunk_info *chunk =
        t->lane == RLN__NONE
            ? rln__layout_chunk_at(&lod->reader->layout, part, item->offset)
            : NULL;
    struct rln__lod_segment *segment;

    if (t->segment)
        lod->segments[t->segment - 1].to_ns = t_ns;
    t->segment = 0;
    t->chunk_bytes = 0;
    if (!chunk)
        return 0;
    segment = rln__append(&lod->segments, &lod->n_segments, &lod->segments_capacity,
                          sizeof(*segment));
    if (!segment)
        return -1;
    *segment = (struct rln__lod_segment){
        .chunk = *chunk, .thread = item->thread, .from_ns = t_ns, .to_ns = INT64_MAX};
    t->segment = (uint32_t)lod->n_segments;
    t->part = part;
    t->chunk_offset = chunk->offset;
    t->chunk_bytes = chunk->end - chunk->offset;
    return take_seeds(lod, segment);
}
