/* SPDX-License-Identifier: Apache-2.0 */
/* launch_record.h - the launcher's own records in the trace of its program.
 *
 * The launcher is a process of the run that annotates nothing: it has a process record
 * with its own flag, notes (command line, exit status) and a clock tuple per second,
 * from which readers turn ticks into time. A full disk costs only these records.
 */
#ifndef RLN_RECORD_START_LAUNCH_RECORD_H
#define RLN_RECORD_START_LAUNCH_RECORD_H

#include "record/start/chunk_writer.h"

struct rln__launch_record {
    struct rln__chunk_writer chunk; /* of names */
};

/* Takes the launcher's index and writes its process record. 0 or -errno. */
int rln__launch_record_begin(struct rln__launch_record *out,
                             const struct rln__file *file);

/* `value` may contain zero bytes. Long values are cut. */
void rln__launch_record_note(struct rln__launch_record *r, const char *key,
                             const char *value, size_t n_bytes);

/* A tuple of the clocks as they are now. */
void rln__launch_record_clock(struct rln__launch_record *r);

/* The last tuple, for which a run of less than 50 ms waits. */
void rln__launch_record_last_clock(struct rln__launch_record *r);

void rln__launch_record_end(struct rln__launch_record *r);

#endif
