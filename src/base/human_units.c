/* SPDX-License-Identifier: Apache-2.0 */
#include "base/human_units.h"

void rln__buf_duration(struct rln__buf *buf, double ns)
{
    if (ns < 999.5)
        rln__buf_format(buf, "%.0f ns", ns);
    else if (ns < 999.95e3)
        rln__buf_format(buf, "%.1f us", ns / 1e3);
    else if (ns < 999.95e6)
        rln__buf_format(buf, "%.1f ms", ns / 1e6);
    else if (ns < 119.995e9)
        rln__buf_format(buf, "%.2f s", ns / 1e9);
    else if (ns < 7200e9)
        rln__buf_format(buf, "%.0f min %.0f s", (double)(uint64_t)(ns / 60e9),
                        (double)((uint64_t)(ns / 1e9) % 60));
    else
        rln__buf_format(buf, "%.1f h", ns / 3600e9);
}

void rln__buf_size(struct rln__buf *buf, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = (double)bytes;
    size_t unit = 0;

    while (value >= 1023.95 && unit + 1 < sizeof(units) / sizeof(units[0])) {
        value /= 1024;
        unit++;
    }
    rln__buf_format(buf, "%.*f %s", unit ? 1 : 0, value, units[unit]);
}

void rln__buf_seconds(struct rln__buf *buf, int64_t ns)
{
    uint64_t left = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    char text[32];
    size_t at = sizeof(text);

    for (int i = 0; i < 9; i++, left /= 10)
        text[--at] = (char)('0' + left % 10);
    text[--at] = '.';
    do {
        text[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (ns < 0)
        text[--at] = '-';
    while (sizeof(text) - at < 14)
        text[--at] = ' ';
    rln__buf_add(buf, text + at, sizeof(text) - at);
}
