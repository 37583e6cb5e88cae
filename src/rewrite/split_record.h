/* SPDX-License-Identifier: Apache-2.0 */
/* split_record.h - the parts of a record that matter for splitting a trace by
 * windows. */
#ifndef RLN_REWRITE_SPLIT_RECORD_H
#define RLN_REWRITE_SPLIT_RECORD_H

#include "format/chunk_reader.h"

/* A record's role in the plan. */
enum rln__split_kind {
    RLN__SPLIT_MARK, /* of one time */
    RLN__SPLIT_PUSH,
    RLN__SPLIT_POP,
    RLN__SPLIT_START,
    RLN__SPLIT_END,
    RLN__SPLIT_RESUMED,
    RLN__SPLIT_THREAD, /* describes a whole thread */
    RLN__SPLIT_STATE,  /* applies to everything after it: memory */
};

enum rln__split_kind rln__split_kind_of(const struct rln__record *record);

/* Its time, in a chunk with that base. */
uint64_t rln__split_ticks_of(const struct rln__record *record, uint64_t base_ticks);

/* The id of the range that an end ends. */
uint64_t rln__split_ended_by(const struct rln__record *record);

#endif
