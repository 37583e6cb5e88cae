/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/summary/tally.h"

int rln__tally_end(struct rln__tally *t)
{
    const int failed =
        t->n ? rln__samples_spread(&t->samples, t->total, &t->spread) : 0;

    rln__samples_clear(&t->samples);
    return failed;
}

void rln__tally_clear(struct rln__tally *t)
{
    rln__samples_clear(&t->samples);
}
