/* SPDX-License-Identifier: Apache-2.0 */
/* shell_word.h - words of a command that is printed, to be pasted into a shell. */
#ifndef RLN_BASE_SHELL_WORD_H
#define RLN_BASE_SHELL_WORD_H

#include "base/buf.h"

/* Appends text as one word, safe for a terminal: as it is, else in quotes, and where it
 * has bytes that cannot be printed, in $'...', which bash, zsh and ksh read. */
void rln__buf_shell_word(struct rln__buf *buf, const char *bytes, size_t length);

#endif
