/* SPDX-License-Identifier: Apache-2.0 */
/* chunk.h - the cold side of a thread's chunk: what record.h does not do in line. */
#ifndef RLN_COLLECT_CHUNK_H
#define RLN_COLLECT_CHUNK_H

#include "collect/record.h"

/* Room for a long record of `n_words` in the calling thread's chunk, or a new chunk:
 * a hole of that length, until the caller stores the first word. `at` is NULL if there
 * is none; the event is then counted as dropped. */
struct rln__taken rln__take_long(size_t n_words);

/* Counts an event that was lost for want of memory. */
void rln__count_dropped(void);

#endif
