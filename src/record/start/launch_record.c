/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/launch_record.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define MAX_NOTE_BYTES 32768u

static uint64_t *take(struct rln__launch_record *r, size_t n_words)
{
    return rln__chunk_writer_take(&r->chunk, n_words, NULL);
}

static enum rln__clock_kind clock_kind(const struct rln__launch_record *r)
{
    return (enum rln__clock_kind)r->chunk.file->clock_kind;
}

int rln__launch_record_begin(struct rln__launch_record *out,
                             const struct rln__file *file)
{
    struct rln__process_record *p;
    uint64_t *at;
    int result;

    *out =
        (struct rln__launch_record){.chunk = {.file = file,
                                              .process = rln__file_next_process(file),
                                              .kind = RLN__CHUNK_NAMES}};
    result = rln__chunk_writer_begin(&out->chunk);
    if (result < 0)
        return result;
    at = take(out, RLN__PROCESS_WORDS);
    if (!at)
        return -EIO;
    p = (struct rln__process_record *)(void *)at;
    p->process = out->chunk.process;
    p->pid = (uint32_t)getpid();
    p->ppid = (uint32_t)getppid();
    p->flags = RLN__PROCESS_LAUNCHER;
    rln__clock_read(clock_kind(out), &p->clock[0]);
    (void)usleep(50);
    rln__clock_read(clock_kind(out), &p->clock[1]);
    rln__chunk_writer_announce(at, RLN__SUB_PROCESS, RLN__PROCESS_WORDS);
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
    rln__chunk_writer_announce(at, RLN__SUB_NOTE, n_words);
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
    rln__chunk_writer_announce(at, RLN__SUB_CLOCK, n_words);
}

/* Two tuples a microsecond wide give the clock's rate to 1 in 50,000 if they are this
 * far apart. The trace then needs no other to be read the same way for ever. */
void rln__launch_record_last_clock(struct rln__launch_record *r)
{
    const uint64_t baseline_ns = 50 * 1000000u;
    const uint64_t since_ns = rln__sys_clock_ns(CLOCK_MONOTONIC) -
                              r->chunk.file->super->created[0].monotonic_ns;

    if (since_ns < baseline_ns)
        (void)usleep((useconds_t)((baseline_ns - since_ns) / 1000 + 1));
    rln__launch_record_clock(r);
}

void rln__launch_record_end(struct rln__launch_record *r)
{
    rln__chunk_writer_end(&r->chunk);
}
