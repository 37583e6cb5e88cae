/* SPDX-License-Identifier: Apache-2.0 */
/* find_program.h - where a program lies, as shells find it. */
#ifndef RLN_CLI_FIND_PROGRAM_H
#define RLN_CLI_FIND_PROGRAM_H

#include <limits.h>

/* Writes the path of a program: `name` itself if there is a slash in it, else the file
 * that can be executed in the first folder of PATH that has one. 0, or why it cannot be
 * run, an errno: EACCES if PATH has a file of that name that is no program. */
int rln__find_program(const char *name, char out[PATH_MAX]);

#endif
