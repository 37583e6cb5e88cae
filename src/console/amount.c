/* SPDX-License-Identifier: Apache-2.0 */
#include "console/amount.h"
#include "base/size_unit.h"
#include "base/time_span.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SECONDS 3.2e9
#define MOST_BYTES 9.2e18

/* No sign, no "inf", no "0x": a number begins with a digit or a point. */
static const char *read_number(const char *text, double *out)
{
    char *end;

    if (!strchr(".0123456789", *text) || !*text || text[1] == 'x' || text[1] == 'X')
        return NULL;
    *out = strtod(text, &end);
    return end == text ? NULL : end;
}

bool rln__amount_seconds(const char *text, uint64_t *ns)
{
    double seconds;
    const char *end = read_number(text, &seconds);
    int64_t with_units;

    if (!end)
        return false;
    if (*end) {
        end = rln__time_read(text, &with_units);
        if (!end || *end)
            return false;
        seconds = (double)with_units / 1e9;
    }
    if (seconds > MOST_SECONDS)
        return false;
    *ns = (uint64_t)llround(seconds * 1e9);
    return true;
}

bool rln__amount_bytes(const char *text, uint64_t *bytes)
{
    double number;
    const char *end = read_number(text, &number);
    int shift;

    if (!end || !*end || *rln__size_unit_read(end, &shift))
        return false;
    number = ldexp(number, shift);
    if (number > MOST_BYTES)
        return false;
    *bytes = (uint64_t)number;
    return true;
}
