/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/event/row_flags.h"

#include "collect/capture/categories.h"

uint8_t rln__row_flags[RLN__MAX_ATTRIBUTES];

/* The flags that rows of a domain can have. */
static uint8_t domain_flags[RLN__MAX_DOMAINS];

static unsigned flags_of_domain(const char *name, size_t n_bytes)
{
    const struct rln__config *config = &rln__collector.config;
    const int captures = rln__range_pattern_has_domain(&config->capture, name, n_bytes);
    const int snapshots =
        rln__range_pattern_has_domain(&config->snapshot, name, n_bytes);

    return (captures ? RLN__ROW_CAPTURES : RLN__ROW_NEARLY) |
           (snapshots ? RLN__ROW_SNAPSHOTS : 0u);
}

void rln__flags_begin(void)
{
    domain_flags[0] = (uint8_t)flags_of_domain(NULL, 0);
    rln__categories_begin();
}

void rln__flags_note_domain(uint32_t domain, const char *name, size_t n_bytes)
{
    rln__categories_note_domain(domain, name, n_bytes);
    __atomic_store_n(&domain_flags[domain], (uint8_t)flags_of_domain(name, n_bytes),
                     __ATOMIC_RELEASE);
}

unsigned rln__flags_of(uint64_t domain_key, const char *text, size_t n_bytes)
{
    const uint32_t domain = (uint32_t)domain_key;
    const struct rln__config *config = &rln__collector.config;
    unsigned flags = domain < RLN__MAX_DOMAINS
                         ? __atomic_load_n(&domain_flags[domain], __ATOMIC_ACQUIRE)
                         : 0;

    if (!rln__range_pattern_has_message(&config->capture, text, n_bytes)) {
        flags &= ~(unsigned)(RLN__ROW_CAPTURES | RLN__ROW_NEARLY);
        if (rln__range_pattern_nearly_has_message(&config->capture, text, n_bytes))
            flags |= RLN__ROW_NEARLY;
    }
    if (!rln__range_pattern_has_message(&config->snapshot, text, n_bytes))
        flags &= ~(unsigned)RLN__ROW_SNAPSHOTS;
    if (rln__category_is_excluded(domain, (uint32_t)(domain_key >> 32)))
        flags |= RLN__ROW_EXCLUDED;
    return flags;
}

/* Repeats if the flags have changed: if another thread names the category at the same
 * time, either it finds this row, or this loop finds the name. */
void rln__flags_note_row(uint32_t id, const struct rln__attributes *row)
{
    unsigned flags;

    do {
        flags = rln__flags_of(row->domain_key, row->text, row->length);
        __atomic_store_n(&rln__row_flags[id], (uint8_t)flags, __ATOMIC_SEQ_CST);
    } while (flags != rln__flags_of(row->domain_key, row->text, row->length));
}

void rln__flags_note_category(uint32_t domain, uint32_t category, const char *name,
                              size_t n_bytes)
{
    const uint64_t domain_key = rln__domain_key(domain, category);
    uint32_t n_strings, n_rows, n_domains;

    if (!rln__filters_categories())
        return;
    rln__categories_note_name(domain, category, name, n_bytes);
    rln__intern_limits(&n_strings, &n_rows, &n_domains);
    for (uint32_t id = 1; id < n_rows; id++) {
        const struct rln__attributes *row = rln__attributes_at(id);

        if (row && row->domain_key == domain_key)
            rln__flags_note_row(id, row);
    }
}
