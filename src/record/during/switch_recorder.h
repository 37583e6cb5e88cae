/* SPDX-License-Identifier: Apache-2.0 */
/* switch_recorder.h - writes the context switches of a run into its trace, or instead
 * how much time its threads had on a processor.
 *
 *   switch_sources --> a thread of the launcher --> a chunk of switches (FORMAT.md, 11)
 *
 * Outside windows nothing is written but the state of each thread where one opens; a run
 * that keeps its newest events keeps about as many bytes of switches. A full disk costs only
 * these records, and readers know from when to when.
 */
#ifndef RLN_RECORD_DURING_SWITCH_RECORDER_H
#define RLN_RECORD_DURING_SWITCH_RECORDER_H

#include <pthread.h>
#include <stdbool.h>

#include "record/during/last_switches.h"
#include "record/during/new_threads.h"
#include "record/during/switch_sources.h"
#include "record/start/chunk_writer.h"

/* The trace's clock and that of the rings, read together. */
struct rln__switch_clock {
    uint64_t ticks, raw_ns;
};

/* Zeroed: records nothing. */
struct rln__switch_recorder {
    struct rln__switch_sources sources;
    size_t source; /* that is being read: its index */
    struct rln__new_threads new_threads;
    struct rln__chunk_writer chunk;
    struct rln__newest_chunks
        newest; /* of `chunk`, in a run that keeps its newest events */
    struct rln__clock_tuple since; /* before all records that are in the rings */
    struct rln__switch_clock before,
        now;       /* of the last two times that they were read */
    uint64_t gate; /* then */
    struct rln__last_switches last;
    bool writes;         /* a window is, or was, open */
    uint32_t processor;  /* of the records that are written last */
    uint64_t n_readings; /* of all clocks of threads */
    uint64_t took_ns;    /* each reading of them, lately: on a processor */
    int wait_ms;         /* until the rings or clocks are read next, at the most */
    struct {
        uint64_t from_ns, n;
    } unwritten; /* outside windows, or for want of room */
    pthread_t thread;
    /* Pipes: closed to end the thread, or written to for it to read the rings at once; and
     * its answer. */
    int stop[2], drained[2];
    bool is_on;
};

/* Begins to record a child that has not called exec() yet. `process` is the launcher's
 * index. 0 or -errno: as rln__switch_sources_open(), or the trace has no room. */
int rln__switch_recorder_begin(struct rln__switch_recorder *recorder,
                               const struct rln__file *file, uint32_t process,
                               pid_t child);

/* Returns when what has happened so far has been written, for a copy of the trace, or after
 * a second. */
void rln__switch_recorder_catch_up(struct rln__switch_recorder *recorder);

/* Writes what there still is, and ends. Returns for how many threads there was no room. */
size_t rln__switch_recorder_end(struct rln__switch_recorder *recorder);

#endif
