/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thousands.h"

#include <inttypes.h>
#include <stdio.h>

void rln__buf_thousands(struct rln__buf *buf, const char *number, size_t length)
{
    size_t n_digits = 0, sign = length && number[0] == '-';

    while (sign + n_digits < length && number[sign + n_digits] >= '0' &&
           number[sign + n_digits] <= '9')
        n_digits++;
    rln__buf_add(buf, number, sign);
    for (size_t i = 0; i < n_digits; i++) {
        if (i && (n_digits - i) % 3 == 0)
            rln__buf_char(buf, ',');
        rln__buf_char(buf, number[sign + i]);
    }
    rln__buf_add(buf, number + sign + n_digits, length - sign - n_digits);
}

void rln__buf_count(struct rln__buf *buf, uint64_t value)
{
    char digits[24];
    const int n = snprintf(digits, sizeof(digits), "%" PRIu64, value);

    rln__buf_thousands(buf, digits, (size_t)n);
}

void rln__buf_counted(struct rln__buf *buf, uint64_t value, const char *one,
                      const char *many)
{
    rln__buf_count(buf, value);
    rln__buf_char(buf, ' ');
    rln__buf_text(buf, value == 1 ? one : many);
}
