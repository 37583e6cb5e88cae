/* SPDX-License-Identifier: Apache-2.0 */
/* categories.c - decides which categories are recorded. Each item of the list is a bit.
 * A domain has the bits of items that match it; a named category has those of items
 * with its name. An event is recorded if its domain and its category have a bit in
 * common.
 */
#include "collect/capture/categories.h"
#include "base/wildcard.h"

enum {
    MAX_ITEMS = 64,
    MAX_NAMED = 1024, /* categories with listed names */
};

struct item {
    const char *name, *name_end;
    const char *domain, *domain_end; /* NULL: any */
    uint32_t number;
    uint32_t is_number;
};

/* Ordinary memory: a forked child continues with a copy. */
static struct item items[MAX_ITEMS];
static uint32_t n_items;
static uint64_t domain_items[RLN__MAX_DOMAINS]; /* atomic */

static struct named {
    uint64_t domain_key; /* atomic: {domain:32, category:32} + 1; 0: free */
    uint64_t items;      /* atomic */
} named[MAX_NAMED];

/* --- the list --------------------------------------------------------------------- */

static int is_number(const char *text, const char *end, uint32_t *out)
{
    uint64_t n = 0;

    if (text == end)
        return 0;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9' || n > UINT32_MAX)
            return 0;
        n = n * 10 + (uint64_t)(*text - '0');
    }
    *out = (uint32_t)n;
    return n <= UINT32_MAX;
}

/* Reads one item; returns what follows it. */
static const char *read_item(struct item *out, const char *text)
{
    const char *at = NULL, *end = text;

    for (; *end && *end != ','; end++) {
        if (*end == '@')
            at = end;
        if (*end == '\\' && end[1])
            end++;
    }
    out->name = text;
    out->name_end = at ? at : end;
    out->domain = at ? at + 1 : NULL;
    out->domain_end = end;
    out->is_number = (uint32_t)is_number(text, out->name_end, &out->number);
    return *end ? end + 1 : end;
}

void rln__categories_begin(void)
{
    const char *at = rln__collector.config.categories;

    for (n_items = 0; *at && n_items < MAX_ITEMS; n_items++)
        at = read_item(&items[n_items], at);
    rln__categories_note_domain(0, NULL, 0);
}

/* --- domains ---------------------------------------------------------------------- */

static int is_default(const struct item *i)
{
    static const char word[] = "default";
    size_t n = 0;

    while (n < sizeof word - 1 && i->domain + n < i->domain_end &&
           i->domain[n] == word[n])
        n++;
    return n == sizeof word - 1 && i->domain + n == i->domain_end;
}

static int is_star(const struct item *i)
{
    return i->domain_end - i->domain == 1 && *i->domain == '*';
}

static int has_domain(const struct item *i, const char *name, size_t n_bytes)
{
    if (!i->domain || is_star(i))
        return 1;
    if (is_default(i))
        return !name;
    return name && rln__wildcard_matches(i->domain, i->domain_end, name, n_bytes, 0);
}

void rln__categories_note_domain(uint32_t domain, const char *name, size_t n_bytes)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < n_items; i++)
        bits |= (uint64_t)(has_domain(&items[i], name, n_bytes) != 0) << i;
    __atomic_store_n(&domain_items[domain], bits, __ATOMIC_RELEASE);
}

/* --- names ------------------------------------------------------------------------ */

/* The category's entry, added if `makes` is set; NULL if there is none, or no free one.
 */
static struct named *entry_of(uint32_t domain, uint32_t category, int makes)
{
    const uint64_t domain_key = rln__pair32(category, domain) + 1;

    for (uint32_t i = 0; i < MAX_NAMED; i++) {
        struct named *n =
            &named[(domain_key * 0x9e3779b97f4a7c15u + i * (1ull << 54)) >> 54];
        uint64_t there = __atomic_load_n(&n->domain_key, __ATOMIC_ACQUIRE);

        if (!there && makes)
            __atomic_compare_exchange_n(&n->domain_key, &there, domain_key, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        if (there == domain_key || (!there && makes))
            return n;
        if (!there)
            return NULL;
    }
    return NULL;
}

void rln__categories_note_name(uint32_t domain, uint32_t category, const char *name,
                               size_t n_bytes)
{
    struct named *n;
    uint64_t bits = 0;

    for (uint32_t i = 0; i < n_items; i++)
        if (!items[i].is_number &&
            rln__wildcard_matches(items[i].name, items[i].name_end, name, n_bytes, 0))
            bits |= 1ull << i;
    n = entry_of(domain, category, bits != 0);
    if (n)
        __atomic_store_n(&n->items, bits, __ATOMIC_SEQ_CST);
}

/* --- the decision ----------------------------------------------------------------- */

static uint64_t items_of(uint32_t domain, uint32_t category)
{
    const struct named *n = entry_of(domain, category, 0);
    uint64_t bits = n ? __atomic_load_n(&n->items, __ATOMIC_SEQ_CST) : 0;

    for (uint32_t i = 0; i < n_items; i++)
        if (items[i].is_number && items[i].number == category)
            bits |= 1ull << i;
    return bits;
}

int rln__category_is_excluded(uint32_t domain, uint32_t category)
{
    if (!rln__filters_categories() || domain >= RLN__MAX_DOMAINS)
        return 0;
    return !(items_of(domain, category) &
             __atomic_load_n(&domain_items[domain], __ATOMIC_ACQUIRE));
}
