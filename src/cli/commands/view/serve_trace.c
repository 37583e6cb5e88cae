/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/view/serve_trace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/percent.h"
#include "console/browser.h"
#include "console/die.h"
#include "console/stdout_error.h"
#include "serve/server.h"

#define FIRST_PAGE_MS 60000
#define NEXT_PAGE_MS 5000 /* reloading a page takes less */

static volatile sig_atomic_t must_stop;

static void on_end(int number)
{
    (void)number;
    must_stop = 1;
}

static void watch_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        if (signal(ends[i], on_end) == SIG_IGN) /* by nohup */
            (void)signal(ends[i], SIG_IGN);
    }
    (void)signal(SIGPIPE, SIG_IGN); /* a page has closed */
}

/* The browser of a user who is logged in from another machine is there. */
static void hint_at_forwarding(const struct rln__server *server)
{
    const unsigned port = rln__server_port(server);
    char host[256] = "HOST";

    if (!getenv("SSH_CONNECTION"))
        return;
    (void)gethostname(host, sizeof(host) - 1);
    rln__note("on the machine with the browser: ssh -L %u:127.0.0.1:%u %s", port, port,
              host);
}

/* The whole address of the page, terminated; owned. It goes to a terminal and into a
 * page, where quotes and angle brackets mean something. */
static char *address_of(const struct rln__to_show *show, struct rln__server *server)
{
    struct rln__buf address = {0};

    rln__buf_text(&address, rln__server_address(server));
    rln__buf_percent(&address, show->shown, strlen(show->shown), "#%&=,:/?+");
    rln__buf_char(&address, '\0');
    if (address.has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    return address.bytes;
}

static void serve(const struct rln__to_show *show, struct rln__server *server,
                  const char *address)
{
    char *page = NULL; /* owned: a file */

    (void)printf("%s\n", address);
    if (!rln__flush_output())
        return; /* the address would be lost */
    hint_at_forwarding(server);
    if (show->opens_browser)
        page = rln__open_browser_at(address);
    if (!page)
        rln__note("open this address within %d s; the command ends when its last page "
                  "is closed, or on Ctrl-C (--html FILE: write a page, and end)",
                  FIRST_PAGE_MS / 1000);
    rln__server_wait(server, &must_stop);
    if (page)
        (void)unlink(page);
    free(page);
}

void rln__serve_trace(const struct rln__to_show *show)
{
    struct rln__server_options options = {
        .port = show->port,
        .first_page_ms = FIRST_PAGE_MS,
        .next_page_ms = NEXT_PAGE_MS,
    };
    struct rln__server *server = NULL;
    char *address = NULL; /* owned */
    rln_error err = {0};
    rln_status status = RLN_OK;

    watch_signals();
    for (unsigned i = 0; i < show->n_traces && !status; i++) {
        char title[RLN__TITLE_BYTES];

        rln__input_traces_title(&show->traces[i], title);
        status = rln__served_trace_open(show->traces[i].reader, title, show->filter,
                                        &options.traces[i], &err);
        options.n_traces += !status;
    }
    if (!status)
        status = rln__server_start(&options, &server, &err);
    if (!status)
        address = address_of(show, server);
    if (!status)
        serve(show, server, address);
    rln__free(address);
    rln__server_stop(server);
    for (unsigned i = 0; i < options.n_traces; i++)
        rln__served_trace_close(options.traces[i]);
    rln__die_if(status, &err);
}
