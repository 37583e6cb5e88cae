/* SPDX-License-Identifier: Apache-2.0 */
/* process_names.h - reads the names of processes and threads, and ranks: PROCESSES,
 * RANGELINE_RANKS, ThreadNames. */
#ifndef RLN_IMPORT_PROCESS_NAMES_H
#define RLN_IMPORT_PROCESS_NAMES_H

#include "import/id_map.h"

/* Writes the names of threads and processes that exist already; from exports by
 * Rangeline, adds the others, too. Call these in order: threads before any event,
 * programs after all events, then ranks. */
rln_status rln__import_thread_names(struct rln__import *import, rln_error *err);
rln_status rln__import_programs(struct rln__import *import, rln_error *err);
rln_status rln__import_ranks(struct rln__import *import, rln_error *err);

#endif
