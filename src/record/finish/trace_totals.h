/* SPDX-License-Identifier: Apache-2.0 */
/* trace_totals.h - the totals in the launcher's closing line. */
#ifndef RLN_RECORD_FINISH_TRACE_TOTALS_H
#define RLN_RECORD_FINISH_TRACE_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rln__trace_totals {
    uint64_t disk_bytes;
    uint64_t n_events;  /* calls: a range is two; not batches */
    uint64_t n_samples; /* of GPUs, beside the program: in none of the others */
    uint64_t n_batches;
    uint64_t n_dropped;
    uint64_t n_overwritten; /* chunks of events, by newer ones */
    uint64_t n_processes;   /* without the launcher */
    uint64_t n_threads;
    uint64_t n_modules_refused; /* extensions of NVTX that were not recorded */
    uint64_t n_windows;         /* 0: recorded as a whole, or not at all */
    bool is_at_size_limit;      /* RLIMIT_FSIZE kept it from growing */
    bool has_damage; /* some bytes could not be read: there may be more events */
};

/* Counts the events of the trace at `path`, without trusting it. 0 or -errno. */
int rln__trace_totals_read(const char *path, struct rln__trace_totals *out);

/* The same, but stops with -EINTR when `is_stopped` returns nonzero. */
int rln__trace_totals_until(const char *path, int (*is_stopped)(void),
                            struct rln__trace_totals *out);

/* Whether it has any event; reads only as far as the first. False if it cannot be
 * read. */
bool rln__trace_has_events(const char *path);

/* "1.2 MiB, 12,345 events, 2 processes, 5 threads"; also batches, windows and drops, if
 * any. */
void rln__trace_totals_format(const struct rln__trace_totals *t, char *out,
                              size_t size);

#endif
