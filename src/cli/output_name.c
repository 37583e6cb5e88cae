/* SPDX-License-Identifier: Apache-2.0 */
/* output_name.c - expands the name of a trace. Knows nothing of files that exist. */
#include "cli/output_name.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/die.h"

#define SUFFIX ".rln"

static _Noreturn void refuse(const char *pattern, const char *why)
{
    rln__complain("cannot name trace: output=\"%s\": %s", pattern, why);
    rln__hint("%%h is the host, %%p the program's pid, %%q{VAR} a variable's value, "
              "%%%% a percent sign");
    exit(RLN__EXIT_USAGE);
}

/* The value of %q{VAR}, which begins at `at`; *end is set behind it. */
static const char *variable(const char *pattern, const char *at, const char **end)
{
    const char *close = strchr(at, '}');
    char name[256];
    const char *value;

    if (at[1] != '{' || !close || close - at - 2 >= (ptrdiff_t)sizeof(name))
        refuse(pattern, "%q is not followed by {VAR}");
    (void)snprintf(name, sizeof(name), "%.*s", (int)(close - at - 2), at + 2);
    value = getenv(name);
    if (!value) {
        rln__complain("cannot name trace: output=\"%s\": variable %s is not set",
                      pattern, name);
        exit(RLN__EXIT_USAGE);
    }
    *end = close + 1;
    return value;
}

char *rln__output_expand(const char *pattern, pid_t pid)
{
    char *path = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&path, &size);
    const size_t length = strlen(pattern);
    char host[256] = "";

    if (!out)
        rln__die(RLN__EXIT_FAILED, "cannot name trace: out of memory");
    if (!length || pattern[length - 1] == '/')
        refuse(pattern, "the name of the file is missing");
    (void)gethostname(host, sizeof(host) - 1);
    for (const char *at = pattern; *at;) {
        if (*at != '%') {
            (void)fputc(*at++, out);
            continue;
        }
        at += 2;
        switch (at[-1]) {
        case '%':
            (void)fputc('%', out);
            break;
        case 'h':
            (void)fputs(host, out);
            break;
        case 'p':
            (void)fprintf(out, "%d", (int)pid);
            break;
        case 'q':
            (void)fputs(variable(pattern, at - 1, &at), out);
            break;
        default:
            refuse(pattern, "what follows % is not one of h, p, q, %");
        }
    }
    (void)fflush(out);
    if (size < strlen(SUFFIX) || strcmp(path + size - strlen(SUFFIX), SUFFIX) != 0)
        (void)fputs(SUFFIX, out);
    if (fclose(out) != 0)
        rln__die(RLN__EXIT_FAILED, "cannot name trace: out of memory");
    return path;
}

int rln__output_has_number(const char *path)
{
    const size_t length = strlen(path);

    return length > strlen(SUFFIX) && path[length - strlen(SUFFIX) - 1] == '#';
}

char *rln__output_numbered(const char *path, unsigned number)
{
    char *numbered;
    int n;

    if (rln__output_has_number(path))
        n = asprintf(&numbered, "%.*s%u%s", (int)(strlen(path) - strlen(SUFFIX) - 1),
                     path, number, SUFFIX);
    else
        n = asprintf(&numbered, "%s", path);
    if (n < 0)
        rln__die(RLN__EXIT_FAILED, "cannot name trace: out of memory");
    return numbered;
}
