/* SPDX-License-Identifier: Apache-2.0 */
/* variables.h - the environment variables that a program is started with. */
#ifndef RLN_RECORD_START_VARIABLES_H
#define RLN_RECORD_START_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>

struct rln__variables {
    char **assignments; /* owned, "A=B" each */
    size_t n_assignments;
};

/* Adds one assignment. Dies if memory is out. */
void rln__variables_add(struct rln__variables *v, const char *name, const char *value);

/* Adds those of "A=B,C=D"; \, is a comma. Dies with exit 2 on a part without "=". */
void rln__variables_parse(struct rln__variables *v, const char *list);

/* The value of a variable: the last one given, else the inherited one if `inherits`;
 * NULL if there is none. Borrowed. */
const char *rln__variables_find(const struct rln__variables *v, const char *name,
                                bool inherits);

void rln__variables_clear(struct rln__variables *v);

#endif
