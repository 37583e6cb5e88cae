/* SPDX-License-Identifier: Apache-2.0 */
#include "export/name_list.h"
#include "base/alloc.h"

#include <string.h>

uint32_t rln__name_list_add(struct rln__name_list *list, uint32_t number,
                            const rln_attributes *with)
{
    rln_attributes *item = rln__key_index_item(&list->items, &list->n, &list->capacity,
                                               number, sizeof(*item));

    if (!item)
        return UINT32_MAX;
    *item = *with;
    return number;
}

void rln__name_list_clear(struct rln__name_list *list)
{
    rln__key_index_clear(&list->keys);
    rln__free(list->items);
    memset(list, 0, sizeof(*list));
}
