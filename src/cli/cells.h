/* SPDX-License-Identifier: Apache-2.0 */
/* cells.h - what stands in the cells of reports, as the user wants to look at it. */
#ifndef RLN_CLI_CELLS_H
#define RLN_CLI_CELLS_H

#include "cli/table.h"
#include "rangeline/model.h"

struct rln__unit {
    const char *name;  /* "ns", as in headers */
    const char *names; /* what the command line may call it */
    unsigned n_digits; /* so many decimals lose nothing */
    double ns;
};

struct rln__report_look {
    const struct rln__unit *unit;
    bool is_humane;  /* units and bars, for a terminal */
    bool has_unit;   /* the user named it, so the tree uses it too */
    bool is_aligned; /* column or table */
    bool has_color;
};

/* The unit that `name` is, or that alone it is a beginning of; else NULL. */
const struct rln__unit *rln__unit_find(const char *name);

/* Each appends one cell. */
void rln__cell_text(struct rln__table *t, const char *text);
void rln__cell_name(struct rln__table *t, rln_text text);
/* "domain:message" */
void rln__cell_qualified(struct rln__table *t, rln_text domain, rln_text message);
/* "PushPop" or "StartEnd", as nsys calls them; nothing for another. */
void rln__cell_style(struct rln__table *t, rln_range_style style);
void rln__cell_count(struct rln__table *t, const struct rln__report_look *look,
                     uint64_t value);
/* A number that is not for reading, such as an id: all digits and nothing else, or
 * nothing. */
void rln__cell_plain(struct rln__table *t, uint64_t id, bool is_there);
/* A whole number of nanoseconds. */
void rln__cell_ns(struct rln__table *t, const struct rln__report_look *look,
                  uint64_t ns);
/* The same of what may be less than nothing. */
void rln__cell_signed(struct rln__table *t, const struct rln__report_look *look,
                      int64_t ns);
/* A moment, which may lie before the trace began: never rounded, or all moments of a
 * second would be the same. */
void rln__cell_moment(struct rln__table *t, const struct rln__report_look *look,
                      int64_t ns);
/* One that was computed: one decimal of a nanosecond. */
void rln__cell_computed(struct rln__table *t, const struct rln__report_look *look,
                        double ns);
/* A time for each of something, of which there may be many in a nanosecond. */
void rln__cell_rate(struct rln__table *t, const struct rln__report_look *look,
                    double ns);
/* A number of no unit of time: the fewest digits that mean the same again or, in what
 * is aligned for people, so many as they read. Nothing if it is not finite. */
void rln__cell_number(struct rln__table *t, const struct rln__report_look *look,
                      double value);
/* As many digits as people read, and all of an integer. Nothing if it is not finite. */
void rln__cell_rounded(struct rln__table *t, const struct rln__report_look *look,
                       double value);
/* All digits of a 64-bit integer of RLN_PAYLOAD_I64 or _U64. */
void rln__cell_integer(struct rln__table *t, const struct rln__report_look *look,
                       uint8_t type, uint64_t bits);
void rln__cell_percent(struct rln__table *t, uint64_t part, uint64_t whole);
/* Ten blocks at most, by eighths, so that the longest name is easy to see. */
void rln__cell_bar(struct rln__table *t, uint64_t part, uint64_t whole);

#endif
