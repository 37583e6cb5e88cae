/* SPDX-License-Identifier: Apache-2.0 */
#include "base/busy_times.h"

/* Takes the pieces before `to_ns`. */
static int advance(struct rln__busy_sweep *s, int64_t to_ns)
{
    while (s->kinds && s->at_ns < to_ns) {
        const unsigned kinds = s->kinds;
        const int64_t start_ns = s->at_ns;
        int64_t end_ns = to_ns;

        for (unsigned i = 0; i < RLN__MOST_BUSY_KINDS; i++) {
            if (kinds >> i & 1 && s->until_ns[i] < end_ns)
                end_ns = s->until_ns[i];
        }
        for (unsigned i = 0; i < RLN__MOST_BUSY_KINDS; i++) {
            if (s->until_ns[i] <= end_ns)
                s->kinds &= ~(1u << i);
        }
        s->at_ns = end_ns;
        if (s->take(s->context, start_ns, end_ns, kinds))
            return -1;
    }
    return 0;
}

int rln__busy_add(struct rln__busy_sweep *s, int64_t start_ns, int64_t end_ns,
                  unsigned kinds)
{
    if (end_ns <= start_ns)
        return 0;
    if (advance(s, start_ns))
        return -1;
    s->at_ns = start_ns;
    for (unsigned i = 0; i < RLN__MOST_BUSY_KINDS; i++) {
        if (kinds >> i & 1 && (!(s->kinds >> i & 1) || s->until_ns[i] < end_ns))
            s->until_ns[i] = end_ns;
    }
    s->kinds |= kinds;
    return 0;
}

int rln__busy_end(struct rln__busy_sweep *s)
{
    return advance(s, INT64_MAX);
}
