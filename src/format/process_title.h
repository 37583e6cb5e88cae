/* SPDX-License-Identifier: Apache-2.0 */
/* process_title.h - finds the title that a program gave to its process by overwriting
 * its arguments, as setproctitle() does.
 *
 *     arguments               name        executable
 *     python3 -m serve        python3     /usr/bin/python3.11    no title
 *     serve: worker 1 '' ''   python3     /usr/bin/python3.11    serve: worker 1
 *     python3 -m serve        scheduler   /usr/bin/python3.11    no title
 *
 * The name of the main thread is none: PyTorch names it `pt_main_thread` everywhere.
 * The kernel names a process after the file that was executed, which is a script or the
 * first argument, if it is not the executable. A title that is found in this way may be
 * wrong where the caller of exec() chose another first argument: then it is that.
 *
 * Both the collector and the launcher call it. Calls nothing of libc.
 */
#ifndef RLN_FORMAT_PROCESS_TITLE_H
#define RLN_FORMAT_PROCESS_TITLE_H

#include <stddef.h>

#define RLN__TITLE_ARGUMENT_BYTES 512u /* as many as callers read of arguments */

/* Texts need not end with a zero byte; the last one has that of the arguments. */
struct rln__process_words {
    const char *arguments; /* each ends with a zero byte */
    size_t n_arguments;    /* bytes; RLN__TITLE_ARGUMENT_BYTES: there may be more */
    const char *name;      /* at most 15 bytes */
    size_t n_name;
    const char *executable; /* a path */
    size_t n_executable;
};

/* Returns the title, which is among the words, and its length; or NULL: it has none. */
const char *rln__process_title(const struct rln__process_words *words, size_t *n_bytes);

/* The length of arguments without the empty ones that a shorter title leaves at the
 * end. A single empty one may be the caller's. */
size_t rln__arguments_length(const char *arguments, size_t n_bytes);

#endif
