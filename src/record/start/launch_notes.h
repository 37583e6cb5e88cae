/* SPDX-License-Identifier: Apache-2.0 */
/* launch_notes.h - the launcher's notes in the trace about the run, at its begin. */
#ifndef RLN_RECORD_START_LAUNCH_NOTES_H
#define RLN_RECORD_START_LAUNCH_NOTES_H

#include "record/start/launch_record.h"

/* The program and its arguments, which end with NULL. */
void rln__launch_note_command(struct rln__launch_record *record, char *const *words);

/* The working directory, the namespace of pids, and which rank of a job this is. */
void rln__launch_note_environment(struct rln__launch_record *record);

#endif
