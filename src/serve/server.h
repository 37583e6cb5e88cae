/* SPDX-License-Identifier: Apache-2.0 */
/* server.h - a small server on the loopback, which runs while a page is open.
 *
 *   browser --GET--> request.c: is it allowed? --> query.c: what is in the trace?
 *      ^                                              |
 *      '------------ JSON, or a file of the page -----'
 *
 * Only this machine can reach it, and it answers only requests that carry the token of
 * its address, which other users of the machine and pages of other origins do not know.
 * Connections without it may use only part of the server's, each for five seconds, so
 * that they cannot keep a page out (strangers.h). It only reads. It exits when the last
 * page has closed.
 */
#ifndef RLN_SERVE_SERVER_H
#define RLN_SERVE_SERVER_H

#include "serve/served_trace.h"

#include <signal.h>

#define RLN__MAX_SHOWN 2u /* traces, side by side */

struct rln__server;

struct rln__server_options {
    uint16_t port; /* 0: any free one */
    struct rln__served_trace
        *traces[RLN__MAX_SHOWN]; /* borrowed until the server is stopped */
    unsigned n_traces;
    unsigned first_page_ms; /* how long to wait for the first page... */
    unsigned next_page_ms;  /* ...and, after the last has closed, for another */
};

/* Whether this build has a server: it needs libmicrohttpd. */
int rln__server_is_there(void);

/* RLN_ERR_IO: the port is not available. `*out` is owned. */
rln_status rln__server_start(const struct rln__server_options *options,
                             struct rln__server **out, rln_error *err);

/* http://127.0.0.1:PORT/TOKEN/; borrowed. */
const char *rln__server_address(const struct rln__server *server);
uint16_t rln__server_port(const struct rln__server *server);

/* Returns when all pages have closed, or `*must_stop` is set. */
void rln__server_wait(struct rln__server *server,
                      const volatile sig_atomic_t *must_stop);

/* NULL is accepted. */
void rln__server_stop(struct rln__server *server);

#endif
