/* SPDX-License-Identifier: Apache-2.0 */
/* trace_path.c - expands path patterns into an array, without libc. */
#include "format/trace_path.h"

#include "base/sys.h"

void rln__path_char(struct rln__path *path, char c)
{
    if (path->used + 1 < path->room)
        path->text[path->used++] = c;
    else
        path->is_whole = 0;
    path->text[path->used] = 0;
}

void rln__path_add(struct rln__path *path, const char *text)
{
    while (*text)
        rln__path_char(path, *text++);
}

size_t rln__path_decimal(char to[24], uint64_t n)
{
    char digits[24];
    size_t n_digits = 0;

    do
        digits[n_digits++] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    for (size_t i = 0; i < n_digits; i++)
        to[i] = digits[n_digits - 1 - i];
    to[n_digits] = 0;
    return n_digits;
}

size_t rln__path_stem(const char *path)
{
    size_t n = 0;

    while (path[n])
        n++;
    if (n >= 4 && path[n - 4] == '.' && path[n - 3] == 'r' && path[n - 2] == 'l' &&
        path[n - 1] == 'n')
        return n - 4;
    return n;
}

/* `*at` points after "%q", and moves past "{VAR}". */
static enum rln__path_fault add_variable(struct rln__path *path,
                                         const struct rln__path_pattern *pattern,
                                         const char **at)
{
    char name[256];
    size_t n = 0;
    const char *value;

    if (**at != '{')
        return RLN__PATH_NO_VARIABLE;
    for (; (*at)[n + 1] && (*at)[n + 1] != '}' && n + 1 < sizeof name; n++)
        name[n] = (*at)[n + 1];
    name[n] = 0;
    if ((*at)[n + 1] != '}')
        return RLN__PATH_NO_VARIABLE;
    *at += n + 2;
    value = pattern->variable(name);
    rln__path_add(path, value ? value : "");
    return value ? RLN__PATH_OK : RLN__PATH_UNSET_VARIABLE;
}

/* `*at` points after "%", and moves past the letter and its argument. */
static enum rln__path_fault add_expansion(struct rln__path *path,
                                          const struct rln__path_pattern *pattern,
                                          const char **at)
{
    struct utsname system;
    char pid[24];

    switch (*(*at)++) {
    case '%':
        rln__path_char(path, '%');
        return RLN__PATH_OK;
    case 'h':
        rln__path_add(path, rln__sys_uname(&system) == 0 ? system.nodename : "");
        return RLN__PATH_OK;
    case 'p':
        rln__path_decimal(pid, pattern->pid);
        rln__path_add(path, pid);
        return RLN__PATH_OK;
    case 'q':
        return add_variable(path, pattern, at);
    default:
        (*at)--; /* it may be the terminator */
        return RLN__PATH_NO_SUCH_LETTER;
    }
}

enum rln__path_fault rln__path_expand(struct rln__path *path,
                                      const struct rln__path_pattern *pattern,
                                      const char **at)
{
    enum rln__path_fault first = RLN__PATH_OK;
    const char *next = pattern->text;

    path->text[path->used] = 0;
    while (*next) {
        const char *begin = next++;
        enum rln__path_fault fault;

        if (*begin != '%') {
            rln__path_char(path, *begin);
            continue;
        }
        fault = add_expansion(path, pattern, &next);
        if (fault && !first) {
            first = fault;
            *at = begin;
        }
        if (fault == RLN__PATH_NO_SUCH_LETTER || fault == RLN__PATH_NO_VARIABLE) {
            while (begin < next)
                rln__path_char(path, *begin++);
        }
    }
    if (!first)
        *at = next;
    return first;
}
