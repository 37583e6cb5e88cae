/* SPDX-License-Identifier: Apache-2.0 */
/* nothing_lost.c - ends a recorded program at a random moment, and checks that the
 * trace has each call that had returned by then once, in order.
 *
 * nothing_lost VICTIM COLLECTOR RANGELINE FOLDER WAY TIMES
 *
 * WAY is how it ends: threads or forks (by SIGKILL), _exit, abort, overflow (by
 * itself), launcher (SIGKILL, under `rangeline profile`). At most one more event per
 * worker is allowed, for a call in progress. Before a SIGKILL the trace is read while
 * it is being written.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "export/exporter.h"
#include "rangeline/rangeline.h"
#include "ranges/events.h"
#include "trace/open/load.h"

static const char *victim, *collector, *command, *folder, *way;
static char trace[4096];

/* --- the verdict ------------------------------------------------------------------ */

struct stream {
    int worker;      /* -1: not known yet */
    uint64_t serial; /* of the next event */
    uint64_t start_id;
};

enum { MOST_STREAMS = 64 };

static int fail(const char *what, uint64_t a, uint64_t b)
{
    fprintf(stderr, "%s: way=%s: %s: found %llu, expected %llu\n", trace, way, what,
            (unsigned long long)a, (unsigned long long)b);
    return 0;
}

static int check_event(struct stream *s, const rln_event *e)
{
    static const rln_event_type types[CALLS] = {
        RLN_EVENT_PUSH, RLN_EVENT_MARK, RLN_EVENT_START, RLN_EVENT_END, RLN_EVENT_POP};
    const enum call call = s->serial % CALLS;

    if (e->type != types[call])
        return fail("event's type", e->type, types[call]);
    if (s->worker < 0)
        s->worker = (int)(e->payload_bits >> 40);
    if (call <= CALL_START &&
        e->payload_bits != payload_of((unsigned)s->worker, s->serial))
        return fail("payload", e->payload_bits,
                    payload_of((unsigned)s->worker, s->serial));
    if (call == CALL_START)
        s->start_id = e->id;
    if (call == CALL_END && e->id != s->start_id)
        return fail("id", e->id, s->start_id);
    if ((call == CALL_PUSH || call == CALL_POP) && e->depth != 0)
        return fail("depth", e->depth, 0);
    s->serial++;
    return 1;
}

static int check_count(const struct stream *streams, const struct score *score)
{
    uint64_t found[WORKERS] = {0};

    for (int i = 0; i < MOST_STREAMS; i++) {
        if (streams[i].worker >= 0)
            found[streams[i].worker] += streams[i].serial;
    }
    for (int i = 0; i < WORKERS; i++) {
        const uint64_t returned = score->returned[i];

        if (found[i] < returned || found[i] > returned + 1)
            return fail("events of a worker", found[i], returned);
    }
    return 1;
}

/* Without a score, the victim is still recording, and only the start of the trace is
 * there. */
static int check_trace(const struct score *score)
{
    struct stream streams[MOST_STREAMS];
    const char *path = trace;
    rln_reader *reader;
    rln_events *events = NULL;
    const rln_event *e;
    rln_error err = {0};
    rln_status status = rln_reader_open(&path, 1, &reader, &err);
    int is_good = 1;

    for (int i = 0; i < MOST_STREAMS; i++)
        streams[i] = (struct stream){-1, 0, 0};
    if (!status)
        status = rln__events_open_all(reader, &events, &err);
    while (!status && is_good) {
        status = rln_events_next(events, &e, &err);
        if (status)
            break;
        if (e->type == RLN_EVENT_GAP || e->thread >= MOST_STREAMS)
            is_good = fail("gap or thread", e->type, e->thread);
        else if (e->type >= RLN_EVENT_MARK && e->type <= RLN_EVENT_END)
            is_good = check_event(&streams[e->thread], e);
    }
    if (status != RLN_END && is_good)
        is_good = fail(err.message, status, RLN_END);
    rln_events_close(events);
    rln_reader_close(reader);
    return is_good && (!score || check_count(streams, score));
}

/* Whether there is a trace yet. Its magic number is written last when the file is
 * created, and no call returns before. */
static int has_begun(void)
{
    const int fd = open(trace, O_RDONLY);
    uint32_t magic = 0;

    if (fd < 0)
        return 0;
    if (read(fd, &magic, sizeof magic) < 0)
        magic = 0;
    close(fd);
    return magic != 0;
}

/* --- running the victim ----------------------------------------------------------- */

static int ends_itself(void)
{
    return strcmp(way, "_exit") == 0 || strcmp(way, "abort") == 0 ||
           strcmp(way, "overflow") == 0;
}

static void start_victim(int score_fd, int ms)
{
    const struct rlimit no_core = {0, 0};
    const int is_launched = strcmp(way, "launcher") == 0;
    char fd_text[16], ms_text[16];
    const int null = open("/dev/null", O_RDWR);

    setpgid(0, 0);
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(null, STDERR_FILENO);
    snprintf(fd_text, sizeof fd_text, "%d", score_fd);
    snprintf(ms_text, sizeof ms_text, "%d", ms);
    if (is_launched) {
        execl(command, command, "profile", "-o", trace, victim, fd_text, "threads",
              (char *)NULL);
    } else {
        setenv("NVTX_INJECTION64_PATH", collector, 1);
        setenv("RANGELINE_OUTPUT", trace, 1);
        execl(victim, victim, fd_text, way, ends_itself() ? ms_text : NULL,
              (char *)NULL);
    }
    _exit(127);
}

/* Whether the victim ended as it should. */
static int run_victim(struct score *score, int score_fd)
{
    const int ms = 5 + rand() % 96;
    const pid_t child = fork();
    uint32_t pid;
    int status, is_beginning;

    if (child == 0)
        start_victim(score_fd, ms);
    if (ends_itself()) {
        waitpid(child, &status, 0);
        return strcmp(way, "_exit") == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 3
               : strcmp(way, "abort") == 0
                   ? WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT
                   : WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
    }
    /* Under the launcher it takes long to begin: on a busy machine, longer than the
     * longest pause. */
    while (strcmp(way, "launcher") == 0 &&
           !__atomic_load_n(&score->returned[0], __ATOMIC_ACQUIRE))
        usleep(100);
    usleep((useconds_t)ms * 1000);
    while (!(pid = __atomic_load_n(&score->pid, __ATOMIC_ACQUIRE)))
        usleep(100);
    is_beginning = !has_begun() || check_trace(NULL);
    kill(strcmp(way, "launcher") == 0 ? (pid_t)pid : -child, SIGKILL);
    waitpid(child, &status, 0);
    if (!is_beginning)
        return fail("a trace that is being written", 0, 1);
    if (strcmp(way, "launcher") == 0)
        return WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL;
    /* The workers that it forked are our children now. */
    while (wait(NULL) > 0)
        ;
    return (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
           fail("wait status", (uint64_t)status, SIGKILL);
}

int main(int argc, char **argv)
{
    uint64_t n_events = 0;
    unsigned seed;

    if (argc != 7)
        return 2;
    victim = argv[1], collector = argv[2], command = argv[3], folder = argv[4];
    way = argv[5];
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    seed = (unsigned)time(NULL);
    srand(seed);
    for (int i = 0; i < atoi(argv[6]); i++) {
        const int fd = memfd_create("score", 0);
        struct score *score;

        snprintf(trace, sizeof trace, "%s/%s-%d.rln", folder, way, i);
        unlink(trace);
        if (ftruncate(fd, sizeof *score) < 0)
            return 1;
        score = mmap(NULL, sizeof *score, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (!run_victim(score, fd)) {
            fprintf(stderr, "the victim did not end as it should: way=%s, run=%d\n",
                    way, i);
            return 1;
        }
        if (has_begun() ? !check_trace(score)
                        : score->returned[0] &&
                              !fail("no trace: calls", score->returned[0], 0)) {
            fprintf(stderr, "seed=%u, run=%d; the trace is kept: %s\n", seed, i, trace);
            return 1;
        }
        for (int worker = 0; worker < WORKERS; worker++)
            n_events += score->returned[worker];
        unlink(trace);
        munmap(score, sizeof *score);
        close(fd);
    }
    printf("%s: %s times, %llu calls returned, none is missing\n", way, argv[6],
           (unsigned long long)n_events);
    /* Without any event, all were killed before their first call, which proves nothing.
     */
    return n_events > 0 ? 0 : 1;
}
