/* SPDX-License-Identifier: Apache-2.0 */
/* wildcard.h - patterns with * (any text) and ? (any byte); \ takes away their meaning.
 */
#ifndef RLN_BASE_WILDCARD_H
#define RLN_BASE_WILDCARD_H

#include "rangeline/error.h"

/* Whether all of `text` matches. Texts of a trace may hold any bytes, so fnmatch() will
 * not do. */
int rln__matches(const char *pattern, rln_text text);

#endif
