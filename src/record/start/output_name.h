/* SPDX-License-Identifier: Apache-2.0 */
/* output_name.h - from the value of -o to the path of a trace. */
#ifndef RLN_RECORD_START_OUTPUT_NAME_H
#define RLN_RECORD_START_OUTPUT_NAME_H

#include <sys/types.h>

/* Expands %h (host), %p (`pid`), %q{VAR} (environment) and %%, and adds .rln if it is
 * missing, with a note instead of .nsys-rep. A # at the end is left for
 * rln__output_numbered(). Owned by the caller; dies on an invalid pattern. */
char *rln__output_expand(const char *pattern, pid_t pid);

/* The same for another file than a trace, with its suffix if the name has none; - is
 * standard output. */
char *rln__output_expand_other(const char *pattern, pid_t pid, const char *suffix);

/* The same path with the # before .rln replaced by `number`, or a copy if it has none.
 * Owned by the caller. */
char *rln__output_numbered(const char *path, unsigned number);

/* Whether the path ends in #.rln. */
int rln__output_has_number(const char *path);

#endif
