/* SPDX-License-Identifier: Apache-2.0 */
/* switch_losses.h - from when to when the switches of a part were not all recorded. */
#ifndef RLN_RANGES_SWITCH_LOSSES_H
#define RLN_RANGES_SWITCH_LOSSES_H

#include <stddef.h>
#include <stdint.h>

struct rln__switch_loss {
    uint32_t part;
    int64_t from_ns, to_ns;
};

/* Zeroed: none. */
struct rln__switch_losses {
    struct rln__switch_loss *items; /* owned: by part and time */
    size_t n, capacity;
};

/* 0, or -1: no memory. */
int rln__switch_losses_add(struct rln__switch_losses *losses,
                           const struct rln__switch_loss *loss);
/* After all of them: makes one of those that overlap. */
void rln__switch_losses_sort(struct rln__switch_losses *losses);
void rln__switch_losses_clear(struct rln__switch_losses *losses);

/* The first one of a part that ends after a time; NULL: none. */
const struct rln__switch_loss *
rln__switch_loss_after(const struct rln__switch_losses *losses, uint32_t part,
                       int64_t t_ns);

#endif
