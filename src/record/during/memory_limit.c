/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/memory_limit.h"

#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "record/during/memory_room.h"
#include "record/start/child_pids.h"

#define POLL_MS 100
#define POLLS_PER_SEARCH 10u
#define MOST_PROCESSES 256u

static bool is_in_memory(int fd)
{
    struct statfs fs;

    return fstatfs(fd, &fs) == 0 &&
           (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

/* Most processes are in the same groups as their parent. */
static void add_groups(struct rln__memory_limit *m, pid_t pid)
{
    char text[4096];

    if (!rln__memory_groups("", pid, text, sizeof(text)))
        return;
    for (size_t i = 0; i < m->n_groups; i++)
        if (strcmp(m->groups[i], text) == 0)
            return;
    if (m->n_groups == RLN__MOST_GROUPS)
        return;
    m->groups[m->n_groups] = strdup(text);
    m->n_groups += m->groups[m->n_groups] != NULL;
}

static void find_groups(struct rln__memory_limit *m)
{
    struct rln__pids pids = rln__pids_of_run(m->program, MOST_PROCESSES);

    rln__memory_limit_clear(m);
    for (size_t i = 0; i < pids.n; i++)
        add_groups(m, pids.items[i]);
    free(pids.items);
}

static uint64_t least_room(const struct rln__memory_limit *m)
{
    uint64_t least = rln__memory_room_here("");

    for (size_t i = 0; i < m->n_groups; i++) {
        const uint64_t room = rln__memory_room_of("", m->groups[i]);

        least = room < least ? room : least;
    }
    return least;
}

/* The file's size is read first: a block that is reserved meanwhile counts twice. */
static void set_limit(struct rln__memory_limit *m)
{
    uint64_t *limit = &m->file->super->growth_limit;
    const uint64_t before = __atomic_load_n(limit, __ATOMIC_RELAXED);
    struct stat st;
    uint64_t room;

    if (fstat(m->file->fd, &st) < 0)
        return;
    if (before && (uint64_t)st.st_size + RLN__BLOCK_ALIGN > before)
        m->was_reached = true;
    room = least_room(m);
    __atomic_store_n(limit, room == UINT64_MAX ? 0 : (uint64_t)st.st_size + room,
                     __ATOMIC_RELAXED);
}

long rln__memory_limit_poll(struct rln__memory_limit *m)
{
    if (!m->is_in_memory) { /* the program may have overwritten it */
        __atomic_store_n(&m->file->super->growth_limit, 0, __ATOMIC_RELAXED);
        return LONG_MAX;
    }
    if (m->n_polls++ % POLLS_PER_SEARCH == 0)
        find_groups(m);
    set_limit(m);
    return POLL_MS;
}

void rln__memory_limit_begin(struct rln__memory_limit *m, const struct rln__file *file,
                             pid_t program)
{
    m->file = file;
    m->program = program;
    m->is_in_memory = is_in_memory(file->fd);
    (void)rln__memory_limit_poll(m);
}

void rln__memory_limit_clear(struct rln__memory_limit *m)
{
    while (m->n_groups)
        free(m->groups[--m->n_groups]);
}
