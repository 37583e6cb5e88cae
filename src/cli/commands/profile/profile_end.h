/* SPDX-License-Identifier: Apache-2.0 */
/* profile_end.h - one run of `rangeline profile`, and how it ends: the trace is
 * finished and counted, or removed if it is empty. */
#ifndef RLN_CLI_COMMANDS_PROFILE_END_H
#define RLN_CLI_COMMANDS_PROFILE_END_H

#include "cli/commands/profile/profile_options.h"
#include "console/args.h"
#include "format/superblock_guard.h"
#include "record/during/gpu_sampler.h"
#include "record/during/memory_limit.h"
#include "record/during/pythons.h"
#include "record/during/snapshot_on.h"
#include "record/during/switch_recorder.h"
#include "record/during/titles.h"
#include "record/during/watch.h"
#include "record/start/attach_reports.h"
#include "record/start/launch.h"
#include "record/start/launch_record.h"
#include "record/start/run_id.h"
#include "record/start/run_trace.h"
#include "record/start/trace_words.h"

#define RLN__MOST_EXPORTS 32u /* there are fewer types */

struct rln__profile {
    struct rln__args args;
    struct rln__launch launch;
    struct rln__run_trace trace;
    struct rln__superblock_guard guard;
    struct rln__attach_reports *reports; /* mapped to the end; or NULL */
    struct rln__launch_record record;
    struct rln__record_choice choice;
    struct rln__capture_choice capture;
    struct rln__watch watch;
    struct rln__memory_limit memory;
    struct rln__snapshot_on snapshot_on;
    const char *exports[RLN__MOST_EXPORTS]; /* types, each once; static */
    size_t n_exports;
    int kill_signal; /* 0: none */
    struct rln__traced traced;
    struct rln__titles titles;
    struct rln__switch_recorder switches;
    const char *metered_gpus; /* see rln__gpu_metrics_choice() */
    struct rln__gpu_sampler gpu_sampler;
    bool uses_cuda; /* seen, if GPU work is not recorded */
    struct rln__pythons pythons;
    const char *python_ranges; /* which functions get ranges, or NULL: none */
    char **words;              /* the command line, after `profile` */
    off_t most_bytes;          /* of the trace, so far */
    uint64_t gate;             /* at the end */
    uint32_t occurrences;      /* of capture ranges, at the end */
    uint64_t n_held;           /* further ones that could not open a window */
    uint8_t run_id[16];
    char run_id_text[RLN__RUN_ID_TEXT];
};

/* Whether the trace was truncated: below a size that it had at a call. */
bool rln__profile_is_truncated(struct rln__profile *p);

/* Finishes the trace when the program has ended, and prints what it has. If that is
 * nothing, removes it and explains why. Returns whether it is there and complete. */
bool rln__profile_end(struct rln__profile *p, const struct rln__launch_end *end);

#endif
