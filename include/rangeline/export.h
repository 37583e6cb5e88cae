/* SPDX-License-Identifier: Apache-2.0 */
/* export.h - writes traces in the formats of other tools. docs/guide/EXPORT.md
 * describes what each format keeps.
 *
 *     const rln_export_options options = {
 *         .size = sizeof(options), .format = "perfetto", .path = "run.pftrace"};
 *
 *     if (rln_export_trace(reader, &options, &error) != RLN_OK)
 *             ...
 */
#ifndef RANGELINE_EXPORT_H
#define RANGELINE_EXPORT_H

#include "filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Flags of an export; a format ignores those that do not apply to it. Values are never
 * renumbered. */
enum {
    RLN_EXPORT_REPLACE = 1,          /**< Replace an existing file. */
    RLN_EXPORT_JSON = 2,             /**< Payloads as JSON (sqlite, jsonl, arrow). */
    RLN_EXPORT_BLOBS = 4,            /**< Payloads as bytes (sqlite, jsonl, arrow). */
    RLN_EXPORT_EMPTY_TABLES = 8,     /**< Tables without rows (sqlite, jsonl, arrow). */
    RLN_EXPORT_INDEXES = 16,         /**< Indexes of the tables (sqlite). */
    RLN_EXPORT_PLACEHOLDER_GPU = 32, /**< One kernel of duration 0 per process, for
                                          scripts that find processes by their kernels
                                          (sqlite, jsonl, arrow). */
    RLN_EXPORT_SCHEMA_3_28 = 64,     /**< Nsight's schema 3.28.1 instead of 3.25.0. */
    RLN_EXPORT_BY_CATEGORY = 128,    /**< One track per category instead of per thread
                                          (perfetto, chrome). */
    RLN_EXPORT_COUNT_CALLS = 256 /**< Stacks weigh calls, not nanoseconds (folded). */
};

/** Options of an export. Zeroed except `size`, `format` and `path`: the defaults of
 * `rangeline export`. */
typedef struct rln_export_options {
    size_t size;        /**< sizeof this struct, for later versions. */
    const char *format; /**< "perfetto", as in `rangeline export --type`. */
    const char *path;   /**< Of the new file; "-" is standard output. */
    uint32_t flags;     /**< RLN_EXPORT_... */
    /** NULL, or basic regular expressions separated by commas: only tables with a name
     * that matches one of them, in any case (sqlite, jsonl, arrow). */
    const char *tables;
    /** NULL, or "[:][START]/[END][:][,...]": only rows inside one of these intervals;
     * with a colon, also rows that extend beyond that end. Only for formats with rows.
     */
    const char *times;
    /** Periodic callback with the fraction done (0 to 1) and the number of events read;
     * or NULL. */
    void (*progress)(void *context, double share, uint64_t n_events);
    void *context;
} rln_export_options;

/**
 * Writes the events that match the reader's filter and window.
 *
 * The file appears once it is complete: until then it has another name. A device or a
 * pipe is written to directly.
 *
 * Ownership: `options` is not kept.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT for options that are invalid or that this build does not
 *            support; RLN_ERR_IO, also if the file exists and RLN_EXPORT_REPLACE is not
 *            set; RLN_ERR_NOMEM. An existing file at the path is then unchanged.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_export_trace(rln_reader *reader,
                                                  const rln_export_options *options,
                                                  rln_error *err);

#ifdef __cplusplus
}
#endif

#endif
