/* SPDX-License-Identifier: Apache-2.0 */
#include "format/live_layout.h"
#include "base/alloc.h"
#include "base/fail.h"
#include "base/key_index.h"

/* The chunks of each thread, by part, process and number. */
struct held {
    uint32_t n, last; /* how many, and the highest number of any */
};

struct threads {
    struct rln__key_index keys;
    struct held *held; /* owned */
    size_t n, capacity;
};

static int is_of_thread(const struct rln__chunk_info *c)
{
    return c->kind == RLN__CHUNK_EVENTS && !c->is_settled;
}

static struct held *held_by(struct threads *threads, const struct rln__chunk_info *c)
{
    const struct rln__key key = {
        {(uint64_t)c->part << 32 | c->process, (uint64_t)c->thread}};

    return rln__key_index_item(&threads->held, &threads->n, &threads->capacity,
                               rln__key_index_number(&threads->keys, &key),
                               sizeof(*threads->held));
}

static void clear(struct threads *threads)
{
    rln__key_index_clear(&threads->keys);
    rln__free(threads->held);
}

/* Counts the chunks of a first look. 1 if each thread has all up to its last one, else
 * 0; -1 if there is no memory. */
static int count(struct threads *threads, const struct rln__layout *layout)
{
    int is_whole = 1;

    for (size_t i = 0; i < layout->n_chunks; i++) {
        const struct rln__chunk_info *c = &layout->chunks[i];
        struct held *held = is_of_thread(c) ? held_by(threads, c) : NULL;

        if (!held && is_of_thread(c))
            return -1;
        if (!held)
            continue;
        held->n++;
        held->last = c->sequence > held->last ? c->sequence : held->last;
    }
    for (size_t i = 0; i < threads->n; i++)
        is_whole &= threads->held[i].n > threads->held[i].last;
    return is_whole;
}

/* Removes from a second look what is newer than the first one. */
static int keep_older(struct threads *threads, struct rln__layout *layout)
{
    size_t n = 0;

    for (size_t i = 0; i < layout->n_chunks; i++) {
        const struct rln__chunk_info *c = &layout->chunks[i];

        if (is_of_thread(c)) {
            const struct held *held = held_by(threads, c);

            if (!held)
                return -1;
            if (held->n == 0 || c->sequence > held->last)
                continue;
        }
        layout->chunks[n++] = *c;
    }
    layout->n_chunks = n;
    return 0;
}

static rln_status look(struct rln__layout *out, struct rln__input **files,
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
    rln_status status = look(out, files, n_files, err);
    const int is_whole = status ? 1 : count(&threads, out);

    if (is_whole < 0)
        status = rln__fail_nomem(err);
    if (!is_whole) {
        status = look(&again, files, n_files, err);
        if (!status && keep_older(&threads, &again))
            status = rln__fail_nomem(err);
    }
    /* A part that was appended meanwhile is left for the next look, too. */
    if (!is_whole && !status && again.n_parts == out->n_parts) {
        rln__layout_clear(out);
        *out = again;
    } else {
        rln__layout_clear(&again);
    }
    clear(&threads);
    return status;
}
