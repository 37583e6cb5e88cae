/* SPDX-License-Identifier: Apache-2.0 */
/* percent.h - text as a part of a URI. */
#ifndef RLN_BASE_PERCENT_H
#define RLN_BASE_PERCENT_H

#include "base/buf.h"

/* Appends the text; bytes other than letters and digits of ASCII, "-_.~" and those of
 * `also` become %XX. */
void rln__buf_percent(struct rln__buf *buf, const char *bytes, size_t length,
                      const char *also);

#endif
