/* SPDX-License-Identifier: Apache-2.0 */
/* every_instant.c - reads a trace between any two instructions of a recorded program:
 * at each of them, the trace has every call that had returned, and at most the one in
 * progress.
 *
 * every_instant COLLECTOR FOLDER [EVERY [newest]]
 *
 * A tracer steps through the first calls, and through those in which the first chunk
 * becomes full, system calls included. It reads the trace at each stop: from scratch,
 * and as a reader that follows its growth. With EVERY, only at every so many stops,
 * different ones each time, because sanitizers multiply the instructions.
 *
 * With `newest` the oldest events are overwritten. Then it steps through the calls in
 * which that first happens, and the trace has the last events at each stop, without
 * gaps.
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

#include "export/exporter.h"
#include "rangeline/rangeline.h"
#include "ranges/events.h"
#include "reports/check/info.h"
#include "trace/open/load.h"

/* Shared by both processes. */
struct score {
    volatile uint64_t n_begun; /* calls */
    volatile uint64_t n_returned;
    volatile int is_over;
};

static struct score *score;
static char trace[4096];

/* --- the program that is recorded ------------------------------------------------- */

/* Call n is of kind n % KINDS; each makes one event. Some events have a new text: a
 * name that has to be written before the event that uses it. */
enum { KINDS = 6, NEW_TEXT_EVERY = 8 };

/* Six calls are eight words, and a first chunk is 16 KiB: the 1,530th has no room. */
enum { N_FIRST = 60, N_RESUME = 1480, N_CALLS = 1580 };

/* The run that keeps the newest events: it stops at this interval until the tracer has
 * seen something overwritten, and is then started again. */
enum { STOP_EVERY = 96, N_SURELY_KEPT = 6000 };

static int is_newest;
static uint64_t n_resume = N_RESUME, n_calls = N_CALLS;

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
    domain =
        nvtxDomainCreateA("domain"); /* attaches by dlopen(), not stepped through */
    name = nvtxDomainRegisterStringA(domain, "registered");
    for (uint64_t n = 0; n < n_calls; n++) {
        if (n == 0 || n == n_resume || (n_resume == UINT64_MAX && n % STOP_EVERY == 0))
            raise(SIGSTOP);
        call(n, domain, name);
    }
    score->is_over = 1;
    for (;;)
        pause();
}

/* --- the reader ------------------------------------------------------------------- */

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
        (e->attributes.message.length != strlen(text) ||
         memcmp(e->attributes.message.bytes, text, strlen(text)) != 0))
        return fail("length of the message", e->attributes.message.length,
                    strlen(text));
    if (kind == 5 && e->payload_bits != n)
        return fail("payload", e->payload_bits, n);
    return 1;
}

/* Whether an event contains its own number; sets *n to that of the next event. */
static int is_anchor(const rln_event *e, uint64_t *n)
{
    if (e->type != RLN_EVENT_MARK || e->attributes.payload_type != RLN_PAYLOAD_U64)
        return 0;
    *n = e->payload_bits + 1;
    return 1;
}

static int check(rln_reader *reader)
{
    const uint64_t n_returned = score->n_returned;
    rln_events *events = NULL;
    const rln_event *e;
    rln_error err = {0};
    rln_status status = rln__events_open_all(reader, &events, &err);
    int has_number = !is_newest;
    uint64_t n = 0;
    int is_good = 1;

    while (!status && is_good) {
        status = rln_events_next(events, &e, &err);
        if (!status && !has_number)
            has_number = is_anchor(e, &n);
        else if (!status && e->type >= RLN_EVENT_MARK && e->type <= RLN_EVENT_END)
            is_good = check_event(n++, e);
    }
    if (status != RLN_END && is_good)
        is_good = fail(err.message, (uint64_t)status, RLN_END);
    rln_events_close(events);
    if (is_good && (has_number || n_returned > KINDS) &&
        (n < n_returned || n > n_returned + 1))
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

    if (rln__reader_refresh(follower, &err))
        return fail(err.message, 0, 0);
    return check(follower);
}

/* --- the tracer ------------------------------------------------------------------- */

static int has_stopped(pid_t child, int by)
{
    int status;

    return waitpid(child, &status, 0) == child && WIFSTOPPED(status) &&
           WSTOPSIG(status) == by;
}

/* Reads at each stop, until all calls have returned. Returns the number of stops, 0 if
 * the trace was wrong at one of them. */
static uint64_t step_through(pid_t child, unsigned every)
{
    const char *path = trace;
    rln_reader *follower = NULL;
    rln_error err = {0};
    const unsigned phase = (unsigned)getpid() % every;
    uint64_t n_stops = 0;

    if (!has_stopped(child, SIGSTOP) || rln_reader_open(&path, 1, &follower, &err))
        return 0;
    while (!score->is_over) {
        const int runs = score->n_returned >= N_FIRST && score->n_returned < n_resume;

        (void)ptrace(runs ? PTRACE_CONT : PTRACE_SINGLESTEP, child, NULL, NULL);
        if (!has_stopped(child, runs ? SIGSTOP : SIGTRAP)) {
            n_stops = 0;
            break;
        }
        if (score->n_begun == score->n_returned || (n_stops++ + phase) % every)
            continue;
        if (!check_anew() || !check_growth(follower)) {
            n_stops = 0;
            break;
        }
    }
    rln_reader_close(follower);
    return n_stops;
}

static int is_overwritten(void)
{
    const char *path = trace;
    rln_reader *reader = NULL;
    rln_info *info = NULL;
    int answer = -1;

    if (!rln_reader_open(&path, 1, &reader, NULL) &&
        !rln_info_open(reader, &info, NULL))
        answer = rln_info_totals(info)->n_overwritten > 0;
    rln_info_close(info);
    rln_reader_close(reader);
    return answer;
}

/* The number of a call shortly before the one in which something is first overwritten;
 * 0 if that cannot be determined. */
static uint64_t find_overwriting(void)
{
    uint64_t n = 0;
    pid_t child;

    n_resume = n_calls = UINT64_MAX;
    child = fork();
    if (child == 0)
        be_recorded();
    while (has_stopped(child, SIGSTOP)) {
        if (score->n_returned > N_SURELY_KEPT && is_overwritten()) {
            n = score->n_returned;
            break;
        }
        (void)ptrace(PTRACE_CONT, child, NULL, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    *score = (struct score){0};
    (void)unlink(trace);
    return n > STOP_EVERY ? n - STOP_EVERY : 0;
}

int main(int argc, char **argv)
{
    uint64_t n_stops;
    pid_t child;

    if (argc < 3 || (argc > 3 && atoi(argv[3]) < 1))
        return 2;
    is_newest = argc > 4;
    (void)snprintf(trace, sizeof trace, "%s/every_instant.rln", argv[2]);
    (void)unlink(trace);
    score = mmap(NULL, sizeof *score, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (score == MAP_FAILED)
        return 1;
    setenv("NVTX_INJECTION64_PATH", argv[1], 1);
    setenv("RANGELINE_OUTPUT", trace, 1);
    if (is_newest) {
        setenv("RANGELINE_BUFFER", "200000", 1);
        n_resume = find_overwriting();
        n_calls = n_resume + STOP_EVERY + 4;
        if (n_resume == 0)
            return !fail("calls until something is overwritten", 0, 1);
    }
    child = fork();
    if (child == 0)
        be_recorded();
    n_stops = step_through(child, argc > 3 ? (unsigned)atoi(argv[3]) : 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    printf("%llu calls, read between %llu instructions\n",
           (unsigned long long)score->n_returned, (unsigned long long)n_stops);
    if (n_stops == 0 || !score->is_over)
        return 1;
    (void)unlink(trace);
    return 0;
}
