/* SPDX-License-Identifier: Apache-2.0 */
/* pager.h - shows long answers on a terminal in a pager, as git does.
 *
 *     RANGELINE_PAGER, else PAGER, else less: a command for sh; none if it is empty or
 * cat
 *
 * less ends by itself if all fits on the screen. */
#ifndef RLN_CONSOLE_PAGER_H
#define RLN_CONSOLE_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* The current command has long output: its first line starts a pager. */
void rln__pager_allow(void);

/* Call before writing to standard output: starts the pager if it is allowed and
 * standard output is a terminal. The program waits for it at exit. */
void rln__pager_begin(void);

/* Whether a person reads standard output, directly or in a pager. */
bool rln__on_terminal(void);

/* The same, and NO_COLOR is not set. */
bool rln__has_color(void);

/* Whether a person asks for the locale C, which has no other letters than ASCII's.
 * Without a locale, as in containers, terminals have them. */
bool rln__is_ascii_only(void);

/* Whether standard output is a terminal that can be drawn on, and its keys are ours. */
bool rln__is_screen(void);

/* Its width; 0: not a terminal, or unknown. */
size_t rln__screen_columns(void);

#endif
