/* SPDX-License-Identifier: Apache-2.0 */
/* titles.h - notes the titles that programs give to processes of the run while they
 * run (format/process_title.h). A collector notes only the one at its first event.
 *
 * Reads three small files of /proc for each process.
 */
#ifndef RLN_RECORD_DURING_TITLES_H
#define RLN_RECORD_DURING_TITLES_H

#include "format/process_title.h"
#include "record/start/child_pids.h"
#include "record/start/launch_record.h"

struct rln__titled {
    int pid;
    unsigned long long start;                  /* field 22 of its stat */
    char title[RLN__TITLE_ARGUMENT_BYTES + 1]; /* empty: none */
};

/* Zeroed: nothing has been read yet. */
struct rln__titles {
    struct rln__titled *items; /* owned; of the last poll */
    size_t n;
    size_t n_noted; /* bounded, so that a trace does not fill up with them */
};

/* Call each second, with the processes of the run. */
void rln__titles_poll(struct rln__titles *titles, const struct rln__pids *pids,
                      struct rln__launch_record *record);
void rln__titles_clear(struct rln__titles *titles);

#endif
