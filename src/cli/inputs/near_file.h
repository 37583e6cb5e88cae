/* SPDX-License-Identifier: Apache-2.0 */
/* near_file.h - which trace of a folder may be meant. */
#ifndef RLN_CLI_INPUTS_NEAR_FILE_H
#define RLN_CLI_INPUTS_NEAR_FILE_H

#include <stdbool.h>

/* The name of the newest trace in a folder, without it. Owned by the caller; NULL if
 * there is none. */
char *rln__newest_trace(const char *folder);

/* Hints at the trace beside a file that does not exist whose name is nearest, or at the
 * newest one. False: there is none. */
bool rln__hint_near_file(const char *path);

#endif
