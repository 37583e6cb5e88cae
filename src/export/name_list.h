/* SPDX-License-Identifier: Apache-2.0 */
/* name_list.h - the names of ranges, each once and with a number, in the order in which
 * they were met. */
#ifndef RLN_EXPORT_NAME_LIST_H
#define RLN_EXPORT_NAME_LIST_H

#include "base/key_index.h"
#include "rangeline/model.h"

/* Zeroed, it is empty. */
struct rln__name_list {
    struct rln__key_index keys;
    rln_attributes *items; /* owned; by number of the key */
    size_t n, capacity;
};

/* UINT32_MAX when there is no memory. */
uint32_t rln__name_list_add(struct rln__name_list *list, uint32_t number,
                            const rln_attributes *with);
void rln__name_list_clear(struct rln__name_list *list);

/* The number of the attributes in `key`; UINT32_MAX when there is no memory. */
static inline uint32_t rln__name_list_number_by_key(struct rln__name_list *list,
                                                    const struct rln__key *key,
                                                    const rln_attributes *with)
{
    const uint32_t number = rln__key_index_number(&list->keys, key);

    return number < list->n ? number : rln__name_list_add(list, number, with);
}

/* The same of their domain and message. */
static inline uint32_t rln__name_list_number(struct rln__name_list *list,
                                             const rln_attributes *with)
{
    const struct rln__key key = {{rln__key_of_text(with->message), with->domain}};

    return rln__name_list_number_by_key(list, &key, with);
}

#endif
