/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_program.c - a program that uses a GPU, by CUDA's driver only: it needs a compiler
 * to build, and neither toolkit nor run-time. What it does is its first argument:
 *
 *     about              prints the GPU's name
 *     add                adds vectors: two copies, a kernel, a copy back
 *     times              prints how long kernels took by CUDA's events, in us
 *     replay N [MS]      replays a graph of NODES kernels N times, in ranges; with MS,
 *                        after a kernel, and capturing the graph for so long
 *     overlap            a long kernel on each of two streams
 *     launches N STEPS   prints the ns of N launches, with STEPS of computing each
 *     steps              prints the ns that 1000 steps of computing take
 *     start              prints the ns to the end of the first kernel
 *     memory             prints the bytes of the GPU that are in use
 *     draws              a range of 2 s without work, and one of 3 s of kernels
 *     killed             launches until a signal kills it, after 3.5 s
 *     exhausted          goes on when there is no more memory
 *     forked             forks a child that ends by exit()
 *
 * A failed call ends it with status 3 and a line that names the call and its error.
 */
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels_ptx.h"

enum { BLOCK = 256, N_FLOATS = 1 << 18, NODES = 5 };
enum { NON_BLOCKING = 1, NO_MEMORY = 2 }; /* CU_STREAM_..., CUDA_ERROR_OUT_OF_... */

/* Long enough for a comparison with events, which are exact to 0.5 us. */
static const uint64_t spin_cycles = 4000000; /* 2 ms at 2 GHz */

/* --- The driver ------------------------------------------------------------------- */

typedef unsigned long long address; /* on the GPU */

static struct {
    int (*init)(unsigned);
    int (*device_get)(int *, int);
    int (*device_name)(char *, int, int);
    int (*context_retain)(void **, int);
    int (*context_set)(void *);
    int (*context_wait)(void);
    int (*memory_info)(size_t *, size_t *);
    int (*allocate)(address *, size_t);
    int (*release)(address);
    int (*copy_to)(address, const void *, size_t);
    int (*copy_from)(void *, address, size_t);
    int (*load)(void **, const void *);
    int (*find)(void **, void *, const char *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  unsigned, void *, void **, void **);
    int (*stream_create)(void **, unsigned);
    int (*stream_wait)(void *);
    int (*event_create)(void **, unsigned);
    int (*event_record)(void *, void *);
    int (*event_elapsed)(float *, void *, void *);
    int (*capture_begin)(void *, int);
    int (*capture_end)(void *, void **);
    int (*graph_instantiate)(void **, void *, unsigned long long);
    int (*graph_launch)(void *, void *);
} cu;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
    {"cuInit", offsetof(__typeof__(cu), init)},
    {"cuDeviceGet", offsetof(__typeof__(cu), device_get)},
    {"cuDeviceGetName", offsetof(__typeof__(cu), device_name)},
    {"cuDevicePrimaryCtxRetain", offsetof(__typeof__(cu), context_retain)},
    {"cuCtxSetCurrent", offsetof(__typeof__(cu), context_set)},
    {"cuCtxSynchronize", offsetof(__typeof__(cu), context_wait)},
    {"cuMemGetInfo_v2", offsetof(__typeof__(cu), memory_info)},
    {"cuMemAlloc_v2", offsetof(__typeof__(cu), allocate)},
    {"cuMemFree_v2", offsetof(__typeof__(cu), release)},
    {"cuMemcpyHtoD_v2", offsetof(__typeof__(cu), copy_to)},
    {"cuMemcpyDtoH_v2", offsetof(__typeof__(cu), copy_from)},
    {"cuModuleLoadData", offsetof(__typeof__(cu), load)},
    {"cuModuleGetFunction", offsetof(__typeof__(cu), find)},
    {"cuLaunchKernel", offsetof(__typeof__(cu), launch)},
    {"cuStreamCreate", offsetof(__typeof__(cu), stream_create)},
    {"cuStreamSynchronize", offsetof(__typeof__(cu), stream_wait)},
    {"cuEventCreate", offsetof(__typeof__(cu), event_create)},
    {"cuEventRecord", offsetof(__typeof__(cu), event_record)},
    {"cuEventElapsedTime", offsetof(__typeof__(cu), event_elapsed)},
    {"cuStreamBeginCapture_v2", offsetof(__typeof__(cu), capture_begin)},
    {"cuStreamEndCapture", offsetof(__typeof__(cu), capture_end)},
    {"cuGraphInstantiateWithFlags", offsetof(__typeof__(cu), graph_instantiate)},
    {"cuGraphLaunch", offsetof(__typeof__(cu), graph_launch)},
};

static void load_driver(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);

    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *symbol = driver ? dlsym(driver, functions[i].name) : NULL;

        if (!symbol) {
            (void)fprintf(stderr, "no driver: %s\n", dlerror());
            exit(3);
        }
        memcpy((char *)&cu + functions[i].offset, &symbol, sizeof(symbol));
    }
}

static void check(int result, const char *call)
{
    if (!result)
        return;
    (void)fprintf(stderr, "%s: %d\n", call, result);
    exit(3);
}

#define MUST(call) check(cu.call, #call)

/* --- A GPU ------------------------------------------------------------------------ */

static void *sum_vectors, *spin, *nothing;

static uint64_t now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void begin(void)
{
    void *context, *module;
    int device;

    load_driver();
    MUST(init(0));
    MUST(device_get(&device, 0));
    MUST(context_retain(&context, device));
    MUST(context_set(context));
    MUST(load(&module, kernels));
    MUST(find(&sum_vectors, module, "sum_vectors"));
    MUST(find(&spin, module, "spin"));
    MUST(find(&nothing, module, "nothing"));
}

static void launch_nothing(void *stream)
{
    MUST(launch(nothing, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
}

static void launch_spin(void *stream, uint64_t cycles)
{
    void *arguments[] = {&cycles};

    MUST(launch(spin, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
}

static void *new_stream(void)
{
    void *stream;

    MUST(stream_create(&stream, NON_BLOCKING));
    return stream;
}

/* --- What it does ----------------------------------------------------------------- */

static void about(void)
{
    char name[256];

    MUST(device_name(name, sizeof(name), 0));
    (void)printf("%s\n", name);
}

static void add(void)
{
    static float a[N_FLOATS], b[N_FLOATS], sum[N_FLOATS];
    unsigned n = N_FLOATS, n_wrong = 0;
    address on_gpu[3];
    void *arguments[] = {&on_gpu[0], &on_gpu[1], &on_gpu[2], &n};

    for (unsigned i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 1;
    }
    for (int i = 0; i < 3; i++)
        MUST(allocate(&on_gpu[i], sizeof(a)));
    (void)nvtxRangePushA("copy in");
    MUST(copy_to(on_gpu[0], a, sizeof(a)));
    MUST(copy_to(on_gpu[1], b, sizeof(b)));
    (void)nvtxRangePop();
    (void)nvtxRangePushA("add");
    MUST(launch(sum_vectors, N_FLOATS / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, arguments,
                NULL));
    MUST(context_wait());
    (void)nvtxRangePop();
    (void)nvtxRangePushA("copy out");
    MUST(copy_from(sum, on_gpu[2], sizeof(sum)));
    (void)nvtxRangePop();
    for (unsigned i = 0; i < n; i++)
        n_wrong += sum[i] != a[i] + 1;
    (void)printf("%u wrong sums\n", n_wrong);
}

/* Events also include what lies between them and a kernel: that of an empty one. A
 * kernel before them fills the queue; else they would include the time of a launch. */
static void times(void)
{
    enum { N = 20 };
    void *before, *after;
    float ms;

    MUST(event_create(&before, 0));
    MUST(event_create(&after, 0));
    for (int i = 0; i < 2 * N; i++) {
        launch_spin(NULL, spin_cycles);
        MUST(event_record(before, NULL));
        if (i % 2)
            launch_spin(NULL, spin_cycles);
        else
            launch_nothing(NULL);
        MUST(event_record(after, NULL));
        MUST(context_wait());
        MUST(event_elapsed(&ms, before, after));
        (void)printf("%s %.3f\n", i % 2 ? "spin" : "nothing", (double)ms * 1000);
    }
}

static void replay(unsigned n, unsigned ms)
{
    void *stream = new_stream();
    void *graph, *ready;

    if (ms > 0) {
        launch_nothing(stream);
        MUST(stream_wait(stream));
    }
    MUST(capture_begin(stream, 0)); /* no thread may make an unsafe call meanwhile */
    (void)usleep(1000 * ms);
    (void)nvtxRangePushA("captured");
    for (int i = 0; i < NODES; i++) {
        if (i % 2)
            launch_spin(stream, 1000);
        else
            launch_nothing(stream);
    }
    (void)nvtxRangePop();
    MUST(capture_end(stream, &graph));
    MUST(graph_instantiate(&ready, graph, 0));
    for (unsigned i = 0; i < n; i++) {
        (void)nvtxRangePushA(i % 4 ? "most" : "each fourth");
        MUST(graph_launch(ready, stream));
        (void)nvtxRangePop();
    }
    MUST(stream_wait(stream));
}

static void overlap(void)
{
    void *streams[] = {new_stream(), new_stream()};

    launch_nothing(streams[0]); /* the first one is slow to start */
    launch_nothing(streams[1]);
    MUST(context_wait());
    launch_spin(streams[0], 100 * spin_cycles);
    launch_spin(streams[1], 100 * spin_cycles);
    MUST(context_wait());
}

static void compute(unsigned long n_steps)
{
    volatile uint64_t value = 1;

    for (unsigned long i = 0; i < n_steps; i++)
        value = value * 6364136223846793005u + 1;
}

/* Rarely waits, as programs do that keep a GPU busy; the first launches are not timed.
 */
static void launches(unsigned long n, unsigned long n_steps)
{
    uint64_t start;

    for (int i = 0; i < 1000; i++)
        launch_nothing(NULL);
    MUST(context_wait());
    start = now();
    for (unsigned long i = 0; i < n; i++) {
        compute(n_steps);
        launch_nothing(NULL);
    }
    MUST(context_wait());
    (void)printf("%llu\n", (unsigned long long)(now() - start));
}

static void steps(void)
{
    const uint64_t start = now();

    compute(100000000);
    (void)printf("%llu\n", (unsigned long long)(now() - start) / 100000);
}

static void memory(void)
{
    size_t n_free, n_all;

    for (int i = 0; i < 10000; i++)
        launch_nothing(NULL);
    MUST(context_wait());
    MUST(memory_info(&n_free, &n_all));
    (void)printf("%zu\n", n_all - n_free);
}

static void killed(void)
{
    const uint64_t end = now() + 3500000000u;

    while (now() < end) {
        launch_spin(NULL, 1000);
        MUST(context_wait());
        (void)printf("%llu\n", (unsigned long long)now());
        (void)fflush(stdout);
        (void)usleep(10000);
    }
    (void)raise(SIGKILL);
}

static void draws(void)
{
    uint64_t end;

    launch_nothing(NULL); /* the context exists from here on */
    MUST(context_wait());
    (void)nvtxRangePushA("idle");
    (void)usleep(2000000);
    (void)nvtxRangePop();
    (void)nvtxRangePushA("busy");
    for (end = now() + 3000000000u; now() < end;) {
        launch_spin(NULL, spin_cycles);
        MUST(context_wait());
    }
    (void)nvtxRangePop();
}

/* How much there was depends on who else has some, so it is not printed. */
static void exhausted(void)
{
    enum { MOST = 4096 };
    static address taken[MOST];
    size_t n_taken = 0, n_free, n_all;
    int result = 0;

    launch_nothing(NULL); /* the first launch needs memory for the code */
    MUST(context_wait());
    MUST(memory_info(&n_free, &n_all));
    (void)printf("all of it twice: %d\n", cu.allocate(&taken[0], 2 * n_all));
    for (size_t size = (size_t)1 << 30; size >= 1 << 20; size >>= 5) {
        while (n_taken < MOST && !(result = cu.allocate(&taken[n_taken], size)))
            n_taken++;
    }
    (void)printf("the last of it: %d\n", result);
    for (int i = 0; i < 100; i++)
        launch_nothing(NULL);
    MUST(context_wait());
    while (n_taken > 0)
        MUST(release(taken[--n_taken]));
    launch_nothing(NULL);
    MUST(context_wait());
    if (result == NO_MEMORY)
        exit(7);
}

static void forked(void)
{
    int status;
    pid_t child;

    launch_nothing(NULL);
    MUST(context_wait());
    child = fork();
    if (!child)
        exit(5); /* with its exit handlers */
    if (waitpid(child, &status, 0) == child)
        (void)printf("the child ended with %d\n", WEXITSTATUS(status));
    launch_nothing(NULL);
    MUST(context_wait());
}

static void start(uint64_t since)
{
    launch_nothing(NULL);
    MUST(context_wait());
    (void)printf("%llu\n", (unsigned long long)(now() - since));
}

static unsigned long number(const char *text)
{
    return text ? strtoul(text, NULL, 10) : 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } commands[] = {{"about", about},         {"add", add},       {"times", times},
                    {"overlap", overlap},     {"memory", memory}, {"killed", killed},
                    {"exhausted", exhausted}, {"forked", forked}, {"draws", draws}};
    const char *command = argc > 1 ? argv[1] : "";
    const uint64_t since = now();

    if (strcmp(command, "steps") == 0) {
        steps();
        return 0;
    }
    begin();
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(command, commands[i].name) == 0) {
            commands[i].run();
            return 0;
        }
    }
    if (strcmp(command, "replay") == 0)
        replay((unsigned)number(argv[2]), argc > 3 ? (unsigned)number(argv[3]) : 0);
    else if (strcmp(command, "launches") == 0)
        launches(number(argv[2]), argc > 3 ? number(argv[3]) : 0);
    else if (strcmp(command, "start") == 0)
        start(since);
    else
        return 2;
    return 0;
}
