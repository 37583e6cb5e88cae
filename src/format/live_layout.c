/* SPDX-License-Identifier: Apache-2.0 */
#include "format/live_layout.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"

/* The chunks of a thread. */
struct thread_chunks {
    uint32_t n, last; /* how many, and the highest sequence number */
};

struct threads {
    struct rln__key_index keys;  /* {part and process, thread} */
    struct thread_chunks *items; /* owned */
    size_t n, capacity;
};

static int is_of_thread(const struct rln__chunk_info *c)
{
    return c->kind == RLN__CHUNK_EVENTS && !c->is_settled;
}

static struct thread_chunks *chunks_of(struct threads *threads,
                                       const struct rln__chunk_info *c)
{
    const struct rln__key key = {
        {(uint64_t)c->part << 32 | c->process, (uint64_t)c->thread}};

    return rln__key_index_item(&threads->items, &threads->n, &threads->capacity,
                               rln__key_index_number(&threads->keys, &key),
                               sizeof(*threads->items));
}

static void clear(struct threads *threads)
{
    rln__key_index_clear(&threads->keys);
    rln__free(threads->items);
}

/* Counts the chunks of a first scan. 1 if each thread has all chunks up to its last
 * one, else 0; -1 if there is no memory. */
static int count(struct threads *threads, const struct rln__layout *layout)
{
    int is_whole = 1;

    for (size_t i = 0; i < layout->n_chunks; i++) {
        const struct rln__chunk_info *c = &layout->chunks[i];
        struct thread_chunks *found = is_of_thread(c) ? chunks_of(threads, c) : NULL;

        if (!found && is_of_thread(c))
            return -1;
        if (!found)
            continue;
        found->n++;
        found->last = c->sequence > found->last ? c->sequence : found->last;
    }
    for (size_t i = 0; i < threads->n; i++)
        is_whole &= threads->items[i].n > threads->items[i].last;
    return is_whole;
}

/* Removes from a second scan chunks that are newer than the first scan. */
static int keep_older(struct threads *threads, struct rln__layout *layout)
{
    size_t n = 0;

    for (size_t i = 0; i < layout->n_chunks; i++) {
        const struct rln__chunk_info *c = &layout->chunks[i];

        if (is_of_thread(c)) {
            const struct thread_chunks *found = chunks_of(threads, c);

            if (!found)
                return -1;
            if (found->n == 0 || c->sequence > found->last)
                continue;
        }
        layout->chunks[n++] = *c;
    }
    layout->n_chunks = n;
    return 0;
}

static rln_status scan(struct rln__layout *out, struct rln__input **files,
                       size_t n_files, rln_error *err)
{
    rln_status status = RLN_OK;

    for (size_t i = 0; i < n_files && !status; i++) {
        status = rln__input_refresh(files[i], err);
        if (!status)
            status = rln__layout_add(out, files[i], err);
    }
    return status;
}

rln_status rln__layout_find(struct rln__layout *out, struct rln__input **files,
                            size_t n_files, rln_error *err)
{
    struct threads threads = {0};
    struct rln__layout again = {0};
    rln_status status = scan(out, files, n_files, err);
    const int is_whole = status ? 1 : count(&threads, out);

    if (is_whole < 0)
        status = rln__fail_nomem(err);
    if (!is_whole) {
        status = scan(&again, files, n_files, err);
        if (!status && keep_older(&threads, &again))
            status = rln__fail_nomem(err);
    }
    /* A part that was appended meanwhile is also left for the next refresh. */
    if (!is_whole && !status && again.n_parts == out->n_parts) {
        rln__layout_clear(out);
        *out = again;
    } else {
        rln__layout_clear(&again);
    }
    clear(&threads);
    return status;
}
