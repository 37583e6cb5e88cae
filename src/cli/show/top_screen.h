/* SPDX-License-Identifier: Apache-2.0 */
/* top_screen.h - a terminal as one page that is redrawn, and its keys.
 *
 * While the screen is open, the terminal shows its alternate page and delivers keys one
 * by one; its former content comes back at the end, and while the command is stopped.
 */
#ifndef RLN_CLI_SHOW_TOP_SCREEN_H
#define RLN_CLI_SHOW_TOP_SCREEN_H

#include <stdbool.h>
#include <termios.h>

#include "base/buf.h"

struct rln__screen {
    int signals; /* of those that end, stop or resize us */
    bool has_keys;
    struct termios before; /* if it has keys */
};

enum {
    RLN__SCREEN_TIME_IS_UP = -1,
    RLN__SCREEN_RESIZED = -2,
    RLN__SCREEN_ENDS = -3, /* a signal requests it, or the terminal is gone */
};

/* Draws on standard output. False: it is not a terminal that can do this. */
bool rln__screen_begin(struct rln__screen *screen);
void rln__screen_end(struct rln__screen *screen);

struct rln__screen_size {
    size_t rows, columns;
};

struct rln__screen_size rln__screen_size(void);

/* Draws lines from the top; what does not fit is left out. Empties `lines`. */
void rln__screen_draw(struct rln__buf *lines);

/* Waits for a key, at most until that time of CLOCK_MONOTONIC. Returns the key, or one
 * of the above. */
int rln__screen_wait(struct rln__screen *screen, int64_t until_ns);

#endif
