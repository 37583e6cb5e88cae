/* SPDX-License-Identifier: Apache-2.0 */
/* variables.c - a list of assignments, and the reading of `-e A=B,C=D`. */
#include "record/start/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/die.h"

/* The last assignment to a variable counts. */
static void add_owned(struct rln__variables *v, char *assignment)
{
    char **grown =
        realloc(v->assignments, (v->n_assignments + 1) * sizeof(*v->assignments));

    if (!grown || !assignment)
        rln__die(RLN__EXIT_FAILED, "cannot set variable: out of memory");
    v->assignments = grown;
    for (size_t i = 0; i < v->n_assignments; i++) {
        const size_t n = strcspn(assignment, "=") + 1;

        if (strncmp(grown[i], assignment, n) == 0) {
            free(grown[i]);
            grown[i] = assignment;
            return;
        }
    }
    v->assignments[v->n_assignments++] = assignment;
}

void rln__variables_add(struct rln__variables *v, const char *name, const char *value)
{
    char *assignment;

    if (asprintf(&assignment, "%s=%s", name, value) < 0)
        assignment = NULL;
    add_owned(v, assignment);
}

static void check(const char *assignment)
{
    const char *equals = strchr(assignment, '=');

    if (equals && equals != assignment)
        return;
    rln__complain("cannot set variable: env-var=\"%s\": not of the form NAME=VALUE",
                  assignment);
    rln__hint("separate variables with commas; write \\, for a comma in a value");
    exit(RLN__EXIT_USAGE);
}

void rln__variables_parse(struct rln__variables *v, const char *list)
{
    do {
        char *assignment = malloc(strlen(list) + 1);
        char *to = assignment;

        if (!assignment)
            rln__die(RLN__EXIT_FAILED, "cannot set variable: out of memory");
        while (*list && *list != ',') {
            list += list[0] == '\\' && list[1] == ',';
            *to++ = *list++;
        }
        *to = '\0';
        check(assignment);
        add_owned(v, assignment);
    } while (*list++ == ',');
}

const char *rln__variables_find(const struct rln__variables *v, const char *name,
                                bool inherits)
{
    const size_t length = strlen(name);

    for (size_t i = v->n_assignments; i > 0; i--) {
        const char *assignment = v->assignments[i - 1];

        if (strncmp(assignment, name, length) == 0 && assignment[length] == '=')
            return assignment + length + 1;
    }
    return inherits ? getenv(name) : NULL;
}

void rln__variables_clear(struct rln__variables *v)
{
    for (size_t i = 0; i < v->n_assignments; i++)
        free(v->assignments[i]);
    free(v->assignments);
    *v = (struct rln__variables){0};
}
