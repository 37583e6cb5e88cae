/* SPDX-License-Identifier: Apache-2.0 */
/* table_style.h - what may follow a format's name, as in nsys. */
#ifndef RLN_CLI_SHOW_TABLE_STYLE_H
#define RLN_CLI_SHOW_TABLE_STYLE_H

#include "table/table.h"

void rln__table_style_clear(struct rln__table_style *style);

/* Reads what follows a format's name and its first colon: words separated by colons.
 * `*unit` is the borrowed value of "time=UNIT", with its length. Returns the invalid
 * word, or NULL. */
const char *rln__table_style_read(struct rln__table_style *style, const char *words,
                                  const char **unit, size_t *unit_length);

#endif
