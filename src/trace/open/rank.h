/* SPDX-License-Identifier: Apache-2.0 */
/* rank.h - which rank of a job a process is. */
#ifndef RLN_TRACE_OPEN_RANK_H
#define RLN_TRACE_OPEN_RANK_H

#include "trace/open/load.h"

/* What its environment said, else the rank of the process that forked it, else that of
 * the launcher that recorded it. RLN_NO_RANK if none of them said anything. */
uint32_t rln__rank_of(const rln_reader *reader, uint32_t process);

#endif
