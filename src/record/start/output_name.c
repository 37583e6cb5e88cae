/* SPDX-License-Identifier: Apache-2.0 */
/* output_name.c - expands the name of a trace, without regard to existing files. */
#include "record/start/output_name.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/file_name.h"
#include "console/die.h"
#include "console/ends_with.h"
#include "format/trace_path.h"

/* The value of -o, and what it names. */
struct named {
    const char *what, *pattern;
};

static _Noreturn void refuse(const struct named *name, const char *why)
{
    rln__complain("cannot name %s: output=\"%s\": %s", name->what, name->pattern, why);
    rln__hint("use %%h for the host, %%p for the program's pid, %%q{VAR} for a "
              "variable's value, %%%% for a percent sign");
    exit(RLN__EXIT_USAGE);
}

static const char *variable(const char *name)
{
    return getenv(name);
}

static _Noreturn void refuse_fault(const struct named *name, enum rln__path_fault fault,
                                   const char *at)
{
    if (fault == RLN__PATH_NO_SUCH_LETTER)
        refuse(name, "% is not followed by h, p, q or %");
    if (fault == RLN__PATH_NO_VARIABLE || at[3] == '}') /* after %q{ */
        refuse(name, "%q is not followed by {VAR}");
    rln__die(RLN__EXIT_USAGE, "cannot name %s: output=\"%s\": variable %.*s is not set",
             name->what, name->pattern, (int)strcspn(at + 3, "}"), at + 3);
}

/* Without one, the suffix alone would be the name, a file that ls hides. */
static bool has_file_name(const struct rln__path *path)
{
    const char *name = rln__file_name(path->text);

    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static _Noreturn void refuse_folder(const struct named *name)
{
    const char *pattern = name->pattern;
    const size_t n = strlen(pattern);
    char run[PATH_MAX + 8];

    rln__complain("cannot name %s: output=\"%s\": the file name is missing", name->what,
                  pattern);
    (void)snprintf(run, sizeof(run), "%s%srun", pattern,
                   n && pattern[n - 1] != '/' ? "/" : "");
    rln__hint("`-o %s`", run);
    exit(RLN__EXIT_USAGE);
}

/* Command lines made for nsys name the report. */
static void drop_nsys_suffix(struct rln__path *path)
{
    static const char *const suffixes[] = {".nsys-rep", ".qdrep"};

    for (size_t i = 0; i < RLN_COUNT(suffixes); i++) {
        if (!rln__ends_with(path->text, suffixes[i]))
            continue;
        path->used -= strlen(suffixes[i]);
        path->text[path->used] = '\0';
        rln__note("the name of the trace ends in " RLN__TRACE_SUFFIX
                  ": %s is Nsight's own format",
                  suffixes[i]);
    }
}

/* Allocates the text, and adds no suffix. */
static struct rln__path expand(const struct named *name, pid_t pid)
{
    const struct rln__path_pattern pattern = {name->pattern, (uint64_t)pid, variable};
    struct rln__path path = {malloc(PATH_MAX), 0, PATH_MAX, 1};
    enum rln__path_fault fault;
    const char *at;

    if (!path.text)
        rln__die(RLN__EXIT_FAILED, "cannot name %s: out of memory", name->what);
    fault = rln__path_expand(&path, &pattern, &at);
    if (fault)
        refuse_fault(name, fault, at);
    return path;
}

static char *checked(const struct named *name, const struct rln__path *path)
{
    if (!path->is_whole)
        rln__die(RLN__EXIT_USAGE, "cannot name %s: output=\"%s\": %s", name->what,
                 name->pattern, strerror(ENAMETOOLONG));
    return path->text;
}

char *rln__output_expand(const char *text, pid_t pid)
{
    const struct named name = {"trace", text};
    struct rln__path path = expand(&name, pid);

    drop_nsys_suffix(&path);
    if (!has_file_name(&path))
        refuse_folder(&name);
    if (!path.text[rln__path_stem(path.text)])
        rln__path_add(&path, RLN__TRACE_SUFFIX);
    return checked(&name, &path);
}

char *rln__output_expand_other(const char *text, pid_t pid, const char *suffix)
{
    const struct named name = {"output", text};
    struct rln__path path = expand(&name, pid);

    if (!has_file_name(&path))
        refuse_folder(&name);
    if (strcmp(text, "-") != 0 && !strchr(rln__file_name(path.text), '.'))
        rln__path_add(&path, suffix);
    return checked(&name, &path);
}

int rln__output_has_number(const char *path)
{
    const size_t stem = rln__path_stem(path);

    return stem > 0 && path[stem - 1] == '#';
}

char *rln__output_numbered(const char *path, unsigned number)
{
    char *numbered;
    int n;

    if (rln__output_has_number(path))
        n = asprintf(&numbered, "%.*s%u" RLN__TRACE_SUFFIX,
                     (int)rln__path_stem(path) - 1, path, number);
    else
        n = asprintf(&numbered, "%s", path);
    if (n < 0)
        rln__die(RLN__EXIT_FAILED, "cannot name trace: out of memory");
    return numbered;
}
