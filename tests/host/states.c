/* SPDX-License-Identifier: Apache-2.0 */
/* states.c - the states that a process can be in when it annotates. */
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

/* --- attaching -------------------------------------------------------------------- */

/* Each copy of the library is a client of its own. */
static void (*copy_of_client(int number))(void)
{
    char command[4200], path[64];
    void *library;
    void (*call)(void);

    (void)snprintf(path, sizeof path, "./client-%d.so", number);
    (void)snprintf(command, sizeof command, "cp '%s' %s", getenv("HOST_CLIENT"), path);
    CHECK(system(command) == 0);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    *(void **)&call = dlsym(library, "client_mark");
    CHECK(call != NULL);
    return call;
}

static pthread_barrier_t barrier;

static void *attach_at_once(void *call)
{
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 1000; i++)
        (*(void (**)(void))call)();
    count_marks(1000);
    return NULL;
}

static int attach_from_threads(void)
{
    enum { THREADS = 16 };
    pthread_t threads[THREADS];
    void (*calls[THREADS])(void);

    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        calls[i] = i % 2 ? calls[i - 1] : copy_of_client(i); /* two threads a client */
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, attach_at_once, &calls[i]));
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_join(threads[i], NULL));
    return 0;
}

/* A client that is unloaded, and one that takes its place in memory. */
static int unload_client(void)
{
    mark();
    for (int i = 0; i < 200; i++) {
        void *library = dlopen(getenv("HOST_CLIENT"), RTLD_NOW | RTLD_LOCAL);
        void (*call)(void);

        CHECK(library != NULL);
        *(void **)&call = dlsym(library, "client_mark");
        call();
        count_marks(1);
        CHECK(dlclose(library) == 0);
        CHECK(dlopen(getenv("HOST_CLIENT"), RTLD_NOW | RTLD_NOLOAD) == NULL);
        mark();
    }
    return 0;
}

/* --- the end of a thread ---------------------------------------------------------- */

static pthread_key_t keys[8];

static void mark_and_come_back(void *left)
{
    marks(10);
    for (size_t i = 0; i < 8 && (uintptr_t)left > 1; i++)
        (void)pthread_setspecific(keys[i], (void *)((uintptr_t)left - 1));
}

static void *thread_with_keys(void *first)
{
    if (first)
        mark(); /* the other kind of thread annotates in its destructors only */
    for (size_t i = 0; i < 8; i++)
        (void)pthread_setspecific(keys[i], (void *)3);
    return NULL;
}

static int thread_destructors(void)
{
    for (size_t i = 0; i < 8; i++)
        CHECK(!pthread_key_create(&keys[i], mark_and_come_back));
    for (uintptr_t i = 0; i < 100; i++) {
        pthread_t thread;

        CHECK(!pthread_create(&thread, NULL, thread_with_keys, (void *)(i % 2)));
        CHECK(!pthread_join(thread, NULL));
    }
    return 0;
}

static void *mark_for_ever(void *unused)
{
    (void)unused;
    for (;;) {
        nvtxMarkA("some");
        nvtxRangePushA("some");
        nvtxRangePop();
    }
    return NULL;
}

/* Detached threads record while main returns, and handlers run, and all of it ends. */
static void mark_late(void)
{
    marks(1000);
}

static int detached_threads(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    CHECK(atexit(mark_late) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(!pthread_create(&thread, &attributes, mark_for_ever, NULL));
    marks(MANY);
    return 0;
}

static int n_threads(void)
{
    FILE *status = fopen("/proc/self/status", "re");
    char line[256];
    int n = 0;

    while (status && fgets(line, sizeof line, status))
        (void)sscanf(line, "Threads: %d", &n);
    CHECK(status && fclose(status) == 0);
    return n;
}

/* There while there is much to do, as many times as that happens, and not otherwise. */
static int helper_comes_and_goes(void)
{
    marks(MANY);
    CHECK(n_threads() == 1);
    for (int i = 0; i < 2; i++) {
        call_helper();
        CHECK(n_threads() == 2);
        (void)usleep(1500000);
        CHECK(n_threads() == 1);
    }
    return 0;
}

static void *end_main_first(void *main_thread)
{
    CHECK(!pthread_join(*(pthread_t *)main_thread, NULL));
    call_helper();
    return NULL;
}

/* The process ends when its last thread does, though ours may still be there. */
static int main_thread_exits(void)
{
    static pthread_t main_thread;
    pthread_t thread;

    main_thread = pthread_self();
    CHECK(!pthread_create(&thread, NULL, end_main_first, &main_thread));
    call_helper();
    pthread_exit(NULL);
}

static void *only_wait(void *unused)
{
    (void)unused;
    pause();
    return NULL;
}

/* Our thread is no reason for SIGTERM not to end the process. */
static int sigterm_ends(void)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        pthread_t thread;

        CHECK(!pthread_create(&thread, NULL, only_wait, NULL));
        call_helper();
        CHECK(raise(SIGSTOP) == 0);
        pthread_exit(NULL);
    }
    CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    CHECK(kill(child, SIGCONT) == 0);
    (void)usleep(20000);
    CHECK(kill(child, SIGTERM) == 0);
    status = status_of(child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    return 0;
}

/* --- cancellation ----------------------------------------------------------------- */

static void *wait_for_cancellation(void *unused)
{
    (void)unused;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_barrier_wait(&barrier); /* now it is pending */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    marks(MANY); /* with new chunks and blocks: none of it is a cancellation point */
    pthread_testcancel();
    return NULL;
}

static int cancellation_pending(void)
{
    pthread_t thread;
    void *result = NULL;

    pthread_barrier_init(&barrier, NULL, 2);
    CHECK(!pthread_create(&thread, NULL, wait_for_cancellation, NULL));
    CHECK(!pthread_cancel(thread));
    pthread_barrier_wait(&barrier);
    CHECK(!pthread_join(thread, &result));
    CHECK(result == PTHREAD_CANCELED);
    return 0;
}

/* --- stacks ----------------------------------------------------------------------- */

static ucontext_t main_context, other_context;

static void on_other_stack(void)
{
    for (int i = 0; i < 100; i++) {
        marks(100);
        CHECK(swapcontext(&other_context, &main_context) == 0);
    }
}

static int switched_stacks(void)
{
    static char stack[65536];

    CHECK(getcontext(&other_context) == 0);
    other_context.uc_stack.ss_sp = stack;
    other_context.uc_stack.ss_size = sizeof stack;
    other_context.uc_link = &main_context;
    makecontext(&other_context, on_other_stack, 0);
    for (int i = 0; i < 100; i++) {
        marks(100);
        CHECK(swapcontext(&main_context, &other_context) == 0);
    }
    return 0;
}

static void mark_in_handler(int unused)
{
    (void)unused;
    marks(MANY);
}

/* The smallest stack that a handler can have, with a page behind it that nobody may
 * touch. */
static int small_signal_stack(void)
{
    if (HAS_ASAN)
        return host_skip("AddressSanitizer makes frames of functions larger");
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t need = (size_t)sysconf(_SC_MINSIGSTKSZ);
    const size_t size = (need + 4096 + page - 1) / page * page; /* ours: 4 KiB */
    char *at = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = at + page, .ss_size = size};
    struct sigaction action = {.sa_handler = mark_in_handler, .sa_flags = SA_ONSTACK};

    CHECK(at != MAP_FAILED && mprotect(at, page, PROT_NONE) == 0);
    CHECK(sigaltstack(&stack, NULL) == 0);
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    CHECK(raise(SIGUSR1) == 0); /* the first event of the process, too */
    return 0;
}

/* --- signals ---------------------------------------------------------------------- */

/* Marks are made by the program and by a handler that interrupts it at any point. */
static void mark_ten(int unused)
{
    const int saved = errno;

    (void)unused;
    marks(10);
    errno = saved;
}

static timer_t start_timer(long interval_ns)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    const struct itimerspec every = {{0, interval_ns}, {0, interval_ns}};
    timer_t timer;

    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    CHECK(timer_settime(timer, 0, &every, NULL) == 0);
    return timer;
}

static int handlers(void)
{
    struct sigaction action = {.sa_handler = mark_ten, .sa_flags = SA_RESTART};

    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    mark(); /* attaches: a handler that interrupts dlopen() finds no tool yet */
    (void)start_timer(20000);
    for (int i = 0; i < 100; i++)
        marks(MANY);
    action.sa_handler = SIG_IGN;
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    return 0;
}

static volatile sig_atomic_t n_handled;

static void mark_many(int unused)
{
    (void)unused;
    marks(MANY);
    n_handled++;
}

/* The handler records so much that a helper is wanted, and interrupts malloc(): nothing
 * that it does may need malloc()'s lock. Processes anew, for a helper is started once.
 */
static int handler_in_malloc(void)
{
    if (HAS_ASAN)
        return host_skip("AddressSanitizer's malloc is slower than the signals come");
    for (int i = 0; i < 4; i++) {
        const pid_t child = fork();

        if (child == 0) {
            struct sigaction action = {.sa_handler = mark_many};
            pthread_t thread;

            CHECK(!pthread_create(&thread, NULL, only_wait, NULL)); /* so it locks */
            CHECK(sigaction(SIGALRM, &action, NULL) == 0);
            mark();
            (void)start_timer(500000);
            while (n_handled < 60) {
                void *volatile held = malloc(4000); /* beyond the thread's cache */
                void *volatile other = malloc(5000);

                free(held);
                free(other);
            }
            _exit(0);
        }
        CHECK(status_of(child) == 0);
    }
    return 0;
}

static sigjmp_buf back;
static volatile sig_atomic_t may_jump, n_jumps;

static void jump(int unused)
{
    (void)unused;
    if (may_jump) {
        may_jump = 0;
        n_jumps++;
        siglongjmp(back, 1);
    }
}

/* A call that a handler has jumped out of may be lost; no other is. */
static int jumps_out_of_handlers(void)
{
    struct sigaction action = {.sa_handler = jump};

    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    mark(); /* nobody can jump out of dlopen(): it holds a lock */
    (void)start_timer(30000);
    while (n_jumps < 5000) {
        if (sigsetjmp(back, 1) == 0) {
            may_jump = 1;
            for (;;) {
                nvtxRangePushA("interrupted");
                nvtxRangePop();
            }
        }
        mark();
    }
    action.sa_handler = SIG_IGN;
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    marks(MANY);
    return 0;
}

/* --- the table -------------------------------------------------------------------- */

const struct host_case host_cases[] = {
    {"attach_from_threads", attach_from_threads},
    {"unload_client", unload_client},
    {"thread_destructors", thread_destructors},
    {"detached_threads", detached_threads},
    {"helper_comes_and_goes", helper_comes_and_goes},
    {"main_thread_exits", main_thread_exits},
    {"sigterm_ends", sigterm_ends},
    {"cancellation_pending", cancellation_pending},
    {"switched_stacks", switched_stacks},
    {"small_signal_stack", small_signal_stack},
    {"handlers", handlers},
    {"handler_in_malloc", handler_in_malloc},
    {"jumps_out_of_handlers", jumps_out_of_handlers},
    {0},
};
