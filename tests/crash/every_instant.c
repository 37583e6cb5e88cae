/* SPDX-License-Identifier: Apache-2.0 */
/* every_instant.c - reads a trace between any two instructions of a program that is
 * being recorded: whatever ends it there, every call that had returned is in the trace,
 * and at most the one under way besides.
 *
 * every_instant COLLECTOR FOLDER
 *
 * A tracer steps through the first calls, and through those in which the first chunk
 * becomes full, system calls included. It reads the trace at each stop: anew, and as a
 * reader that follows its growth.
 */
#include <nvtx3/nvToolsExt.h>

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rangeline/rangeline.h"

/* What both processes see. */
struct score {
    volatile uint64_t n_begun; /* calls */
    volatile uint64_t n_returned;
    volatile int is_over;
};

static struct score *score;
static char trace[4096];

/* --- the program that is recorded --------------------------------------------------
 */

/* Call n is of kind n % KINDS; each makes one event. A new text now and then is a name
 * that has to be written before the event that uses it. */
enum { KINDS = 6, NEW_TEXT_EVERY = 8 };

/* Six calls are eight words, and a first chunk is 16 KiB: the 1,530th has no room. */
enum { N_FIRST = 60, N_RESUME = 1480, N_CALLS = 1580 };

static const rln_event_type types[KINDS] = {RLN_EVENT_MARK, RLN_EVENT_PUSH,
                                            RLN_EVENT_POP,  RLN_EVENT_START,
                                            RLN_EVENT_END,  RLN_EVENT_MARK};

static void text_of(uint64_t n, char text[32])
{
    (void)snprintf(text, 32, "name %d",
                   n % NEW_TEXT_EVERY == 0 ? (int)(n / NEW_TEXT_EVERY) : -1);
}

/* Nothing but the call itself is between the two numbers. */
#define CALL(it)                                                                       \
    do {                                                                               \
        score->n_begun = n + 1;                                                        \
        it;                                                                            \
        score->n_returned = n + 1;                                                     \
    } while (0)

static void call(uint64_t n, nvtxDomainHandle_t domain, nvtxStringHandle_t name)
{
    static nvtxRangeId_t id;
    nvtxEventAttributes_t event = {0};
    char text[32];

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = name;
    text_of(n, text);
    switch (n % KINDS) {
    case 0:
        CALL(nvtxMarkA(text));
        break;
    case 1:
        CALL((void)nvtxDomainRangePushEx(domain, &event));
        break;
    case 2:
        CALL((void)nvtxDomainRangePop(domain));
        break;
    case 3:
        CALL(id = nvtxRangeStartA(text));
        break;
    case 4:
        CALL(nvtxRangeEnd(id));
        break;
    default:
        event.messageType = NVTX_MESSAGE_TYPE_ASCII;
        event.message.ascii = text;
        event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
        event.payload.ullValue = n;
        CALL(nvtxDomainMarkEx(domain, &event));
        break;
    }
}

static _Noreturn void be_recorded(void)
{
    nvtxDomainHandle_t domain;
    nvtxStringHandle_t name;

    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    domain = nvtxDomainCreateA("domain"); /* attaches, which is dlopen()'s affair */
    name = nvtxDomainRegisterStringA(domain, "registered");
    for (uint64_t n = 0; n < N_CALLS; n++) {
        if (n == 0 || n == N_RESUME)
            raise(SIGSTOP);
        call(n, domain, name);
    }
    score->is_over = 1;
    for (;;)
        pause();
}

/* --- the reader --------------------------------------------------------------------
 */

static int fail(const char *what, uint64_t found, uint64_t expected)
{
    fprintf(stderr, "%s: after %llu calls: %s: found %llu, expected %llu\n", trace,
            (unsigned long long)score->n_returned, what, (unsigned long long)found,
            (unsigned long long)expected);
    return 0;
}

static int check_event(uint64_t n, const rln_event *e)
{
    const unsigned kind = (unsigned)(n % KINDS);
    char text[32];

    text_of(n, text);
    if (e->type != types[kind])
        return fail("event's type", e->type, types[kind]);
    if ((kind == 0 || kind == 3 || kind == 5) &&
        (e->with.message.length != strlen(text) ||
         memcmp(e->with.message.bytes, text, strlen(text)) != 0))
        return fail("length of the message", e->with.message.length, strlen(text));
    if (kind == 5 && e->payload_bits != n)
        return fail("payload", e->payload_bits, n);
    return 1;
}

static int check(rln_reader *reader)
{
    const uint64_t n_returned = score->n_returned;
    rln_events *events = NULL;
    const rln_event *e;
    rln_error err = {0};
    rln_status status = rln_events_open(reader, &events, &err);
    uint64_t n = 0;
    int is_good = 1;

    while (!status && is_good) {
        status = rln_events_next(events, &e, &err);
        if (!status && e->type >= RLN_EVENT_MARK && e->type <= RLN_EVENT_END)
            is_good = check_event(n++, e);
    }
    if (status != RLN_END && is_good)
        is_good = fail(err.message, (uint64_t)status, RLN_END);
    rln_events_close(events);
    if (is_good && (n < n_returned || n > n_returned + 1))
        is_good = fail("events", n, n_returned);
    return is_good;
}

static int check_anew(void)
{
    const char *path = trace;
    rln_reader *reader = NULL;
    rln_error err = {0};
    int is_good;

    if (rln_reader_open(&path, 1, &reader, &err))
        return fail(err.message, 0, 0);
    is_good = check(reader);
    rln_reader_close(reader);
    return is_good;
}

static int check_growth(rln_reader *follower)
{
    rln_error err = {0};

    if (rln_reader_refresh(follower, &err))
        return fail(err.message, 0, 0);
    return check(follower);
}

/* --- the tracer --------------------------------------------------------------------
 */

static int has_stopped(pid_t child, int by)
{
    int status;

    return waitpid(child, &status, 0) == child && WIFSTOPPED(status) &&
           WSTOPSIG(status) == by;
}

/* Reads at each stop, until all calls have returned. The number of stops, 0 if one of
 * them was a bad moment. */
static uint64_t step_through(pid_t child)
{
    const char *path = trace;
    rln_reader *follower = NULL;
    rln_error err = {0};
    uint64_t n_stops = 0;

    if (!has_stopped(child, SIGSTOP) || rln_reader_open(&path, 1, &follower, &err))
        return 0;
    while (!score->is_over) {
        const int runs = score->n_returned >= N_FIRST && score->n_returned < N_RESUME;

        (void)ptrace(runs ? PTRACE_CONT : PTRACE_SINGLESTEP, child, NULL, NULL);
        if (!has_stopped(child, runs ? SIGSTOP : SIGTRAP)) {
            n_stops = 0;
            break;
        }
        if (score->n_begun == score->n_returned)
            continue;
        if (!check_anew() || !check_growth(follower)) {
            n_stops = 0;
            break;
        }
        n_stops++;
    }
    rln_reader_close(follower);
    return n_stops;
}

int main(int argc, char **argv)
{
    uint64_t n_stops;
    pid_t child;

    if (argc != 3)
        return 2;
    (void)snprintf(trace, sizeof trace, "%s/every_instant.rln", argv[2]);
    (void)unlink(trace);
    score = mmap(NULL, sizeof *score, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (score == MAP_FAILED)
        return 1;
    setenv("NVTX_INJECTION64_PATH", argv[1], 1);
    setenv("RANGELINE_OUTPUT", trace, 1);
    child = fork();
    if (child == 0)
        be_recorded();
    n_stops = step_through(child);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    printf("%llu calls, read after each of %llu instructions\n",
           (unsigned long long)score->n_returned, (unsigned long long)n_stops);
    if (n_stops == 0 || !score->is_over)
        return 1;
    (void)unlink(trace);
    return 0;
}
