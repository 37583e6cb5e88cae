/* SPDX-License-Identifier: Apache-2.0 */
/* pager.h - long answers on a terminal are read in a pager, as git does it.
 *
 *     RANGELINE_PAGER, else PAGER, else less: a command for sh; none if it is empty or
 * cat
 *
 * less ends by itself if all fits on the screen. */
#ifndef RLN_CLI_PAGER_H
#define RLN_CLI_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* The command at hand answers at length: what it writes first begins a pager. */
void rln__pager_allow(void);

/* Before something is written to standard output: begins the pager if it is allowed and
 * standard output is a terminal. It is waited for as the program ends. */
void rln__pager_begin(void);

/* Whether a person reads standard output, be it in a pager. */
bool rln__on_terminal(void);

/* Whether standard output is a terminal that can be drawn on, and its keys are ours. */
bool rln__is_screen(void);

/* How wide it is; 0: not a terminal, or one that does not say. */
size_t rln__screen_columns(void);

#endif
