/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/switch_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST_RECORD_BYTES 128u /* of those that are requested */

/* --- Opening ---------------------------------------------------------------------- */

uint64_t rln__ring_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* A thread's last stay on a processor has no switch at its end, and its first wait none
 * at its beginning: `task` has both. `comm_exec` has the beginning of the program. */
static int open_event(const struct rln__ring_options *o)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_SW_DUMMY,
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                       (o->processor < 0 ? (uint64_t)PERF_SAMPLE_CPU : 0),
        .disabled = o->begins_at_exec,
        .inherit = o->is_inherited,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .comm = (o->events & RLN__RING_LIVES) != 0,
        .enable_on_exec = o->begins_at_exec,
        .task = (o->events & RLN__RING_LIVES) != 0,
        .watermark = 1,
        .sample_id_all = 1,
        .comm_exec = (o->events & RLN__RING_LIVES) != 0,
        .use_clockid = 1,
        .context_switch = (o->events & RLN__RING_SWITCHES) != 0,
        .wakeup_watermark = (uint32_t)o->wakes_bytes,
        .clockid = CLOCK_MONOTONIC_RAW,
    };

    return (int)syscall(SYS_perf_event_open, &attr, o->thread, o->processor, -1,
                        PERF_FLAG_FD_CLOEXEC);
}

int rln__switch_ring_open(struct rln__switch_ring *ring,
                          const struct rln__ring_options *options)
{
    int error;

    *ring = (struct rln__switch_ring){.fd = open_event(options),
                                      .n_bytes = options->n_bytes,
                                      .last_ns = rln__ring_now(),
                                      .processor = options->processor};
    if (ring->fd < 0)
        return -errno;
    ring->pages = mmap(NULL, page_bytes() + ring->n_bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED, ring->fd, 0);
    if (ring->pages != MAP_FAILED)
        return 0;
    error = errno;
    (void)close(ring->fd);
    ring->fd = -1;
    return -error;
}

void rln__switch_ring_close(struct rln__switch_ring *ring)
{
    if (ring->fd < 0)
        return;
    (void)munmap(ring->pages, page_bytes() + ring->n_bytes);
    (void)close(ring->fd);
    ring->fd = -1;
}

/* --- Reading ---------------------------------------------------------------------- */

bool rln__switch_ring_has_any(const struct rln__switch_ring *ring)
{
    const struct perf_event_mmap_page *page = ring->pages;

    return ring->fd >= 0 &&
           __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) != page->data_tail;
}

/* What the records of all types have at their ends, as `sample_type` requests. */
struct id {
    uint32_t pid, tid;
    uint64_t time_ns;
    uint32_t processor, zero; /* only if they are of any */
};

static size_t id_bytes(const struct rln__switch_ring *ring)
{
    return ring->processor < 0 ? sizeof(struct id) : offsetof(struct id, processor);
}

/* FORK and EXIT have these in front of it. */
struct task {
    uint32_t pid, parent_pid, tid, parent_tid;
};

static unsigned switch_kind(unsigned misc)
{
    return !(misc & PERF_RECORD_MISC_SWITCH_OUT)        ? RLN__SWITCH_ON
           : misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? RLN__SWITCH_PREEMPTED
                                                        : RLN__SWITCH_BLOCKED;
}

/* 0: a record of no concern. */
static unsigned kind_of(const struct perf_event_header *header)
{
    switch (header->type) {
    case PERF_RECORD_SWITCH:
        return switch_kind(header->misc);
    case PERF_RECORD_FORK:
        return RLN__SUB_BORN;
    case PERF_RECORD_EXIT:
        return RLN__SWITCH_ENDED;
    case PERF_RECORD_COMM:
        return header->misc & PERF_RECORD_MISC_COMM_EXEC ? RLN__SWITCH_EXECED : 0;
    case PERF_RECORD_LOST:
        return RLN__SUB_SWITCHES_LOST;
    default:
        return 0;
    }
}

static int decode(const unsigned char *bytes, struct rln__switch_ring *ring,
                  struct rln__ring_record *out)
{
    const unsigned char *body = bytes + sizeof(struct perf_event_header);
    struct perf_event_header header;
    struct task task;
    uint64_t lost[2]; /* of the event, and how many */
    struct id id = {.processor = (uint32_t)ring->processor};

    memcpy(&header, bytes, sizeof(header));
    *out = (struct rln__ring_record){.kind = kind_of(&header)};
    if (header.size < sizeof(header) + id_bytes(ring))
        return 0;
    memcpy(&id, bytes + header.size - id_bytes(ring), id_bytes(ring));
    out->time_ns = id.time_ns;
    out->pid = id.pid;
    out->tid = id.tid;
    out->processor = id.processor;
    if (out->kind == RLN__SUB_BORN || out->kind == RLN__SWITCH_ENDED) {
        memcpy(&task, body, sizeof(task));
        out->pid = task.pid;
        out->tid = task.tid;
        out->parent_pid = task.parent_pid;
        out->parent_tid = task.parent_tid;
    } else if (out->kind == RLN__SUB_SWITCHES_LOST) {
        memcpy(lost, body, sizeof(lost));
        out->n_lost = lost[1];
        out->from_ns = ring->last_ns;
        out->pid = out->tid = 0; /* of any thread that the ring is for */
    }
    ring->last_ns = id.time_ns;
    return out->kind != 0;
}

/* The kernel notes a loss with the next record that finds room; a thread that has ended
 * has none. */
static void take_loss(struct rln__switch_ring *ring,
                      void (*take)(void *context,
                                   const struct rln__ring_record *record),
                      void *context)
{
    const struct rln__ring_record lost = {.kind = RLN__SUB_SWITCHES_LOST,
                                          .time_ns = rln__ring_now(),
                                          .from_ns = ring->last_ns,
                                          .n_lost = 1,
                                          .processor = ring->processor < 0
                                                           ? RLN__NO_PROCESSOR
                                                           : (uint32_t)ring->processor};

    take(context, &lost);
}

/* The kernel writes up to data_head, which it advances with release; what is before
 * data_tail may be overwritten. */
void rln__switch_ring_read(struct rln__switch_ring *ring,
                           void (*take)(void *context,
                                        const struct rln__ring_record *record),
                           void *context)
{
    struct perf_event_mmap_page *page = ring->pages;
    const unsigned char *bytes = (const unsigned char *)ring->pages + page_bytes();
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = page->data_tail;
    unsigned char record[MOST_RECORD_BYTES];
    const bool is_full = head - tail > ring->n_bytes - MOST_RECORD_BYTES;
    struct rln__ring_record out;

    while (tail < head) {
        const size_t at = (size_t)tail & (ring->n_bytes - 1);
        const size_t to_end = ring->n_bytes - at;
        struct perf_event_header header;

        memcpy(&header, bytes + at, sizeof(header)); /* records are of whole words */
        if (header.size == 0) { /* no kernel does that, and it must not be waited for */
            tail = head;
            break;
        }
        if (header.size <= sizeof(record)) {
            const size_t n = header.size < to_end ? header.size : to_end;

            memcpy(record, bytes + at, n);
            memcpy(record + n, bytes, header.size - n);
            if (decode(record, ring, &out))
                take(context, &out);
        }
        tail += header.size;
    }
    __atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
    if (is_full)
        take_loss(ring, take, context);
}
