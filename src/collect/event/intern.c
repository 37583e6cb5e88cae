/* SPDX-License-Identifier: Apache-2.0 */
/* intern.c - finds the process's attributes, domains and strings in a table.
 *
 *   level 0: 2^12 slots   level 1: 2^16   level 2: 2^20      slot = {hash:32, row:32}
 *
 * Rows are found by content. A slot is filled once, by one compare-and-swap, after the
 * row and its record in the file are complete. A row tries 8 consecutive slots, then
 * the next level. A search stops at an empty slot, because the row would be there.
 * Nothing moves and nothing is removed, so there is nothing to lock, and a child that
 * was forked in the middle of an insertion finds the table intact.
 */
#include "collect/event/intern.h"

#include "collect/event/row_flags.h"
#include "collect/event/shared_chunk.h"
#include "collect/event/words.h"
#include "collect/process/process.h"

enum {
    LEVELS = 3,
    PROBES = 8,
};

static const unsigned level_bits[LEVELS] = {12, 16, 20};

enum row_kind {
    ROW_ATTRIBUTES = 0,
    ROW_DOMAIN = 1,
    ROW_STRING = 2,
    ROW_COUNTER = 3,   /* `handle` is NVTX's id of the counter */
    ROW_SEMANTICS = 4, /* `text` is the words of a list of semantics */
};

/* Ordinary memory: a forked child continues with a copy. */
static struct {
    uint64_t *levels[LEVELS];   /* atomic pointers */
    uint64_t text_bytes;        /* atomic */
    uint64_t no_message_before; /* atomic, ticks: no retry for a message before this */
} table;

struct query {
    uint64_t domain_key;
    uint64_t style_key; /* the upper byte is enum row_kind */
    const char *text;
    size_t length;
    const void *handle; /* registered: the content of `head` */
    const char *stored; /* the text's copy in the file, or NULL */
    uint32_t hash;
    uint32_t is_message; /* an event can have it in line */
};

/* --- text ------------------------------------------------------------------------- */

/* Set before the first event, and only lowered. Atomic: a thread whose slots another
 * thread has just filled may read it without any other synchronization. */
static size_t longest_text = RLN__MAX_STRING_BYTES;

void rln__limit_texts(size_t n_bytes)
{
    __atomic_store_n(&longest_text, n_bytes, __ATOMIC_RELAXED);
}

__attribute__((no_sanitize("address"))) size_t rln__text_length(const char *text)
{
    const size_t longest = __atomic_load_n(&longest_text, __ATOMIC_RELAXED);
    size_t n = 0;

    while (n < longest && text[n])
        n++;
    if (n < longest || !text[n])
        return n;
    rln__count(n_strings_cut, 1);
    /* Goes back to the beginning of a character; other bytes than UTF-8 are not
     * changed.
     */
    for (size_t back = 1; back <= 3 && (text[n] & 0xc0) == 0x80; back++) {
        if (((unsigned char)text[n - back] & 0xc0) == 0xc0)
            return n - back;
    }
    return n;
}

/* A shorter message differs at its end. */
static int is_text_of(const struct rln__attributes *a, const char *message)
{
    for (size_t i = 0; i < a->length; i++) {
        if (message[i] != a->text[i])
            return 0;
    }
    return message[a->length] == 0;
}

static int same_text(const char *a, const char *b, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        if (a[i] != b[i])
            return 0;
    }
    return 1;
}

static uint32_t hash_of(const struct query *q)
{
    uint64_t h =
        (q->domain_key + 0x9e3779b97f4a7c15u) ^ (q->style_key * 0xc2b2ae3d27d4eb4fu);
    size_t i = 0;

    for (; i + 8 <= q->length; i += 8)
        h = (h ^ rln__load8(q->text + i)) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    for (; i < q->length; i++)
        h = (h ^ (unsigned char)q->text[i]) * 0x100000001b3u;
    h ^= (uint64_t)(uintptr_t)q->handle;
    h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(h >> 32) | 1u;
}

/* --- rows ------------------------------------------------------------------------- */

const struct rln__attributes *rln__attributes_of_string(const void *handle)
{
    return rln__attributes_at(rln__string_shifted_id(handle) >> RLN__ID_SHIFT);
}

/* Events can have their messages in line, but domains, registered strings and counters
 * need rows. So the last quarter of rows and of text is reserved for those. */
static uint32_t most_rows(const struct query *q)
{
    const uint32_t most = RLN__MAX_ATTRIBUTES - 1;

    return q->is_message ? most - RLN__MAX_ATTRIBUTES / 4 : most;
}

static uint64_t most_text(const struct query *q)
{
    const uint64_t most = RLN__MAX_TEXT_BYTES;

    return q->is_message ? most - most / 4 : most;
}

static int is_row_of(const struct rln__attributes *a, const struct query *q)
{
    if (a->domain_key != q->domain_key || a->style_key != q->style_key ||
        a->length != q->length)
        return 0;
    if (q->handle && a->head[0] != (uint64_t)(uintptr_t)q->handle)
        return 0;
    return q->length == 0 || same_text(a->text, q->text, q->length);
}

static const struct rln__attributes *find(const struct query *q)
{
    for (int level = 0; level < LEVELS; level++) {
        const uint64_t *slots = __atomic_load_n(&table.levels[level], __ATOMIC_ACQUIRE);
        const uint64_t mask = (1ull << level_bits[level]) - 1;

        if (!slots)
            return NULL;
        for (unsigned i = 0; i < PROBES; i++) {
            const uint64_t slot =
                __atomic_load_n(&slots[(q->hash + i) & mask], __ATOMIC_ACQUIRE);

            if (!slot)
                return NULL;
            if (slot >> 32 == q->hash &&
                is_row_of(rln__attributes_made((uint32_t)slot), q))
                return rln__attributes_made((uint32_t)slot);
        }
    }
    return NULL;
}

/* Adds the row to the table. Returns the row that searches find from now on, perhaps an
 * equal one of another thread. NULL: no slot is free. */
static const struct rln__attributes *publish(const struct query *q, uint32_t row)
{
    const uint64_t ours = ((uint64_t)q->hash << 32) | row;

    for (int level = 0; level < LEVELS; level++) {
        const uint64_t mask = (1ull << level_bits[level]) - 1;
        uint64_t *slots = rln__grown((void **)&table.levels[level],
                                     sizeof *slots << level_bits[level]);

        for (unsigned i = 0; slots && i < PROBES; i++) {
            uint64_t *slot = &slots[(q->hash + i) & mask];
            uint64_t there = 0;

            if (__atomic_compare_exchange_n(slot, &there, ours, 0, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE))
                return rln__attributes_made(row);
            if (there >> 32 == q->hash &&
                is_row_of(rln__attributes_made((uint32_t)there), q))
                return rln__attributes_made((uint32_t)there);
        }
    }
    return NULL;
}

/* --- making a row ----------------------------------------------------------------- */

static const char *store_text(struct rln__process_context *p, const struct query *q)
{
    const char *stored;

    if (q->stored || q->length == 0)
        return q->stored;
    if (__atomic_add_fetch(&table.text_bytes, q->length, __ATOMIC_RELAXED) >
        most_text(q)) {
        __atomic_fetch_sub(&table.text_bytes, q->length, __ATOMIC_RELAXED);
        return NULL;
    }
    stored = q->style_key >> 56 == ROW_SEMANTICS
                 ? rln__names_semantics(p, q->text, q->length)
                 : rln__names_append_string(p, q->text, q->length);
    if (!stored)
        __atomic_fetch_sub(&table.text_bytes, q->length, __ATOMIC_RELAXED);
    return stored;
}

/* The number of words of the record for such a row; 0: the text's record is enough. */
static size_t record_words(enum row_kind kind)
{
    switch (kind) {
    case ROW_DOMAIN:
        return 2;
    case ROW_COUNTER:
        return 3;
    case ROW_ATTRIBUTES:
        return 4;
    default:
        return 0;
    }
}

static void write_record(uint64_t *at, const struct query *q,
                         const struct rln__attributes *a)
{
    const enum row_kind kind = (enum row_kind)(q->style_key >> 56);
    const uint32_t string = rln__string_id(a->text);
    const uint32_t id = a->shifted_id >> RLN__ID_SHIFT;

    if (kind == ROW_DOMAIN) {
        at[1] = rln__pair32(id, string);
        rln__names_put(at, RLN__SUB_DOMAIN, record_words(kind));
    } else if (kind == ROW_COUNTER) {
        at[1] = rln__pair32(id, q->domain_key);
        at[2] = (uint64_t)(uintptr_t)q->handle;
        rln__names_put(at, RLN__SUB_COUNTER, record_words(kind));
    } else if (kind == ROW_ATTRIBUTES) {
        at[1] = rln__pair32(id, q->domain_key);
        at[2] = rln__pair32(q->domain_key >> 32, q->style_key);
        at[3] = rln__pair32(string, q->style_key >> 32);
        rln__names_put(at, RLN__SUB_ATTRIBUTES, record_words(kind));
    }
}

static void fill_head(struct rln__attributes *a, const struct query *q)
{
    if (q->handle) {
        a->head[0] = (uint64_t)(uintptr_t)q->handle;
        return;
    }
    for (size_t i = 0; i < 16 && i <= q->length; i++) {
        const unsigned shift = 8 * (unsigned)(i % 8);

        if (i < q->length)
            a->head[i / 8] |= (uint64_t)(unsigned char)q->text[i] << shift;
        a->mask[i / 8] |= 0xffull << shift;
    }
}

static uint32_t id_of_new(const struct query *q, uint32_t row)
{
    if (q->style_key >> 56 != ROW_DOMAIN)
        return row;
    return rln__next_domain_id();
}

/* Steps that can fail come first, and steps that cannot be undone come last: a full
 * disk must not use up rows or text. */
static const struct rln__attributes *make(struct rln__process_context *p,
                                          const struct query *q)
{
    const enum row_kind kind = (enum row_kind)(q->style_key >> 56);
    const size_t n_words = record_words(kind);
    struct rln__attributes *a;
    const char *text;
    uint64_t *record;
    uint32_t row;

    if (rln__has_attributes(most_rows(q)))
        return NULL;
    record = n_words ? rln__names_take(p, n_words) : NULL;
    if (n_words && !record)
        return NULL;
    text = store_text(p, q);
    a = q->length && !text ? NULL : rln__attributes_make(most_rows(q), &row);
    if (!a)
        return NULL; /* the record stays a hole */
    a->text = text;
    a->domain_key = q->domain_key;
    a->style_key = q->style_key;
    a->length = (uint32_t)q->length;
    fill_head(a, q);
    __atomic_store_n(&a->shifted_id, rln__shift_id(id_of_new(q, row)),
                     __ATOMIC_RELEASE);
    write_record(record, q, a);
    if (kind == ROW_DOMAIN)
        rln__flags_note_domain(a->shifted_id >> RLN__ID_SHIFT, a->text, a->length);
    else if (kind == ROW_ATTRIBUTES)
        rln__flags_note_row(row, a);
    return publish(q, row);
}

/* After a failure, events have their messages in line for 100 ms without a retry, which
 * is cheaper. Acquire: this thread may not be set up yet, and only this load ensures
 * that it sees the clock that was chosen. */
static int is_soon_after_failure(void)
{
    const uint64_t before = __atomic_load_n(&table.no_message_before, __ATOMIC_ACQUIRE);

    return before != 0 && rln__now() < before;
}

/* Finds the row or makes it, with signals blocked: a longjmp() out of a handler must
 * not leave the record half made. */
static const struct rln__attributes *find_or_make(struct query *q)
{
    const struct rln__attributes *a;
    struct rln__process_context *p;
    rln__sigmask mask;

    q->hash = hash_of(q);
    a = find(q);
    if (a)
        return a;
    if (q->is_message && is_soon_after_failure())
        return NULL;
    mask = rln__block_signals();
    p = rln__process_ready();
    a = p && rln__process_has_record(p) ? make(p, q) : NULL;
    rln__restore_signals(mask);
    if (!a && q->is_message)
        __atomic_store_n(&table.no_message_before,
                         rln__now() + rln__collector.ticks_per_100_ms,
                         __ATOMIC_RELEASE);
    return a;
}

/* --- guesses ---------------------------------------------------------------------- */

/* Whether the calling thread has guesses of its own in memory that it may write. */
static int has_own_guesses(void)
{
    rln__sigmask mask;
    int has_own;

    if (RLN_LIKELY(rln__tid(rln__own_thread()) != 0))
        return 1;
    if (rln__threads_must_wait())
        return 0;
    mask = rln__block_signals();
    has_own = rln__process_ready() && rln__thread_ready();
    rln__restore_signals(mask);
    return has_own;
}

/* Makes a row the guess of its slot; the previous guess becomes the older one. */
static void remember(uint64_t hash, const struct rln__attributes *a)
{
    const size_t at = rln__guess_slot(hash);
    struct rln__kept *kept;

    if (!has_own_guesses())
        return;
    kept = rln__own_kept();
    if (kept->guesses[at] == a)
        return;
    kept->guessed[1][at] = kept->guessed[0][at];
    __atomic_store_n(&kept->older[at], kept->guesses[at], __ATOMIC_RELAXED);
    kept->guessed[0][at] = (uint32_t)hash;
    __atomic_store_n(&kept->guesses[at], a, __ATOMIC_RELAXED);
}

enum guess { NO_GUESS, GUESS_HOLDS, GUESS_IS_STALE };

/* Checks both guesses for the message. Stale: its address had another text before. */
static enum guess guess_closely(uint64_t hash, const struct query *q,
                                const struct rln__attributes **out)
{
    const struct rln__kept *kept = rln__own_kept();
    const size_t at = rln__guess_slot(hash);

    *out = rln__guess_at(&kept->guesses[at], q->domain_key, q->style_key);
    if (*out && is_text_of(*out, q->text))
        return GUESS_HOLDS;
    *out = rln__guess_at(&kept->older[at], q->domain_key, q->style_key);
    if (*out && is_text_of(*out, q->text)) {
        remember(hash, *out);
        return GUESS_HOLDS;
    }
    return kept->guessed[0][at] == (uint32_t)hash ||
                   kept->guessed[1][at] == (uint32_t)hash
               ? GUESS_IS_STALE
               : NO_GUESS;
}

/* Whether this thread has seen the text before; records that it has now. */
static int seen_before(uint32_t hash)
{
    uint32_t *seen = &rln__own_kept()->seen[hash >> 8 & (RLN__SEEN - 1)];

    if (*seen == hash)
        return 1;
    *seen = hash;
    return 0;
}

const struct rln__attributes *rln__intern_plain(uint64_t domain_key, uint64_t style_key,
                                                const char *message, size_t *n_bytes)
{
    const uint64_t hash = rln__guess_hash(domain_key, style_key, message);
    struct query q = {.domain_key = domain_key,
                      .style_key = style_key,
                      .text = message,
                      .is_message = 1};
    const struct rln__attributes *a;
    const enum guess guess = guess_closely(hash, &q, &a);

    if (guess == GUESS_HOLDS)
        return a;
    q.length = *n_bytes = rln__text_length(message);
    if (q.length > RLN__MAX_INTERNED_BYTES)
        return NULL;
    /* A text that changes at one address was composed at run time; most such texts are
     * never seen again and should not fill the table. */
    if (guess == GUESS_IS_STALE) {
        q.hash = hash_of(&q);
        a = find(&q);
        if (!a && !seen_before(q.hash))
            return NULL;
    }
    a = find_or_make(&q);
    if (a)
        remember(hash, a);
    return a;
}

_Static_assert(RLN__STYLE_KEY_COUNTER >> 56 == ROW_COUNTER, "as intern.h has it");

const struct rln__attributes *rln__intern_handle(uint64_t domain_key,
                                                 uint64_t style_key, const void *handle)
{
    const uint64_t hash = rln__guess_hash(domain_key, style_key, handle);
    struct query q = {
        .domain_key = domain_key, .style_key = style_key, .handle = handle};
    const struct rln__attributes *registered =
        handle ? rln__attributes_of_string(handle) : NULL;
    const struct rln__attributes *a = rln__guess_at(
        &rln__own_kept()->older[rln__guess_slot(hash)], domain_key, style_key);

    if (a && a->head[0] == (uint64_t)(uintptr_t)handle) {
        remember(hash, a);
        return a;
    }
    if (registered && registered->text) {
        q.text = q.stored = registered->text;
        q.length = registered->length;
    }
    a = find_or_make(&q);
    if (a)
        remember(hash, a);
    return a;
}

const struct rln__attributes *rln__intern_message(uint64_t domain_key,
                                                  uint64_t style_key, const char *text,
                                                  size_t n_bytes)
{
    struct query q = {.domain_key = domain_key,
                      .style_key = style_key,
                      .text = text,
                      .length = n_bytes,
                      .is_message = 1};

    return find_or_make(&q);
}

const struct rln__attributes *rln__intern_text(uint64_t domain_key, uint64_t style_key,
                                               const char *text, size_t n_bytes)
{
    struct query q = {.domain_key = domain_key,
                      .style_key = style_key,
                      .text = text,
                      .length = n_bytes};
    const struct rln__attributes *a = find_or_make(&q);

    if (!a)
        rln__count(n_strings_refused, 1);
    return a;
}

uint32_t rln__intern_domain(const char *name, size_t n_bytes)
{
    struct query q = {
        .style_key = (uint64_t)ROW_DOMAIN << 56, .text = name, .length = n_bytes};
    const struct rln__attributes *a;

    q.hash = hash_of(&q);
    a = find(&q);
    if (!a && rln__intern_n_domains() < RLN__MAX_DOMAINS)
        a = find_or_make(&q);
    if (a && a->shifted_id >> RLN__ID_SHIFT < RLN__MAX_DOMAINS)
        return a->shifted_id >> RLN__ID_SHIFT;
    rln__count(n_strings_refused, 1);
    return 0;
}

uint32_t rln__intern_string(const char *text, size_t n_bytes)
{
    const struct rln__attributes *a =
        n_bytes ? rln__intern_text(0, (uint64_t)ROW_STRING << 56, text, n_bytes) : NULL;

    return a ? rln__string_id(a->text) : 0;
}

uint32_t rln__intern_semantics(const uint64_t *words, size_t n_words)
{
    const struct rln__attributes *a = rln__intern_text(
        0, (uint64_t)ROW_SEMANTICS << 56, (const char *)words, n_words * sizeof *words);

    return a ? rln__string_id(a->text) : 0;
}

const struct rln__attributes *rln__intern_counter(uint32_t domain, uint64_t counter)
{
    const void *id = (const void *)(uintptr_t)counter;
    struct query q = {.domain_key = rln__domain_key(domain, 0),
                      .style_key = RLN__STYLE_KEY_COUNTER,
                      .handle = id};
    const struct rln__attributes *a = find_or_make(&q);

    if (a)
        remember(rln__guess_hash(q.domain_key, q.style_key, id), a);
    return a;
}
