/* SPDX-License-Identifier: Apache-2.0 */
/* fake_driver.c - a driver whose GPU exists only in the records that it gives the fake
 * CUPTI: enough for device/gpu_program.c, so that what judges a real GPU's records is
 * itself tested. cuInit() is fake_cuda.c's.
 *
 *     cuLaunchKernel() --> a call of 1 us, then a kernel, after its stream's others
 *
 * FAKE_DRIVER_HANG     a call never ends
 * FAKE_DRIVER_LATE     kernels are recorded that many ns too late
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define DRIVER(name, ...)                                                              \
    EXPORTED int name(__VA_ARGS__);                                                    \
    EXPORTED int name(__VA_ARGS__)

enum { OUT_OF_MEMORY = 2, MOST_STREAMS = 8, MOST_NODES = 16 };
enum { LAUNCH = 3, COPY_TO = 5, COPY_FROM = 6, LAUNCH_GRAPH = 7 }; /* calls */

static const size_t all_bytes = (size_t)4 << 30;
static size_t used_bytes;

static uint32_t correlation;

struct node {
    const char *kernel;
    uint64_t ns;
    uint32_t grid, block;
};
static struct stream {
    uint64_t busy_until;
    int is_capturing;
} streams[MOST_STREAMS]; /* the first is the default one */
static size_t n_streams = 1;
static struct graph {
    struct node nodes[MOST_NODES];
    size_t n;
} graph; /* there is one */

static uint64_t now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void wait_until(uint64_t t)
{
    if (getenv("FAKE_DRIVER_HANG"))
        (void)pause();
    while (now() < t)
        ;
}

static struct stream *stream_of(void *stream)
{
    return stream ? stream : &streams[0];
}

/* --- Records: CUPTI's of CUDA 12.0 ------------------------------------------------ */

static void put(uint8_t *record, size_t at, uint64_t value, size_t n_bytes)
{
    memcpy(record + at, &value, n_bytes);
}

static void emit(const uint8_t *record, size_t n_bytes)
{
    static int is_known;
    static union {
        void *symbol;
        void (*call)(const void *, size_t);
    } add;

    if (!is_known) {
        void *library = dlopen("libcupti.so.12", RTLD_NOW | RTLD_NOLOAD);

        add.symbol = library ? dlsym(library, "fake_cupti_put") : NULL;
        is_known = 1;
    }
    if (add.call)
        add.call(record, n_bytes);
}

static void emit_call(uint32_t cbid)
{
    const uint64_t start = now();
    uint8_t r[40] = {4};

    wait_until(start + 1000);
    put(r, 4, cbid, 4);
    put(r, 8, start, 8);
    put(r, 16, start + 1000, 8);
    put(r, 24, (uint64_t)getpid(), 4);
    put(r, 28, (uint32_t)(uintptr_t)pthread_self(), 4);
    put(r, 32, ++correlation, 4);
    emit(r, sizeof(r));
}

/* Returns when it begins on the GPU. */
static uint64_t occupy(struct stream *stream, uint64_t ns)
{
    const uint64_t t = now() + 2000;
    const uint64_t start = t > stream->busy_until ? t : stream->busy_until;

    stream->busy_until = start + ns;
    return start;
}

static void put_place(uint8_t *r, size_t at, const struct stream *stream)
{
    put(r, at, 0, 4);
    put(r, at + 4, 1, 4);
    put(r, at + 8, 7 + (uint64_t)(stream - streams), 4);
}

static void emit_kernel(struct stream *stream, const struct node *node, uint64_t id)
{
    const char *late = getenv("FAKE_DRIVER_LATE");
    const uint64_t start =
        occupy(stream, node->ns) + (late ? strtoul(late, NULL, 10) : 0);
    uint8_t r[208] = {10};

    put(r, 16, start, 8);
    put(r, 24, start + node->ns, 8);
    put_place(r, 40, stream);
    put(r, 52, node->grid, 4);
    put(r, 64, node->block, 4);
    for (size_t i = 1; i < 3; i++) {
        put(r, 52 + 4 * i, 1, 4);
        put(r, 64 + 4 * i, 1, 4);
    }
    put(r, 92, correlation, 4);
    put(r, 104, (uint64_t)(uintptr_t)node->kernel, 8);
    put(r, 144, id, 8);
    emit(r, sizeof(r));
}

static void emit_copy(uint32_t cbid, uint64_t kind, size_t n)
{
    uint8_t r[88] = {1};
    const uint64_t start = occupy(&streams[0], 10000);

    emit_call(cbid);
    put(r, 4, kind, 1);
    put(r, 5, kind == 1 ? 1 : 3, 1);
    put(r, 6, kind == 1 ? 3 : 1, 1);
    put(r, 8, n, 8);
    put(r, 16, start, 8);
    put(r, 24, start + 10000, 8);
    put_place(r, 32, &streams[0]);
    put(r, 44, correlation, 4);
    emit(r, sizeof(r));
    wait_until(start + 10000);
}

/* Of the context, or of a stream. The call itself is none of those that are recorded.
 */
static void emit_wait(const struct stream *stream, uint64_t start)
{
    uint8_t r[40] = {38};

    put(r, 4, stream ? 3 : 4, 4);
    put(r, 8, start, 8);
    put(r, 16, now(), 8);
    put(r, 24, ++correlation, 4);
    put(r, 28, 1, 4);
    put(r, 32, stream ? 7 + (uint64_t)(stream - streams) : UINT32_MAX, 4);
    emit(r, sizeof(r));
}

/* --- Calls ------------------------------------------------------------------------ */

DRIVER(cuDeviceGetCount, int *n)
{
    *n = 1;
    return 0;
}

DRIVER(cuDeviceGet, int *device, int i)
{
    *device = i;
    return 0;
}

DRIVER(cuDeviceGetName, char *name, int n, int device)
{
    (void)device;
    (void)n;
    memcpy(name, "fake", 5);
    return 0;
}

DRIVER(cuDevicePrimaryCtxRetain, void **context, int device)
{
    (void)device;
    *context = streams;
    return 0;
}

DRIVER(cuCtxSetCurrent, void *context)
{
    (void)context;
    return 0;
}

DRIVER(cuCtxSynchronize, void)
{
    const uint64_t start = now();

    for (size_t i = 0; i < n_streams; i++)
        wait_until(streams[i].busy_until);
    emit_wait(NULL, start);
    return 0;
}

DRIVER(cuMemGetInfo_v2, size_t *n_free, size_t *n_all)
{
    *n_free = all_bytes - used_bytes;
    *n_all = all_bytes;
    return 0;
}

/* The size precedes the bytes. What is large is not backed. */
DRIVER(cuMemAlloc_v2, unsigned long long *address, size_t n)
{
    size_t *block = n <= all_bytes - used_bytes ? malloc(sizeof(size_t) * 2 + n) : NULL;

    if (!block)
        return OUT_OF_MEMORY;
    used_bytes += n;
    *block = n;
    *address = (unsigned long long)(uintptr_t)(block + 2);
    return 0;
}

DRIVER(cuMemFree_v2, unsigned long long address)
{
    size_t *block = (size_t *)(uintptr_t)address - 2;

    used_bytes -= *block;
    free(block);
    return 0;
}

DRIVER(cuMemcpyHtoD_v2, unsigned long long to, const void *from, size_t n)
{
    memcpy((void *)(uintptr_t)to, from, n);
    emit_copy(COPY_TO, 1, n);
    return 0;
}

DRIVER(cuMemcpyDtoH_v2, void *to, unsigned long long from, size_t n)
{
    memcpy(to, (const void *)(uintptr_t)from, n);
    emit_copy(COPY_FROM, 2, n);
    return 0;
}

DRIVER(cuModuleLoadData, void **module, const void *image)
{
    (void)image;
    *module = streams;
    return 0;
}

DRIVER(cuModuleGetFunction, void **function, void *module, const char *name)
{
    (void)module;
    *function = strdup(name);
    return 0;
}

static void add(void **arguments)
{
    const float *a = *(const float *const *)arguments[0];
    const float *b = *(const float *const *)arguments[1];
    float *sum = *(float *const *)arguments[2];

    for (unsigned i = 0; i < *(unsigned *)arguments[3]; i++)
        sum[i] = a[i] + b[i];
}

DRIVER(cuLaunchKernel, void *function, unsigned grid, unsigned grid_y, unsigned grid_z,
       unsigned block, unsigned block_y, unsigned block_z, unsigned shared,
       void *stream, void **arguments, void **extra)
{
    struct node node = {function, 1500, grid, block};

    (void)grid_y, (void)grid_z, (void)block_y, (void)block_z, (void)shared, (void)extra;
    if (strcmp(function, "spin") == 0)
        node.ns = *(const uint64_t *)arguments[0] / 2;
    else if (strcmp(function, "sum_vectors") == 0)
        add(arguments);
    if (stream_of(stream)->is_capturing) {
        graph.nodes[graph.n++ % MOST_NODES] = node;
        return 0;
    }
    emit_call(LAUNCH);
    emit_kernel(stream_of(stream), &node, 0);
    return 0;
}

DRIVER(cuStreamCreate, void **stream, unsigned flags)
{
    (void)flags;
    *stream = &streams[n_streams++ % MOST_STREAMS];
    return 0;
}

DRIVER(cuStreamSynchronize, void *stream)
{
    const uint64_t start = now();

    wait_until(stream_of(stream)->busy_until);
    emit_wait(stream_of(stream), start);
    return 0;
}

DRIVER(cuEventCreate, void **event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof(uint64_t));
    return 0;
}

DRIVER(cuEventRecord, void *event, void *stream)
{
    const struct stream *s = stream_of(stream);
    const uint64_t now_ns = now(), t = now_ns > s->busy_until ? now_ns : s->busy_until;

    memcpy(event, &t, sizeof(t));
    return 0;
}

DRIVER(cuEventElapsedTime, float *ms, const uint64_t *begin, const uint64_t *end)
{
    *ms = (float)(*end - *begin) / 1e6f;
    return 0;
}

DRIVER(cuStreamBeginCapture_v2, void *stream, int mode)
{
    (void)mode;
    stream_of(stream)->is_capturing = 1;
    return 0;
}

DRIVER(cuStreamEndCapture, void *stream, void **captured)
{
    stream_of(stream)->is_capturing = 0;
    *captured = &graph;
    return 0;
}

DRIVER(cuGraphInstantiateWithFlags, void **ready, void *captured,
       unsigned long long flags)
{
    (void)flags;
    *ready = captured;
    return 0;
}

DRIVER(cuGraphLaunch, void *ready, void *stream)
{
    const struct graph *g = ready;

    emit_call(LAUNCH_GRAPH);
    for (size_t i = 0; i < g->n; i++)
        emit_kernel(stream_of(stream), &g->nodes[i], 1000 + i);
    return 0;
}
