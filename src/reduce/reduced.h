/* SPDX-License-Identifier: Apache-2.0 */
/* reduced.h - sums up traces where they lie, and merges the sums: for jobs whose traces
 * are too many, or too far away, to be read together.
 *
 *     traces of node 0 --add--> sums --write--> p0.rlsum --+
 *                                                          +--merge--> sums --> reports
 *     traces of node 1 --add--> sums --write--> p1.rlsum --+
 *
 *     rln__reduced *sums;
 *
 *     if (rln__reduced_new(NULL, &sums, &error) == RLN_OK)
 *         for (size_t i = 0; i < n_paths; i++)
 *             if (rln__reduced_add_trace(sums, paths[i], &error))
 *                 ...
 *
 * The same traces give the same bytes, in whatever order, parts and steps they are
 * added and merged. docs/reference/REDUCED.md describes the file.
 */
#ifndef RLN_REDUCE_REDUCED_H
#define RLN_REDUCE_REDUCED_H

#include "rangeline/filter.h"
#include "reports/diff/diff.h"
#include "reports/report_set.h"

/* Sums over traces: ranges by rank and path, GPU work by rank and GPU, and calls of
 * NCCL by rank, name and size. */
struct rln__reduced;

/* A trace in the sums. */
struct rln__reduced_trace_info {
    rln_text name; /* Of its file, without folders. */
    rln_text host; /* Where its first part was recorded. */
    uint64_t id;   /* Of its first part. */
    size_t n_parts;
    int64_t start_realtime_ns;
    uint8_t is_finished; /* As rln_reader_is_finished(). */
    uint64_t n_events;   /* As rln__stats_totals. */
    uint64_t n_dropped;  /* This and the next two as rln__losses. */
    uint64_t n_overwritten;
    uint64_t n_damages;        /* Unreadable places: the sums lack what was there. */
    uint64_t damage_offset;    /* Of the first one, in its file. */
    rln_text damage;           /* Why it is unreadable, if there is one. */
    uint64_t n_gpu_lost;       /* As rln__losses: the sums lack this GPU work. */
    size_t n_ranks;            /* Of a job, in all parts. */
    uint32_t first_rank;       /* The lowest of them, if there is one. */
    int64_t first_realtime_ns; /* Of its first event; 0 without events. */
    int64_t last_realtime_ns;  /* And of its last one. */
};

/* A file that could not be read. */
struct rln__reduced_unreadable {
    rln_text name; /* Without folders. */
    rln_text reason;
};

/* How traces are read. Zeroed: all ranges, by their names. */
struct rln__reduced_options {
    size_t size; /* sizeof(rln__reduced_options) */
    const rln_filter *filter;
    const char *const *rules; /* As in rln__reader_rename(). */
    size_t n_rules;
    /* Keeps each range of this name, as "NAME" or "DOMAIN:NAME", for the report
     * `straggler`; or NULL. */
    const char *steps;
};

/* Makes empty sums, for traces that are read with these options, or to merge others
 * into. NULL is the same as zeroed options. RLN_ERR_ARGUMENT: an invalid rule, or too
 * small a size. */
rln_status rln__reduced_new(const struct rln__reduced_options *options,
                            struct rln__reduced **out, rln_error *err);

/* Adds a trace, which is open only meanwhile.
 *
 * A file that is unreadable adds nothing but its name and the reason: see
 * rln__reduced_unreadable_at(). Damage inside a trace is no failure. RLN_ERR_IO,
 * RLN_ERR_FORMAT, RLN_ERR_VERSION: the file is unreadable, and listed.
 * RLN_ERR_ARGUMENT: the trace is there already; the message names both files.
 * RLN_ERR_NOMEM, or sums of 2^64 ns: only free `reduced` then. */
rln_status rln__reduced_add_trace(struct rln__reduced *reduced, const char *path,
                                  rln_error *err);

/* Adds all of `from`, which was made with the same options. RLN_ERR_ARGUMENT: options
 * differ, or a trace is in both; nothing changes, and the message names both.
 * RLN_ERR_NOMEM, or RLN_ERR_ARGUMENT for sums of 2^64 ns: only free `into` then. */
rln_status rln__reduced_merge(struct rln__reduced *into,
                              const struct rln__reduced *from, rln_error *err);

/* Gives the bytes of the file. `reduced` owns them, until it changes. */
rln_status rln__reduced_bytes(struct rln__reduced *reduced, const void **bytes,
                              size_t *n_bytes, rln_error *err);

/* Reads the bytes of a file. `name` is what messages call it. RLN_ERR_FORMAT: damaged,
 * or no such file; RLN_ERR_VERSION: it needs a newer reader. */
rln_status rln__reduced_read(const void *bytes, size_t n_bytes, const char *name,
                             struct rln__reduced **out, rln_error *err);

/* Reads a file. Fails as rln__reduced_read() does, or with RLN_ERR_IO. */
rln_status rln__reduced_open(const char *path, struct rln__reduced **out,
                             rln_error *err);

/* Tells by its first bytes whether a file contains reduced traces, of any version. 0 if
 * it cannot be read. */
int rln__reduced_is(const char *path);

/* Frees sums; NULL is accepted. */
void rln__reduced_free(struct rln__reduced *reduced);

/* Gives the filter as options of the command: "--name step"; empty without a filter. */
const char *rln__reduced_filters(const struct rln__reduced *reduced);

/* Gives the rules for names as options of the command: "--fold-numbers"; empty without
 * rules. */
const char *rln__reduced_renames(const struct rln__reduced *reduced);

/* Counts the traces. */
size_t rln__reduced_count_traces(const struct rln__reduced *reduced);

/* Gives a trace, the one added last at the end; by name once the bytes were made or
 * read, else in no order. NULL if there is none. */
const struct rln__reduced_trace_info *
rln__reduced_trace_at(struct rln__reduced *reduced, size_t index);

/* Gives an unreadable file. NULL if there is none. */
const struct rln__reduced_unreadable *
rln__reduced_unreadable_at(struct rln__reduced *reduced, size_t index);

/* Finds a file of `profile --split` next to the trace that it is a window of: its
 * ranges count twice. 0 if there is none: the names are unchanged then. */
int rln__reduced_find_window(const struct rln__reduced *reduced, rln_text *window,
                             rln_text *of);

/* Counts the ranks of a job, as rln__reader_count_ranks(). */
size_t rln__reduced_count_ranks(const struct rln__reduced *reduced);

/* Counts the names of ranges whose medians are within 0.4 %, because they ran more than
 * 4,096 times in all. Other medians are exact. */
size_t rln__reduced_count_rough(const struct rln__reduced *reduced);

/* Gives the name of the range of which each is kept; empty without one. */
const char *rln__reduced_steps(const struct rln__reduced *reduced);

/* Counts the ranges of that name. */
size_t rln__reduced_count_steps(const struct rln__reduced *reduced);

/* Tells whether the traces had GPU work, of which gpu_util is. */
int rln__reduced_has_gpu_work(const struct rln__reduced *reduced);

/* Tells whether a report, with this argument or NULL, can be made of these sums:
 * nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum, tree, rank_sum, gpu_util and nccl_sum,
 * without an argument, and straggler of the steps. Others need the traces themselves.
 */
int rln__reduced_has_report(const struct rln__reduced *reduced,
                            const struct rln__report_info *about, const char *argument);

/* Makes reports of sums: the same as rln__reports_new() of the traces together, except
 * medians (see rln__reduced_count_rough()), and traces without ranks of a job are
 * numbered by name. RLN_ERR_ARGUMENT for an unknown name or argument, or a report that
 * needs the traces themselves. */
rln_status rln__reduced_reports(struct rln__reduced *reduced,
                                const rln_report_request *requests, size_t n_requests,
                                struct rln__reports **out, rln_error *err);

/* Adds sums to a side of a comparison, as one run. */
rln_status rln__diff_add_sums(struct rln__diff *diff, int side,
                              const struct rln__reduced *reduced, rln_error *err);

#endif
