/* SPDX-License-Identifier: Apache-2.0 */
/* stepping.c - interrupts recording at every instruction: by a signal, a fork, a pop,
 * or a window that opens or closes.
 *
 * The processor's trap flag raises SIGTRAP after each instruction of a call, and its
 * handler annotates, too. On the cold path signals are blocked, and a trap there would
 * end the process. So the flag is cleared before a system call, and set again by a
 * signal from another thread, which arrives as soon as signals are unblocked.
 */
#include "host.h"

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtSync.h>
#include <rangeline/control.h>

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
static uint64_t counter;
static nvtxSyncUser_t lock;
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

/* Three payloads: a small one, a larger one, and one whose length must be measured. */
static nvtxEventAttributes_t with_payload(const nvtxPayloadData_t *data)
{
    nvtxEventAttributes_t event = with_name();

    event.payloadType = NVTX_PAYLOAD_TYPE_EXT;
    event.reserved0 = 1;
    event.payload.ullValue = (uintptr_t)data;
    return event;
}

static void call_with_payload(unsigned kind)
{
    static const char bytes[300] = "payload";
    const nvtxPayloadData_t all[] = {
        {NVTX_TYPE_PAYLOAD_SCHEMA_RAW, 24, bytes},
        {NVTX_TYPE_PAYLOAD_SCHEMA_RAW, sizeof bytes, bytes},
        {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, SIZE_MAX, bytes},
    };
    const nvtxPayloadData_t *data = &all[kind % 3];
    const nvtxEventAttributes_t event = with_payload(data);
    const int depth = nvtxRangePushPayload(domain, data, 1);

    nvtxDomainMarkEx(domain, &event);
    count_marks(1);
    CHECK(depth >= 0 && nvtxRangePopPayload(domain, data, 1) == depth);
}

static void sample_and_lock(unsigned kind)
{
    nvtxDomainSyncUserAcquireStart(lock);
    nvtxDomainSyncUserAcquireSuccess(lock);
    nvtxCounterSampleInt64(domain, counter, kind);
    nvtxCounterSampleFloat64(domain, NVTX_COUNTER_ID_STATIC_START, 0.5);
    nvtxCounterSampleNoValue(domain, counter, 0);
    nvtxDomainSyncUserReleasing(lock);
}

/* One event of many kinds. Counts those that can be found by their message. */
static void call(unsigned kind)
{
    const nvtxEventAttributes_t all = with_all(), name = with_name();

    switch (kind % 7) {
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
    case 4:
        call_with_payload(kind);
        break;
    case 5:
        sample_and_lock(kind);
        break;
    default:
        nvtxRangeEnd(nvtxRangeStartA("kept"));
        count_marks(1);
        break;
    }
}

/* Not inlined, so that the compiler moves no code across it. */
static __attribute__((noinline)) void set_trap(int is_on)
{
    const unsigned long long flags = __readeflags();

    __writeeflags(is_on ? flags | TRAP_FLAG : flags & ~(unsigned long long)TRAP_FLAG);
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

static void begin(void)
{
    const nvtxCounterAttr_t attributes = {.structSize = sizeof attributes,
                                          .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                          .name = "stepped"};

    domain = nvtxDomainCreateA("stepped");
    registered = nvtxDomainRegisterStringA(domain, "kept");
    counter = nvtxCounterRegister(domain, &attributes);
    lock = nvtxDomainSyncUserCreate(domain, NULL);
    for (unsigned kind = 0; kind < 7; kind++)
        call(kind); /* attaches every module */
}

/* --- a fork at every instruction -------------------------------------------------- */

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

/* A different text each time at one address, so the event itself contains it. */
static const nvtxEventAttributes_t *in_line(void)
{
    static nvtxEventAttributes_t event;
    static unsigned n_calls;
    static char text[24];

    event = with_all();
    event.message.ascii = text;
    (void)snprintf(text, sizeof text, "in line %u", n_calls++);
    return &event;
}

static const nvtxEventAttributes_t *interrupted_event;

static void call_interrupted(int what)
{
    static const int64_t value = 5;
    const nvtxPayloadData_t data = {NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8, &value};

    switch (what) {
    case 0:
        nvtxMarkA("interrupted");
        break;
    case 1:
        nvtxMarkPayload(domain, &data, 1);
        break;
    case 2:
        nvtxCounterSampleInt64(domain, counter, value);
        break;
    case 3:
        nvtxDomainSyncUserReleasing(lock);
        break;
    case 4:
        nvtxDomainMarkEx(domain, interrupted_event);
        break;
    default:
        nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, interrupted_event));
    }
}

/* Parent and child both return into the interrupted call, and both continue correctly;
 * the child may make that mark a second time. */
static void fork_everywhere_in(int what)
{
    forked = -1;
    for (fork_at = 1; forked != -1 || fork_at == 1; fork_at++) {
        n_steps = 0;
        forked = -1;
        interrupted_event = in_line();
        is_stepping = 1;
        set_trap(1);
        call_interrupted(what);
        set_trap(0);
        is_stepping = 0;
        for (int i = 0; i < 10; i++)
            call(0);
        if (forked == 0)
            _exit(0);
        if (forked != -1)
            CHECK(status_of(forked) == 0);
    }
    CHECK(fork_at > 20);
}

static int fork_at_every_instruction(void)
{
    begin();
    handle(SIGTRAP, on_trap_fork);
    for (int what = 0; what < 6; what++)
        fork_everywhere_in(what);
    return 0;
}

/* --- a pop at every instruction of a pop ------------------------------------------ */

static volatile unsigned pop_at;
static volatile int has_popped;

static void on_trap_pop(int number, siginfo_t *info, void *interrupted)
{
    ucontext_t *context = interrupted;

    (void)number;
    (void)info;
    if (++n_steps != pop_at && is_stepping && !is_before_system_call(context))
        return;
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    if (is_stepping && n_steps == pop_at) {
        nvtxRangePop();
        has_popped = 1;
    }
}

/* Two pops for one push, in either order: the next range begins at depth 0. */
static int pop_in_every_pop(void)
{
    begin();
    handle(SIGTRAP, on_trap_pop);
    has_popped = 1;
    for (pop_at = 1; has_popped; pop_at++) {
        n_steps = 0;
        has_popped = 0;
        nvtxRangePushA("kept");
        count_marks(1);
        is_stepping = 1;
        set_trap(1);
        nvtxRangePop();
        set_trap(0);
        is_stepping = 0;
        CHECK(nvtxRangePushA("kept") == 0);
        count_marks(1);
        CHECK(nvtxRangePop() == 0);
    }
    CHECK(pop_at > 10);
    return 0;
}

/* --- a window opens or closes at every instruction -------------------------------- */

static volatile unsigned turn_at;
static volatile int has_turned, turns_back;

static void turn(void)
{
    if (rln_is_recording())
        rln_stop();
    else
        rln_start();
}

/* Opens a window and closes it again, or the other way round, with events in between.
 */
static void turn_and_back(void)
{
    const nvtxEventAttributes_t name = with_name();

    turn();
    nvtxDomainMarkEx(domain, &name);
    count_marks((unsigned)rln_is_recording());
    nvtxRangePushA("within");
    nvtxRangePop();
    turn();
}

static void on_trap_turn(int number, siginfo_t *info, void *interrupted)
{
    ucontext_t *context = interrupted;

    (void)number;
    (void)info;
    if (++n_steps != turn_at && is_stepping && !is_before_system_call(context))
        return;
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    if (is_stepping && n_steps == turn_at) {
        has_turned = 1;
        if (turns_back)
            turn_and_back();
        else
            turn();
    }
}

/* The interrupted call, one range around it, and one inside. */
static void nest_interrupted(int what)
{
    const int outer = nvtxRangePushA("outer");
    int depth;

    is_stepping = 1;
    set_trap(1);
    if (what < 4)
        call_interrupted(what);
    depth = what == 4 ? nvtxRangePushA("inner") : 0;
    if (what == 5)
        nvtxRangePop();
    set_trap(0);
    is_stepping = 0;
    if (what == 4)
        CHECK(depth == outer + 1 && nvtxRangePop() == depth);
    CHECK(nvtxRangePushA("inner") == outer + (what != 5));
    CHECK(nvtxRangePop() == outer + (what != 5));
    if (what != 5)
        CHECK(nvtxRangePop() == outer);
}

static int window_at_every_instruction(void)
{
    begin();
    handle(SIGTRAP, on_trap_turn);
    for (int way = 0; way < 4; way++) {
        const int is_open = way % 2;

        turns_back = way / 2;
        for (int what = 0; what < 6; what++) {
            has_turned = 1;
            for (turn_at = 1; has_turned; turn_at++) {
                n_steps = 0;
                has_turned = 0;
                if (is_open)
                    rln_start();
                else
                    rln_stop();
                nest_interrupted(what);
            }
            CHECK(turn_at > 10);
            rln_start();
            call(0);
        }
    }
    return 0;
}

/* --- a signal at every instruction ------------------------------------------------ */

/* A thread's first chunks are small, so many threads change chunks often. */
static void *step(void *unused)
{
    stepped_tid = (pid_t)syscall(SYS_gettid);
    n_signals = 0;
    for (unsigned kind = 0; n_signals < SIGNALS; kind++) {
        is_stepping = 1;
        set_trap(1);
        call(kind);
        set_trap(0);
        is_stepping = 0;
    }
    return unused;
}

/* 300,000 signals, at every instruction of every kind of call. */
static int every_instruction(void)
{
    pthread_t sender, stepped;

    begin();
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

static int pop_in_every_pop(void)
{
    return every_instruction();
}

static int window_at_every_instruction(void)
{
    return every_instruction();
}
#endif

const struct host_case host_cases[] = {
    {"every_instruction", every_instruction},
    {"fork_at_every_instruction", fork_at_every_instruction},
    {"pop_in_every_pop", pop_in_every_pop},
    {"window_at_every_instruction", window_at_every_instruction},
    {0},
};
