/* SPDX-License-Identifier: Apache-2.0 */
/* server_none.c - replaces server.c in a build without libmicrohttpd. */
#include "base/fail.h"
#include "serve/server.h"

int rln__server_is_there(void)
{
    return 0;
}

rln_status rln__server_start(const struct rln__server_options *options,
                             struct rln__server **out, rln_error *err)
{
    (void)options;
    *out = NULL;
    return rln__fail(err, RLN_ERR_IO, 0, "cannot serve: built without libmicrohttpd");
}

const char *rln__server_address(const struct rln__server *server)
{
    (void)server;
    return "";
}

uint16_t rln__server_port(const struct rln__server *server)
{
    (void)server;
    return 0;
}

void rln__server_wait(struct rln__server *server,
                      const volatile sig_atomic_t *must_stop)
{
    (void)server;
    (void)must_stop;
}

void rln__server_stop(struct rln__server *server)
{
    (void)server;
}
