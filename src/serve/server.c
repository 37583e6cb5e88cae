/* SPDX-License-Identifier: Apache-2.0 */
/* server.c - HTTP with libmicrohttpd: a thread for each connection, of which there are
 * few. A build without that library has server_none.c instead. */
#include "serve/server.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/monotonic.h"
#include "serve/compressed.h"
#include "serve/foreign_pages.h"
#include "serve/request.h"
#include "serve/strangers.h"
#include "serve/viewer_parts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define MAX_CONNECTIONS (RLN__MAX_STRANGERS + 64u)
#define QUIET_S 30u         /* an idle connection is closed */
#define TOKEN_MS 5000       /* the time in which a connection must send the token */
#define LEAST_CHANGE_MS 500 /* between two `changed` events */
#define HEARTBEAT_MS 1000   /* detects that a page has closed */
#define POLL_MS 100

struct rln__server {
    struct rln__server_options options;
    struct MHD_Daemon *daemon; /* owned */
    uint16_t port;
    char token[RLN__TOKEN_CHARS + 1];
    char address[64 + RLN__TOKEN_CHARS];
    struct rln__strangers strangers;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t ends;
    int is_ending;
    unsigned n_pages; /* that listen for events */
    int has_had_page;
    int64_t alone_since_ms; /* since the last page closed, or the server started */
};

/* --- Pages that are there --------------------------------------------------------- */

struct page {
    struct rln__server *server;
    uint64_t sent_version; /* the newest version it was sent */
    int has_begun;
};

static uint64_t version_of(const struct rln__server *s)
{
    uint64_t version = 0;

    for (unsigned i = 0; i < s->options.n_traces; i++)
        version += rln__served_trace_version(s->options.traces[i]);
    return version;
}

/* Sleeps for a while, or until the server ends; returns whether it ends. */
static int sleep_unless_ending(struct rln__server *s, int ms)
{
    struct timespec until;
    int is_ending;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&s->lock);
    while (!s->is_ending && pthread_cond_timedwait(&s->ends, &s->lock, &until) == 0)
        ;
    is_ending = s->is_ending;
    pthread_mutex_unlock(&s->lock);
    return is_ending;
}

/* The next part of a stream of events: `changed`, or a comment as a heartbeat. */
static ssize_t next_event(void *context, uint64_t position, char *out, size_t room)
{
    static const char changed[] = "data: changed\n\n", heartbeat[] = ":\n\n";
    struct page *page = context;
    const char *message = heartbeat;
    uint64_t version = page->sent_version;

    (void)position;
    if (room < sizeof(changed))
        return 0;
    if (page->has_begun) {
        if (sleep_unless_ending(page->server, LEAST_CHANGE_MS))
            return MHD_CONTENT_READER_END_OF_STREAM;
        for (int ms = LEAST_CHANGE_MS; ms < HEARTBEAT_MS; ms += POLL_MS) {
            version = version_of(page->server);
            if (version != page->sent_version ||
                sleep_unless_ending(page->server, POLL_MS))
                break;
        }
        message = version != page->sent_version ? changed : heartbeat;
    }
    page->has_begun = 1;
    page->sent_version = version;
    memcpy(out, message, strlen(message));
    return (ssize_t)strlen(message);
}

static void forget_page(void *context)
{
    struct page *page = context;
    struct rln__server *s = page->server;

    pthread_mutex_lock(&s->lock);
    s->n_pages--;
    s->alone_since_ms = rln__monotonic_ms();
    pthread_mutex_unlock(&s->lock);
    rln__free(page);
}

static struct MHD_Response *stream_events(struct rln__server *s)
{
    struct page *page = rln__alloc(1, sizeof(*page));
    struct MHD_Response *response;

    if (!page)
        return NULL;
    page->server = s;
    page->sent_version = version_of(s);
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 256, next_event,
                                                 page, forget_page);
    if (!response) {
        rln__free(page);
        return NULL;
    }
    pthread_mutex_lock(&s->lock);
    s->n_pages++;
    s->has_had_page = 1;
    pthread_mutex_unlock(&s->lock);
    return response;
}

/* --- Answers ---------------------------------------------------------------------- */

/* A request, from reading its first line to sending its answer. */
struct visit {
    struct rln__request request;
    int status;
    int is_allowed; /* accepted: the next call answers it */
    int takes_gzip;
};

static const char *const headers[][2] = {
    {"Content-Security-Policy", rln__viewer_policy},
    {"X-Content-Type-Options", "nosniff"},
    {"Cache-Control", "no-store"},
    {"Vary", "Accept-Encoding"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
};

/* Takes over `response`; NULL: the server failed to make one. */
static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status,
                              struct MHD_Response *response, const char *type)
{
    enum MHD_Result result;

    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < RLN_COUNT(headers); i++)
        (void)MHD_add_response_header(response, headers[i][0], headers[i][1]);
    (void)MHD_add_response_header(response, "Content-Type", type);
    result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, int status)
{
    char text[32];
    const int length = snprintf(text, sizeof(text), "%d\n", status);

    return answer(
        connection, (unsigned)status,
        MHD_create_response_from_buffer((size_t)length, text, MHD_RESPMEM_MUST_COPY),
        "text/plain");
}

/* Takes over the bytes, also if it fails. */
static enum MHD_Result answer_bytes(struct MHD_Connection *connection,
                                    struct rln__buf *bytes, int is_gzip,
                                    const char *type)
{
    /* The library releases this with free(), which is what rln__free() calls. */
    struct MHD_Response *response = MHD_create_response_from_buffer(
        bytes->length, bytes->bytes, MHD_RESPMEM_MUST_FREE);

    if (!response)
        rln__buf_clear(bytes);
    if (response && is_gzip)
        (void)MHD_add_response_header(response, "Content-Encoding", "gzip");
    return answer(connection, MHD_HTTP_OK, response, type);
}

static enum MHD_Result answer_part(struct MHD_Connection *connection, const char *name,
                                   int takes_gzip)
{
    for (size_t i = 0; i < rln__n_viewer_parts; i++) {
        const struct rln__viewer_part *part = &rln__viewer_parts[i];
        struct rln__buf out = {0};

        if (!*part->type || strcmp(part->name, name) != 0)
            continue;
        if (takes_gzip)
            rln__buf_add(&out, (const char *)part->bytes, part->n_bytes);
        else if (rln__unpack(part, &out) == RLN_ERR_ARGUMENT)
            return refuse(connection, MHD_HTTP_NOT_ACCEPTABLE);
        return out.length ? answer_bytes(connection, &out, takes_gzip, part->type)
                          : refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR);
    }
    return refuse(connection, MHD_HTTP_NOT_FOUND);
}

static enum MHD_Result answer_question(struct rln__server *s,
                                       struct MHD_Connection *connection,
                                       const struct visit *visit)
{
    const struct rln__question *question = &visit->request.question;
    struct rln__served_trace *const *traces = s->options.traces;
    struct rln__served_trace *compared =
        question->trace == 0 && s->options.n_traces > 1 ? traces[1] : NULL;
    struct rln__buf out = {0};
    int status =
        rln__served_trace_query(traces[question->trace], compared, question, &out);
    int is_gzip;

    if (out.has_failed)
        status = MHD_HTTP_INTERNAL_SERVER_ERROR;
    if (status != MHD_HTTP_OK) {
        rln__buf_clear(&out);
        return refuse(connection, status);
    }
    is_gzip = visit->takes_gzip && rln__compress(&out);
    return answer_bytes(connection, &out, is_gzip, "application/json");
}

static enum MHD_Result on_header(void *context, enum MHD_ValueKind kind,
                                 const char *name, const char *value)
{
    (void)kind;
    rln__callers_header(context, name, value);
    return MHD_YES;
}

/* Requests that are refused before any work is done. */
static int status_of(struct rln__server *s, struct MHD_Connection *connection,
                     const char *method, struct visit *visit)
{
    struct rln__caller caller = {.port = s->port};

    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, on_header, &caller);
    visit->takes_gzip = rln__encodings_have_gzip(&caller.encodings);
    if (caller.is_foreign || caller.n_hosts != 1)
        return MHD_HTTP_FORBIDDEN;
    if (strcmp(method, "GET") != 0)
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    if (caller.has_body)
        return 413; /* the library's name for it depends on its version */
    return visit->status;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *url, const char *method,
                                  const char *version, const char *body, size_t *n_body,
                                  void **slot)
{
    struct rln__server *s = context;
    struct visit *visit = *slot;

    (void)url;
    (void)version;
    (void)body;
    (void)n_body;
    if (!visit)
        return MHD_NO; /* no memory */
    if (!visit->is_allowed) {
        const int status = status_of(s, connection, method, visit);

        /* An accepted request is answered at the library's next call: an answer now
         * would end the connection. */
        visit->is_allowed = status == MHD_HTTP_OK;
        return visit->is_allowed ? MHD_YES : refuse(connection, status);
    }
    switch (visit->request.kind) {
    case RLN__REQUEST_FILE:
        return answer_part(connection, visit->request.file, visit->takes_gzip);
    case RLN__REQUEST_EVENTS:
        return answer(connection, MHD_HTTP_OK, stream_events(s), "text/event-stream");
    default:
        return answer_question(s, connection, visit);
    }
}

static int fd_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
        ->connect_fd;
}

/* Gets the request's raw target, which request.c reads. */
static void *on_target(void *context, const char *target,
                       struct MHD_Connection *connection)
{
    struct rln__server *s = context;
    struct visit *visit = rln__alloc(1, sizeof(*visit));

    if (!visit)
        return NULL;
    visit->status =
        rln__request_parse(target, s->token, s->options.n_traces, &visit->request);
    if (visit->status == MHD_HTTP_OK)
        rln__strangers_forget(&s->strangers, fd_of(connection));
    return visit;
}

static void on_end(void *context, struct MHD_Connection *connection, void **slot,
                   enum MHD_RequestTerminationCode how)
{
    struct visit *visit = *slot;

    (void)context;
    (void)connection;
    (void)how;
    if (visit)
        rln__request_clear(&visit->request);
    rln__free(visit);
    *slot = NULL;
}

/* Forgets a connection before the library closes its descriptor. */
static void on_connection(void *context, struct MHD_Connection *connection, void **slot,
                          enum MHD_ConnectionNotificationCode what)
{
    struct rln__server *s = context;

    (void)slot;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        rln__strangers_add(&s->strangers, fd_of(connection), rln__monotonic_ms());
    else
        rln__strangers_forget(&s->strangers, fd_of(connection));
}

/* --- The server ------------------------------------------------------------------- */

int rln__server_is_there(void)
{
    return 1;
}

static rln_status make_token(struct rln__server *s, rln_error *err)
{
    unsigned char random[RLN__TOKEN_CHARS / 2];

    if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return rln__fail(err, RLN_ERR_IO, 0, "cannot serve: getrandom: %s",
                         strerror(errno));
    for (size_t i = 0; i < sizeof(random); i++)
        (void)snprintf(s->token + 2 * i, 3, "%02x", random[i]);
    return RLN_OK;
}

/* Opens a listening socket on the loopback, and sets `s->port`. */
static rln_status listen_here(struct rln__server *s, int *out, rln_error *err)
{
    struct sockaddr_in here = {.sin_family = AF_INET};
    socklen_t length = sizeof(here);
    const int yes = 1;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *out = -1;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    here.sin_port = htons(s->options.port);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
        bind(fd, (const struct sockaddr *)&here, sizeof(here)) ||
        listen(fd, (int)MAX_CONNECTIONS) ||
        getsockname(fd, (struct sockaddr *)&here, &length)) {
        const int why = errno;

        if (fd >= 0)
            (void)close(fd);
        return rln__fail(err, RLN_ERR_IO, 0,
                         "cannot serve: address=127.0.0.1, port=%u: %s%s",
                         (unsigned)s->options.port, strerror(why),
                         s->options.port ? "\nhint: use another port with --port N, or "
                                           "omit it for a free one"
                                         : "");
    }
    s->port = ntohs(here.sin_port);
    *out = fd;
    return RLN_OK;
}

static rln_status start_daemon(struct rln__server *s, int fd, rln_error *err)
{
    s->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, s->port, NULL,
        NULL, on_request, s, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
        MAX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, QUIET_S,
        MHD_OPTION_URI_LOG_CALLBACK, on_target, s, MHD_OPTION_NOTIFY_COMPLETED, on_end,
        s, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_END);
    if (s->daemon)
        return RLN_OK;
    (void)close(fd);
    return rln__fail(err, RLN_ERR_IO, 0, "cannot serve: cannot start libmicrohttpd");
}

rln_status rln__server_start(const struct rln__server_options *options,
                             struct rln__server **out, rln_error *err)
{
    struct rln__server *s = rln__alloc(1, sizeof(*s));
    pthread_condattr_t monotonic;
    rln_status status;
    int fd;

    *out = NULL;
    if (!s)
        return rln__fail_nomem(err);
    s->options = *options;
    s->alone_since_ms = rln__monotonic_ms();
    rln__strangers_init(&s->strangers);
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->ends, &monotonic);
    pthread_condattr_destroy(&monotonic);
    status = make_token(s, err);
    if (!status)
        status = listen_here(s, &fd, err);
    if (!status) {
        (void)snprintf(s->address, sizeof(s->address), "http://127.0.0.1:%u/%s/",
                       (unsigned)s->port, s->token);
        status = start_daemon(s, fd, err);
    }
    if (status) {
        rln__server_stop(s);
        return status;
    }
    *out = s;
    return RLN_OK;
}

const char *rln__server_address(const struct rln__server *s)
{
    return s->address;
}

uint16_t rln__server_port(const struct rln__server *s)
{
    return s->port;
}

static int is_alone(struct rln__server *s)
{
    int64_t patience_ms;
    int result;

    pthread_mutex_lock(&s->lock);
    patience_ms = s->has_had_page ? s->options.next_page_ms : s->options.first_page_ms;
    result = s->n_pages == 0 && rln__monotonic_ms() - s->alone_since_ms >= patience_ms;
    pthread_mutex_unlock(&s->lock);
    return result;
}

void rln__server_wait(struct rln__server *s, const volatile sig_atomic_t *must_stop)
{
    while (!*must_stop && !is_alone(s)) {
        rln__strangers_expire(&s->strangers, rln__monotonic_ms() - TOKEN_MS);
        (void)sleep_unless_ending(s, POLL_MS);
    }
}

void rln__server_stop(struct rln__server *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->is_ending = 1;
    pthread_cond_broadcast(&s->ends);
    pthread_mutex_unlock(&s->lock);
    if (s->daemon)
        MHD_stop_daemon(s->daemon); /* waits for all its threads */
    pthread_cond_destroy(&s->ends);
    pthread_mutex_destroy(&s->lock);
    rln__strangers_clear(&s->strangers);
    rln__free(s);
}
