/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time_span.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NS 9e18

/* The longest words first: "min" is not "m". */
static const struct {
    const char *name;
    double ns;
} units[] = {
    {"nsec", 1},  {"usec", 1e3}, {"msec", 1e6}, {"hour", 3600e9},
    {"sec", 1e9}, {"min", 60e9}, {"ns", 1},     {"us", 1e3},
    {"ms", 1e6},  {"s", 1e9},    {"m", 60e9},   {"h", 3600e9},
};

static const char *read_unit(const char *text, double *ns)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        const size_t length = strlen(units[i].name);

        if (strncmp(text, units[i].name, length) == 0) {
            *ns = units[i].ns;
            return text + length;
        }
    }
    *ns = 1;
    return text;
}

/* One number with its unit; NULL if there is none. */
static const char *read_amount(const char *text, double *ns)
{
    const char *digits = text + (*text == '+' || *text == '-');
    double unit;
    char *end;

    if (!strchr(".0123456789", *digits) || !*digits || digits[1] == 'x' ||
        digits[1] == 'X')
        return NULL;
    *ns = strtod(text, &end);
    if (end == text)
        return NULL;
    text = read_unit(end, &unit);
    *ns *= unit;
    return text;
}

/* 1s2ms3us: the first sign applies to all. */
const char *rln__time_read(const char *text, int64_t *out)
{
    const int is_negative = *text == '-';
    double ns, more;
    const char *end = read_amount(text, &ns);

    if (!end)
        return NULL;
    for (text = end; *text && strchr(".0123456789", *text); text = end) {
        end = read_amount(text, &more);
        if (!end)
            return NULL;
        ns += is_negative ? -more : more;
    }
    if (!(fabs(ns) < MOST_NS))
        return NULL;
    *out = (int64_t)llround(ns);
    return text;
}

const char *rln__time_span_read(const char *text, int64_t *start_ns, int64_t *end_ns)
{
    const int has_start = *text != '/';
    const char *end;

    *start_ns = INT64_MIN / 2;
    *end_ns = INT64_MAX / 2;
    if (has_start)
        text = rln__time_read(text, start_ns);
    if (!text || *text++ != '/')
        return NULL;
    end = *text && *text != ':' && *text != ',' ? rln__time_read(text, end_ns) : NULL;
    if (end)
        text = end;
    else if (!has_start || (*text && *text != ':' && *text != ','))
        return NULL;
    return *end_ns < *start_ns ? NULL : text;
}
