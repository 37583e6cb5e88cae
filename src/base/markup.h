/* SPDX-License-Identifier: Apache-2.0 */
/* markup.h - escapes text for HTML and XML. */
#ifndef RLN_BASE_MARKUP_H
#define RLN_BASE_MARKUP_H

#include "base/buf.h"

/* Appends valid UTF-8 without control characters as the content of an element or the
 * value of an attribute. U+FFFE and U+FFFF, which XML forbids, become U+FFFD. */
void rln__buf_markup(struct rln__buf *buf, const char *bytes, size_t length);

#endif
