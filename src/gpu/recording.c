/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/recording.h"
#include "gpu/activity.h"
#include "gpu/buffer_pool.h"
#include "gpu/program_clock.h"
#include "gpu/thread_ids.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

/* Memory that a child does not inherit: there, all of it is 0. */
struct own {
    int is_on;
    int has_buffers;
};

static struct own *own; /* NULL: off */
static const struct rln__cupti *cupti;
static struct rln__work_writer *writer;
static struct rln__thread_ids threads;
/* Around the two above. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
/* The program's; the first is NULL while buffers are ours. */
static rln__cupti_request *their_request;
static rln__cupti_complete *their_complete;
static uint64_t their_kinds;

int rln__recording_begin(const struct rln__cupti *c, struct rln__work_writer *w)
{
    void *page = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct own *mapped = page;

    if (page == MAP_FAILED)
        return -1;
    if (madvise(page, sizeof(*own), MADV_WIPEONFORK)) {
        (void)munmap(page, sizeof(*own));
        return -1;
    }
    cupti = c;
    writer = w;
    rln__thread_ids_init(&threads);
    mapped->is_on = 1;
    __atomic_store_n(&own, mapped, __ATOMIC_RELEASE);
    return 0;
}

void rln__recording_end(void)
{
    if (own)
        __atomic_store_n(&own->is_on, 0, __ATOMIC_RELAXED);
}

int rln__is_recording(void)
{
    const struct own *now = __atomic_load_n(&own, __ATOMIC_ACQUIRE);

    return now && __atomic_load_n(&now->is_on, __ATOMIC_RELAXED);
}

int rln__recording_has_buffers(void)
{
    return __atomic_load_n(&own->has_buffers, __ATOMIC_RELAXED);
}

/* --- The program's buffers -------------------------------------------------------- */

void rln__recording_lend(rln__cupti_request *request, rln__cupti_complete *complete,
                         uint64_t kinds)
{
    __atomic_store_n(&their_kinds, kinds, __ATOMIC_RELAXED);
    __atomic_store_n(&their_complete, complete, __ATOMIC_RELEASE);
    __atomic_store_n(&their_request, request, __ATOMIC_RELEASE);
}

void rln__recording_take_back(void)
{
    __atomic_store_n(&their_request, NULL, __ATOMIC_RELEASE);
}

void rln__recording_set_clock(rln__cupti_clock *now)
{
    (void)pthread_mutex_lock(&writing);
    rln__program_clock_set(now);
    (void)pthread_mutex_unlock(&writing);
}

/* --- Requests --------------------------------------------------------------------- */

void rln__on_request(uint8_t **buffer, size_t *size, size_t *most_records)
{
    rln__cupti_request *theirs = __atomic_load_n(&their_request, __ATOMIC_ACQUIRE);
    const int error = errno;

    if (theirs) {
        theirs(buffer, size, most_records);
        return;
    }
    *most_records = 0;
    *size = 0;
    *buffer = NULL;
    if (!rln__is_recording())
        return;
    __atomic_store_n(&own->has_buffers, 1, __ATOMIC_RELAXED);
    *buffer = rln__buffer_take(RLN__BUFFER_OURS, size);
    if (!*buffer)
        *buffer = rln__buffer_take(RLN__BUFFER_SPARE, size);
    if (!*buffer)
        *size = 0; /* CUPTI counts what it drops */
    errno = error;
}

/* --- Records ---------------------------------------------------------------------- */

/* The next record, with the bytes up to the one after it. */
struct reading {
    uint8_t *buffer;
    size_t n_valid;
    void *record, *next; /* NULL: none */
    int result;          /* CUPTI's, of the last step */
};

static void step(struct reading *r)
{
    r->result = cupti->next_record(r->buffer, r->n_valid, &r->next);
    if (r->result)
        r->next = NULL;
}

static int read_next(struct reading *r)
{
    r->record = r->next;
    if (r->record)
        step(r);
    return r->record != NULL;
}

static struct reading begin_reading(uint8_t *buffer, size_t n_valid)
{
    struct reading r = {.buffer = buffer, .n_valid = n_valid, .result = RLN__CUPTI_END};

    if (n_valid)
        step(&r);
    return r;
}

static size_t bytes_of(const struct reading *r)
{
    const uint8_t *end = r->next ? r->next : r->buffer + r->n_valid;

    return (size_t)(end - (const uint8_t *)r->record);
}

/* Of one buffer. */
struct losses {
    uint64_t untimed, unclocked, cut, unnamed, unplaced;
};

/* The thread of a call; looks for new threads once per buffer. 0: unknown. */
static uint32_t tid_of(const struct rln__activity *activity, int *has_looked)
{
    const int64_t t_ns = activity->element.head.start;
    uint32_t tid = rln__thread_id_at(&threads, activity->thread, t_ns);

    if (tid || *has_looked)
        return tid;
    *has_looked = 1;
    rln__thread_ids_refresh(&threads);
    return rln__thread_id_at(&threads, activity->thread, t_ns);
}

static void add(struct rln__activity *activity, int *has_looked, struct losses *lost)
{
    struct rln__gpu_head *head = &activity->element.head;
    uint32_t tid = 0;

    head->start = (int64_t)rln__program_clock_ns((uint64_t)head->start);
    head->end = (int64_t)rln__program_clock_ns((uint64_t)head->end);
    if (!head->start || head->end < head->start) {
        lost->unclocked++;
        return;
    }
    if (activity->thread) {
        tid = tid_of(activity, has_looked);
        lost->unplaced += !tid && activity->kind == RLN__GPU_CALL;
    }
    lost->unnamed += rln__work_writer_add(writer, activity, tid) != 0;
}

static void add_loss(uint64_t n, const char *what)
{
    if (n)
        rln__work_writer_add_loss(writer, what, n);
}

static void record_all(struct reading r)
{
    struct losses lost = {0};
    int has_looked = 0;

    rln__program_clock_tie();
    while (read_next(&r)) {
        struct rln__activity activity;

        switch (rln__activity_read(r.record, bytes_of(&r), &activity)) {
        case RLN__ACTIVITY_READ:
            add(&activity, &has_looked, &lost);
            break;
        case RLN__ACTIVITY_IS_CONTEXT:
            rln__work_writer_see_context(writer, activity.element.kernel.at.context,
                                         activity.element.kernel.at.device);
            break;
        case RLN__ACTIVITY_GPU:
            rln__work_writer_see_gpu(writer, &activity);
            break;
        case RLN__ACTIVITY_UNTIMED:
            lost.untimed++;
            break;
        case RLN__ACTIVITY_SHORT:
            lost.cut++;
            break;
        case RLN__ACTIVITY_OTHER:
            break;
        }
    }
    lost.cut += r.result != RLN__CUPTI_END;
    rln__work_writer_flush(writer);
    add_loss(lost.untimed, "GPU work without times");
    add_loss(lost.unclocked, "GPU work whose clock is unknown");
    add_loss(lost.cut, "records of GPU work that could not be read");
    add_loss(lost.unnamed, "GPU work for which there was no memory");
    add_loss(lost.unplaced, "calls whose thread is unknown");
}

static void count_all(struct reading r)
{
    uint64_t n = 0;

    while (read_next(&r))
        n++;
    add_loss(n, "GPU work for which there was no buffer");
}

/* Whether it is of a kind that the program records. */
static int is_theirs(const struct reading *r)
{
    const uint64_t kinds = __atomic_load_n(&their_kinds, __ATOMIC_RELAXED);
    uint32_t kind;

    memcpy(&kind, r->record, sizeof(kind));
    return kind < 64 && kinds >> kind & 1;
}

/* Copies the program's records to buffers of its own. Without a buffer they are lost to
 * it, as when CUPTI drops them. */
static void pass_on(struct reading r, rln__cupti_request *request,
                    rln__cupti_complete *complete)
{
    uint8_t *buffer = NULL;
    size_t size = 0, most = 0, n = 0;

    while (read_next(&r)) {
        const size_t n_bytes = bytes_of(&r);

        if (!is_theirs(&r))
            continue;
        if (buffer && n + n_bytes > size) {
            complete(NULL, 0, buffer, size, n);
            buffer = NULL;
        }
        if (!buffer) {
            request(&buffer, &size, &most);
            n = 0;
        }
        if (!buffer || n_bytes > size)
            break;
        memcpy(buffer + n, r.record, n_bytes);
        n += n_bytes;
    }
    if (buffer)
        complete(NULL, 0, buffer, size, n);
}

void rln__on_complete(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                      size_t n_valid)
{
    rln__cupti_complete *theirs = __atomic_load_n(&their_complete, __ATOMIC_ACQUIRE);
    enum rln__buffer_kind kind = RLN__BUFFER_FOREIGN;
    const int error = errno;

    if (rln__is_recording() && buffer) {
        kind = rln__buffer_kind_of(buffer);
        (void)pthread_mutex_lock(&writing);
        (kind == RLN__BUFFER_SPARE ? count_all
                                   : record_all)(begin_reading(buffer, n_valid));
        (void)pthread_mutex_unlock(&writing);
    }
    if (kind == RLN__BUFFER_FOREIGN && theirs) {
        theirs(context, stream, buffer, size, n_valid);
    } else if (kind != RLN__BUFFER_FOREIGN) {
        rln__cupti_request *request = __atomic_load_n(&their_request, __ATOMIC_ACQUIRE);

        if (request && theirs)
            pass_on(begin_reading(buffer, n_valid), request, theirs);
        rln__buffer_give_back(buffer);
    }
    errno = error;
}

/* --- Nodes of graphs -------------------------------------------------------------- */

static uint64_t n_without_id; /* atomic */

/* 0: CUPTI does not know the node. */
static uint64_t node_id(const char *graph, size_t offset)
{
    uint64_t id = 0;
    void *node;

    memcpy(&node, graph + offset, sizeof(node));
    return cupti->graph_node_id(node, &id) ? 0 : id;
}

void rln__on_graph_node(void *user, int domain, uint32_t cbid, const void *data)
{
    enum { GRAPH = 16, NODE = 16, ORIGINAL_NODE = 24 }; /* offsets since CUDA 11.8 */
    const int error = errno;
    const char *graph;
    uint64_t id;

    (void)user;
    if (domain != RLN__CUPTI_RESOURCE || !rln__is_recording())
        return;
    memcpy(&graph, (const char *)data + GRAPH, sizeof(graph));
    id = node_id(graph, NODE);
    if (!id)
        (void)__atomic_fetch_add(&n_without_id, 1, __ATOMIC_RELAXED);
    else
        rln__work_writer_add_node(
            writer, id,
            cbid == RLN__CUPTI_NODE_CLONED ? node_id(graph, ORIGINAL_NODE) : 0);
    errno = error;
}

/* --- Regularly -------------------------------------------------------------------- */

void rln__recording_see_threads(void)
{
    (void)pthread_mutex_lock(&writing);
    rln__thread_ids_refresh(&threads);
    (void)pthread_mutex_unlock(&writing);
}

void rln__recording_count_nodes(void)
{
    add_loss(__atomic_exchange_n(&n_without_id, 0, __ATOMIC_RELAXED),
             "nodes of CUDA graphs without an id");
}

void rln__recording_count_losses(void)
{
    size_t n_dropped = 0;

    if (cupti->count_dropped(NULL, 0, &n_dropped) || !n_dropped)
        return;
    (void)pthread_mutex_lock(&writing);
    rln__work_writer_add_loss(writer, "GPU work that CUPTI dropped", n_dropped);
    (void)pthread_mutex_unlock(&writing);
}

void rln__recording_note_finalized(const char *what)
{
    add_loss(1, what);
}

void rln__recording_note_hang(void)
{
    if (pthread_mutex_trylock(&writing))
        return;
    add_loss(1, "what CUPTI did not hand over in time at the end, if not more");
    (void)pthread_mutex_unlock(&writing);
}
