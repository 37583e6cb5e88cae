/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/item.h"

#include "base/alloc.h"
#include "base/fail.h"

rln_status rln__stream_words(const struct rln__input *file,
                             const struct rln__item *item, uint64_t **out,
                             rln_error *err)
{
    rln_status status;

    *out = rln__alloc(item->n_words, sizeof(**out));
    if (!*out)
        return rln__fail_nomem(err);
    status =
        rln__input_read(file, item->offset, *out, (size_t)item->n_words * 8, NULL, err);
    if (status) {
        rln__free(*out);
        *out = NULL;
    }
    return status;
}
