/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot.h - a copy of a trace while its program runs: format/copy.h, under a name.
 */
#ifndef RLN_RECORD_DURING_SNAPSHOT_H
#define RLN_RECORD_DURING_SNAPSHOT_H

#include <stdbool.h>

/* NAME.# for a trace NAME.rln: where its copies go by default. Owned. */
char *rln__snapshot_pattern(const char *trace);

/* Copies `trace` to `pattern`; a # at its end becomes the first free number. 0, or a
 * negative errno: -EEXIST if there is a file of that name and `overwrites` is false,
 * -EDEADLK if that is the trace itself. A file that is overwritten stays until the copy
 * is complete. The caller owns `*name`, which is NULL if memory is out; a failure
 * leaves nothing behind. */
int rln__snapshot_take(const char *trace, const char *pattern, bool overwrites,
                       char **name);

/* Prints the contents of the copy: "run.1.rln: 1.2 MiB, ...". */
void rln__snapshot_print(const char *name);

#endif
