/* SPDX-License-Identifier: Apache-2.0 */
/* unfinished.h - a file that is being written is removed if a signal ends the command.
 *
 *     rln__unfinished_begin(path);        signals wait
 *     open the file
 *     rln__unfinished_is(its path);       they end the command and remove it
 *     write it, give it its name
 *     rln__unfinished_is(NULL);
 */
#ifndef RLN_CONSOLE_UNFINISHED_H
#define RLN_CONSOLE_UNFINISHED_H

/* Blocks signals, so that a handler knows the file as soon as it exists: not if a pipe is
 * at `path` (NULL: nothing is), which waits for its reader when it is opened, and which
 * no signal removes. A lost reader and a file that may not grow become errors like
 * others. */
void rln__unfinished_begin(const char *path);
/* Unblocks them. `path` is borrowed until the next call; NULL: there is no such file.
 */
void rln__unfinished_is(const char *path);

#endif
