/* SPDX-License-Identifier: Apache-2.0 */
/* text_file.h - reads a file that the user names and that is text: options, a list of
 * traces, a baseline. It may be a pipe. */
#ifndef RLN_CONSOLE_TEXT_FILE_H
#define RLN_CONSOLE_TEXT_FILE_H

#include "base/buf.h"

#define RLN__TEXT_FILE_MOST_MIB 64

/* Dies if it cannot be read, or is larger: a file such as /dev/zero has no end. `what` is
 * "list: path", the object and the field in errors. A zero byte follows the text. */
void rln__text_file_read(const char *path, const char *what, struct rln__buf *out);

#endif
