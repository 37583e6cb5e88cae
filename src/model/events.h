/* SPDX-License-Identifier: Apache-2.0 */
/* events.h - what the iterations over events and ranges share. */
#ifndef RLN_MODEL_EVENTS_H
#define RLN_MODEL_EVENTS_H

#include "model/load.h"
#include "model/pair.h"
#include "rangeline/model.h"

/* Range ids of several parts are told apart by the part, above every possible offset.
 */
#define RLN__PART_SHIFT 48

static inline uint64_t rln__range_id(uint32_t part, uint64_t id)
{
    return id ^ ((uint64_t)part << RLN__PART_SHIFT);
}

/* The id of the range that a START at `offset` of the file begins. */
static inline uint64_t rln__start_id(const rln_reader *reader, uint32_t part,
                                     uint64_t offset)
{
    return rln__range_id(part, (offset - reader->layout.parts[part].offset) / 8);
}

void rln__fill_attributes(const rln_reader *reader, uint32_t attr, int has_value,
                          rln_attributes *out);

/* The iteration's own view of the last event: the range that it closed, and what is
 * still open. */
const struct rln__open *rln__events_closed(const rln_events *events);
struct rln__pairing *rln__events_pairing(rln_events *events);

#endif
