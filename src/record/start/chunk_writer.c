/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/chunk_writer.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/start/guarded_mapping.h"

/* Where a chunk lasts less than a second, the next one is larger: space is reserved while
 * more comes. */
#define LEAST_BYTES RLN__BLOCK_ALIGN
#define MOST_BYTES (1u << 20)
#define SHORT_NS 1000000000u

static void set_base(struct rln__chunk_header *header,
                     const struct rln__clock_tuple *base)
{
    const uint64_t uncertainty = base->uncertainty_ticks / 16;

    header->uncertainty_16ticks =
        uncertainty > UINT16_MAX ? UINT16_MAX : (uint16_t)uncertainty;
    header->base_ticks = base->ticks;
    header->base_monotonic_ns = base->monotonic_ns;
    header->base_realtime_ns = base->realtime_ns;
}

static uint32_t next_bytes(const struct rln__chunk_writer *w, uint64_t now_ns)
{
    if (!w->n_bytes)
        return LEAST_BYTES;
    return w->n_bytes < MOST_BYTES && now_ns - w->begun_ns < SHORT_NS ? w->n_bytes * 2
                                                                      : w->n_bytes;
}

/* Where the next chunk is to be: its offset, or -errno. */
static int64_t take_room(struct rln__chunk_writer *w, uint64_t now_ns,
                         uint32_t *n_bytes)
{
    int64_t at;

    if (w->newest) {
        *n_bytes = rln__newest_chunks_bytes(w->newest);
        return rln__newest_chunks_room(w->newest, w->file);
    }
    *n_bytes = next_bytes(w, now_ns);
    at = rln__file_take(w->file, *n_bytes);
    if (at < 0 && *n_bytes > LEAST_BYTES) {
        *n_bytes = LEAST_BYTES;
        at = rln__file_take(w->file, *n_bytes);
    }
    return at;
}

static int next_chunk(struct rln__chunk_writer *w, const struct rln__clock_tuple *base)
{
    struct rln__chunk_header header;
    uint64_t begun_ns;
    uint32_t n_bytes;
    void *memory;
    int64_t at;

    rln__chunk_header_now(&header, w->file);
    begun_ns = header.base_monotonic_ns;
    at = take_room(w, begun_ns, &n_bytes);
    if (at < 0)
        return (int)at;
    memory = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, w->file->fd, at);
    if (memory == MAP_FAILED)
        return -errno;
    if (base)
        set_base(&header, base);
    header.kind = w->kind;
    header.size_bytes = n_bytes;
    header.process = w->process;
    header.thread = w->thread;
    header.tid = (uint32_t)getpid();
    header.sequence = w->sequence++;
    rln__mapping_guard(memory, n_bytes);
    rln__chunk_writer_end(w);
    w->words = memory;
    w->n_words = RLN__CHUNK_HEADER_BYTES / 8;
    w->most_words = n_bytes / 8;
    w->n_bytes = n_bytes;
    w->begun_ns = begun_ns;
    w->base_ticks = header.base_ticks;
    if (w->newest) {
        w->n_words = rln__newest_chunks_begin(w->newest, w->file, w->words, &header);
        w->most_words--; /* the last one repeats the place */
    } else {
        rln__chunk_begin(memory, &header);
    }
    return 0;
}

int rln__chunk_writer_begin(struct rln__chunk_writer *w)
{
    return next_chunk(w, NULL);
}

uint64_t *rln__chunk_writer_take(struct rln__chunk_writer *w, size_t n_words,
                                 const struct rln__clock_tuple *base)
{
    uint64_t *at;

    if (rln__mapping_is_lost())
        return NULL;
    if (!w->words || w->n_words + n_words > w->most_words)
        if (next_chunk(w, base) < 0)
            return NULL;
    at = w->words + w->n_words;
    w->n_words += n_words;
    __atomic_store_n(at, rln__long_word(RLN__HOLE, 0, n_words), __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* the hole comes before its contents */
    return at;
}

/* Release: operands before the word that announces them. Pairs with the acquire of
 * readers, which may read the file while we write it. */
void rln__chunk_writer_announce(uint64_t *at, unsigned sub, size_t n_words)
{
    __atomic_store_n(at, rln__long_word(RLN__LONG, sub, n_words), __ATOMIC_RELEASE);
}

void rln__chunk_writer_end(struct rln__chunk_writer *w)
{
    rln__mapping_forget(w->words);
    if (w->words)
        (void)munmap(w->words, w->n_bytes);
    w->words = NULL;
}
