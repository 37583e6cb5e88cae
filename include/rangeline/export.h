/* SPDX-License-Identifier: Apache-2.0 */
/* export.h - writes traces in the formats of other tools. docs/EXPORT.md says what each
 * format keeps.
 *
 *     const rln_export_options wish = {
 *         .size = sizeof(wish), .format = "perfetto", .path = "run.pftrace"};
 *     rln_export *output;
 *
 *     if (rln_export_open(reader, &wish, &output, &error) == RLN_OK) {
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
    const char *missing_library; /**< The library that this build was made without and
                            that the format needs; or NULL. */
    uint8_t is_stream; /**< It is written from its beginning to its end: to standard
                            output, a pipe, or compressed into NAME.gz or NAME.zst. */
    uint8_t is_folder; /**< It is a folder of files. */
    uint8_t is_binary; /**< Nobody wants to see it on a terminal. */
    uint8_t has_rows;  /**< Its rows are whole ranges, so that rln_export_options.times
                          can  choose among them. */
} rln_format;

/** What else is wanted; a format ignores what has no meaning for it. Values are never
 * renumbered. */
enum {
    RLN_EXPORT_REPLACE = 1,          /**< A file of that name is replaced. */
    RLN_EXPORT_JSON = 2,             /**< Payloads as JSON (sqlite, jsonl). */
    RLN_EXPORT_BLOBS = 4,            /**< Payloads as bytes (sqlite, jsonl). */
    RLN_EXPORT_EMPTY_TABLES = 8,     /**< Tables without rows, too (sqlite, jsonl). */
    RLN_EXPORT_INDEXES = 16,         /**< Indexes of the tables (sqlite). */
    RLN_EXPORT_PLACEHOLDER_GPU = 32, /**< A kernel of no length for each process, by
                                          which scripts find it (sqlite, jsonl). */
    RLN_EXPORT_SCHEMA_3_28 = 64,     /**< Nsight's schema 3.28.1, and not 3.25.0. */
    RLN_EXPORT_BY_CATEGORY = 128,    /**< A track is a category, not a thread (perfetto,
                                          chrome). */
    RLN_EXPORT_COUNT_CALLS = 256 /**< Stacks weigh calls, not nanoseconds (folded). */
};

/** An export that is asked for. Zeroed but for `size`, `format` and `path`, it has the
 * defaults of `rangeline export`. */
typedef struct rln_export_options {
    size_t size;        /**< sizeof this, for later versions of it. */
    const char *format; /**< rln_format.name */
    const char *path;   /**< Of the file to be; "-" is standard output. */
    uint32_t flags;     /**< RLN_EXPORT_... */
    const char *tables; /**< NULL, or basic regular expressions with commas between:
                           only tables whose name one of them matches, in upper or lower
                             case (sqlite, jsonl). */
    const char *times; /**< NULL, or "[:][START]/[END][:][,...]": only what lies between
                            such times; with a colon, also what reaches beyond that end.
                            Only of a format with rows. */
    /** NULL, or called now and then with a share of 0 to 1 and the number of events
     * that were read. */
    void (*progress)(void *context, double share, uint64_t n_events);
    void *context;
} rln_export_options;

/** A file that is being written. */
typedef struct rln_export rln_export;

/**
 * Gives a format by its place in the list.
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
 * Finds the format whose extension a path has, in front of `.gz` and `.zst`.
 *
 * Ownership: static.
 * Threads:   any.
 * Errors:    NULL if there is none.
 * Since:     0.1
 */
RLN_API const rln_format *rln_format_of_path(const char *path);

/**
 * Opens a file for what the reader's filter and window let through.
 *
 * It is written beside its name, as rln_export_temporary_path(), and has its name only
 * when it is complete. A device or a pipe is written to as it is.
 *
 * Ownership: the caller owns `*out` and closes it with rln_export_close(), before the
 *            reader. `wish` is not kept, but for `context`. On failure `*out` is NULL
 *            and there is no file.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_ARGUMENT for a wish that makes no sense or that this build cannot
 *            fulfil; RLN_ERR_IO, also if the file exists and is not to be replaced;
 *            RLN_ERR_NOMEM.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_export_open(rln_reader *reader,
                                                 const rln_export_options *wish,
                                                 rln_export **out, rln_error *err);

/**
 * Gives the path that the file has until it is complete, for those who must remove it
 * if the program is about to be ended.
 *
 * Ownership: borrowed until rln_export_close().
 * Threads:   any, while nobody closes it.
 * Errors:    NULL if it has no other name: standard output, a device, a pipe.
 * Since:     0.1
 */
RLN_API const char *rln_export_temporary_path(const rln_export *output);

/**
 * Reads the traces, writes the file, and gives it its name. To be called once.
 *
 * Ownership: none.
 * Threads:   as rln_reader_open().
 * Errors:    RLN_ERR_IO, RLN_ERR_NOMEM; RLN_ERR_ARGUMENT if it was called before. There
 *            is no file then but the one that was there.
 * Since:     0.1
 */
RLN_API RLN_NODISCARD rln_status rln_export_run(rln_export *output, rln_error *err);

/**
 * Counts the ranges, marks and samples that were written.
 *
 * Ownership: none.
 * Threads:   any, while nobody runs or closes it.
 * Errors:    none; 0 before rln_export_run().
 * Since:     0.1
 */
RLN_API uint64_t rln_export_count(const rln_export *output);

/**
 * Frees it, and removes what is not complete; NULL is accepted.
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
