/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_tables.h - imports Nsight's tables of GPU work, as batches of deferred events.
 *
 *   CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY, ...   a row
 *        |  format/gpu_schemas.h                 |
 *        v                                       v
 *   batch of a process, kind and stream   [element element ...] --full--> the trace
 *
 * Strings become handles of registered strings, and NULL becomes 0.
 */
#ifndef RLN_IMPORT_GPU_TABLES_H
#define RLN_IMPORT_GPU_TABLES_H

#include "import/id_map.h"

/* Imports all of them. A table that cannot be read is noted in `gpu_refusals`, a row
 * without times counts as damage. */
rln_status rln__gpu_tables(struct rln__import *import, rln_error *err);

#endif
