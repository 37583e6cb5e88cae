/* SPDX-License-Identifier: Apache-2.0 */
/* find_program.h - where a program is, as shells find it. */
#ifndef RLN_CONSOLE_FIND_PROGRAM_H
#define RLN_CONSOLE_FIND_PROGRAM_H

#include <limits.h>

/* Writes the path of a program: `name` itself if it has a slash, else the first
 * executable file of that name in the folders of PATH. 0, or the errno of a program
 * that cannot be run: EACCES if PATH has only files of that name that are not
 * executable. */
int rln__find_program(const char *name, char out[PATH_MAX]);

#endif
