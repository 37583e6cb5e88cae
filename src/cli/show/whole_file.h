/* SPDX-License-Identifier: Apache-2.0 */
/* whole_file.h - writes bytes as a file that appears only when complete. */
#ifndef RLN_CLI_SHOW_WHOLE_FILE_H
#define RLN_CLI_SHOW_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* "-" is standard output. Exits 1 with a message if that fails. */
void rln__whole_file_write(const char *path, const void *bytes, size_t n,
                           bool may_replace);

#endif
