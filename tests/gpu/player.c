/* SPDX-License-Identifier: Apache-2.0 */
/* player.c - does what its arguments say, on a fake GPU:
 *
 *     init                  cuInit()
 *     push NAME, pop        a range
 *     launch NAME [N]       N kernels, 1 by default: a call of 1 us, then 50 us on
 *                           GPU 0, context 1, stream 7. "1:NAME": on GPU 1, context 2,
 *                           stream 13; "3@NAME": on stream 103
 *     driver NAME           the same by the driver's call
 *     malloc                a call that launches nothing
 *     copy BYTES, set BYTES, peer BYTES, sync, wait, overhead
 *     node ID, clone ID     a node of a graph is created, or cloned from node 1000
 *     subscribe             prints CUPTI's answer to the program
 *     graph                 launches graph 5, which has one kernel, "node"
 *     context, wait2        context 2 on GPU 1, a wait in it
 *     gpu N                 describes GPU N
 *     watts FILE W          the fake NVML's GPUs draw so much from now on
 *     untimed, reversed, short, unknown      a kernel without times, ...
 *     thread ... end, fork ... end           in a thread, in a child
 *     small ... end         in a thread with 64 KiB of stack
 *     loop N ... end        N times
 *     drop N, keep, complete, sleep MS, work N (steps before each launch)
 *     exit, _exit, kill, off                 off: prints whether CUPTI is off
 *     elapsed               prints how many ns the launches took
 *     profile, profiled     starts and stops the program's own profiler
 *     finalize              it calls cuptiFinalize()
 *     clock, hidden_clock   it makes CUPTI use its own clock, which is half as fast; so
 * that only CUPTI knows
 *
 * Times are those of CUPTI's clock.
 */
#include <dlfcn.h>
#include <errno.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_cupti.h"

static struct {
    uint64_t (*now)(void);
    void (*put)(const void *, size_t);
    void (*drop)(size_t);
    void (*keep)(void);
    void (*complete)(void);
    void (*node)(uint32_t, uint64_t, uint64_t);
    int (*subscribe)(void **, void *, void *);
    int (*is_off)(void);
} cupti;
static uint32_t correlation;

static uint64_t now(void)
{
    struct timespec t;

    if (cupti.now)
        return cupti.now();
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void find(void *library, const char *name, void *to)
{
    void *symbol = library ? dlsym(library, name) : NULL;

    memcpy(to, &symbol, sizeof(symbol));
}

static void init(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*cu_init)(unsigned);
    void *library;

    find(driver, "cuInit", &cu_init);
    if (!cu_init || cu_init(0)) {
        (void)fprintf(stderr, "cuInit failed: %s\n", cu_init ? "" : dlerror());
        exit(3);
    }
    library = dlopen("libcupti.so.12", RTLD_NOW | RTLD_NOLOAD);
    library = library ? library : dlopen("libcupti.so.11.8", RTLD_NOW | RTLD_NOLOAD);
    library = library ? library : dlopen("libcupti.so.12", RTLD_NOW);
    find(library, "fake_cupti_now", &cupti.now);
    find(library, "fake_cupti_put", &cupti.put);
    find(library, "fake_cupti_drop", &cupti.drop);
    find(library, "fake_cupti_keep", &cupti.keep);
    find(library, "fake_cupti_complete", &cupti.complete);
    find(library, "fake_cupti_is_off", &cupti.is_off);
    find(library, "fake_cupti_node", &cupti.node);
    find(library, "cuptiSubscribe", &cupti.subscribe);
}

static void call_profiler(const char *function)
{
    void *library = dlopen(getenv("PROFILER"), RTLD_NOW);
    void (*call)(void);

    find(library, function, &call);
    if (call)
        call();
    else
        (void)fprintf(stderr, "no profiler: %s\n", dlerror());
}

/* --- Records ---------------------------------------------------------------------- */

struct record {
    uint8_t bytes[256];
    size_t n_bytes;
};

static void put2(struct record *r, size_t at, uint32_t value)
{
    const uint16_t narrow = (uint16_t)value;

    memcpy(r->bytes + at, &narrow, 2);
}

static void put4(struct record *r, size_t at, uint32_t value)
{
    memcpy(r->bytes + at, &value, 4);
}

static void put8(struct record *r, size_t at, uint64_t value)
{
    memcpy(r->bytes + at, &value, 8);
}

/* The size that a kind has in the release that FAKE_SIZES names, else its first. */
static struct record new_record(uint32_t kind, size_t first)
{
    const char *text = getenv("FAKE_SIZES"); /* "10=248,1=112" */
    struct record r = {.n_bytes = first};

    memset(r.bytes, 0xa5, sizeof(r.bytes)); /* in what is not set */
    memset(r.bytes, 0, first);
    put4(&r, 0, kind);
    while (text && *text) {
        char *end;
        const unsigned long which = strtoul(text, &end, 10);
        const unsigned long size = *end == '=' ? strtoul(end + 1, &end, 10) : 0;

        if (which == kind && size && size <= sizeof(r.bytes))
            r.n_bytes = size;
        text = *end == ',' ? end + 1 : NULL;
    }
    return r;
}

static void emit(const struct record *r)
{
    if (cupti.put)
        cupti.put(r->bytes, r->n_bytes);
}

/* Takes as long as it says. */
static void emit_call(int is_runtime, uint32_t cbid, uint64_t start, uint64_t end)
{
    struct record r = new_record(is_runtime ? 5 : 4, 40);

    while (now() < end)
        ;

    put4(&r, 4, cbid);
    put8(&r, 8, start);
    put8(&r, 16, end);
    put4(&r, 24, (uint32_t)getpid());
    put4(&r, 28, (uint32_t)(uintptr_t)pthread_self());
    put4(&r, 32, correlation);
    emit(&r);
}

static uint64_t n_steps;     /* of work before a launch */
static uint32_t next_stream; /* of the next kernel on GPU 0; 0: 7 */

static void put_place(struct record *r, size_t at, int gpu)
{
    put4(r, at, gpu ? 1 : 0);
    put4(r, at + 4, gpu ? 2 : 1);
    put4(r, at + 8, gpu ? 13 : next_stream ? next_stream : 7);
}

static struct record kernel(const char *name, uint64_t start)
{
    struct record r = new_record(10, 200);
    const int gpu = strncmp(name, "1:", 2) == 0;
    const char *at = strchr(name, '@');

    next_stream = at ? (uint32_t)strtoul(name, NULL, 10) + 100 : 0;
    name = at ? at + 1 : name;
    put2(&r, 6, 32);
    put8(&r, 16, start);
    put8(&r, 24, start + 50000);
    put_place(&r, 40, gpu);
    for (uint32_t i = 0; i < 3; i++) {
        put4(&r, 52 + 4 * i, 10 + i);
        put4(&r, 64 + 4 * i, 20 + i);
    }
    put4(&r, 76, 1024);
    put4(&r, 80, 2048);
    put4(&r, 92, correlation);
    put8(&r, 96, 77);
    put8(&r, 104, (uint64_t)(uintptr_t)(name + (gpu ? 2 : 0)));
    return r;
}

/* Computes for a while; returns the time then. */
static uint64_t work(uint64_t n)
{
    volatile uint64_t value = 1;

    for (uint64_t i = 0; i < n; i++)
        value = value * 6364136223846793005u + 1;
    return now();
}

static uint64_t launches_ns; /* all of them took this long */

static void launch(const char *name, int is_runtime, long n)
{
    const uint64_t begin = now();

    for (long i = 0; i < n; i++) {
        const uint64_t start = work(n_steps);
        struct record r;

        correlation++;
        emit_call(is_runtime, is_runtime ? 2 : 3, start, start + 1000);
        r = kernel(name, start + 20000);
        emit(&r);
    }
    launches_ns += now() - begin;
}

static void copy(uint32_t bytes, uint32_t cbid)
{
    const uint64_t start = now();
    struct record r = new_record(1, 88);

    correlation++;
    emit_call(1, cbid, start, start + 1000);
    r.bytes[4] = 1; /* to the GPU */
    r.bytes[5] = 1; /* pageable */
    r.bytes[6] = 3; /* device */
    put8(&r, 8, bytes);
    put8(&r, 16, start + 20000);
    put8(&r, 24, start + 30000);
    put_place(&r, 32, 0);
    put4(&r, 44, correlation);
    emit(&r);
}

static void peer(uint32_t bytes)
{
    const uint64_t start = now();
    struct record r = new_record(22, 96);

    correlation++;
    emit_call(1, 3, start, start + 1000);
    r.bytes[4] = 10;
    r.bytes[5] = r.bytes[6] = 3;
    put8(&r, 8, bytes);
    put8(&r, 16, start + 20000);
    put8(&r, 24, start + 30000);
    put_place(&r, 32, 0);
    put4(&r, 44, 0);
    put4(&r, 48, 1);
    put4(&r, 52, 1);
    put4(&r, 56, 2);
    put4(&r, 60, correlation);
    emit(&r);
}

static void set(uint32_t bytes)
{
    const uint64_t start = now();
    struct record r = new_record(2, 88);

    correlation++;
    emit_call(1, 4, start, start + 1000);
    put4(&r, 4, 255);
    put8(&r, 8, bytes);
    put8(&r, 16, start + 20000);
    put8(&r, 24, start + 25000);
    put_place(&r, 32, 0);
    put4(&r, 44, correlation);
    put2(&r, 50, 3);
    emit(&r);
}

static void allocate(void)
{
    const uint64_t start = now();

    correlation++;
    emit_call(1, 1, start, start + 1000);
}

static void wait_for(uint32_t type, uint32_t stream)
{
    struct record r = new_record(38, 40);
    const uint64_t start = now();

    put4(&r, 4, type);
    put8(&r, 8, start);
    put8(&r, 16, start + 40000);
    put4(&r, 28, 1);
    put4(&r, 32, stream);
    emit(&r);
}

static void gpu(uint32_t device)
{
    struct record r = new_record(8, 176);
    const char *name = device ? "Fake GPU Ti" : "Fake GPU";

    put8(&r, 16, 80ull << 30);
    put4(&r, 44, 132);
    put4(&r, 104, 9);
    put4(&r, 108, 0);
    put4(&r, 112, device);
    for (uint32_t i = 0; i < 16; i++)
        r.bytes[120 + i] = (uint8_t)(device * 16 + i);
    put8(&r, 136, (uint64_t)(uintptr_t)name);
    emit(&r);
}

/* Context 2 on GPU 1, and a wait for its stream. */
static void context(void)
{
    struct record r = new_record(9, 16);

    put4(&r, 4, 2);
    put4(&r, 8, 1);
    emit(&r);
}

static void wait_in_second(void)
{
    struct record r = new_record(38, 40);
    const uint64_t start = now();

    put4(&r, 4, 3);
    put8(&r, 8, start);
    put8(&r, 16, start + 40000);
    put4(&r, 28, 2);
    put4(&r, 32, 13);
    emit(&r);
}

static void overhead(void)
{
    struct record r = new_record(17, 40);
    const uint64_t start = now();

    put4(&r, 4, 1u << 16); /* flushing a buffer */
    put4(&r, 8, 2);        /* on a thread */
    put4(&r, 12, (uint32_t)getpid());
    put4(&r, 16, (uint32_t)(uintptr_t)pthread_self());
    put8(&r, 24, start);
    put8(&r, 32, start + 7000);
    emit(&r);
}

static void graph(void)
{
    const uint64_t start = now();
    struct record r = new_record(51, 48);

    correlation++;
    emit_call(1, 5, start, start + 1000);
    put4(&r, 4, correlation);
    put8(&r, 8, start + 20000);
    put8(&r, 16, start + 90000);
    put4(&r, 28, 5);
    put4(&r, 32, 1);
    put4(&r, 36, 7);
    emit(&r);
    r = kernel("node", start + 30000);
    put8(&r, 144, 77);
    emit(&r);
}

/* 13: new; 20: a copy. What CUPTI says of the original of a new one means nothing. */
static void node(uint32_t event, uint64_t id)
{
    errno = ENOENT;
    cupti.node(event, id, 1000);
    if (errno != ENOENT)
        (void)fprintf(stderr, "errno is %d\n", errno);
}

static void subscribe(void)
{
    void *subscriber;

    (void)printf("%d\n", cupti.subscribe(&subscriber, NULL, NULL));
}

static void broken(const char *how)
{
    struct record r = kernel("broken", strcmp(how, "untimed") == 0 ? 0 : now());

    if (strcmp(how, "untimed") == 0)
        put8(&r, 24, 0);
    if (strcmp(how, "reversed") == 0)
        put8(&r, 24, 5);
    if (strcmp(how, "short") == 0)
        r.n_bytes = 112;
    if (strcmp(how, "unknown") == 0)
        put4(&r, 0, 63 + 64);
    emit(&r);
}

/* --- The script ------------------------------------------------------------------- */

static char **play(char **at);

static void *play_thread(void *at)
{
    return play(at);
}

static long number(char **at)
{
    return at[1] ? strtol(at[1], NULL, 10) : 0;
}

/* One command; returns its last argument, or NULL if it is none of these. */
static char **play_gpu(char **at)
{
    const int is_runtime = strcmp(*at, "launch") == 0;

    if (is_runtime || strcmp(*at, "driver") == 0) {
        const long n = at[1] && at[2] ? strtol(at[2], NULL, 10) : 0;

        launch(at[1], is_runtime, n ? n : 1);
        return at + 1 + (n > 0);
    }
    if (strcmp(*at, "copy") == 0)
        copy((uint32_t)number(at), 3);
    else if (strcmp(*at, "set") == 0)
        set((uint32_t)number(at));
    else if (strcmp(*at, "peer") == 0)
        peer((uint32_t)number(at));
    else if (strcmp(*at, "gpu") == 0)
        gpu((uint32_t)number(at));
    else if (strcmp(*at, "node") == 0)
        node(13, (uint64_t)number(at));
    else if (strcmp(*at, "clone") == 0)
        node(20, (uint64_t)number(at));
    else if (strcmp(*at, "work") == 0)
        n_steps = (uint64_t)number(at);
    else if (strcmp(*at, "drop") == 0)
        cupti.drop((size_t)number(at));
    else
        return NULL;
    return at + 1;
}

static int play_simple(const char *word)
{
    if (strcmp(word, "init") == 0)
        init();
    else if (strcmp(word, "pop") == 0)
        (void)nvtxRangePop();
    else if (strcmp(word, "sync") == 0)
        wait_for(4, UINT32_MAX);
    else if (strcmp(word, "wait") == 0)
        wait_for(3, 7);
    else if (strcmp(word, "context") == 0)
        context();
    else if (strcmp(word, "wait2") == 0)
        wait_in_second();
    else if (strcmp(word, "overhead") == 0)
        overhead();
    else if (strcmp(word, "malloc") == 0)
        allocate();
    else if (strcmp(word, "graph") == 0)
        graph();
    else if (strcmp(word, "subscribe") == 0)
        subscribe();
    else if (strcmp(word, "keep") == 0)
        cupti.keep();
    else if (strcmp(word, "complete") == 0)
        cupti.complete();
    else if (strcmp(word, "profile") == 0)
        call_profiler("profiler_start");
    else if (strcmp(word, "profiled") == 0)
        call_profiler("profiler_stop");
    else if (strcmp(word, "finalize") == 0)
        call_profiler("profiler_finalize");
    else if (strcmp(word, "clock") == 0)
        call_profiler("profiler_clock");
    else if (strcmp(word, "hidden_clock") == 0)
        call_profiler("profiler_hidden_clock");
    else if (strcmp(word, "elapsed") == 0)
        (void)printf("%llu\n", (unsigned long long)launches_ns);
    else if (strcmp(word, "off") == 0)
        (void)printf("%s\n", cupti.is_off() ? "off" : "on");
    else if (strcmp(word, "exit") == 0)
        exit(0);
    else if (strcmp(word, "_exit") == 0)
        _exit(0);
    else if (strcmp(word, "kill") == 0)
        (void)raise(SIGKILL);
    else
        return 0;
    return 1;
}

static char **skip(char **at)
{
    while (*at && strcmp(*at, "end") != 0)
        at++;
    return at;
}

static char **play_block(char **at)
{
    int status;
    pid_t child;
    pthread_t thread;

    if (strcmp(*at, "fork") != 0) {
        pthread_attr_t attributes;

        (void)pthread_attr_init(&attributes);
        if (strcmp(*at, "small") == 0)
            (void)pthread_attr_setstacksize(&attributes, 64 << 10);
        if (pthread_create(&thread, &attributes, play_thread, at + 1) == 0)
            (void)pthread_join(thread, NULL);
        (void)pthread_attr_destroy(&attributes);
    } else {
        (void)fflush(stdout);
        child = fork();
        if (!child) {
            (void)play(at + 1);
            exit(0);
        }
        if (waitpid(child, &status, 0) != child || status)
            (void)fprintf(stderr, "the child ended with %d\n", status);
    }
    return skip(at);
}

static char **play_loop(char **at)
{
    char **end = skip(at);

    for (long i = number(at); i > 0; i--)
        (void)play(at + 2);
    return end;
}

/* The file is never empty. */
static void draw(const char *path, const char *watts)
{
    char temporary[4096];
    FILE *file;

    (void)snprintf(temporary, sizeof(temporary), "%s.new", path);
    file = fopen(temporary, "w");
    if (!file || fputs(watts, file) < 0 || fclose(file) || rename(temporary, path)) {
        perror(path);
        exit(1);
    }
}

/* Up to "end", or the last. */
static char **play(char **at)
{
    for (; *at && strcmp(*at, "end") != 0; at++) {
        char **last;

        if (strcmp(*at, "push") == 0) {
            (void)nvtxRangePushA(*++at);
        } else if (strcmp(*at, "sleep") == 0) {
            (void)usleep((useconds_t)number(at++) * 1000);
        } else if (strcmp(*at, "watts") == 0) {
            draw(at[1], at[2]);
            at += 2;
        } else if (strcmp(*at, "thread") == 0 || strcmp(*at, "fork") == 0 ||
                   strcmp(*at, "small") == 0) {
            at = play_block(at);
        } else if (strcmp(*at, "loop") == 0) {
            at = play_loop(at);
        } else if ((last = play_gpu(at))) {
            at = last;
        } else if (strncmp(*at, "un", 2) == 0 || strcmp(*at, "reversed") == 0 ||
                   strcmp(*at, "short") == 0) {
            broken(*at);
        } else if (!play_simple(*at)) {
            (void)fprintf(stderr, "unknown command: %s\n", *at);
            exit(2);
        }
    }
    return at;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)play(argv + 1);
    return 0;
}
