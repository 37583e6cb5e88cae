/* SPDX-License-Identifier: Apache-2.0 */
/* categories.h - excludes events of categories that are not in a list.
 *
 *   RANGELINE_CATEGORIES   NAME[@DOMAIN] or NUMBER[@DOMAIN], separated by commas;
 *                          without @DOMAIN, in any domain. `default` is the domain of
 *                          events without one, 0 the category of events without one.
 *                          Names and domains are patterns of base/wildcard.h.
 *
 * Events carry category numbers; the program may name them at any time.
 */
#ifndef RLN_COLLECT_CAPTURE_CATEGORIES_H
#define RLN_COLLECT_CAPTURE_CATEGORIES_H

#include "collect/collector.h"

/* Reads the list. Call it once, before the other functions here. */
void rln__categories_begin(void);

static inline int rln__filters_categories(void)
{
    return rln__collector.config.categories[0] != 0;
}

/* Matches a domain's name (NULL: the default domain) with the list, before any event
 * can use its id. */
void rln__categories_note_domain(uint32_t domain, const char *name, size_t n_bytes);

/* Matches a category's name with the list, whenever the program names a category. */
void rln__categories_note_name(uint32_t domain, uint32_t category, const char *name,
                               size_t n_bytes);

/* Whether the category's marks and ranges are excluded. */
int rln__category_is_excluded(uint32_t domain, uint32_t category);

#endif
