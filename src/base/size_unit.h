/* SPDX-License-Identifier: Apache-2.0 */
/* size_unit.h - reads the unit after a size: k, M, G or T in upper or lower case, with
 * or without B or iB. All are powers of 1024. */
#ifndef RLN_BASE_SIZE_UNIT_H
#define RLN_BASE_SIZE_UNIT_H

#include <string.h>

/* Returns what follows the unit; `*shift` is the power of two, 0 without a unit. */
static inline const char *rln__size_unit_read(const char *text, int *shift)
{
    static const char units[] = "kmgt";
    const char *unit = *text ? strchr(units, *text | 0x20) : NULL;

    *shift = 0;
    if (!unit)
        return text;
    *shift = 10 * (int)(unit - units + 1);
    text++;
    if ((text[0] | 0x20) == 'i' && (text[1] | 0x20) == 'b')
        return text + 2;
    return text + ((*text | 0x20) == 'b');
}

#endif
