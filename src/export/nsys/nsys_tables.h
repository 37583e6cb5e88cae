/* SPDX-License-Identifier: Apache-2.0 */
/* nsys_tables.h - the tables of Nsight Systems' SQLite exports, as data.
 *
 * Names, order and types of columns are the contract with readers of such files: schema
 * 3.25.0 of release 2026.2. RANGELINE_COUNTER_FIELDS, _RANKS and _LOCATIONS are
 * our own.
 */
#ifndef RLN_EXPORT_NSYS_NSYS_TABLES_H
#define RLN_EXPORT_NSYS_NSYS_TABLES_H

#include "base/buf.h"
#include "rangeline/error.h"

enum rln__nsys_table {
    RLN__T_STRING_IDS,
    RLN__T_PROCESSES,
    RLN__T_THREAD_NAMES,
    RLN__T_NVTX_EVENTS,
    RLN__T_NVTX_PAYLOAD_SCHEMAS,
    RLN__T_NVTX_PAYLOAD_SCHEMA_ENTRIES,
    RLN__T_NVTX_PAYLOAD_ENUMS,
    RLN__T_NVTX_PAYLOAD_ENUM_ENTRIES,
    RLN__T_NVTX_SCOPES,
    RLN__T_GENERIC_EVENT_SOURCES,
    RLN__T_GENERIC_EVENT_TYPES,
    RLN__T_GENERIC_EVENT_TYPE_FIELDS,
    RLN__T_GENERIC_EVENTS,
    RLN__T_GENERIC_EVENT_DATA,
    RLN__T_COUNTER_FIELDS,
    RLN__T_RANKS,
    RLN__T_LOCATIONS,
    RLN__T_ANALYSIS_DETAILS,
    RLN__T_TARGET_INFO_SESSION_START_TIME,
    RLN__T_TARGET_INFO_SYSTEM_ENV,
    RLN__T_META_DATA_CAPTURE,
    RLN__T_META_DATA_EXPORT,
    RLN__T_DIAGNOSTIC_EVENT,
    RLN__T_KERNEL,
    RLN__T_RUNTIME,
    RLN__T_MEMCPY,
    RLN__T_MEMSET,
    RLN__T_SYNCHRONIZATION,
    RLN__T_CUDA_EVENT,
    RLN__T_OVERHEAD,
    RLN__T_GRAPH_TRACE,
    RLN__T_GRAPH_NODE,
    RLN__T_PROFILER_OVERHEAD,
    RLN__T_SCHED_EVENTS,
    RLN__T_TARGET_INFO_CUDA_STREAM,
    RLN__T_TARGET_INFO_GPU,
    RLN__T_TARGET_INFO_CUDA_DEVICE,
    RLN__T_ANALYSIS_FILE,
    RLN__T_PROCESS_STREAMS,
    RLN__N_TABLES,
};

struct rln__nsys_column {
    const char *name;
    const char *type; /* in SQL, with its constraints */
};

#define RLN__MOST_GPU_COLUMNS 40 /* of a table of GPU work: of that of kernels */

struct rln__nsys_schema {
    const char *name;
    const struct rln__nsys_column *columns;
    size_t n_columns;
    int is_always_there; /* else only if it has rows, or if all tables are requested */
};

extern const struct rln__nsys_schema rln__nsys_schemas[RLN__N_TABLES];

/* A table of names for numbers: id, name, label. */
struct rln__nsys_enum {
    const char *name;
    const struct rln__nsys_enum_row {
        int id;
        const char *name, *label;
    } * rows;
    size_t n_rows;
    enum rln__nsys_table only_with; /* this table; RLN__T_STRING_IDS: any */
};

extern const struct rln__nsys_enum rln__nsys_enums[];
extern const size_t rln__n_nsys_enums;

/* A value of a row. Zeroed, it is NULL. */
enum rln__cell_kind {
    RLN__CELL_NULL,
    RLN__CELL_INT,
    RLN__CELL_REAL,
    RLN__CELL_TEXT,
    RLN__CELL_BLOB,
};

struct rln__cell {
    enum rln__cell_kind kind;
    int64_t integer;
    double real;
    rln_text text; /* borrowed */
};

#endif
