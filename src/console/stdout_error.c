/* SPDX-License-Identifier: Apache-2.0 */
#include "console/stdout_error.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "console/die.h"
#include "console/pager.h"

/* False if the reader has gone. */
static bool refuse_failure(void)
{
    const int failure = rln__output_failure();

    if (failure && failure != EPIPE)
        rln__die(RLN__EXIT_FAILED, "cannot write output: %s", strerror(failure));
    return !failure;
}

bool rln__has_reader(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = 0};

    return poll(&out, 1, 0) <= 0 || !(out.revents & (POLLERR | POLLHUP));
}

bool rln__write_out(struct rln__buf *buf)
{
    if (buf->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    rln__pager_begin();
    errno = 0;
    if (!buf->length ||
        rln__keep_output(fwrite(buf->bytes, 1, buf->length, stdout) == buf->length))
        (void)rln__flush_output();
    buf->length = 0;
    return refuse_failure();
}

int rln__end_output(void)
{
    (void)rln__flush_output();
    (void)refuse_failure();
    return RLN__EXIT_OK;
}
