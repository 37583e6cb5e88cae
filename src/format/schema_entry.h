/* SPDX-License-Identifier: Apache-2.0 */
/* schema_entry.h - what a schema's entry means, to the collector and to readers alike. */
#ifndef RLN_FORMAT_SCHEMA_ENTRY_H
#define RLN_FORMAT_SCHEMA_ENTRY_H

#include "format/layout.h"
#include "format/nvtx_payload.h"

/* How an entry leads to its data: RLN__ENTRY_INDIRECT's flags, 0 if the data is in line.
 * A text without an array's flags or a length is a pointer to a terminated one. */
static inline uint64_t rln__entry_indirect(const struct rln__schema_entry *entry)
{
    const uint64_t indirect = entry->flags & RLN__ENTRY_INDIRECT;
    const int is_pointer = rln__type_is_string(entry->type) && !entry->detail &&
                           RLN__ENTRY_ARRAY(entry->flags) <= RLN__ARRAY_FIXED;

    return indirect || !is_pointer ? indirect : RLN__ENTRY_POINTER;
}

#endif
