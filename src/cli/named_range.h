/* SPDX-License-Identifier: Apache-2.0 */
/* named_range.h - ranges as options name them: MESSAGE[@DOMAIN], where a backslash
 * takes the next character as it is. */
#ifndef RLN_CLI_NAMED_RANGE_H
#define RLN_CLI_NAMED_RANGE_H

struct rln__named_range {
    char *message;      /* owned */
    const char *domain; /* inside of it; NULL: the default one; "*": any */
};

/* Cuts up `text`, and keeps it. */
void rln__named_range_read(struct rln__named_range *range, char *text);

/* The last `c` that no backslash takes as it is, or NULL. */
char *rln__last_unescaped(char *text, char c);

#endif
