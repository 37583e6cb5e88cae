/* SPDX-License-Identifier: Apache-2.0 */
/* named_range.h - ranges as options name them: MESSAGE[@DOMAIN], where a backslash
 * escapes the next character. */
#ifndef RLN_CLI_INPUTS_NAMED_RANGE_H
#define RLN_CLI_INPUTS_NAMED_RANGE_H

struct rln__named_range {
    char *message;      /* owned */
    const char *domain; /* within `message`; NULL: the default one; "*": any */
};

/* Splits `text`, and takes it over. */
void rln__named_range_read(struct rln__named_range *range, char *text);

/* The last `c` that no backslash escapes, or NULL. */
char *rln__last_unescaped(char *text, char c);

#endif
