/* SPDX-License-Identifier: Apache-2.0 */
/* states.c - annotates in states of a process that are hard for a collector: in signal
 * handlers, while threads or libraries come and go, under limits. */
#include "host.h"

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
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

/* Each copy of the library is a separate client. */
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

/* glibc calls this for each new thread, through the dynamic linker; ours intercepts it.
 * It delays one thread, whose memory must be prepared before the collector is loaded,
 * and which glibc must register only afterwards. */
static sem_t is_prepared, is_loaded;
static int holds_up, n_held_up;

__attribute__((visibility("default"))) void *_dl_allocate_tls(void *memory);

void *_dl_allocate_tls(void *memory)
{
    void *(*own)(void *);
    void *prepared;

    *(void **)&own = dlsym(RTLD_NEXT, "_dl_allocate_tls");
    prepared = own(memory);
    if (__atomic_exchange_n(&holds_up, 0, __ATOMIC_RELAXED)) {
        n_held_up++;
        sem_post(&is_prepared);
        sem_wait(&is_loaded);
    }
    return prepared;
}

/* Any call may be a thread's first one. */
static void *say_one_first(void *what)
{
    const int64_t samples[2] = {1, 2};
    const nvtxPayloadData_t data = {NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8, samples};
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("states");
    const nvtxCounterBatch_t batch = {.counterId = NVTX_COUNTER_ID_STATIC_START,
                                      .counters = samples,
                                      .countersSize = sizeof samples};

    switch ((uintptr_t)what) {
    case 0:
        break;
    case 1:
        CHECK(nvtxRangePushA("first") == 0);
        CHECK(nvtxRangePop() == 0);
        break;
    case 2:
        nvtxRangePop();
        break;
    case 3:
        nvtxRangeEnd(nvtxRangeStartA("first"));
        break;
    case 4:
        nvtxCounterSampleInt64(domain, NVTX_COUNTER_ID_STATIC_START, 1);
        break;
    case 5:
        nvtxCounterBatchSubmit(domain, &batch);
        break;
    case 6:
        nvtxMarkPayload(domain, &data, 1);
        break;
    case 7:
        nvtxEventSubmit(domain, &data, 1);
        break;
    default:
        nvtxDomainMarkEx(domain, NULL);
    }
    marks(MANY);
    return NULL;
}

static void *make_held_up_thread(void *what)
{
    pthread_t thread;
    pthread_attr_t attributes;

    CHECK(!pthread_attr_init(&attributes));
    /* Larger than what glibc keeps of ended threads: memory that it has to prepare. */
    CHECK(!pthread_attr_setstacksize(&attributes, 64 << 20));
    __atomic_store_n(&holds_up, 1, __ATOMIC_RELAXED);
    CHECK(!pthread_create(&thread, &attributes, say_one_first, what));
    CHECK(!pthread_join(thread, NULL));
    CHECK(!pthread_attr_destroy(&attributes));
    if (__atomic_exchange_n(&holds_up, 0, __ATOMIC_RELAXED))
        sem_post(&is_prepared); /* this libc creates threads differently */
    return NULL;
}

static int attach_while_threads_are_made(void)
{
    enum { FIRST_CALLS = 9 };

    CHECK(!sem_init(&is_prepared, 0, 0) && !sem_init(&is_loaded, 0, 0));
    for (uintptr_t what = 0; what < FIRST_CALLS; what++) {
        const pid_t child = fork(); /* each has the collector loaded once */
        pthread_t maker;

        CHECK(child >= 0);
        if (child) {
            const int status = status_of(child);

            if (WIFEXITED(status) && WEXITSTATUS(status) == HOST_SKIP)
                return host_skip("threads are not made by way of _dl_allocate_tls()");
            CHECK(status == 0);
            continue;
        }
        CHECK(!pthread_create(&maker, NULL, make_held_up_thread, (void *)what));
        sem_wait(&is_prepared);
        mark();
        sem_post(&is_loaded);
        CHECK(!pthread_join(maker, NULL));
        exit(n_held_up ? 0 : HOST_SKIP);
    }
    return 0;
}

/* A client is unloaded, and another is loaded at its address. */
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

/* A client is unloaded after it has provided a clock; more often than there are places
 * for clocks. Others submit events in its domain. */
static int unload_clock(void)
{
    const int64_t event = 5;
    const nvtxPayloadData_t data = {NVTX_PAYLOAD_ENTRY_TYPE_INT64, sizeof event,
                                    &event};
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("client");

    mark();
    for (int i = 0; i < 100; i++) {
        void *library = dlopen(getenv("HOST_CLIENT"), RTLD_NOW | RTLD_LOCAL);
        void (*call)(void);

        CHECK(library != NULL);
        *(void **)&call = dlsym(library, "client_give_clock");
        call();
        if (i % 10 == 0)
            usleep(15000); /* clocks are read every hundredth of a second */
        nvtxEventSubmit(domain, &data, 1);
        CHECK(dlclose(library) == 0);
        CHECK(dlopen(getenv("HOST_CLIENT"), RTLD_NOW | RTLD_NOLOAD) == NULL);
        if (i % 10 == 0)
            usleep(15000);
        nvtxEventSubmit(domain, &data, 1);
        nvtxEventSubmit(NULL, &data, 1);
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
        mark(); /* the other threads annotate only in their destructors */
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

/* The helper runs while there is much to do, each time that happens, and only then. */
static int helper_comes_and_goes(void)
{
    marks(MANY);
    CHECK(n_threads() == 1);
    for (int i = 0; i < 2; i++) {
        call_helper();
        CHECK(n_threads() == 2);
        /* It ends after a second; a minute later it would have stayed for good. */
        for (int ms = 0; ms < 60000 && n_threads() != 1; ms += 10)
            (void)usleep(10000);
        CHECK(n_threads() == 1);
    }
    return 0;
}

/* The helper's creator has a real-time priority and one processor. */
static void *hurry_on_one_processor(void *unused)
{
    const struct sched_param first = {.sched_priority = 1};
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(0, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    if (sched_setscheduler(0, SCHED_RR, &first) != 0)
        return (void *)(uintptr_t)host_skip("no right to priorities of real time");
    call_helper();
    CHECK(n_threads() == 3); /* main and it, too */
    return unused;
}

/* The number of threads other than main that are scheduled like it. */
static int n_ordinary(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int n = 0;

    CHECK(tasks != NULL);
    for (struct dirent *task; (task = readdir(tasks));) {
        const pid_t tid = atoi(task->d_name);
        cpu_set_t its, ours;

        if (tid == 0 || tid == getpid() || sched_getaffinity(tid, sizeof its, &its))
            continue;
        CHECK(sched_getaffinity(0, sizeof ours, &ours) == 0);
        n += sched_getscheduler(tid) == SCHED_OTHER && CPU_EQUAL(&its, &ours);
    }
    CHECK(closedir(tasks) == 0);
    return n;
}

/* The helper copies the main thread's scheduling, not its creator's. It does so when it
 * first runs, and lives for a second, so on a busy machine only a later helper may be
 * seen to do it. */
static int helper_is_ordinary(void)
{
    int n = 0;

    for (int i = 0; n == 0 && i < 10; i++) {
        pthread_t thread;
        void *skipped;

        CHECK(!pthread_create(&thread, NULL, hurry_on_one_processor, NULL));
        CHECK(!pthread_join(thread, &skipped));
        if (skipped)
            return HOST_SKIP;
        while ((n = n_ordinary()) == 0 && n_threads() > 1)
            (void)usleep(1000);
    }
    CHECK(n == 1);
    return 0;
}

/* A mark whose name lies in its payload, by a schema registered for it. The kernel is
 * used to read both safely. */
static void mark_by_payload(void)
{
    static const nvtxPayloadSchemaEntry_t entries[] = {
        {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING,
         .name = "name",
         .arrayOrUnionDetail = sizeof "kept"},
    };
    static char many[40000] = "kept"; /* too large for the fast path */
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("states");
    const nvtxPayloadSchemaAttr_t schema = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .entries = entries,
        .numEntries = 1,
        .payloadStaticSize = sizeof many,
    };
    const nvtxPayloadData_t data = {nvtxPayloadSchemaRegister(domain, &schema),
                                    sizeof many, many};

    nvtxMarkPayload(domain, &data, 1);
    count_marks(1);
}

static void *end_main_first(void *main_thread)
{
    CHECK(!pthread_join(*(pthread_t *)main_thread, NULL));
    mark_by_payload();
    call_helper();
    return NULL;
}

/* The process ends with its last thread, even if the helper still runs. */
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

/* The helper does not keep SIGTERM from ending the process. */
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

/* If the helper is the last thread, the program's exit handlers run on it. */
static int says_it_exits;

static void exit_slowly(void)
{
    CHECK(write(says_it_exits, "", 1) == 1);
    pause();
}

static int sigterm_ends_exit(void)
{
    int ends[2], status;
    char byte;
    pid_t child;

    CHECK(pipe(ends) == 0);
    says_it_exits = ends[1];
    child = fork();
    if (child == 0) {
        CHECK(!atexit(exit_slowly));
        call_helper();
        pthread_exit(NULL);
    }
    CHECK(read(ends[0], &byte, 1) == 1);
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

/* The smallest stack that a handler can have, followed by an inaccessible page. */
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

/* The same with extensions: schemas, and pointers to the greatest depth followed. */
static void say_much_in_handler(int unused)
{
    enum {
        NODE = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START,
        DEEP = NVTX_PAYLOAD_ENTRY_FLAG_POINTER | NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY,
    };
    static const struct node {
        const struct node *next;
        const char *text;
    } nodes[] = {{&nodes[1], "1"}, {&nodes[2], "2"}, {&nodes[3], "3"}, {&nodes[4], "4"},
                 {&nodes[5], "5"}, {&nodes[6], "6"}, {&nodes[7], "7"}, {NULL, "8"}};
    static const nvtxPayloadSchemaEntry_t entries[] = {
        {.flags = DEEP, .type = NODE, .name = "next"},
        {.flags = DEEP | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED,
         .type = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING,
         .name = "text"},
    };
    static const nvtxPayloadSchemaAttr_t schema = {
        .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID,
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .flags = NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY,
        .entries = entries,
        .numEntries = 2,
        .payloadStaticSize = sizeof(struct node),
        .schemaId = NODE,
    };
    static const nvtxPayloadData_t data = {NODE, SIZE_MAX, nodes};
    static const nvtxSyncPoint_t points[100];
    static const nvtxCounterAttr_t counter = {.structSize = sizeof counter,
                                              .schemaId = NODE,
                                              .name = "nodes",
                                              .counterId = NODE};
    static nvtxEventAttributes_t event = {
        .version = NVTX_VERSION,
        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
        .payloadType = NVTX_PAYLOAD_TYPE_EXT,
        .reserved0 = 1,
        .messageType = NVTX_MESSAGE_TYPE_UNICODE,
        .message = {.unicode = L"kept"},
    };

    (void)unused;
    event.payload.ullValue = (uintptr_t)&data;
    nvtxPayloadSchemaRegister(NULL, &schema);
    nvtxCounterRegister(NULL, &counter);
    nvtxMarkEx(&event);
    count_marks(1);
    nvtxRangeEndPayload(NULL, nvtxRangeStartPayload(NULL, &data, 1), &data, 1);
    nvtxEventSubmit(NULL, &data, 1);
    nvtxTimeSyncPointTable(NULL, 1, 2, points, 100);
    nvtxCounterSample(NULL, NODE, nodes, sizeof *nodes);
}

static int small_stack_for_much(void)
{
    if (HAS_ASAN)
        return host_skip("AddressSanitizer makes frames of functions larger");
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t ours = 4096;
    const size_t size = ((size_t)sysconf(_SC_MINSIGSTKSZ) + ours + 63) / 64 * 64;
    char *at = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = at + page, .ss_size = size};
    struct sigaction action = {.sa_handler = say_much_in_handler,
                               .sa_flags = SA_ONSTACK};

    CHECK(at != MAP_FAILED && mprotect(at, page, PROT_NONE) == 0);
    nvtxInitialize(NULL); /* dlopen() needs more */
    CHECK(nvtxDomainIsEnabled(NULL));
    nvtxCounterSampleInt64(NULL, 0, 0);
    CHECK(sigaltstack(&stack, NULL) == 0);
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    CHECK(raise(SIGUSR1) == 0);
    return 0;
}

/* --- signals ---------------------------------------------------------------------- */

/* Marks are made by the program and by a handler that interrupts it at any point. */
/* Each handler restarts the timer at its end. With a fixed period, shorter than the
 * handler takes on a busy machine, the program would never run. */
static timer_t timer;
static long timer_ns;

static void set_timer(void)
{
    const struct itimerspec once = {{0, 0}, {0, timer_ns}};

    CHECK(timer_settime(timer, 0, &once, NULL) == 0);
}

static void start_timer(long ns)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};

    timer_ns = ns;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    set_timer();
}

static void mark_ten(int unused)
{
    const int saved = errno;

    (void)unused;
    marks(10);
    set_timer();
    errno = saved;
}

static int handlers(void)
{
    struct sigaction action = {.sa_handler = mark_ten, .sa_flags = SA_RESTART};

    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    mark(); /* attaches: a handler that interrupts dlopen() finds no tool yet */
    start_timer(20000);
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
    set_timer();
}

/* The handler records so much that a helper is needed, and interrupts malloc(), so it
 * must not need malloc()'s lock. Uses new processes, because a helper is started only
 * once in each. */
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
            start_timer(500000);
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
    set_timer();
    if (may_jump) {
        may_jump = 0;
        n_jumps++;
        siglongjmp(back, 1);
    }
}

/* Only calls that a handler has jumped out of may be lost. */
static int jumps_out_of_handlers(void)
{
    struct sigaction action = {.sa_handler = jump};

    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    mark(); /* a jump out of dlopen() would leave its lock held */
    start_timer(30000);
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
    {"attach_while_threads_are_made", attach_while_threads_are_made},
    {"unload_client", unload_client},
    {"unload_clock", unload_clock},
    {"thread_destructors", thread_destructors},
    {"detached_threads", detached_threads},
    {"helper_comes_and_goes", helper_comes_and_goes},
    {"helper_is_ordinary", helper_is_ordinary},
    {"main_thread_exits", main_thread_exits},
    {"sigterm_ends", sigterm_ends},
    {"sigterm_ends_exit", sigterm_ends_exit},
    {"cancellation_pending", cancellation_pending},
    {"switched_stacks", switched_stacks},
    {"small_signal_stack", small_signal_stack},
    {"small_stack_for_much", small_stack_for_much},
    {"handlers", handlers},
    {"handler_in_malloc", handler_in_malloc},
    {"jumps_out_of_handlers", jumps_out_of_handlers},
    {0},
};
