/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/humane.h"
#include "rangeline/reader.h"

static const struct rln__unit units[] = {
    {"ns", "nsec|nanoseconds|ns", 0, 1},
    {"us", "usec|microseconds|us", 3, 1e3},
    {"ms", "msec|milliseconds|ms", 6, 1e6},
    {"s", "seconds|s", 9, 1e9},
};

const struct rln__unit *rln__unit_find(const char *name)
{
    const size_t length = strlen(name);
    const struct rln__unit *found = NULL;

    for (size_t i = 0; length && i < RLN_COUNT(units); i++) {
        for (const char *word = units[i].names; word; word = strchr(word, '|')) {
            word += *word == '|';
            if (strncmp(word, name, length) != 0)
                continue;
            if (strcspn(word, "|") == length)
                return &units[i];
            if (found && found != &units[i]) /* "m" */
                return NULL;
            found = &units[i];
        }
    }
    return found;
}

void rln__cell_text(struct rln__table *t, const char *text)
{
    rln__buf_text(&t->text, text);
    rln__table_cell(t);
}

void rln__cell_name(struct rln__table *t, rln_text text)
{
    rln__buf_add(&t->text, text.bytes, text.length);
    rln__table_cell(t);
}

void rln__cell_qualified(struct rln__table *t, rln_text domain, rln_text message)
{
    rln__buf_add(&t->text, domain.bytes, domain.length);
    rln__buf_char(&t->text, ':');
    rln__buf_add(&t->text, message.bytes, message.length);
    rln__table_cell(t);
}

void rln__cell_style(struct rln__table *t, rln_range_style style)
{
    rln__cell_text(t, style == RLN_RANGE_PUSH_POP    ? "PushPop"
                      : style == RLN_RANGE_START_END ? "StartEnd"
                                                     : "");
}

void rln__cell_count(struct rln__table *t, const struct rln__report_look *look,
                     uint64_t value)
{
    if (look->is_humane)
        rln__buf_count(&t->text, value);
    else
        rln__buf_u64(&t->text, value);
    rln__table_cell(t);
}

void rln__cell_plain(struct rln__table *t, uint64_t id, bool is_there)
{
    if (is_there)
        rln__buf_u64(&t->text, id);
    rln__table_cell(t);
}

void rln__cell_ns(struct rln__table *t, const struct rln__report_look *look,
                  uint64_t ns)
{
    if (look->is_humane)
        rln__buf_duration(&t->text, (double)ns);
    else if (look->unit->n_digits == 0)
        rln__buf_u64(&t->text, ns);
    else
        rln__buf_format(&t->text, "%.*f", (int)look->unit->n_digits,
                        (double)ns / look->unit->ns);
    rln__table_cell(t);
}

void rln__cell_signed(struct rln__table *t, const struct rln__report_look *look,
                      int64_t ns)
{
    if (ns < 0)
        rln__buf_char(&t->text, '-');
    rln__cell_ns(t, look, ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns);
}

void rln__cell_moment(struct rln__table *t, const struct rln__report_look *look,
                      int64_t ns)
{
    if (!look->is_humane) {
        rln__cell_signed(t, look, ns);
        return;
    }
    rln__buf_format(&t->text, "%.9f s", (double)ns / 1e9);
    rln__table_cell(t);
}

void rln__cell_computed(struct rln__table *t, const struct rln__report_look *look,
                        double ns)
{
    if (look->is_humane)
        rln__buf_duration(&t->text, ns);
    else
        rln__buf_format(&t->text, "%.*f", (int)look->unit->n_digits + 1,
                        ns / look->unit->ns);
    rln__table_cell(t);
}

void rln__cell_rounded(struct rln__table *t, const struct rln__report_look *look,
                       double value)
{
    const double size = fabs(value);

    if (size < 1e15 && (size >= 99999.5 || !(size > trunc(size)))) {
        rln__cell_integer(t, look, RLN_PAYLOAD_I64, (uint64_t)llround(value));
        return;
    }
    if (isfinite(value))
        rln__buf_format(&t->text, "%.6g", value);
    rln__table_cell(t);
}

void rln__cell_number(struct rln__table *t, const struct rln__report_look *look,
                      double value)
{
    char text[40] = "";

    if (look->is_humane || look->is_aligned) {
        rln__cell_rounded(t, look, value);
        return;
    }
    for (int digits = 15; isfinite(value); digits++) {
        (void)snprintf(text, sizeof(text), "%.*g", digits, value);
        if (digits == 17 || strtod(text, NULL) == value)
            break;
    }
    rln__buf_text(&t->text, text);
    rln__table_cell(t);
}

void rln__cell_rate(struct rln__table *t, const struct rln__report_look *look,
                    double ns)
{
    if (!look->is_humane) {
        rln__cell_number(t, look, ns / look->unit->ns);
        return;
    }
    if (ns < 0)
        rln__buf_char(&t->text, '-');
    if (fabs(ns) < 999.5)
        rln__buf_format(&t->text, "%.3g ns", fabs(ns));
    else
        rln__buf_duration(&t->text, fabs(ns));
    rln__table_cell(t);
}

void rln__cell_integer(struct rln__table *t, const struct rln__report_look *look,
                       uint8_t type, uint64_t bits)
{
    const bool is_negative = type == RLN_PAYLOAD_I64 && (int64_t)bits < 0;

    if (is_negative)
        rln__buf_char(&t->text, '-');
    rln__cell_count(t, look, is_negative ? 0 - bits : bits);
}

void rln__cell_percent(struct rln__table *t, uint64_t part, uint64_t whole)
{
    rln__buf_format(&t->text, "%.1f",
                    whole ? 100.0 * (double)part / (double)whole : 0.0);
    rln__table_cell(t);
}

void rln__cell_bar(struct rln__table *t, uint64_t part, uint64_t whole)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const unsigned n =
        whole ? (unsigned)(80.0 * (double)part / (double)whole + 0.5) : 0;

    for (unsigned i = 0; i < n / 8; i++)
        rln__buf_text(&t->text, "█");
    rln__buf_text(&t->text, eighths[n % 8]);
    rln__table_cell(t);
}
