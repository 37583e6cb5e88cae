/* SPDX-License-Identifier: Apache-2.0 */
/* renaming.h - rewrites names by rules, for example to merge names that differ only in
 * a number.
 *
 *     step 12, step 13   --numbers-->           step #
 *     a.png, b.png       --s,.+[.],any .,-->    any .png
 *
 * A rule is the word `numbers`, or a substitution as in sed: s/PATTERN/TEXT/ with any
 * character instead of the slashes, an extended regular expression, & and \1 to \9 in
 * the text, and the flags g (all matches in a name) and i (any case). Each rule applies
 * to the result of the previous ones. A name that they lengthen by more than
 * RLN__RENAME_MOST_GROWTH bytes is cut there and ends with [...].
 */
#ifndef RLN_BASE_RENAMING_H
#define RLN_BASE_RENAMING_H

#include "base/buf.h"
#include "rangeline/error.h"

#define RLN__RENAME_MOST_GROWTH 4096u

struct rln__rename_rule;

/* If zeroed, it leaves names alone. */
struct rln__renaming {
    struct rln__rename_rule *rules; /* owned */
    size_t n, capacity;
    struct rln__buf name, next; /* owned: the name on its way through the rules */
};

/* Does not keep `rule`. RLN_ERR_NOMEM, RLN_ERR_ARGUMENT: `rule` is invalid. */
rln_status rln__renaming_add(struct rln__renaming *renaming, const char *rule,
                             rln_error *err);
void rln__renaming_clear(struct rln__renaming *renaming);

/* The new name: `name` itself, or text that is borrowed until the next call. Without
 * `bytes` if there is no memory. */
rln_text rln__rename(struct rln__renaming *renaming, rln_text name);

/* `name` with # in place of each number, added to `out`. A number is
 *
 *     12   3.5   1e-05      digits, perhaps with a fraction and a signed exponent
 *     0x7f12ab              hexadecimal digits with that prefix,
 *     7ffe1234ab            or a whole word of at least eight, digits and letters,
 *     123e4567-e89b-...     or a UUID
 *
 * so that conv2d becomes conv#d, and layer.3.weight layer.#.weight. */
void rln__fold_numbers(struct rln__buf *out, rln_text name);

#endif
