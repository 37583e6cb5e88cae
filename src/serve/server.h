/* SPDX-License-Identifier: Apache-2.0 */
/* server.h - a small server on the loopback, for as long as somebody looks.
 *
 *   browser --GET--> request.c: is it allowed? --> answer.c: what does the trace say?
 *      ^                                              |
 *      '------------ JSON, or a file of the page -----'
 *
 * Only this machine can reach it, and only who knows the token of its address is
 * answered: other users of the machine do not, nor do pages of other origins. It reads,
 * and changes nothing. It ends by itself when the last page has gone.
 */
#ifndef RLN_SERVE_SERVER_H
#define RLN_SERVE_SERVER_H

#include "serve/shown.h"

#include <signal.h>

#define RLN__MAX_SHOWN 2u /* traces, side by side */

struct rln__server;

struct rln__server_options {
    uint16_t port; /* 0: any that is free */
    struct rln__shown
        *traces[RLN__MAX_SHOWN]; /* borrowed until the server is stopped */
    unsigned n_traces;
    unsigned first_page_ms; /* how long to wait for the first page... */
    unsigned next_page_ms;  /* ...and, when the last has gone, for another */
};

/* Whether this build has a server: it needs libmicrohttpd. */
int rln__server_is_there(void);

/* RLN_ERR_IO: the port cannot be had. `*out` is owned. */
rln_status rln__server_start(const struct rln__server_options *options,
                             struct rln__server **out, rln_error *err);

/* http://127.0.0.1:PORT/TOKEN/; borrowed. */
const char *rln__server_address(const struct rln__server *server);
uint16_t rln__server_port(const struct rln__server *server);

/* Until all pages have gone, or `*must_stop` is set. */
void rln__server_wait(struct rln__server *server,
                      const volatile sig_atomic_t *must_stop);

/* NULL is accepted. */
void rln__server_stop(struct rln__server *server);

#endif
