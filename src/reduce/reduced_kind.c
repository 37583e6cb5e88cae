/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/reduced_kind.h"
#include "reduce/reduced_model.h"

const struct rln__reduced_kind *const rln__reduced_kinds[] = {
#define X(name) &rln__reduced_##name##_kind,
    RLN__REDUCED_KINDS(X)
#undef X
};

void *rln__reduced_sums(const struct rln__reduced *r,
                        const struct rln__reduced_kind *kind)
{
    size_t i = 0;

    while (rln__reduced_kinds[i] != kind)
        i++;
    return r->sums[i];
}
