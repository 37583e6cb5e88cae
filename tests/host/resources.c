/* SPDX-License-Identifier: Apache-2.0 */
/* resources.c - annotates while resources are exhausted, and in many threads.
 *
 * If the collector lacks resources, it drops events and counts them. These cases make
 * only marks by mark() that must be kept.
 */
#include "host.h"

#include <nvtx3/nvToolsExtCounters.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* The type is glibc's own, and an enum in C: a plain int is a warning of clang's. */
static void limit(__rlimit_resource_t resource, rlim_t soft)
{
    struct rlimit now;

    CHECK(getrlimit(resource, &now) == 0);
    now.rlim_cur = soft;
    CHECK(setrlimit(resource, &now) == 0);
}

static void dropped_events(unsigned n)
{
    while (n--) {
        CHECK(nvtxRangePushA("may be dropped") == 0);
        CHECK(nvtxRangePop() == 0);
    }
}

/* --- limits ----------------------------------------------------------------------- */

/* SIGXFSZ belongs to the program: ours does not end it, and its own are not swallowed.
 */
static volatile sig_atomic_t n_xfsz;

static void on_xfsz(int unused)
{
    (void)unused;
    n_xfsz++;
}

static int file_size(void)
{
    static const char text[65536];
    FILE *own;

    marks(100);
    limit(RLIMIT_FSIZE, 200000);
    dropped_events(10 * MANY); /* with SIGXFSZ at its default, which ends a process */
    CHECK(signal(SIGXFSZ, on_xfsz) != SIG_ERR);
    dropped_events(10 * MANY);
    CHECK(n_xfsz == 0);
    own = fopen("own", "we");
    CHECK(own != NULL);
    for (int i = 0; i < 4; i++)
        (void)fwrite(text, sizeof text, 1, own);
    (void)fclose(own);
    CHECK(n_xfsz > 0);
    return 0;
}

/* The trace's descriptor is opened before; no other is needed later. */
static int descriptors(void)
{
    mark();
    limit(RLIMIT_NOFILE, 3);
    marks(20 * MANY);
    return 0;
}

static int n_free_descriptors(void)
{
    int fds[64], n = 0;

    while (n < 64 && (fds[n] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        n++;
    for (int i = 0; i < n; i++)
        (void)close(fds[i]);
    return n;
}

static _Noreturn void open_all_but_one(rlim_t n_files)
{
    const int lowest = dup(0);
    int n;

    CHECK(close(lowest) == 0);
    limit(RLIMIT_NOFILE, n_files);
    n = n_free_descriptors();
    marks(MANY);
    nvtxDomainCreateA("another");
    CHECK(n_free_descriptors() >= n - 1);
    CHECK(dup(0) == lowest || n_files < 16);
    _exit(0);
}

/* The trace's descriptor counts: the program can open one file fewer, not two. It has a
 * high number, if there are any. */
static int descriptors_but_one_are_left(void)
{
    static const rlim_t n_files[] = {12, 16, 40};

    for (size_t i = 0; i < sizeof n_files / sizeof *n_files; i++) {
        const pid_t child = fork();

        if (child == 0)
            open_all_but_one(n_files[i]);
        CHECK(status_of(child) == 0);
    }
    return 0;
}

/* No descriptor is available from the start: the program runs, recorded or not. */
static int no_descriptors_at_first(void)
{
    const pid_t child = fork();

    if (child == 0) {
        limit(RLIMIT_NOFILE, 4);
        for (int i = 0; i < MANY; i++)
            nvtxMarkA("may be dropped");
        limit(RLIMIT_NOFILE, 256);
        for (int i = 0; i < MANY; i++)
            nvtxMarkA("may be dropped");
        _exit(0);
    }
    CHECK(status_of(child) == 0);
    mark();
    return 0;
}

static unsigned long address_space_kib(void)
{
    FILE *status = fopen("/proc/self/status", "re");
    unsigned long n_kib = 0;
    char line[256];

    while (status && fgets(line, sizeof line, status))
        (void)sscanf(line, "VmSize: %lu", &n_kib);
    CHECK(status && fclose(status) == 0 && n_kib > 0);
    return n_kib;
}

static const char needs_addresses[] =
    "AddressSanitizer needs terabytes of address space";

/* Recorded chunks stay mapped for a while, but not for long if address space is
 * limited.
 */
static int address_space_is_left(void)
{
    static char text[1 << 19];
    unsigned long before;

    if (HAS_ASAN)
        return host_skip(needs_addresses);
    marks(100);
    before = address_space_kib();
    limit(RLIMIT_AS, (rlim_t)(before + (1 << 20)) * 1024);
    memset(text, 'x', sizeof text - 1);
    for (int i = 0; i < 320; i++)
        nvtxMarkA(text);
    /* Of 160 MiB. The helper unmaps them, and may be late on a busy machine. */
    for (int i = 0; i < 100 && address_space_kib() - before >= 32 << 10; i++)
        (void)usleep(100000);
    CHECK(address_space_kib() - before < 32 << 10);
    return 0;
}

static void *mark_in_thread(void *unused)
{
    mark();
    return unused;
}

/* One thread that records as fast as it can, with the helper, takes less than half of
 * 64 MiB; the other half is enough for a thread of the program with such a stack. */
static int address_space_is_left_for_threads(void)
{
    static char text[1 << 18];
    pthread_attr_t attributes;
    pthread_t thread;

    if (HAS_ASAN)
        return host_skip(needs_addresses);
    limit(RLIMIT_AS, (rlim_t)(address_space_kib() + (64 << 10)) * 1024);
    memset(text, 'x', sizeof text - 1);
    CHECK(!pthread_attr_init(&attributes));
    CHECK(!pthread_attr_setstacksize(&attributes, 32 << 20));
    for (int i = 0; i < 600; i++) {
        nvtxMarkA(text); /* 150 MiB in all */
        if (i % 20)
            continue;
        CHECK(!pthread_create(&thread, &attributes, mark_in_thread, NULL));
        CHECK(!pthread_join(thread, NULL));
    }
    pthread_attr_destroy(&attributes);
    return 0;
}

/* Where less is left, recording takes all for a moment, and then gives most back: its
 * blocks become small. */
static int address_space_is_given_back(void)
{
    static char text[40000]; /* small blocks are enough */
    unsigned long before;

    if (HAS_ASAN)
        return host_skip(needs_addresses);
    marks(100);
    memset(text, 'x', sizeof text - 1);
    before = address_space_kib();
    limit(RLIMIT_AS, (rlim_t)(before + (8 << 10)) * 1024);
    for (int i = 0; i < 1000; i++)
        nvtxMarkA(text);
    for (int i = 0; i < 600 && address_space_kib() - before > 4 << 10; i++) {
        (void)usleep(100000);
        for (int k = 0; k < 100; k++)
            nvtxMarkA(text);
    }
    CHECK(address_space_kib() - before <= 4 << 10);
    return 0;
}

enum { WITHOUT_MEMORY = 1000 };

static _Noreturn void mark_without_memory(void)
{
    CHECK(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0);
    nvtxDomainCreateA("its trace is there, but it has recorded nothing");
    limit(RLIMIT_AS, address_space_kib() * 1024);
    CHECK(raise(SIGSTOP) == 0);
    for (int i = 0; i < WITHOUT_MEMORY; i++)
        nvtxMarkA("may be dropped");
    _exit(0);
}

/* A thread without memory does not request it at each event: the kernel counts the
 * requests. */
static int address_space_is_not_asked_for(void)
{
    const pid_t child = HAS_ASAN ? 0 : fork();
    struct __ptrace_syscall_info call;
    int n_maps = 0, status;

    if (HAS_ASAN)
        return host_skip(needs_addresses);
    if (child == 0)
        mark_without_memory();
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD) == 0);
    while (WIFSTOPPED(status)) {
        if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof call, &call) > 0)
            n_maps += call.op == PTRACE_SYSCALL_INFO_ENTRY && call.entry.nr == SYS_mmap;
        CHECK(ptrace(PTRACE_SYSCALL, child, NULL, NULL) == 0);
        CHECK(waitpid(child, &status, 0) == child);
    }
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(n_maps > 0 && n_maps < WITHOUT_MEMORY / 2);
    mark();
    return 0;
}

static int address_space(void)
{
    struct rlimit before;

    if (HAS_ASAN)
        return host_skip(needs_addresses);
    marks(100);
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    limit(RLIMIT_AS, (rlim_t)(address_space_kib() + 300) * 1024);
    dropped_events(20 * MANY);
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    (void)usleep(150000); /* asked again after a tenth of a second */
    marks(MANY);
    return 0;
}

static off_t trace_bytes(void)
{
    struct stat st;

    CHECK(stat("t.rln", &st) == 0);
    return st.st_size;
}

/* Repeated failures to map memory do not use more disk each time. */
static int address_space_costs_no_disk(void)
{
    off_t before;

    if (HAS_ASAN)
        return host_skip(needs_addresses);
    marks(100);
    before = trace_bytes();
    limit(RLIMIT_AS, (rlim_t)(address_space_kib() + 64) * 1024);
    for (int i = 0; i < 12; i++) {
        dropped_events(MANY);
        nvtxNameCategoryA((unsigned)i, "lost");
        (void)usleep(110000); /* asked again after a tenth of a second */
    }
    CHECK(trace_bytes() - before < 4 << 20); /* 4 MiB were taken each time */
    return 0;
}

/* --- names ------------------------------------------------------------------------ */

enum { NAMES = 300000 }; /* more than a process's table has rows for */

static void mark_each_name(void)
{
    static char names[NAMES][24];

    for (int i = 0; i < NAMES; i++) {
        (void)snprintf(names[i], sizeof *names, "constant %d", i);
        nvtxMarkA(names[i]);
    }
}

static void mark_in_new_domain(void)
{
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("created late");
    nvtxEventAttributes_t event = {0};

    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringA(domain, "kept");
    nvtxDomainMarkEx(domain, &event);
    count_marks(1);
}

/* Names that find no room while the disk is full take none from later ones. */
static int names_without_room(void)
{
    struct rlimit before;

    mark();
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit(RLIMIT_FSIZE, (rlim_t)trace_bytes());
    mark_each_name();
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    (void)usleep(150000); /* asked again after a tenth of a second */
    mark_in_new_domain();
    return 0;
}

static void *lose_a_push(void *before)
{
    nvtxRangePushA("lost");
    CHECK(setrlimit(RLIMIT_FSIZE, before) == 0);
    (void)usleep(150000); /* asked again after a tenth of a second */
    CHECK(nvtxRangePop() == 0);
    mark();
    return NULL;
}

/* A thread's first push finds no room, but its pop does: that range was not inherited.
 */
static int first_push_is_lost(void)
{
    struct rlimit before;
    pthread_t thread;

    mark();
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit(RLIMIT_FSIZE, (rlim_t)trace_bytes());
    dropped_events(MANY);
    CHECK(pthread_create(&thread, NULL, lose_a_push, &before) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    return 0;
}

/* Messages leave room for names that cannot be stored in line. */
static int names_without_end(void)
{
    mark();
    mark_each_name();
    mark_in_new_domain();
    return 0;
}

/* Giving a category the same name again adds no record. */
static int same_name_again(void)
{
    off_t before;

    mark();
    nvtxNameCategoryA(7, "seven");
    before = trace_bytes();
    for (int i = 0; i < 1000000; i++)
        nvtxNameCategoryA(7, "seven");
    CHECK(trace_bytes() == before);
    nvtxNameCategoryA(7, "another");
    nvtxNameCategoryA(7, "seven");
    return 0;
}

/* Records about names do not stay mapped, unlike the names. */
static int named_without_end(void)
{
    nvtxResourceAttributes_t attributes = {0};
    unsigned long before;

    if (HAS_ASAN)
        return host_skip(needs_addresses);
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
    attributes.identifierType = NVTX_RESOURCE_TYPE_GENERIC_HANDLE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "resource";
    mark();
    before = address_space_kib();
    limit(RLIMIT_AS, (rlim_t)(before + (1 << 20)) * 1024);
    for (uint64_t i = 0; i < 3000000; i++) {
        attributes.identifier.ullValue = i;
        CHECK(nvtxDomainResourceCreate(NULL, &attributes) != NULL);
    }
    CHECK(address_space_kib() - before < 72 << 10); /* of 120 MiB */
    mark_in_new_domain();
    return 0;
}

/* The helper cannot be started; the program does not notice. */
static int no_threads(void)
{
    enum { NOBODY = 65534 };

    if (getuid() != 0)
        return host_skip("only root can become a user without other processes");
    mark();
    limit(RLIMIT_NPROC, 1);
    CHECK(setresuid(NOBODY, NOBODY, NOBODY) == 0);
    marks(40 * MANY);
    return 0;
}

/* --- the file --------------------------------------------------------------------- */

/* The file is unlinked: recording continues, into a file without a name. */
static int removed_file(void)
{
    marks(MANY);
    CHECK(link("t.rln", "other name") == 0 && unlink("t.rln") == 0);
    marks(40 * MANY);
    CHECK(rename("other name", "t.rln") == 0);
    return 0;
}

/* Our descriptor was closed, and another file has the trace's name: do not use it. */
static int replaced_file(void)
{
    struct stat now;
    FILE *other;

    mark();
    dropped_events(MANY);
    CHECK(rename("t.rln", "moved") == 0);
    other = fopen("t.rln", "wxe");
    CHECK(other && fputs("mine", other) >= 0 && fclose(other) == 0);
    for (int fd = 3; fd < 1024; fd++)
        (void)close(fd);
    dropped_events(40 * MANY);
    CHECK(stat("t.rln", &now) == 0 && now.st_size == 4);
    CHECK(unlink("t.rln") == 0 && rename("moved", "t.rln") == 0);
    return 0;
}

/* A trace whose descriptor was closed does not become standard input. */
static int closed_descriptors(void)
{
    mark();
    for (int fd = 0; fd < 1024; fd++)
        (void)close(fd);
    marks(40 * MANY);
    for (int fd = 0; fd < 3; fd++)
        CHECK(open("/dev/null", O_RDWR) == fd);
    return 0;
}

/* --- threads ---------------------------------------------------------------------- */

static pthread_barrier_t barrier;

static void *mark_together(void *unused)
{
    pthread_barrier_wait(&barrier);
    marks(100);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;

    CHECK(!pthread_attr_init(&attributes));
    CHECK(!pthread_attr_setstacksize(&attributes, 1 << 17));
    CHECK(!pthread_create(thread, &attributes, run, argument));
    pthread_attr_destroy(&attributes);
}

static int thousand_threads(void)
{
    static pthread_t threads[1000];

    CHECK(!pthread_barrier_init(&barrier, NULL, 1000));
    for (int i = 0; i < 1000; i++)
        start(&threads[i], mark_together, NULL);
    for (int i = 0; i < 1000; i++)
        CHECK(!pthread_join(threads[i], NULL));
    return 0;
}

/* All threads need a chunk and their own names at the same time; one of them makes what
 * they share. */
static void *name_together(void *number)
{
    char text[200];

    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 50; i++) {
        (void)snprintf(text, sizeof text, "%d of %p %0150d", i, number, i);
        CHECK(nvtxDomainRegisterStringA(NULL, text) != NULL);
        mark();
    }
    return number;
}

static int crowd_with_names(void)
{
    enum { THREADS = 500 };
    static pthread_t threads[THREADS];
    struct stat trace;

    CHECK(!pthread_barrier_init(&barrier, NULL, THREADS));
    for (int i = 0; i < THREADS; i++)
        start(&threads[i], name_together, &threads[i]);
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_join(threads[i], NULL));
    CHECK(stat("t.rln", &trace) == 0);
    CHECK(trace.st_blocks * 512 < 64 << 20);
    return 0;
}

/* Some sample, some submit, some provide clocks, and some register what others use. */
static int64_t lent_clock(void)
{
    static int64_t n; /* atomic */

    return __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED);
}

static void register_one(nvtxDomainHandle_t domain, int n)
{
    char text[40];
    const nvtxPayloadSchemaEntry_t entry = {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
                                            .name = text};
    const nvtxPayloadSchemaAttr_t schema = {
        .fieldMask = 0x1fe,
        .name = text,
        .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        .entries = &entry,
        .numEntries = 1,
        .payloadStaticSize = 8,
        .schemaId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + (uint64_t)(n % 100),
    };

    (void)snprintf(text, sizeof text, "schema %d", n % 300);
    nvtxPayloadSchemaRegister(domain, &schema);
}

static void *say_together(void *number)
{
    static int64_t samples[200];
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("crowd");
    const nvtxCounterBatch_t batch = {.counterId = NVTX_COUNTER_ID_STATIC_START,
                                      .counters = samples,
                                      .countersSize = sizeof samples};

    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 500; i++) {
        const int64_t value = i;
        const nvtxPayloadData_t data = {NVTX_PAYLOAD_SCHEMA_ID_STATIC_START +
                                            (uint64_t)(i % 100),
                                        SIZE_MAX, &value};

        switch ((uintptr_t)number % 4) {
        case 0:
            nvtxCounterSampleInt64(domain, NVTX_COUNTER_ID_STATIC_START, i);
            break;
        case 1:
            nvtxCounterBatchSubmit(domain, &batch);
            break;
        case 2:
            nvtxTimerSource(domain, 100 + (uint64_t)(i % 7), 0, lent_clock);
            nvtxEventSubmit(domain, &data, 1);
            break;
        default:
            register_one(domain, i);
            nvtxMarkPayload(domain, &data, 1);
        }
        mark();
    }
    return number;
}

static int crowd_says_all(void)
{
    enum { THREADS = 32 };
    static pthread_t threads[THREADS];

    CHECK(!pthread_barrier_init(&barrier, NULL, THREADS));
    for (uintptr_t i = 0; i < THREADS; i++)
        start(&threads[i], say_together, (void *)i);
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_join(threads[i], NULL));
    return 0;
}

static int n_mappings(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    int n = 0;

    CHECK(maps != NULL);
    for (int c; (c = fgetc(maps)) != EOF;)
        n += c == '\n';
    (void)fclose(maps);
    return n;
}

static void *pair_and_end(void *unused)
{
    CHECK(nvtxRangePushA("short") == 0);
    CHECK(nvtxRangePop() == 0);
    return unused;
}

/* 16 bytes per pair and 256 bytes per thread, and no remaining mapping for each. */
static int short_threads(void)
{
    enum { THREADS = 20000 };
    struct stat trace;

    mark();
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;

        start(&thread, pair_and_end, NULL);
        CHECK(!pthread_join(thread, NULL));
    }
    CHECK(n_mappings() <= 1024);
    CHECK(stat("t.rln", &trace) == 0);
    CHECK(trace.st_blocks * 512 <=
          THREADS * (16 + 256) + (4 << 20)); /* a block ahead */
    return 0;
}

/* --- batches ---------------------------------------------------------------------- */

/* A gigabyte of batches is recorded to the end, and does not stay mapped. The test
 * frees the disk space of written parts as it goes. */
static int many_batches(void)
{
    enum { MIB = 1 << 20, BATCHES = 1100, BEGINNING = 64, STEP = 64 };
    static char samples[MIB];
    const nvtxCounterBatch_t batch = {.counterId = NVTX_COUNTER_ID_STATIC_START,
                                      .counters = samples,
                                      .countersSize = sizeof samples};
    const int file = open("t.rln", O_RDWR | O_CLOEXEC);
    struct stat trace;
    off_t done = BEGINNING, before_last = 0;
    const int others = n_mappings(); /* a sanitizer's are many */

    CHECK(file >= 0);
    mark();
    for (int i = 0; i < BATCHES; i++) {
        nvtxCounterBatchSubmit(NULL, &batch);
        CHECK(fstat(file, &trace) == 0);
        if (i == BATCHES - 20)
            before_last = trace.st_size;
        if (trace.st_size / MIB < done + 2 * STEP)
            continue;
        if (fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, done * MIB,
                      (off_t)STEP * MIB) != 0)
            return host_skip("the file system punches no holes");
        done += STEP;
    }
    CHECK(trace.st_size > before_last);
    CHECK(n_mappings() <= others + 128);
    mark();
    return 0;
}

/* --- the table -------------------------------------------------------------------- */

const struct host_case host_cases[] = {
    {"file_size", file_size},
    {"descriptors", descriptors},
    {"descriptors_but_one_are_left", descriptors_but_one_are_left},
    {"no_descriptors_at_first", no_descriptors_at_first},
    {"address_space", address_space},
    {"address_space_is_left", address_space_is_left},
    {"address_space_is_left_for_threads", address_space_is_left_for_threads},
    {"address_space_is_given_back", address_space_is_given_back},
    {"address_space_is_not_asked_for", address_space_is_not_asked_for},
    {"address_space_costs_no_disk", address_space_costs_no_disk},
    {"first_push_is_lost", first_push_is_lost},
    {"names_without_room", names_without_room},
    {"names_without_end", names_without_end},
    {"same_name_again", same_name_again},
    {"named_without_end", named_without_end},
    {"no_threads", no_threads},
    {"removed_file", removed_file},
    {"replaced_file", replaced_file},
    {"closed_descriptors", closed_descriptors},
    {"thousand_threads", thousand_threads},
    {"crowd_with_names", crowd_with_names},
    {"crowd_says_all", crowd_says_all},
    {"short_threads", short_threads},
    {"many_batches", many_batches},
    {0},
};
