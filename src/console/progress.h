/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - a bar on a terminal, for work that takes more than a second.
 *
 *     run.sqlite  [############              ]  46 %  2.1 million events/s  12 s left
 */
#ifndef RLN_CONSOLE_PROGRESS_H
#define RLN_CONSOLE_PROGRESS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct rln__progress {
    const char *name; /* borrowed: the name of the result */
    int64_t since_ns, drawn_ns;
    double last_share;
    struct rln__buf line;
    bool is_shown; /* standard error is a terminal */
    bool is_drawn;
};

void rln__progress_begin(struct rln__progress *progress, const char *name,
                         bool is_quiet);
/* `progress` is a struct rln__progress. Draws at most ten times a second. */
void rln__progress_show(void *progress, double share, uint64_t n_events);
/* The same for rln__reader_set_progress(): each time that the trace is read, the bar
 * begins again. */
void rln__progress_of_reading(void *progress, double share);
/* Removes the bar. */
void rln__progress_end(struct rln__progress *progress);

#endif
