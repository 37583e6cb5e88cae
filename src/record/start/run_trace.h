/* SPDX-License-Identifier: Apache-2.0 */
/* run_trace.h - the file of a run that `profile` records: created under a free name,
 * given its final name when the run has ended, or removed if it holds nothing.
 *
 *     NAME.rln                              nothing of that name existed
 *     NAME.new.rln --rename--> NAME.rln     with -f, an older trace has the name
 *
 * An older trace keeps its name until the run has recorded something and has ended. If
 * the launcher is killed before that, both files exist.
 */
#ifndef RLN_RECORD_START_RUN_TRACE_H
#define RLN_RECORD_START_RUN_TRACE_H

#include <limits.h>
#include <stdbool.h>

#include "format/superblock.h"
#include "record/start/trace_spool.h"

struct rln__run_trace {
    struct rln__file file;
    struct rln__trace_spool spool; /* opened by the caller */
    char *path;                    /* owned; the name in use, as the user wrote it */
    char *final_path;              /* owned; the name that it gets; may equal `path` */
    char full_path[PATH_MAX];      /* for processes in other folders */
};

/* Where to create it. */
struct rln__run_trace_request {
    const char *output;  /* as given: a hint repeats it */
    const char *pattern; /* expanded; a # becomes the first free number */
    bool overwrites;
    const uint8_t *run_id;
    const char *run_id_text;
    uint64_t buffer_bytes;
    /* The first existing file that blocks the name `path`, or NULL: owned; `*option` is
     * the option that would write it. */
    char *(*find_blocker)(void *context, const char *path, const char **option);
    void *context;
};

/* Exits with 2 and a message if the file cannot be created, if it exists and may not be
 * overwritten, or if another run is recording it. */
void rln__run_trace_create(struct rln__run_trace *t,
                           const struct rln__run_trace_request *request);

/* Explains why the file cannot be used after all, and exits with 2. */
_Noreturn void rln__run_trace_refuse(const struct rln__run_trace *t, const char *output,
                                     int error);

/* Whether the name still leads to the file that was created. */
bool rln__run_trace_is_ours(const struct rln__run_trace *t);

/* Removes the file; an older trace of the final name stays. */
void rln__run_trace_remove(const struct rln__run_trace *t);

/* Gives the file its final name, or prints where it stays: if processes still write to
 * it (`all_ended` is false), or if it cannot be moved. Updates both paths. */
void rln__run_trace_settle(struct rln__run_trace *t, bool all_ended);

void rln__run_trace_clear(struct rln__run_trace *t);

#endif
