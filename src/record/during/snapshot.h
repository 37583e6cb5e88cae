/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot.h - a copy of a trace while its program runs: format/copy.h, under a name.
 */
#ifndef RLN_RECORD_DURING_SNAPSHOT_H
#define RLN_RECORD_DURING_SNAPSHOT_H

#include <stdbool.h>

/* NAME.# for a trace NAME.rln: where its copies go by default. Owned. */
char *rln__snapshot_pattern(const char *trace);

/* Knows the file that is being written, or NULL when it is complete. */
typedef void rln__on_part(const char *part);

/* Copies `trace` to `pattern`; a # at its end becomes the first free number. 0, or a
 * negative errno: -EEXIST if there is a file of that name and `overwrites` is false,
 * -EDEADLK if that is the trace itself. A file that is overwritten stays until the copy
 * is complete. The caller owns `*name`, which is NULL if memory is out; a failure
 * leaves nothing behind. `on_part` may be NULL. */
int rln__snapshot_take(const char *trace, const char *pattern, bool overwrites,
                       rln__on_part *on_part, char **name);

/* Prints the contents of the copy: "run.1.rln: 1.2 MiB, ...". */
void rln__snapshot_print(const char *name);

#endif
