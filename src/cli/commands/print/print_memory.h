/* SPDX-License-Identifier: Apache-2.0 */
/* print_memory.h - memory calls, as JSON and as text. */
#ifndef RLN_CLI_COMMANDS_PRINT_MEMORY_H
#define RLN_CLI_COMMANDS_PRINT_MEMORY_H

#include "base/buf.h"
#include "rangeline/values.h"

/* Appends ',"operation":"heap_register",...'. */
void rln__json_memory(struct rln__buf *buf, const rln_memory_call *call);

/* Appends "heap_register  heap=1 ...". */
void rln__text_memory(struct rln__buf *buf, const rln_memory_call *call);

#endif
