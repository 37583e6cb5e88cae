/* SPDX-License-Identifier: Apache-2.0 */
/* serve_trace.h - shows traces in the browser, by a server on this machine that exits
 * when the last page has closed. */
#ifndef RLN_CLI_COMMANDS_SERVE_TRACE_H
#define RLN_CLI_COMMANDS_SERVE_TRACE_H

#include "cli/inputs/input_traces.h"

#include <stdbool.h>

struct rln__to_show {
    const struct rln__input_traces *traces; /* one, or two side by side */
    unsigned n_traces;
    const char *filter; /* what all are restricted to, in words; or "" */
    const char *shown;  /* the part of the address that says what the page shows, from #
                           on; or "" */
    uint16_t port;      /* 0: any */
    bool opens_browser; /* if there is a screen */
};

/* Prints the address and serves until the last page has closed, or SIGINT, SIGTERM or
 * SIGHUP comes. Exits 1 with a message on failure. */
void rln__serve_trace(const struct rln__to_show *show);

#endif
