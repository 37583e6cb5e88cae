/* SPDX-License-Identifier: Apache-2.0 */
/* names_chunk.c - one chunk of names a process, shared by its threads.
 *
 * Room is taken by an atomic add; what is taken beyond the end sends the taker to make
 * the next chunk. Chunks of names stay mapped until the process ends: what was interned
 * is compared with the text that lies in them.
 */
#include "collect/names_chunk.h"

#include "collect/block.h"
#include "collect/intern.h"

enum { LARGEST_NAMES_BYTES = 1 << 20 };

/* Puts a chunk in the place of `full`. 0 if there is no room for one. */
static int make_chunk(struct rln__process *p, struct rln__names_chunk *full,
                      size_t n_bytes)
{
    const uint32_t n_made = __atomic_load_n(&p->n_names_chunks, __ATOMIC_RELAXED);
    const uint64_t need = (n_bytes + RLN__CHUNK_HEADER_BYTES + RLN__CHUNK_ALIGN - 1) &
                          -(uint64_t)RLN__CHUNK_ALIGN;
    uint64_t want =
        n_made < 6 ? (uint64_t)RLN__CHUNK_ALIGN << n_made : LARGEST_NAMES_BYTES;
    struct rln__chunk_header header;
    struct rln__names_chunk *c;
    struct rln__cut cut;
    uint32_t n;

    if (want < need)
        want = need;
    if (n_made >= RLN__MAX_NAMES_CHUNKS || rln__block_cut(p, need, want, &cut) < 0)
        return 0;
    rln__chunk_header_now(&header, rln__collector.file.super);
    header.kind = RLN__CHUNK_NAMES;
    header.size_bytes = (uint32_t)cut.size;
    header.process = p->index;
    header.tid = rln__sys_gettid();
    rln__chunk_begin((void *)cut.address, &header);

    n = __atomic_fetch_add(&p->n_names_chunks, 1, __ATOMIC_RELAXED);
    if (n >= RLN__MAX_NAMES_CHUNKS)
        return 0;
    c = &p->names_chunks[n];
    c->begin = cut.address + RLN__CHUNK_HEADER_BYTES;
    c->size = cut.size - RLN__CHUNK_HEADER_BYTES;
    /* A loser's chunk stays empty: the winner's is as good. */
    __atomic_compare_exchange_n(&p->names, &full, c, 0, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
    return 1;
}

static int next_chunk(struct rln__process *p, struct rln__names_chunk *full,
                      size_t n_bytes)
{
    int result;

    if (!rln__making_begin(&p->names_making, (void *const *)&p->names, full))
        return 1; /* somebody else has made it */
    result = make_chunk(p, full, n_bytes);
    rln__making_end(&p->names_making);
    return result;
}

uint64_t *rln__names_take(struct rln__process *p, size_t n_words)
{
    const size_t n_bytes = n_words * 8;

    for (;;) {
        struct rln__names_chunk *c = __atomic_load_n(&p->names, __ATOMIC_ACQUIRE);

        if (c && __atomic_load_n(&c->used, __ATOMIC_RELAXED) + n_bytes <= c->size) {
            const uint64_t at = __atomic_fetch_add(&c->used, n_bytes, __ATOMIC_RELAXED);

            if (at + n_bytes <= c->size) {
                uint64_t *slot = (uint64_t *)(c->begin + at);

                rln__names_put(slot, 0, n_words);
                return slot;
            }
        }
        if (!next_chunk(p, c, n_bytes))
            return NULL;
    }
}

void rln__names_put(uint64_t *at, enum rln__name_sub sub, size_t n_words)
{
    const unsigned kind = sub ? RLN__LONG : RLN__HOLE;

    __atomic_store_n(at, rln__long_word(kind, sub, n_words), __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static char *put_bytes(char *to, const char *from, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        to[i] = from[i];
    return to + n_bytes;
}

const char *rln__names_string(struct rln__process *p, const char *text, size_t n_bytes)
{
    const size_t n_words = 2 + (n_bytes + 7) / 8;
    uint64_t *at = rln__names_take(p, n_words);

    if (!at)
        return NULL;
    at[1] = rln__pair32(rln__next_string_id(), n_bytes);
    put_bytes((char *)(at + 2), text, n_bytes);
    rln__names_put(at, RLN__SUB_STRING, n_words);
    return (const char *)(at + 2);
}

void rln__names_note(struct rln__process *p, const char *key, const char *value,
                     size_t n_bytes)
{
    size_t key_bytes = 0, n_words;
    uint64_t *at;

    while (key[key_bytes])
        key_bytes++;
    n_words = 2 + (key_bytes + n_bytes + 7) / 8;
    at = rln__names_take(p, n_words);
    if (!at)
        return;
    at[1] = rln__pair32(key_bytes, n_bytes);
    put_bytes(put_bytes((char *)(at + 2), key, key_bytes), value, n_bytes);
    rln__names_put(at, RLN__SUB_NOTE, n_words);
}
