/* SPDX-License-Identifier: Apache-2.0 */
/* written.h - prints that a file was written. */
#ifndef RLN_CONSOLE_WRITTEN_H
#define RLN_CONSOLE_WRITTEN_H

/* "rangeline: wrote run.csv, 1.2 MiB"; without the size of a folder, a pipe or a
 * device. Nothing for -, standard output. */
void rln__written_note(const char *path);

#endif
