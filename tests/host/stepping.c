/* SPDX-License-Identifier: Apache-2.0 */
/* stepping.c - a signal at every instruction of recording.
 *
 * The processor's trap flag makes a SIGTRAP after each instruction of a call, and its
 * handler annotates, too. On the cold path signals are blocked, and a trap there would
 * end the process: the flag is taken away before a system call, and is set again by a
 * signal of another thread, which arrives as soon as signals are let in again.
 */
#include "host.h"

#if defined(__x86_64__)
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <x86intrin.h>

enum { TRAP_FLAG = 0x100, THREADS = 100, SIGNALS = 3000 };

static nvtxDomainHandle_t domain;
static nvtxStringHandle_t registered;
static volatile unsigned n_signals;
static volatile sig_atomic_t is_stepping;
static _Atomic int wants_signal, is_over;
static _Atomic pid_t stepped_tid;

static nvtxEventAttributes_t with_all(void)
{
    nvtxEventAttributes_t event = {0};

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.category = 3;
    event.colorType = NVTX_COLOR_ARGB;
    event.color = 0xff112233;
    event.payloadType = NVTX_PAYLOAD_TYPE_INT64;
    event.payload.llValue = 5;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "kept";
    return event;
}

static nvtxEventAttributes_t with_name(void)
{
    nvtxEventAttributes_t event = {0};

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = registered;
    return event;
}

/* One event of many kinds. Counts those that are to be found by their message. */
static void call(unsigned kind)
{
    const nvtxEventAttributes_t all = with_all(), name = with_name();

    switch (kind % 5) {
    case 0:
        nvtxMarkA("kept");
        count_marks(1);
        break;
    case 1:
        nvtxDomainMarkEx(domain, &name);
        count_marks(1);
        break;
    case 2:
        nvtxDomainMarkEx(domain, &all);
        count_marks(1);
        break;
    case 3: {
        const int depth = nvtxDomainRangePushEx(domain, &name);

        count_marks(1);
        CHECK(depth >= 0 && nvtxDomainRangePop(domain) == depth);
        break;
    }
    default:
        nvtxRangeEnd(nvtxRangeStartA("kept"));
        count_marks(1);
        break;
    }
}

static int is_before_system_call(const ucontext_t *context)
{
    const uint8_t *next = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];

    return next[0] == 0x0f && next[1] == 0x05;
}

static void on_trap(int number, siginfo_t *info, void *interrupted)
{
    ucontext_t *context = interrupted;
    const int saved = errno;

    (void)number;
    (void)info;
    if (is_stepping && !is_before_system_call(context)) {
        call(++n_signals);
    } else {
        context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
        if (is_stepping)
            wants_signal = 1;
    }
    errno = saved;
}

static void on_other_thread(int number, siginfo_t *info, void *interrupted)
{
    ucontext_t *context = interrupted;

    (void)number;
    (void)info;
    if (!is_stepping)
        return;
    if (is_before_system_call(context)) /* too early: signals are not yet blocked */
        wants_signal = 1;
    else
        context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void *send_signals(void *unused)
{
    while (!is_over)
        if (atomic_exchange(&wants_signal, 0))
            syscall(SYS_tgkill, getpid(), stepped_tid, SIGUSR1);
    return unused;
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

    sigfillset(&action.sa_mask);
    CHECK(sigaction(number, &action, NULL) == 0);
}

/* --- a fork at every instruction -----------------------------------------------------
 */

static volatile unsigned n_steps, fork_at;
static volatile pid_t forked = -1;

static void on_trap_fork(int number, siginfo_t *info, void *interrupted)
{
    ucontext_t *context = interrupted;

    (void)number;
    (void)info;
    if (++n_steps != fork_at && is_stepping && !is_before_system_call(context))
        return;
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    if (is_stepping && n_steps == fork_at)
        forked = fork();
}

/* Parent and child both go back into the call that was interrupted, and neither is the
 * worse for it; the child may make that mark a second time. */
static int fork_at_every_instruction(void)
{
    call(0);
    handle(SIGTRAP, on_trap_fork);
    for (fork_at = 1; forked != -1 || fork_at == 1; fork_at++) {
        n_steps = 0;
        forked = -1;
        is_stepping = 1;
        __writeeflags(__readeflags() | TRAP_FLAG);
        nvtxMarkA("interrupted");
        is_stepping = 0;
        __writeeflags(__readeflags() & ~(unsigned long long)TRAP_FLAG);
        for (int i = 0; i < 10; i++)
            call(0);
        if (forked == 0)
            _exit(0);
        if (forked != -1)
            CHECK(status_of(forked) == 0);
    }
    CHECK(fork_at > 40);
    return 0;
}

/* --- a signal at every instruction ---------------------------------------------------
 */

/* Small chunks are a thread's first ones: many threads make many changes of chunks. */
static void *step(void *unused)
{
    stepped_tid = (pid_t)syscall(SYS_gettid);
    n_signals = 0;
    for (unsigned kind = 0; n_signals < SIGNALS; kind++) {
        is_stepping = 1;
        __writeeflags(__readeflags() | TRAP_FLAG);
        call(kind);
        __writeeflags(__readeflags() & ~(unsigned long long)TRAP_FLAG);
        is_stepping = 0;
    }
    return unused;
}

/* 300,000 signals, at every instruction of every kind of call. */
static int every_instruction(void)
{
    pthread_t sender, stepped;

    domain = nvtxDomainCreateA("stepped");
    registered = nvtxDomainRegisterStringA(domain, "kept");
    call(0); /* attaches */
    handle(SIGTRAP, on_trap);
    handle(SIGUSR1, on_other_thread);
    CHECK(!pthread_create(&sender, NULL, send_signals, NULL));
    for (int i = 0; i < THREADS; i++) {
        CHECK(!pthread_create(&stepped, NULL, step, NULL));
        CHECK(!pthread_join(stepped, NULL));
    }
    is_over = 1;
    CHECK(!pthread_join(sender, NULL));
    return 0;
}
#else
static int every_instruction(void)
{
    return host_skip("only x86-64 lets a program step itself");
}

static int fork_at_every_instruction(void)
{
    return every_instruction();
}
#endif

const struct host_case host_cases[] = {
    {"every_instruction", every_instruction},
    {"fork_at_every_instruction", fork_at_every_instruction},
    {0},
};
