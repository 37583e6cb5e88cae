/* SPDX-License-Identifier: Apache-2.0 */
/* every_fault.c - makes each system call of the collector fail, in every possible way.
 *
 * every_fault COLLECTOR FOLDER [EVERY]
 *
 * A program makes events of all kinds, fills its first chunks, starts a thread, pauses,
 * and makes more. A tracer makes the collector's n-th system call fail, once, or all of
 * the same kind from there to the pause. Whatever fails, the program gets the same
 * results, the collector does not repeat calls too often, the file does not grow in
 * vain, each event is in the trace or counted as dropped, and after the pause none is
 * dropped; a process that could not open its trace has none.
 *
 * Prints the outcomes as a table for docs/about/FAULTS.md. With EVERY, only every
 * EVERY-th call fails, to save time.
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rangeline/rangeline.h"
#include "ranges/events.h"
#include "reports/check/info.h"
#include "trace/open/load.h"

#ifndef __x86_64__
int main(void)
{
    printf("a system call can be replaced on x86-64 only\n");
    return 77;
}
#else

/* --- the program that is recorded ------------------------------------------------- */

enum {
    N_PLAIN = 3000, /* pairs: more than the first chunk and block hold */
    N_AFTER = 50,
    N_THREAD = 20,
    WRONG_ANSWER = 1,
};

#define EXPECT(condition)                                                              \
    do {                                                                               \
        if (!(condition))                                                              \
            _exit(WRONG_ANSWER);                                                       \
    } while (0)

/* Events made: those in the trace plus those counted as dropped must equal this. */
static uint64_t n_made;

static void make_kinds(nvtxDomainHandle_t domain, const char *text)
{
    static const int64_t value = 5;
    const nvtxPayloadData_t data = {NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8, &value};
    nvtxEventAttributes_t event = {0};

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.category = 7;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(domain, text);
    nvtxDomainNameCategoryA(domain, 7, text);
    nvtxDomainMarkEx(domain, &event);
    nvtxMarkA(text);
    nvtxRangeEnd(nvtxRangeStartA(text));
    nvtxMarkPayload(domain, &data, 1);
    nvtxNameOsThreadA((uint32_t)syscall(SYS_gettid), text);
    n_made += 5;
}

static void *make_in_thread(void *unused)
{
    for (int i = 0; i < N_THREAD; i++)
        nvtxMarkA("in a thread");
    n_made += N_THREAD;
    return unused;
}

static uint64_t *shared; /* how many events were made */

static _Noreturn void be_recorded(void)
{
    const int errno_before = EADDRINUSE;
    nvtxDomainHandle_t domain;
    pthread_t thread;

    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
        _exit(WRONG_ANSWER);
    (void)raise(SIGSTOP);
    errno = errno_before;
    domain = nvtxDomainCreateA("domain");
    make_kinds(domain, "first");
    for (unsigned i = 0; i < N_PLAIN; i++) {
        const int depth = nvtxRangePushA("pair");

        EXPECT(depth == 0 || depth == NVTX_NO_PUSH_POP_TRACKING);
        EXPECT(nvtxRangePop() == depth);
    }
    n_made += 2 * N_PLAIN;
    EXPECT(errno == errno_before);
    EXPECT(pthread_create(&thread, NULL, make_in_thread, NULL) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    make_kinds(domain, "second");
    (void)raise(SIGSTOP); /* from here on nothing fails */
    (void)usleep(200000); /* the collector retries after a tenth of a second */
    errno = errno_before;
    for (int i = 0; i < N_AFTER; i++)
        nvtxMarkA("after");
    n_made += N_AFTER;
    EXPECT(errno == errno_before);
    *shared = n_made;
    _exit(0);
}

/* --- which calls can fail, and how ------------------------------------------------ */

enum { MOST_ERRORS = 4 };

static const struct fallible {
    long number;
    const char *name;
    int errors[MOST_ERRORS]; /* what the kernel documents; none: it cannot fail */
} fallible[] = {
    {SYS_openat, "openat", {EMFILE, ENOMEM, ENOSPC, EACCES}},
    {SYS_open, "open", {EMFILE, ENOMEM, ENOSPC, EACCES}},
    {SYS_close, "close", {EIO}},
    {SYS_read, "read", {EIO, EINTR}},
    {SYS_pwrite64, "pwrite", {ENOSPC, EIO, EINTR}},
    {SYS_fstat, "fstat", {ENOMEM}},
    {SYS_newfstatat, "newfstatat", {ENOMEM}},
    {SYS_fstatfs, "fstatfs", {EIO, ENOSYS}},
    {SYS_fallocate, "fallocate", {ENOSPC, EIO, EOPNOTSUPP, EINTR}},
    {SYS_mmap, "mmap", {ENOMEM, EAGAIN, ENODEV}},
    {SYS_munmap, "munmap", {ENOMEM}},
    {SYS_madvise, "madvise", {EAGAIN, ENOMEM, EINVAL}},
    {SYS_fcntl, "fcntl", {EMFILE, EINVAL}},
    {SYS_ioctl, "ioctl", {ENOTTY}},
    {SYS_unlink, "unlink", {EACCES}},
    {SYS_unlinkat, "unlinkat", {EACCES}},
    {SYS_readlink, "readlink", {EACCES}},
    {SYS_readlinkat, "readlinkat", {EACCES}},
    {SYS_prctl, "prctl", {EINVAL}},
    {SYS_uname, "uname", {EFAULT}},
    {SYS_getcwd, "getcwd", {ENOMEM, ENOENT}},
    {SYS_getrandom, "getrandom", {EINTR, ENOSYS}},
    {SYS_process_vm_readv, "process_vm_readv", {EPERM, ENOSYS}},
    {SYS_futex, "futex", {EINTR, EAGAIN}},
    {SYS_prlimit64, "prlimit64", {EPERM}},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", {EAGAIN}},
    {SYS_rt_sigprocmask, "rt_sigprocmask", {0}},
    {SYS_rt_sigpending, "rt_sigpending", {0}},
    {SYS_rt_sigaction, "rt_sigaction", {0}},
    {SYS_sigaltstack, "sigaltstack", {0}},
    {SYS_sched_yield, "sched_yield", {0}},
    {SYS_getpid, "getpid", {0}},
    {SYS_getppid, "getppid", {0}},
    {SYS_gettid, "gettid", {0}},
    {SYS_tgkill, "tgkill", {ESRCH, EAGAIN}},
};

static const struct fallible *fallible_of(long number)
{
    for (size_t i = 0; i < sizeof fallible / sizeof *fallible; i++) {
        if (fallible[i].number == number)
            return &fallible[i];
    }
    return NULL;
}

/* --- one run ---------------------------------------------------------------------- */

struct fault {
    unsigned at; /* which call of the collector; 0: none fails */
    int error;   /* index in `errors` */
    int goes_on; /* to the pause */
};

enum outcome { WHOLE, LOSSES, UNRECORDED, FAILED, NOT_REACHED };
static const char *const outcome_names[] = {
    "nothing is lost", "events are lost and counted", "the process is not recorded"};

struct run {
    long numbers[4096]; /* of the collector's calls, in order */
    unsigned n_calls;
    uint64_t file_bytes;
};

static char trace[4096], collector[4096];

/* Where the collector's code lies in the child. */
static void find_code(pid_t child, uintptr_t code[2])
{
    char path[64], line[4600];
    FILE *maps;

    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)child);
    maps = fopen(path, "re");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long begin, end;
        char rights[8];

        if (strstr(line, collector) &&
            sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 &&
            rights[2] == 'x') {
            code[0] = begin;
            code[1] = end;
        }
    }
    if (maps)
        (void)fclose(maps);
}

static int is_collectors(pid_t child, uintptr_t at)
{
    static uintptr_t code[2];
    static pid_t known;

    if (known != child) {
        known = child;
        code[0] = code[1] = 0;
    }
    if (!code[1])
        find_code(child, code);
    return at >= code[0] && at < code[1];
}

/* To fail a call, it is replaced by one that does not exist, and its result by the
 * error. */
static void set_register(pid_t task, int is_result, long value)
{
    struct user_regs_struct registers;

    if (ptrace(PTRACE_GETREGS, task, NULL, &registers) < 0)
        return;
    if (is_result)
        registers.rax = (unsigned long long)value;
    else
        registers.orig_rax = (unsigned long long)value;
    (void)ptrace(PTRACE_SETREGS, task, NULL, &registers);
}

/* The state of a run in progress. */
struct injection {
    const struct fault *fault;
    struct run *run;
    long failing; /* all calls of this number fail; -1: none */
    int result;   /* of the call that fails now, 0: none does */
    int is_over;  /* the pause was reached */
};

static void at_call(struct injection *i, pid_t task,
                    const struct __ptrace_syscall_info *call)
{
    const long number = (long)call->entry.nr;
    const struct fallible *f;

    if (number == SYS_clock_gettime) /* at each event, where no counter can be read */
        return;
    i->run->numbers[i->run->n_calls % 4096] = number;
    i->run->n_calls++;
    if (i->is_over ||
        !(number == i->failing || (i->fault->at && i->run->n_calls == i->fault->at)))
        return;
    f = fallible_of(number);
    if (!f || !f->errors[i->fault->error])
        return;
    i->result = f->errors[i->fault->error];
    if (i->fault->goes_on)
        i->failing = number;
    set_register(task, 0, -1);
}

/* The exit status of the program; -1 if it ended otherwise. Traces the child's threads,
 * too, one call at a time. */
static int run_to_end(struct injection *i, pid_t child)
{
    struct __ptrace_syscall_info call;
    int status, n_stops = 0;

    for (;;) {
        const pid_t task = waitpid(-1, &status, __WALL);
        int signal = 0;

        if (task < 0)
            return -1;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (task == child)
                return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            continue;
        }
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            if (ptrace(PTRACE_GET_SYSCALL_INFO, task, sizeof call, &call) > 0) {
                if (call.op == PTRACE_SYSCALL_INFO_EXIT && i->result) {
                    set_register(task, 1, -i->result);
                    i->result = 0;
                } else if (call.op == PTRACE_SYSCALL_INFO_ENTRY &&
                           is_collectors(child, (uintptr_t)call.instruction_pointer)) {
                    at_call(i, task, &call);
                }
            }
        } else if (WSTOPSIG(status) == SIGSTOP && task == child) {
            if (n_stops++ == 0)
                (void)ptrace(PTRACE_SETOPTIONS, child, NULL,
                             PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE |
                                 PTRACE_O_EXITKILL);
            else
                i->is_over = 1;
        } else if (WSTOPSIG(status) != SIGSTOP && WSTOPSIG(status) != SIGTRAP) {
            signal = WSTOPSIG(status);
        }
        (void)ptrace(PTRACE_SYSCALL, task, NULL, (void *)(intptr_t)signal);
    }
}

/* --- the outcome ------------------------------------------------------------------ */

static enum outcome fail(const char *what, uint64_t found, uint64_t expected)
{
    fprintf(stderr, "%s: %llu, expected %llu\n", what, (unsigned long long)found,
            (unsigned long long)expected);
    return FAILED;
}

static unsigned n_after(rln_reader *reader)
{
    rln_events *events = NULL;
    const rln_event *e;
    unsigned n = 0;

    if (rln__events_open_all(reader, &events, NULL))
        return 0;
    while (rln_events_next(events, &e, NULL) == RLN_OK)
        n += e->type == RLN_EVENT_MARK && e->attributes.message.length == 5 &&
             memcmp(e->attributes.message.bytes, "after", 5) == 0;
    rln_events_close(events);
    return n;
}

/* The most frequent call, to report when there were too many. */
static long most_frequent(const struct run *run)
{
    const unsigned n = run->n_calls < 4096 ? run->n_calls : 4096;
    unsigned most = 0;
    long result = -1;

    for (unsigned i = 0; i < n; i += 7) {
        unsigned same = 0;

        for (unsigned k = 0; k < n; k++)
            same += run->numbers[k] == run->numbers[i];
        if (same > most) {
            most = same;
            result = run->numbers[i];
        }
    }
    return result;
}

static enum outcome judge_trace(uint64_t n_events_made)
{
    const char *path = trace;
    rln_reader *reader = NULL;
    rln_info *info = NULL;
    rln_error err = {0};
    const rln_totals *t;
    enum outcome outcome;

    if (rln_reader_open(&path, 1, &reader, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return FAILED;
    }
    if (rln_info_open(reader, &info, &err)) {
        fprintf(stderr, "%s\n", err.message);
        rln_reader_close(reader);
        return FAILED;
    }
    t = rln_info_totals(info);
    outcome = t->n_dropped ? LOSSES : WHOLE;
    if (t->n_events == 0 && t->n_dropped == 0)
        outcome = UNRECORDED;
    else if (t->n_events + t->n_dropped != n_events_made)
        outcome = fail("events in the trace or counted", t->n_events + t->n_dropped,
                       n_events_made);
    else if (n_after(reader) != N_AFTER)
        outcome = fail("events after the pause", n_after(reader), N_AFTER);
    rln_info_close(info);
    rln_reader_close(reader);
    return outcome;
}

static enum outcome try(const struct fault *fault, struct run *run,
                        const struct run *usual)
{
    struct injection injection = {fault, run, -1, 0, 0};
    const pid_t child = fork();
    struct stat st;
    int status;

    if (child == 0)
        be_recorded();
    run->n_calls = 0;
    status = run_to_end(&injection, child);
    if (status != 0)
        return fail("exit status of the program", (uint64_t)status, 0);
    if (fault->at && run->n_calls < fault->at)
        return NOT_REACHED;
    if (usual && run->n_calls > 2 * usual->n_calls + 100) {
        const struct fallible *f = fallible_of(most_frequent(run));

        fprintf(stderr, "mostly %s: ", f ? f->name : "unknown ones");
        return fail("calls of the collector", run->n_calls, usual->n_calls);
    }
    if (stat(trace, &st) < 0)
        return UNRECORDED;
    run->file_bytes = (uint64_t)st.st_size;
    if (usual && run->file_bytes > 2 * usual->file_bytes)
        return fail("bytes of the file", run->file_bytes, usual->file_bytes);
    return judge_trace(*shared);
}

/* --- all of them ------------------------------------------------------------------ */

enum { WORKERS = 6, ERRORS = sizeof fallible / sizeof *fallible * MOST_ERRORS };

/* The number of runs by error, by whether further calls fail, and by outcome. */
static unsigned (*counts)[2][FAILED + 1];

static int try_all_at(const struct run *usual, unsigned at)
{
    const struct fallible *f = fallible_of(usual->numbers[at - 1]);
    int is_good = 1;

    for (int e = 0; e < MOST_ERRORS && f->errors[e]; e++) {
        for (int goes_on = 0; goes_on < 2; goes_on++) {
            const struct fault fault = {at, e, goes_on};
            struct run run;
            enum outcome outcome;

            (void)unlink(trace);
            outcome = try(&fault, &run, usual);
            if (outcome == NOT_REACHED)
                continue;
            __atomic_fetch_add(
                &counts[(f - fallible) * MOST_ERRORS + e][goes_on][outcome], 1,
                __ATOMIC_RELAXED);
            if (outcome != FAILED)
                continue;
            fprintf(stderr, "  where call %u of the collector, %s, failed with %s%s\n",
                    at, f->name, strerrorname_np(f->errors[e]),
                    goes_on ? ", and the others like it" : "");
            is_good = 0;
        }
    }
    (void)unlink(trace);
    return is_good;
}

static int work(const char *folder, unsigned worker, unsigned every,
                const struct run *usual)
{
    int is_good = 1;

    (void)snprintf(trace, sizeof trace, "%s/every_fault.%u.rln", folder, worker);
    setenv("RANGELINE_OUTPUT", trace, 1);
    for (unsigned at = 1; at <= usual->n_calls; at++)
        if (at / every % WORKERS == worker && at % every == 0)
            is_good &= try_all_at(usual, at);
    return is_good;
}

static void print_table(void)
{
    printf("| call | error | once | as long as it lasts |\n|---|---|---|---|\n");
    for (size_t i = 0; i < ERRORS; i++) {
        const struct fallible *f = &fallible[i / MOST_ERRORS];
        unsigned n_tried = 0;

        for (int o = 0; o < FAILED; o++)
            n_tried += counts[i][0][o] + counts[i][1][o];
        if (n_tried == 0)
            continue;
        printf("| `%s` | `%s` ", f->name, strerrorname_np(f->errors[i % MOST_ERRORS]));
        for (int goes_on = 0; goes_on < 2; goes_on++) {
            const char *before = "|";

            for (int o = 0; o < FAILED; o++) {
                if (counts[i][goes_on][o])
                    printf("%s %s", before, outcome_names[o]);
                if (counts[i][goes_on][o])
                    before = ", or";
            }
            printf(" ");
        }
        printf("|\n");
    }
}

/* Some containers forbid it. */
static int may_trace(void)
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0)
        _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0);
    return waitpid(child, &status, 0) == child && status == 0;
}

static void *shared_zeros(size_t n_bytes)
{
    void *at =
        mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

int main(int argc, char **argv)
{
    static struct run usual;
    const unsigned every = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    const struct fault none = {0, 0, 0};
    pid_t workers[WORKERS];
    int is_good = 1;

    if (argc < 3 || every < 1)
        return 2;
    if (!may_trace()) {
        printf("processes may not be traced here\n");
        return 77;
    }
    (void)snprintf(collector, sizeof collector, "%s", argv[1]);
    (void)snprintf(trace, sizeof trace, "%s/every_fault.rln", argv[2]);
    setenv("NVTX_INJECTION64_PATH", argv[1], 1);
    setenv("RANGELINE_OUTPUT", trace, 1);
    setenv("RANGELINE_HELPER", "0", 1);
    shared = shared_zeros(sizeof *shared);
    counts = shared_zeros(ERRORS * sizeof *counts);
    (void)unlink(trace);
    if (!shared || !counts || try(&none, &usual, NULL) != WHOLE || usual.n_calls > 4096)
        return 1;
    (void)unlink(trace);
    for (unsigned i = 0; i < usual.n_calls; i++) {
        if (!fallible_of(usual.numbers[i])) {
            fprintf(stderr, "system call %ld of the collector is not in the table\n",
                    usual.numbers[i]);
            return 1;
        }
    }
    for (unsigned w = 0; w < WORKERS; w++) {
        workers[w] = fork();
        if (workers[w] == 0) {
            shared = shared_zeros(sizeof *shared);
            (void)alarm(200); /* not terminating is a failure, too */
            _exit(!shared || !work(argv[2], w, every, &usual));
        }
    }
    for (unsigned w = 0; w < WORKERS; w++) {
        int status = 1;

        is_good &= waitpid(workers[w], &status, 0) == workers[w] && status == 0;
    }
    print_table();
    return !is_good;
}
#endif
