/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/callbacks/register.h"

#include "collect/event/safe_read.h"
#include "collect/event/shared_chunk.h"
#include "collect/process/process.h"

/* --- the table -------------------------------------------------------------------- */

enum {
    TABLE_BITS = 14,
    PROBES = 64,
    ID_BITS = 40,
    DOMAIN_BITS = 12,
};

_Static_assert(RLN__MAX_DOMAINS <= 1 << DOMAIN_BITS, "a domain's number fits a key");

/* A slot is filled once, by compare-and-swap on the key; the record may be replaced.
 * Ordinary memory, like the table of intern.h: a forked child continues with a copy. */
static struct {
    uint64_t key;           /* atomic; 0: empty */
    const uint64_t *record; /* atomic; in the mapped file */
} table[1 << TABLE_BITS];

static uint32_t n_dynamic; /* atomic; ids of all kinds except counters */

/* 0 for large ids: they are not in the table. */
static uint64_t key_of(enum rln__name_sub sub, uint32_t domain, uint64_t id)
{
    const uint64_t kind = sub == RLN__SUB_ENUM ? RLN__SUB_SCHEMA : sub;

    if (id >> ID_BITS)
        return 0;
    return kind << (ID_BITS + DOMAIN_BITS) | (uint64_t)domain << ID_BITS | id;
}

static size_t first_slot(uint64_t key)
{
    return (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - TABLE_BITS));
}

static const uint64_t *find(uint64_t key)
{
    for (size_t i = 0; key && i < PROBES; i++) {
        const size_t at = (first_slot(key) + i) & (RLN_COUNT(table) - 1);
        const uint64_t there = __atomic_load_n(&table[at].key, __ATOMIC_ACQUIRE);

        if (there == key)
            return __atomic_load_n(&table[at].record, __ATOMIC_ACQUIRE);
        if (!there)
            return NULL;
    }
    return NULL;
}

const uint64_t *rln__registered(enum rln__name_sub sub, uint32_t domain, uint64_t id)
{
    return find(key_of(sub, domain, id));
}

static void remember(uint64_t key, const uint64_t *record)
{
    for (size_t i = 0; key && i < PROBES; i++) {
        const size_t at = (first_slot(key) + i) & (RLN_COUNT(table) - 1);
        uint64_t there = 0;

        if (!__atomic_compare_exchange_n(&table[at].key, &there, key, 0,
                                         __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) &&
            there != key)
            continue;
        __atomic_store_n(&table[at].record, record, __ATOMIC_RELEASE);
        return;
    }
}

/* --- writing ---------------------------------------------------------------------- */

enum { ID_AT = 1, BY_CONTENT = 64 /* added to the kind in a key */ };

/* Whether a record equals `r`, ignoring its time and, unless `id_counts`, its id. */
static int is_same(const uint64_t *record, const struct rln__registration *r,
                   int id_counts)
{
    if (!record ||
        record[0] != rln__long_word(RLN__LONG, r->sub, (uint64_t)r->n_words + 1))
        return 0;
    for (size_t i = 0; i < r->n_words; i++) {
        if (record[1 + i] != r->words[i] && !(r->ticks_at && i == r->ticks_at) &&
            (id_counts || i != ID_AT))
            return 0;
    }
    return 1;
}

/* A key of the content without the id. */
static uint64_t content_key(const struct rln__registration *r)
{
    uint64_t h = r->n_words;

    for (size_t i = 0; i < r->n_words; i++) {
        if (i != ID_AT && !(r->ticks_at && i == r->ticks_at))
            h = (h ^ r->words[i]) * 0xff51afd7ed558ccdu, h ^= h >> 29;
    }
    return (uint64_t)(r->sub + BY_CONTENT) << (ID_BITS + DOMAIN_BITS) |
           h >> (64 - ID_BITS - DOMAIN_BITS);
}

static void write_down(const struct rln__registration *r, uint64_t key, uint64_t also)
{
    const rln__sigmask mask = rln__block_signals();
    struct rln__process_context *p = rln__process_ready();
    uint64_t *at =
        p && rln__process_has_record(p) ? rln__names_take(p, 1 + r->n_words) : NULL;

    for (size_t i = 0; at && i < r->n_words; i++)
        at[1 + i] = r->words[i];
    if (at) {
        rln__names_put(at, r->sub, 1 + r->n_words);
        remember(key, at);
        remember(also, at);
    } else {
        rln__count(n_strings_refused, 1);
    }
    rln__restore_signals(mask);
}

uint64_t rln__register(const struct rln__registration *r)
{
    const uint64_t content = !r->id && r->is_by_content ? content_key(r) : 0;
    const uint64_t *same = content ? find(content) : NULL;
    uint64_t key;

    if (same && is_same(same, r, 0))
        return same[1 + ID_AT];
    r->words[ID_AT] = r->id ? r->id
                            : RLN__FIRST_DYNAMIC_ID +
                                  __atomic_fetch_add(&n_dynamic, 1, __ATOMIC_RELAXED);
    key = key_of(r->sub, r->domain, r->words[ID_AT]);
    if (!is_same(find(key), r, 1))
        write_down(r, key, content);
    return r->words[ID_AT];
}

/* --- semantics -------------------------------------------------------------------- */

/* nvtxSemanticsHeader_t and the lists' known elements, with their ABI layout. */
struct semantics_header {
    uint32_t size; /* bytes, this header included */
    uint16_t semantic;
    uint16_t version;
    const void *next;
};

enum {
    CORRELATION = 3,
    COUNTER = 5,
    MAX_ELEMENTS = 16,
    MAX_ELEMENT_BYTES = 256,
};

struct correlation {
    struct semantics_header header;
    uint64_t uuid[2];
    const char *name;
    uint64_t role;
};

struct counter {
    struct semantics_header header;
    uint64_t flags;
    const char *unit;
    uint64_t numerator, denominator;
    int64_t limit_type;
    uint64_t min, max;
};

union element {
    struct semantics_header header;
    struct correlation correlation;
    struct counter counter;
    uint64_t words[MAX_ELEMENT_BYTES / 8];
};

/* Writes the element's words after its first; returns their number. */
static size_t put_element(uint64_t *to, const union element *e)
{
    const size_t own = sizeof(struct semantics_header) / 8;
    const size_t n = (e->header.size + 7) / 8 - own;

    if (e->header.semantic == CORRELATION && e->header.size >= sizeof e->correlation) {
        to[0] = e->correlation.uuid[0];
        to[1] = e->correlation.uuid[1];
        to[2] = rln__safe_read_string_id(e->correlation.name);
        to[3] = e->correlation.role;
        return 4;
    }
    if (e->header.semantic == COUNTER && e->header.size >= sizeof e->counter) {
        to[0] = e->counter.flags;
        to[1] = rln__pair32(rln__safe_read_string_id(e->counter.unit),
                            (uint64_t)e->counter.limit_type);
        to[2] = e->counter.numerator;
        to[3] = e->counter.denominator;
        to[4] = e->counter.min;
        to[5] = e->counter.max;
        return 6;
    }
    /* Scope (1) and time (2) are a single id; unknown elements are copied unchanged. */
    for (size_t i = 0; i < n; i++)
        to[i] = e->words[own + i];
    return n;
}

uint32_t rln__semantics(const void *list)
{
    uint64_t words[64]; /* small: this may be a signal stack */
    size_t n_words = 0;

    for (size_t i = 0; list && i < MAX_ELEMENTS; i++) {
        union element e = {.words = {0}};
        size_t n;

        if (!rln__safe_read_all(&e.header, (const struct semantics_header *)list))
            break;
        if (e.header.size < sizeof e.header || e.header.size > sizeof e ||
            rln__safe_read(&e, list, e.header.size) != e.header.size ||
            n_words + 1 + (e.header.size + 7) / 8 > RLN_COUNT(words))
            break;
        n = put_element(&words[n_words + 1], &e);
        words[n_words] = e.header.semantic | (uint32_t)e.header.version << 16 |
                         (uint64_t)(n + 1) << 32;
        n_words += n + 1;
        list = e.header.next;
    }
    return n_words ? rln__intern_semantics(words, n_words) : 0;
}
