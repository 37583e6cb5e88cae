/* SPDX-License-Identifier: Apache-2.0 */
/* top_page.h - prints a refresh of `rangeline top`, for people and for programs. */
#ifndef RLN_CLI_COMMANDS_TOP_PAGE_H
#define RLN_CLI_COMMANDS_TOP_PAGE_H

#include "base/buf.h"
#include "rangeline/live.h"

#include <stdbool.h>

enum rln__top_order {
    RLN__TOP_BY_TIME,
    RLN__TOP_BY_SELF,
    RLN__TOP_BY_CALLS,
    RLN__TOP_BY_MAX,
    RLN__TOP_BY_OPEN,
    RLN__TOP_BY_NAME,
    RLN__TOP_N_ORDERS
};

/* Words of --sort, and keys. */
extern const struct rln__top_order_info {
    const char *name; /* "time" */
    char key;
} rln__top_orders[RLN__TOP_N_ORDERS];

struct rln__top {
    const rln_live *live;
    const char *name;  /* of the trace */
    const char *state; /* why nothing is recorded now; or NULL */
    uint64_t n_bytes;  /* of the trace */
    uint64_t n_lost;   /* of the whole run, and since the previous refresh */
    uint64_t n_lost_now;
    bool is_first; /* all earlier events, not only new ones */
    bool has_color;
    bool is_ascii; /* of bars */
    enum rln__top_order order;
    size_t rows, columns; /* of the screen; 0: no limit */
};

void rln__top_page(const struct rln__top *top, struct rln__buf *out);

#endif
