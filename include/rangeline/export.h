/* SPDX-License-Identifier: Apache-2.0 */
/* export.h - writes traces in the formats of other tools. docs/guide/EXPORT.md
 * describes what each format keeps.
 *
 *     const rln_export_options options = {
 *         .size = sizeof(options), .format = "perfetto", .path = "run.pftrace"};
 *     rln_export *output;
 *
 *     if (rln_export_open(reader, &options, &output, &error) == RLN_OK) {
 *         status = rln_export_run(output, &error);
 *         rln_export_close(output);
 *     }
 */
#ifndef RANGELINE_EXPORT_H
#define RANGELINE_EXPORT_H

#include "filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A format. Library-owned; grows at its end. */
typedef struct rln_format {
    const char *name;      /**< "perfetto" */
    const char *extension; /**< Of its files, with the dot: ".pftrace". */
    const char *help; /**< One line: "Perfetto's own format, for ui.perfetto.dev" */
    /** Library that the format needs and that this build lacks; or NULL. */
    const char *missing_library;
    /** Written from beginning to end, and so to standard output, to a pipe, or
     * compressed into NAME.gz or NAME.zst. */
    uint8_t is_stream;
    uint8_t is_folder; /**< It is a folder of files. */
    uint8_t is_binary; /**< Not text; refused on a terminal. */
    uint8_t has_rows;  /**< A row is a whole range; rln_export_options.times applies. */
} rln_format;

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
    const char *format; /**< rln_format.name */
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

/** A file that is being written. */
typedef struct rln_export rln_export;

/**
 * Gives a format by its index.
 *
 * Ownership: static.
 * Threads:   any.
 * Errors:    NULL if `index` is not below the number of formats.
 * Since:     0.1
 */
RLN_API const rln_format *rln_format_at(size_t index);

/**
 * Finds a format by its name.
 *
 * Ownership: static.
 * Threads:   any.
 * Errors:    NULL if there is none.
 * Since:     0.1
 */
RLN_API const rln_format *rln_format_find(const char *name);

/**
 * Finds a format by the extension of a path; `.gz` and `.zst` after it are ignored.
 *
 * Ownership: static.
 * Threads:   any.
 * Errors:    NULL if there is none.
 * Since:     0.1
 */
RLN_API const rln_format *rln_format_of_path(const char *path);

/**
 * Opens an export of the events that match the reader's filter and window.
 *
 * The output is written to rln_export_temporary_path() and renamed once it is complete.
 * A device or a pipe is written to directly.
 *
 * Ownership: the caller owns `*out` and closes it with rln_export_close(), before the
 *            reader. `options` is not kept, except `context`. On failure `*out` is NULL
 *            and there is no file.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT for options that are invalid or that this build does not
 *            support; RLN_ERR_IO, also if the file exists and RLN_EXPORT_REPLACE is not
 *            set; RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_export_open(rln_reader *reader,
                                                 const rln_export_options *options,
                                                 rln_export **out, rln_error *err);

/**
 * Gives the path of the file until it is complete, for signal handlers that remove an
 * incomplete file.
 *
 * Ownership: borrowed until rln_export_close().
 * Threads:   any, while no thread closes it.
 * Errors:    NULL if there is no temporary file: standard output, a device, a pipe.
 * Since:     0.1
 */
RLN_API const char *rln_export_temporary_path(const rln_export *output);

/**
 * Reads the traces, writes the file, and gives it its name. Call it once.
 *
 * Ownership: none.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_IO, RLN_ERR_NOMEM; RLN_ERR_ARGUMENT if it was called before. An
 *            existing file at the path is then unchanged.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_export_run(rln_export *output, rln_error *err);

/**
 * Counts the ranges, marks and samples that were written.
 *
 * Ownership: none.
 * Threads:   any, while no thread runs or closes it.
 * Errors:    none; 0 before rln_export_run().
 * Since:     0.1
 */
RLN_API uint64_t rln_export_count(const rln_export *output);

/**
 * Frees an export and removes an incomplete file; NULL is accepted.
 *
 * Ownership: takes `output`.
 * Threads:   one.
 * Errors:    none.
 * Since:     0.1
 */
RLN_API void rln_export_close(rln_export *output);

#ifdef __cplusplus
}
#endif

#endif
