/* SPDX-License-Identifier: Apache-2.0 */
/* reduced.h - sums up traces where they lie, and merges the sums: for jobs whose traces
 * are too many, or too far away, to be read together.
 *
 *     traces of node 0 --add--> sums --write--> p0.rlsum --+
 *                                                          +--merge--> sums --> reports
 *     traces of node 1 --add--> sums --write--> p1.rlsum --+
 *
 *     rln_reduced *sums;
 *
 *     if (rln_reduced_new(NULL, &sums, &error) == RLN_OK)
 *         for (size_t i = 0; i < n_paths; i++)
 *             if (rln_reduced_add_trace(sums, paths[i], &error))
 *                 ...
 *
 * The same traces give the same bytes, in whatever order, parts and steps they are
 * added and merged. docs/reference/REDUCED.md describes the file.
 */
#ifndef RANGELINE_REDUCED_H
#define RANGELINE_REDUCED_H

#include "rangeline/filter.h"
#include "rangeline/report.h"
#include "reports/summary/stats.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sums over traces: ranges by rank and path, GPU work by rank and GPU, and calls of
 * NCCL by rank, name and size. */
typedef struct rln_reduced rln_reduced;

/** A trace in the sums. Library-owned; grows at its end. */
typedef struct rln_reduced_trace {
    rln_text name; /**< Of its file, without folders. */
    rln_text host; /**< Where its first part was recorded. */
    uint64_t id;   /**< Of its first part. */
    size_t n_parts;
    int64_t start_realtime_ns;
    uint8_t is_finished; /**< As rln_reader_is_finished(). */
    uint64_t n_events;   /**< As rln_stats_totals. */
    uint64_t n_dropped;  /**< This and the next two as rln_losses. */
    uint64_t n_overwritten;
    uint64_t n_damages;        /**< Unreadable places: the sums lack what was there. */
    uint64_t damage_offset;    /**< Of the first one, in its file. */
    rln_text damage;           /**< Why it is unreadable, if there is one. */
    uint64_t n_gpu_lost;       /**< As rln_losses: the sums lack this GPU work. */
    size_t n_ranks;            /**< Of a job, in all parts. */
    uint32_t first_rank;       /**< The lowest of them, if there is one. */
    int64_t first_realtime_ns; /**< Of its first event; 0 without events. */
    int64_t last_realtime_ns;  /**< And of its last one. */
} rln_reduced_trace;

/** A file that could not be read. Library-owned; grows at its end. */
typedef struct rln_reduced_unreadable {
    rln_text name; /**< Without folders. */
    rln_text reason;
} rln_reduced_unreadable;

/** How traces are read. Zeroed: all ranges, by their names. */
typedef struct rln_reduced_options {
    size_t size; /**< sizeof(rln_reduced_options) */
    const rln_filter *filter;
    const char *const *rules; /**< As in rln_reader_rename(). */
    size_t n_rules;
    /** Keeps each range of this name, as "NAME" or "DOMAIN:NAME", for the report
     * `straggler`; or NULL. */
    const char *steps;
} rln_reduced_options;

/**
 * Makes empty sums, for traces that are read with these options, or to merge others
 * into. NULL is the same as zeroed options.
 *
 * Ownership: the caller owns `*out` and frees it with rln_reduced_free(); the filter is
 *            borrowed until then, the rest is copied. On failure `*out` is NULL.
 * Threads:   one thread at a time per object.
 * Errors:    RLN_ERR_NOMEM; RLN_ERR_ARGUMENT: an invalid rule, or too small a size.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_reduced_new(const rln_reduced_options *options,
                                                 rln_reduced **out, rln_error *err);

/**
 * Adds a trace, which is open only meanwhile.
 *
 * A file that is unreadable adds nothing but its name and the reason: see
 * rln_reduced_unreadable_at(). Damage inside a trace is no failure.
 *
 * Ownership: `path` is not kept.
 * Threads:   as rln_reduced_new().
 * Errors:    RLN_ERR_IO, RLN_ERR_FORMAT, RLN_ERR_VERSION: the file is unreadable, and
 *            listed. RLN_ERR_ARGUMENT: the trace is there already; the message names
 *            both files. RLN_ERR_NOMEM, or sums of 2^64 ns: only free `reduced` then.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_reduced_add_trace(rln_reduced *reduced,
                                                       const char *path,
                                                       rln_error *err);

/**
 * Adds all of `from`, which was made with the same options.
 *
 * Ownership: `from` stays as it is.
 * Threads:   as rln_reduced_new().
 * Errors:    RLN_ERR_ARGUMENT: options differ, or a trace is in both; nothing
 *            changes, and the message names both. RLN_ERR_NOMEM, or RLN_ERR_ARGUMENT
 *            for sums of 2^64 ns: only free `into` then.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_reduced_merge(rln_reduced *into,
                                                   const rln_reduced *from,
                                                   rln_error *err);

/**
 * Gives the bytes of the file.
 *
 * Ownership: `*bytes` is borrowed until `reduced` changes or is freed.
 * Threads:   as rln_reduced_new().
 * Errors:    RLN_ERR_NOMEM; `*bytes` is NULL then.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_reduced_bytes(rln_reduced *reduced,
                                                   const void **bytes, size_t *n_bytes,
                                                   rln_error *err);

/**
 * Reads the bytes of a file. `name` is what messages call it.
 *
 * Ownership: as rln_reduced_new(); `bytes` and `name` are not kept.
 * Threads:   as rln_reduced_new().
 * Errors:    RLN_ERR_FORMAT: damaged, or no such file; RLN_ERR_VERSION: it needs a
 *            newer reader; RLN_ERR_NOMEM.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_reduced_read(const void *bytes, size_t n_bytes,
                                                  const char *name, rln_reduced **out,
                                                  rln_error *err);

/**
 * Reads a file.
 *
 * Ownership: as rln_reduced_new(); `path` is not kept.
 * Threads:   as rln_reduced_new().
 * Errors:    as rln_reduced_read(), and RLN_ERR_IO.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_reduced_open(const char *path, rln_reduced **out,
                                                  rln_error *err);

/**
 * Tells by its first bytes whether a file contains reduced traces, of any version.
 *
 * Ownership: nothing is kept.
 * Threads:   any.
 * Errors:    none: 0 if it cannot be read.
 * Since:     0.2
 */
RLN_API int rln_reduced_is(const char *path);

/**
 * Frees sums; NULL is accepted.
 *
 * Ownership: takes `reduced`; what was borrowed from it ends here.
 * Threads:   one.
 * Errors:    none.
 * Since:     0.2
 */
RLN_API void rln_reduced_free(rln_reduced *reduced);

/**
 * Gives the filter as options of the command: "--name step"; empty without a filter.
 *
 * Ownership: borrowed until rln_reduced_free().
 * Threads:   as rln_reduced_new().
 * Errors:    none.
 * Since:     0.2
 */
RLN_API const char *rln_reduced_filters(const rln_reduced *reduced);

/**
 * Gives the rules for names as options of the command: "--fold-numbers"; empty without
 * rules.
 *
 * Ownership: borrowed until rln_reduced_free().
 * Threads:   as rln_reduced_new().
 * Errors:    none.
 * Since:     0.2
 */
RLN_API const char *rln_reduced_renames(const rln_reduced *reduced);

/**
 * Counts the traces.
 *
 * Ownership: none.
 * Threads:   as rln_reduced_new().
 * Errors:    none.
 * Since:     0.2
 */
RLN_API size_t rln_reduced_count_traces(const rln_reduced *reduced);

/**
 * Gives a trace, the one added last at the end; by name once the bytes were made or
 * read, else in no order.
 *
 * Ownership: borrowed until the next call, its text until rln_reduced_free().
 * Threads:   as rln_reduced_new().
 * Errors:    NULL if there is none.
 * Since:     0.2
 */
RLN_API const rln_reduced_trace *rln_reduced_trace_at(rln_reduced *reduced,
                                                      size_t index);

/**
 * Gives an unreadable file.
 *
 * Ownership: as rln_reduced_trace_at().
 * Threads:   as rln_reduced_new().
 * Errors:    NULL if there is none.
 * Since:     0.2
 */
RLN_API const rln_reduced_unreadable *rln_reduced_unreadable_at(rln_reduced *reduced,
                                                                size_t index);

/**
 * Finds a file of `profile --split` next to the trace that it is a window of: its
 * ranges count twice.
 *
 * Ownership: the names are borrowed until rln_reduced_free().
 * Threads:   as rln_reduced_new().
 * Errors:    none: 0 if there is none; the names are unchanged then.
 * Since:     0.2
 */
RLN_API int rln_reduced_find_window(const rln_reduced *reduced, rln_text *window,
                                    rln_text *of);

/**
 * Counts the ranks of a job, as rln_reader_count_ranks().
 *
 * Ownership: none.
 * Threads:   as rln_reduced_new().
 * Errors:    none.
 * Since:     0.2
 */
RLN_API size_t rln_reduced_count_ranks(const rln_reduced *reduced);

/**
 * Counts the names of ranges whose medians are within 0.4 %, because they ran more than
 * 4,096 times in all. Other medians are exact.
 *
 * Ownership: none.
 * Threads:   as rln_reduced_new().
 * Errors:    none. Without memory 0.
 * Since:     0.2
 */
RLN_API size_t rln_reduced_count_rough(const rln_reduced *reduced);

/**
 * Gives the name of the range of which each is kept; empty without one.
 *
 * Ownership: borrowed until rln_reduced_free().
 * Threads:   as rln_reduced_new().
 * Errors:    none.
 * Since:     0.2
 */
RLN_API const char *rln_reduced_steps(const rln_reduced *reduced);

/**
 * Counts the ranges of that name.
 *
 * Ownership: none.
 * Threads:   as rln_reduced_new().
 * Errors:    none.
 * Since:     0.2
 */
RLN_API size_t rln_reduced_count_steps(const rln_reduced *reduced);

/**
 * Tells whether the traces had GPU work, of which gpu_util is.
 *
 * Ownership: none.
 * Threads:   as rln_reduced_new().
 * Errors:    none.
 * Since:     0.2
 */
RLN_API int rln_reduced_has_gpu_work(const rln_reduced *reduced);

/**
 * Tells whether a report, with this argument or NULL, can be made of these sums:
 * nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum, tree, rank_sum, gpu_util and nccl_sum,
 * without an argument, and straggler of the steps. Others need the traces themselves.
 *
 * Ownership: nothing is kept.
 * Threads:   as rln_reduced_new().
 * Errors:    none.
 * Since:     0.2
 */
RLN_API int rln_reduced_has_report(const rln_reduced *reduced,
                                   const rln_report_info *about, const char *argument);

/**
 * Makes reports of sums: the same as rln_reports_new() of the traces together, except
 * medians (see rln_reduced_count_rough()), and traces without ranks of a job are
 * numbered by name.
 *
 * Ownership: as rln_reports_new(), with `reduced` in place of the reader.
 * Threads:   as rln_reduced_new().
 * Errors:    RLN_ERR_ARGUMENT for an unknown name or argument, or a report that needs
 *            the traces themselves; RLN_ERR_NOMEM.
 * Since:     0.2
 */
RLN_API RLN_NODISCARD rln_status rln_reduced_reports(rln_reduced *reduced,
                                                     const rln_report_request *requests,
                                                     size_t n_requests,
                                                     rln_reports **out, rln_error *err);

#ifdef __cplusplus
}
#endif

#endif
