/* SPDX-License-Identifier: Apache-2.0 */
/* devtools.h - a browser that shows no window, and does what it is asked.
 *
 *     command --{"id":1,"method":...}\0--> pipe --> Chromium
 *             <--{"id":1,"result":...}\0-- pipe <--
 *
 * This is its DevTools protocol, of which only a few methods are used: their answers
 * are searched for a member by its text, not parsed.
 */
#ifndef RLN_CONSOLE_DEVTOOLS_H
#define RLN_CONSOLE_DEVTOOLS_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

struct rln__devtools {
    pid_t pid;
    int to, from; /* pipes */
    unsigned n_asked;
    struct rln__buf answers; /* what was read; `next` is the first byte not used */
    size_t next;
    char session[64];    /* of a page, once there is one; else "" */
    int64_t deadline_ns; /* of all: CLOCK_MONOTONIC */
};

/* Finds a browser in PATH: false if there is none. */
bool rln__devtools_find(char path[PATH_MAX]);

/* Starts it, with an empty folder for its profile and for what it prints: 0, or an
 * errno. All together may take `seconds`. */
int rln__devtools_start(struct rln__devtools *d, const char *browser,
                        const char *folder, unsigned seconds);

/* Asks for a method with these parameters, a JSON object. The answer, terminated,
 * borrowed until the next call; NULL: it has none in time, has ended, or it is an
 * error.
 */
const char *rln__devtools_ask(struct rln__devtools *d, const char *method,
                              const char *params);

/* Waits for an event. Whether it came. */
bool rln__devtools_wait(struct rln__devtools *d, const char *event);

/* The text of the first member of that name, which has no escapes; NULL: none. */
const char *rln__devtools_text(const char *answer, const char *member, size_t *length);

/* Ends it, and writes why it could not do what it was asked to `reason`: the last line
 * that it printed, or its signal. */
void rln__devtools_end(struct rln__devtools *d, const char *folder, char *reason,
                       size_t size);

#endif
