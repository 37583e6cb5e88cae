/* SPDX-License-Identifier: Apache-2.0 */
/* categories.h - the categories that a run is about; events of others are left out.
 *
 *   RANGELINE_CATEGORIES   NAME[@DOMAIN] or NUMBER[@DOMAIN], with commas between;
 *                          without @DOMAIN of any domain. `default` is the domain of
 *                          events without one, 0 the category of those without. `*`
 *                          stands for any text of a name, and a backslash takes a
 *                          character as it is.
 *
 * Numbers are what events have; names come when the program names them, at any time.
 */
#ifndef RLN_COLLECT_CATEGORIES_H
#define RLN_COLLECT_CATEGORIES_H

#include "collect/collector.h"

/* Once, before all others: reads the list. */
void rln__categories_begin(void);

/* Whether there is a list. */
static inline int rln__filters_categories(void)
{
    return rln__collector.config.categories[0] != 0;
}

/* A domain of that name, NULL for the default one, before anybody can use its id. */
void rln__categories_note_domain(uint32_t domain, const char *name, size_t n_bytes);

/* The program names a category, perhaps again. */
void rln__categories_note_name(uint32_t domain, uint32_t category, const char *name,
                               size_t n_bytes);

/* Whether its marks and ranges are left out. */
int rln__category_is_left_out(uint32_t domain, uint32_t category);

#endif
