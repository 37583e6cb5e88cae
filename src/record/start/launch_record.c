/* SPDX-License-Identifier: Apache-2.0 */
/* launch_record.c - records of the launcher, in 64 KiB chunks of names.
 *
 * The file may be read while we write: a record is a hole of its length until its
 * operands are written (docs/reference/FORMAT.md, 4).
 */
#include "record/start/launch_record.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/start/guarded_mapping.h"

#define CHUNK_BYTES RLN__BLOCK_ALIGN
#define CHUNK_WORDS (CHUNK_BYTES / 8)
#define MAX_NOTE_BYTES 32768u

static int next_chunk(struct rln__launch_record *r)
{
    struct rln__chunk_header header;
    const int64_t at = rln__file_take(r->file, CHUNK_BYTES);
    void *memory;

    if (at < 0)
        return (int)at;
    memory =
        mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, r->file->fd, at);
    if (memory == MAP_FAILED)
        return -errno;
    rln__chunk_header_now(&header, r->file);
    header.kind = RLN__CHUNK_NAMES;
    header.size_bytes = CHUNK_BYTES;
    header.process = r->process;
    header.tid = (uint32_t)getpid();
    header.sequence = r->sequence++;
    rln__mapping_guard(memory, CHUNK_BYTES);
    rln__chunk_begin(memory, &header);
    rln__launch_record_end(r);
    r->words = memory;
    r->n_words = RLN__CHUNK_HEADER_BYTES / 8;
    return 0;
}

/* Room for a record of `n_words`, already a hole of that length; NULL on a full disk,
 * or if the trace was truncated. */
static uint64_t *take(struct rln__launch_record *r, size_t n_words)
{
    uint64_t *at;

    if (rln__mapping_is_lost())
        return NULL;
    if (!r->words || r->n_words + n_words > CHUNK_WORDS)
        if (next_chunk(r) < 0)
            return NULL;
    at = r->words + r->n_words;
    r->n_words += n_words;
    __atomic_store_n(at, rln__long_word(RLN__HOLE, 0, n_words), __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* the hole comes before its contents */
    return at;
}

/* Release: operands before the word that announces them. Pairs with the acquire of
 * readers, which may read the file while we write it. */
static void announce(uint64_t *at, unsigned sub, size_t n_words)
{
    __atomic_store_n(at, rln__long_word(RLN__LONG, sub, n_words), __ATOMIC_RELEASE);
}

static enum rln__clock_kind clock_kind(const struct rln__launch_record *r)
{
    return (enum rln__clock_kind)r->file->clock_kind;
}

int rln__launch_record_begin(struct rln__launch_record *out,
                             const struct rln__file *file)
{
    struct rln__process_record *p;
    uint64_t *at;
    int result;

    *out = (struct rln__launch_record){.file = file};
    out->process = rln__file_next_process(file);
    result = next_chunk(out);
    if (result < 0)
        return result;
    at = take(out, RLN__PROCESS_WORDS);
    if (!at)
        return -EIO;
    p = (struct rln__process_record *)(void *)at;
    p->process = out->process;
    p->pid = (uint32_t)getpid();
    p->ppid = (uint32_t)getppid();
    p->flags = RLN__PROCESS_LAUNCHER;
    rln__clock_read(clock_kind(out), &p->clock[0]);
    (void)usleep(50);
    rln__clock_read(clock_kind(out), &p->clock[1]);
    announce(at, RLN__SUB_PROCESS, RLN__PROCESS_WORDS);
    return 0;
}

void rln__launch_record_note(struct rln__launch_record *r, const char *key,
                             const char *value, size_t n_bytes)
{
    const size_t n_key = strlen(key);
    size_t n_words;
    uint64_t *at;

    if (n_bytes > MAX_NOTE_BYTES)
        n_bytes = MAX_NOTE_BYTES;
    n_words = 2 + (n_key + n_bytes + 7) / 8;
    at = take(r, n_words);
    if (!at)
        return;
    at[1] = rln__pair32(n_key, n_bytes);
    memcpy(at + 2, key, n_key);
    memcpy((char *)(at + 2) + n_key, value, n_bytes);
    announce(at, RLN__SUB_NOTE, n_words);
}

void rln__launch_record_clock(struct rln__launch_record *r)
{
    const size_t n_words = 1 + sizeof(struct rln__clock_tuple) / 8;
    struct rln__clock_tuple now;
    uint64_t *at = take(r, n_words);

    if (!at)
        return;
    rln__clock_read(clock_kind(r), &now);
    memcpy(at + 1, &now, sizeof(now));
    announce(at, RLN__SUB_CLOCK, n_words);
}

/* Two tuples a microsecond wide give the clock's rate to 1 in 50,000 if they are this
 * far apart. The trace then needs no other to be read the same way for ever. */
void rln__launch_record_last_clock(struct rln__launch_record *r)
{
    const uint64_t baseline_ns = 50 * 1000000u;
    const uint64_t since_ns =
        rln__sys_clock_ns(CLOCK_MONOTONIC) - r->file->super->created[0].monotonic_ns;

    if (since_ns < baseline_ns)
        (void)usleep((useconds_t)((baseline_ns - since_ns) / 1000 + 1));
    rln__launch_record_clock(r);
}

void rln__launch_record_end(struct rln__launch_record *r)
{
    rln__mapping_forget(r->words);
    if (r->words)
        (void)munmap(r->words, CHUNK_BYTES);
    r->words = NULL;
}
