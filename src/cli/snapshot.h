/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot.h - a copy of a trace while its program runs: format/copy.h, under a name.
 */
#ifndef RLN_CLI_SNAPSHOT_H
#define RLN_CLI_SNAPSHOT_H

#include <stdbool.h>

/* NAME.# for a trace NAME.rln: where its copies go if nobody says so. Owned. */
char *rln__snapshot_pattern(const char *trace);

/* Copies `trace` to `pattern`; a # at its end is the first free number. 0, or a
 * negative errno, -EEXIST if there is a file of that name and `overwrites` is not said,
 * -EDEADLK if that is the trace itself. A file that is overwritten stays until the copy
 * is whole.
 * `*name` is owned by the caller, and NULL if memory is out; nothing is left where it
 * fails. */
int rln__snapshot_take(const char *trace, const char *pattern, bool overwrites,
                       char **name);

/* What is in the copy, on standard output: "run.1.rln: 1.2 MiB, ...". */
void rln__snapshot_print(const char *name);

#endif
