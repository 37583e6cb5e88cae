/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/switch_rings.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "format/layout.h"

/* All rings of a user share perf_event_mlock_kb (516 KiB) per processor, and what they
 * may lock besides: eight ranks of a node may get less each. At 460,000 switches a second
 * the largest lasts for 20 ms. */
#define MOST_RING_BYTES (512u << 10)
#define LEAST_RING_BYTES (32u << 10)
#define MOST_RECORD_BYTES 128u /* of those that are requested */

/* --- Opening ---------------------------------------------------------------------- */

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* A thread's last stay on a processor has no switch at its end, and its first wait none
 * at its beginning: `task` has both. `comm_exec` has the beginning of the program. */
static int open_event(pid_t child, int processor, size_t ring_bytes)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_SW_DUMMY,
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
        .disabled = 1,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .comm = 1,
        .enable_on_exec = 1,
        .task = 1,
        .watermark = 1,
        .sample_id_all = 1,
        .comm_exec = 1,
        .use_clockid = 1,
        .context_switch = 1,
        .wakeup_watermark = (uint32_t)ring_bytes / 4,
        .clockid = CLOCK_MONOTONIC_RAW,
    };

    return (int)syscall(SYS_perf_event_open, &attr, child, processor, -1,
                        PERF_FLAG_FD_CLOEXEC);
}

/* 0 or -errno. */
static int open_ring(struct rln__switch_rings *rings, pid_t child, int processor)
{
    struct rln__switch_ring *ring = &rings->rings[rings->n];
    const int fd = open_event(child, processor, rings->ring_bytes);
    int error;

    if (fd < 0)
        return -errno;
    ring->pages = mmap(NULL, page_bytes() + rings->ring_bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED, fd, 0);
    if (ring->pages == MAP_FAILED) {
        error = errno;
        (void)close(fd);
        return -error;
    }
    ring->fd = fd;
    ring->processor = (uint32_t)processor;
    rings->n++;
    return 0;
}

static int open_all(struct rln__switch_rings *rings, pid_t child,
                    const cpu_set_t *processors)
{
    int result = 0;

    for (size_t i = 0; i < CPU_SETSIZE && !result; i++) {
        if (!CPU_ISSET(i, processors))
            continue;
        result = open_ring(rings, child, (int)i);
        if (result == -ENODEV) /* it is offline */
            result = 0;
    }
    return result;
}

int rln__switch_rings_open(struct rln__switch_rings *rings, pid_t child)
{
    cpu_set_t processors;
    int result;

    memset(rings, 0, sizeof(*rings));
    if (sched_getaffinity(child, sizeof(processors), &processors) < 0)
        return errno == EINVAL ? -E2BIG : -errno; /* over 1,024 */
    if ((size_t)CPU_COUNT(&processors) > RLN__MOST_SWITCH_RINGS)
        return -E2BIG;
    for (size_t n_bytes = MOST_RING_BYTES;; n_bytes /= 2) {
        rings->ring_bytes = n_bytes;
        result = open_all(rings, child, &processors);
        if (!result)
            return 0;
        rln__switch_rings_close(rings);
        /* EPERM is also what mmap() says if the memory is used up. */
        if ((result != -EPERM && result != -ENOMEM) || n_bytes / 2 < LEAST_RING_BYTES ||
            n_bytes / 2 < page_bytes())
            return result;
    }
}

void rln__switch_rings_close(struct rln__switch_rings *rings)
{
    for (size_t i = 0; i < rings->n; i++) {
        (void)munmap(rings->rings[i].pages, page_bytes() + rings->ring_bytes);
        (void)close(rings->rings[i].fd);
    }
    rings->n = 0;
}

/* --- Reading ---------------------------------------------------------------------- */

void rln__switch_rings_wait(struct rln__switch_rings *rings, int fd, int ms)
{
    struct pollfd fds[RLN__MOST_SWITCH_RINGS + 1];

    for (size_t i = 0; i < rings->n; i++)
        fds[i] = (struct pollfd){
            .fd = rings->rings[i].is_over ? -1 : rings->rings[i].fd, .events = POLLIN};
    fds[rings->n] = (struct pollfd){.fd = fd, .events = POLLIN};
    if (poll(fds, rings->n + 1, ms) <= 0)
        return;
    for (size_t i = 0; i < rings->n; i++)
        rings->rings[i].is_over |= (fds[i].revents & POLLHUP) != 0;
}

bool rln__switch_ring_has_any(const struct rln__switch_ring *ring)
{
    const struct perf_event_mmap_page *page = ring->pages;

    return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) != page->data_tail;
}

/* What the records of all types have at their ends, as `sample_type` requests. */
struct id {
    uint32_t pid, tid;
    uint64_t time_ns;
};

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
    struct id id;

    memcpy(&header, bytes, sizeof(header));
    *out = (struct rln__ring_record){.kind = kind_of(&header)};
    if (header.size < sizeof(header) + sizeof(id))
        return 0;
    memcpy(&id, bytes + header.size - sizeof(id), sizeof(id));
    out->time_ns = id.time_ns;
    out->pid = id.pid;
    out->tid = id.tid;
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
    }
    ring->last_ns = id.time_ns;
    return out->kind != 0;
}

/* The kernel writes up to data_head, which it advances with release; what is before
 * data_tail may be overwritten. */
void rln__switch_ring_read(
    const struct rln__switch_rings *rings, struct rln__switch_ring *ring,
    void (*take)(void *context, const struct rln__ring_record *record), void *context)
{
    struct perf_event_mmap_page *page = ring->pages;
    const unsigned char *bytes = (const unsigned char *)ring->pages + page_bytes();
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = page->data_tail;
    unsigned char record[MOST_RECORD_BYTES];
    struct rln__ring_record out;

    while (tail < head) {
        const size_t at = (size_t)tail & (rings->ring_bytes - 1);
        const size_t to_end = rings->ring_bytes - at;
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
}
