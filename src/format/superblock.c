/* SPDX-License-Identifier: Apache-2.0 */
/* superblock.c - creates and joins trace files, and reserves blocks in them.
 *
 * `next_free` only grows, by one atomic add, so two processes never share a block. The
 * disk space of a block is allocated before a process maps it, so a full disk is an
 * error code here and never a SIGBUS in a program. The superblock is mapped into the
 * program, and a stray store may change any word of it: `next_free` is compared with
 * the size of the file, and the trace's id and clock are copied when the file is
 * opened.
 */
#include "format/superblock.h"
#include "base/clock.h"
#include "format/disk_space.h"

#include <linux/fs.h>
#include <linux/magic.h>

/* How often an atomic exchange is tried, and how long a file of a run counts as new. */
enum { TRIES = 16, NEW_FOR_S = 60 };

/* How far after the end of the file a block may begin. The largest blocks have 4 MiB,
 * so 16,384 processes may reserve one at the same time. */
#define MOST_AHEAD (64ull << 30)
#define RECOVERY_GAP (64ull << 20)

#define MOST_PLACE (1ull << 56) /* words; no run writes this many */
#define PLACES_GAP (1ull << 40)

static void copy_bytes(void *to, const void *from, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
}

static int same_bytes(const void *a, const void *b, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        if (((const char *)a)[i] != ((const char *)b)[i])
            return 0;
    }
    return 1;
}

/* --- identity --------------------------------------------------------------------- */

static void read_boot_id(char to[40])
{
    const int fd =
        rln__sys_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0);

    for (int i = 0; i < 40; i++)
        to[i] = 0;
    if (fd < 0)
        return;
    rln__sys_read(fd, to, 36);
    rln__sys_close(fd);
}

static void read_host(char to[72])
{
    struct utsname name;
    const int known = rln__sys_uname(&name) == 0;

    for (int i = 0; i < 72; i++)
        to[i] = 0;
    for (int i = 0; known && i < 64 && name.nodename[i]; i++)
        to[i] = name.nodename[i];
}

static uint64_t random_id(void)
{
    uint64_t id = 0;

    if (rln__sys_getrandom(&id, sizeof id) != sizeof id || id == 0)
        id = (rln__counter() * 0x9e3779b97f4a7c15u) ^ rln__sys_getpid() ^ 1u;
    return id ? id : 1;
}

/* --- blocks ----------------------------------------------------------------------- */

/* The size of the file; 0 if unknown. */
static uint64_t file_bytes(const struct rln__file *file)
{
    struct stat st;

    return rln__sys_fstat(file->fd, &st) < 0 ? 0 : (uint64_t)st.st_size;
}

/* Whether a block may begin at `at` in a file that had `size` bytes before `at` was
 * reserved. Blocks up to that size were reserved before; blocks after it are still
 * being allocated, or belong to processes that were killed meanwhile. */
static int may_begin_at(uint64_t at, uint64_t size)
{
    return !size ||
           (at % RLN__BLOCK_ALIGN == 0 && at >= size && at - size < MOST_AHEAD);
}

/* After the program has overwritten `next_free`: continues well after the end of the
 * file, because other processes may be allocating blocks there. The gap is a hole. */
static int64_t reserve_after_gap(const struct rln__file *file, uint64_t n_bytes)
{
    uint64_t *next = &file->super->next_free;

    for (int i = 0; i < TRIES; i++) {
        const uint64_t size = file_bytes(file);
        uint64_t seen = __atomic_load_n(next, __ATOMIC_RELAXED);
        uint64_t at = size / RLN__BLOCK_ALIGN * RLN__BLOCK_ALIGN + RECOVERY_GAP;

        if (may_begin_at(seen, size)) /* another process was faster */
            at = seen;
        if (__atomic_compare_exchange_n(next, &seen, at + n_bytes, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return (int64_t)at;
    }
    return -EAGAIN;
}

/* Returns a block that could not be allocated, unless another one was reserved
 * meanwhile: a disk that stays full for days must not use up the offsets that a file
 * can have. A partly allocated block stays, so that no block begins before the file's
 * end. */
static void return_block(const struct rln__file *file, uint64_t at, uint64_t n_bytes)
{
    uint64_t after = at + n_bytes;

    if (file_bytes(file) <= at)
        __atomic_compare_exchange_n(&file->super->next_free, &after, at, 0,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Whether the launcher forbids a block of that size: memory_limit.h. */
static int is_beyond_limit(const struct rln__file *file, uint64_t n_bytes,
                           uint64_t size)
{
    const uint64_t limit =
        __atomic_load_n(&file->super->growth_limit, __ATOMIC_RELAXED);
    const uint64_t at = __atomic_load_n(&file->super->next_free, __ATOMIC_RELAXED);

    return limit && at + n_bytes > limit && may_begin_at(at, size);
}

int64_t rln__file_take(const struct rln__file *file, uint64_t n_bytes)
{
    const uint64_t size = file_bytes(file);
    int64_t at;
    int result;

    if (rln__disk_is_nearly_full(file->fd, n_bytes) ||
        is_beyond_limit(file, n_bytes, size))
        return -ENOSPC;
    at =
        (int64_t)__atomic_fetch_add(&file->super->next_free, n_bytes, __ATOMIC_RELAXED);
    if (!may_begin_at((uint64_t)at, size))
        at = reserve_after_gap(file, n_bytes);
    if (at < 0)
        return at;
    result = rln__disk_reserve(file->fd, (uint64_t)at, n_bytes);
    if (result < 0) {
        return_block(file, (uint64_t)at, n_bytes);
        return result;
    }
    return at;
}

/* If the program has overwritten the count of indices, a process uses its pid with this
 * bit. */
#define PID_AS_INDEX (1u << 31)

uint32_t rln__file_next_process(const struct rln__file *file)
{
    uint64_t *word = &file->super->processes;
    uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    uint32_t next;

    do {
        next = (uint32_t)seen;
        if (seen != rln__processes(next))
            return PID_AS_INDEX | rln__sys_getpid();
    } while (!__atomic_compare_exchange_n(word, &seen, rln__processes(next + 1), 0,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return next;
}

/* --- the superblock --------------------------------------------------------------- */

static int map_superblock(struct rln__file *f)
{
    struct stat st;
    const int result = rln__sys_fstat(f->fd, &st);

    if (result < 0)
        return result;
    f->device = st.st_dev;
    f->inode = st.st_ino;
    f->super = rln__sys_mmap(RLN__SUPERBLOCK_BYTES + f->room_bytes,
                             PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
    if (!f->super)
        return -ENOMEM;
    /* Few of its pages are used; readahead would map sixteen at the first access. */
    rln__sys_madvise(f->super, RLN__SUPERBLOCK_BYTES + f->room_bytes, MADV_RANDOM);
    return 0;
}

static void fill_superblock(const struct rln__file *f, const uint8_t run_id[16],
                            enum rln__clock_kind clock, uint64_t buffer_bytes)
{
    struct rln__superblock *s = f->super;

    s->major = RLN__MAJOR;
    s->minor = RLN__MINOR;
    s->superblock_bytes = RLN__SUPERBLOCK_BYTES;
    s->trace_id = random_id();
    copy_bytes(s->run_id, run_id, sizeof s->run_id);
    s->next_free = RLN__SUPERBLOCK_BYTES + f->room_bytes;
    s->processes = rln__processes(1);
    s->ring.buffer_bytes = buffer_bytes;
    s->ring.next_place = RLN__SUPERBLOCK_BYTES / 8;
    s->clock_kind = (uint32_t)clock;
    s->ticks_per_s = rln__clock_rate(clock);
    rln__clock_read(clock, &s->created[0]);
    read_boot_id(s->boot_id);
    read_host(s->host);
    rln__clock_read(clock, &s->created[1]);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    copy_bytes(s->magic, RLN__MAGIC, sizeof s->magic);
}

/* Copies the trace's id and clock, which the program may overwrite. */
static void copy_identity(struct rln__file *f)
{
    f->trace_id = f->super->trace_id;
    f->clock_kind = f->super->clock_kind;
}

/* The same for a file that other processes use, which may have overwritten them: the
 * first chunk repeats the trace's id, and the launcher chose the clock in the same way.
 */
static void find_identity(struct rln__file *f)
{
    struct rln__chunk_header first;

    copy_identity(f);
    if (rln__sys_pread(f->fd, &first, sizeof first, RLN__SUPERBLOCK_BYTES) ==
            sizeof first &&
        first.magic == RLN__CHUNK_MAGIC && first.trace_id)
        f->trace_id = first.trace_id;
    if (f->clock_kind < RLN__CLOCK_TSC || f->clock_kind > RLN__CLOCK_MONOTONIC_RAW)
        f->clock_kind = (uint32_t)rln__clock_choose();
}

/* A copy-on-write file system would move each block at its first store. */
static void forbid_copy_on_write(int fd)
{
    struct statfs fs;
    int flags = 0;

    if (rln__sys_fstatfs(fd, &fs) < 0 || fs.f_type != BTRFS_SUPER_MAGIC)
        return;
    if (rln__sys_ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
        return;
    flags |= FS_NOCOW_FL;
    rln__sys_ioctl(fd, FS_IOC_SETFLAGS, &flags);
}

int rln__file_create(struct rln__file *out, const char *path, const uint8_t run_id[16],
                     enum rln__clock_kind clock, uint64_t room_bytes,
                     uint64_t buffer_bytes)
{
    int result;

    out->super = NULL;
    out->fd =
        rln__sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out->fd < 0)
        return out->fd;
    forbid_copy_on_write(out->fd);
    out->room_bytes = rln__disk_is_nearly_full(out->fd, room_bytes) ? 0 : room_bytes;
    result = rln__disk_reserve(out->fd, 0, RLN__SUPERBLOCK_BYTES + out->room_bytes);
    if (result < 0 && out->room_bytes) {
        out->room_bytes = 0;
        result = rln__disk_reserve(out->fd, 0, RLN__SUPERBLOCK_BYTES);
    }
    if (result == 0)
        result = map_superblock(out);
    if (result < 0) {
        rln__sys_unlink(path);
        rln__file_close(out);
        return result;
    }
    fill_superblock(out, run_id, clock, buffer_bytes);
    copy_identity(out);
    return 0;
}

/* Whether another process may still be creating this file: it is new, and its magic,
 * which is written last, is missing. */
static int is_being_created(int fd)
{
    char magic[sizeof RLN__MAGIC - 1] = {0};
    struct stat st;
    uint64_t age_s;

    if (rln__sys_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !st.st_nlink)
        return 0;
    age_s = rln__sys_clock_ns(CLOCK_REALTIME) / 1000000000u - (uint64_t)st.st_mtime;
    if (age_s > NEW_FOR_S && age_s < -(uint64_t)NEW_FOR_S) /* clocks of hosts differ */
        return 0;
    if (rln__sys_pread(fd, magic, sizeof magic, 0) < 0)
        return 0;
    for (size_t i = 0; i < sizeof magic; i++) {
        if (magic[i])
            return 0;
    }
    return 1;
}

/* Ranks of a job start together, and the first one on each host creates that host's
 * file. The others wait for it, at most one second, instead of creating their own. */
static void await_creator(int fd)
{
    const struct timespec one_ms = {0, 1000000};

    for (int i = 0; i < 1000 && is_being_created(fd); i++)
        rln__sys3(SYS_nanosleep, (long)&one_ms, 0, 0);
}

/* The bytes of the magic are stored one by one. */
static int await_magic(const struct rln__superblock *s)
{
    for (int i = 0; i < 2000; i++) {
        if (same_bytes(s->magic, RLN__MAGIC, sizeof s->magic)) {
            __atomic_thread_fence(__ATOMIC_ACQUIRE);
            return 1;
        }
        rln__sys_yield();
    }
    return 0;
}

static int check_joinable(const struct rln__superblock *s, const uint8_t run_id[16])
{
    char boot_id[40], host[72];

    if (!await_magic(s) || s->major != RLN__MAJOR ||
        !same_bytes(s->run_id, run_id, sizeof s->run_id))
        return RLN__JOIN_FOREIGN;
    read_boot_id(boot_id);
    read_host(host);
    /* Without /proc the boot is unknown; the run's id is sufficient. */
    if ((boot_id[0] && s->boot_id[0] &&
         !same_bytes(s->boot_id, boot_id, sizeof boot_id)) ||
        !same_bytes(s->host, host, sizeof host))
        return RLN__JOIN_ELSEWHERE;
    return 0;
}

static int open_mapped(struct rln__file *f, const char *path)
{
    struct stat st;
    int result;

    f->super = NULL;
    f->room_bytes = 0;
    f->fd = rln__sys_open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
    if (f->fd < 0)
        return f->fd;
    await_creator(f->fd);
    result = rln__sys_fstat(f->fd, &st);
    if (result == 0 && (!S_ISREG(st.st_mode) || st.st_size < RLN__SUPERBLOCK_BYTES))
        result = RLN__JOIN_FOREIGN;
    if (result == 0)
        result = map_superblock(f);
    if (result < 0)
        rln__file_close(f);
    return result;
}

int rln__file_join(struct rln__file *out, const char *path, const uint8_t run_id[16])
{
    int result = open_mapped(out, path);

    if (result < 0)
        return result;
    result = check_joinable(out->super, run_id);
    if (result < 0)
        rln__file_close(out);
    else
        find_identity(out);
    return result;
}

void rln__file_hold_high(struct rln__file *file)
{
    int high = -1;

    for (int least = 500; high < 0 && least > 8; least /= 2)
        high = rln__sys_fcntl(file->fd, F_DUPFD_CLOEXEC, least);
    if (high < 0)
        return;
    rln__sys_close(file->fd);
    file->fd = high;
}

int rln__file_reopen(struct rln__file *file, const char *path)
{
    struct rln__file again;
    int lost = __atomic_load_n(&file->fd, __ATOMIC_RELAXED);
    const int result = open_mapped(&again, path);

    if (result < 0)
        return result;
    if (again.device != file->device || again.inode != file->inode) {
        rln__file_close(&again);
        return RLN__JOIN_FOREIGN;
    }
    rln__sys_munmap(again.super, RLN__SUPERBLOCK_BYTES);
    rln__file_hold_high(&again);
    /* `fd` never has a low number meanwhile: the program could write to it by mistake.
     */
    if (!__atomic_compare_exchange_n(&file->fd, &lost, again.fd, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        rln__sys_close(again.fd);
    return 0;
}

int rln__file_is_ours(const struct rln__file *file)
{
    struct stat st;

    return file->fd >= 0 && rln__sys_fstat(file->fd, &st) == 0 &&
           st.st_dev == file->device && st.st_ino == file->inode;
}

void rln__file_close(struct rln__file *file)
{
    if (file->super)
        rln__sys_munmap(file->super, RLN__SUPERBLOCK_BYTES);
    if (file->fd >= 0)
        rln__sys_close(file->fd);
    file->super = NULL;
    file->fd = -1;
}

/* --- chunks ----------------------------------------------------------------------- */

void rln__chunk_header_now(struct rln__chunk_header *out, const struct rln__file *file)
{
    struct rln__clock_tuple now;
    uint64_t uncertainty;

    rln__clock_read((enum rln__clock_kind)file->clock_kind, &now);
    uncertainty = now.uncertainty_ticks / 16;
    *out = (struct rln__chunk_header){
        .magic = RLN__CHUNK_MAGIC,
        .uncertainty_16ticks =
            uncertainty > UINT16_MAX ? UINT16_MAX : (uint16_t)uncertainty,
        .trace_id = file->trace_id,
        .base_ticks = now.ticks,
        .base_monotonic_ns = now.monotonic_ns,
        .base_realtime_ns = now.realtime_ns,
    };
}

uint64_t rln__file_next_place(const struct rln__file *file, uint64_t n_words,
                              uint64_t before)
{
    uint64_t *next = &file->super->ring.next_place;
    uint64_t place = __atomic_fetch_add(next, n_words, __ATOMIC_RELAXED);

    while (place <= before || place >= MOST_PLACE) {
        uint64_t seen = __atomic_load_n(next, __ATOMIC_RELAXED);
        const int is_good = seen > before && seen < MOST_PLACE;

        place = is_good ? seen : before + PLACES_GAP;
        if (!__atomic_compare_exchange_n(next, &seen, place + n_words, 0,
                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            place = 0; /* another thread was faster */
    }
    return place;
}

void rln__chunk_begin(void *memory, const struct rln__chunk_header *header)
{
    struct rln__chunk_header *to = memory;
    struct rln__chunk_header unmarked = *header;

    unmarked.magic = 0;
    *to = unmarked;
    /* Pairs with the acquire in chunk_reader.c. */
    __atomic_store_n(&to->magic, RLN__CHUNK_MAGIC, __ATOMIC_RELEASE);
}
