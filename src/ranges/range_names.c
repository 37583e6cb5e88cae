/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges/range_names.h"
#include "base/alloc.h"

#include <string.h>

int rln__range_names_number(struct rln__range_names *names, const rln_attributes *with,
                            uint32_t *out)
{
    const struct rln__key key = {{with->domain, rln__key_of_text(with->message)}};
    struct rln__range_name *item;

    *out = rln__key_index_number(&names->keys, &key);
    if (*out < names->n)
        return 0;
    item = rln__key_index_item(&names->items, &names->n, &names->capacity, *out,
                               sizeof(*item));
    if (!item)
        return -1;
    *item = (struct rln__range_name){with->domain, with->domain_name, with->message};
    return 0;
}

void rln__range_names_clear(struct rln__range_names *names)
{
    rln__key_index_clear(&names->keys);
    rln__free(names->items);
    memset(names, 0, sizeof(*names));
}
