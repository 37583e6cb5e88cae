/* SPDX-License-Identifier: Apache-2.0 */
/* python_program.c - python_program.h.
 *
 * The Python packages are found relative to this command, which in a wheel is part of
 * them, and in a build tree beside them; else through the interpreter that runs the
 * program. */
#include "record/start/python_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file_name.h"
#include "console/die.h"
#include "console/find_program.h"

extern char **environ;

/* The interpreter of scripts, and of what starts one without naming it. */
#define USUAL "python3"

static char *format(const char *pattern, const char *a, const char *b)
{
    char *text;

    if (asprintf(&text, pattern, a, b) < 0)
        rln__die(RLN__EXIT_FAILED, "cannot prepare program: out of memory");
    return text;
}

/* --- The interpreter -------------------------------------------------------------- */

bool rln__is_python(const char *program)
{
    const char *name = rln__file_name(program);

    return strncmp(name, "python", 6) == 0 && !strstr(name, ".py");
}

/* The interpreter in a script's first line, without `env`; NULL if that is not
 * Python. */
static char *interpreter_of(const char *path)
{
    char line[PATH_MAX];
    FILE *in = fopen(path, "r");
    const bool has_line = in && fgets(line, sizeof(line), in);
    char *rest, *word;

    if (in)
        (void)fclose(in);
    if (!has_line || strncmp(line, "#!", 2) != 0)
        return NULL;
    word = strtok_r(line + 2, " \t\n", &rest);
    while (word && (strcmp(rln__file_name(word), "env") == 0 || word[0] == '-'))
        word = strtok_r(NULL, " \t\n", &rest);
    return word && rln__is_python(word) ? strdup(word) : NULL;
}

bool rln__mentions_python(const char *path)
{
    enum { MOST_BYTES = 1 << 16 };
    char *text = malloc(MOST_BYTES);
    FILE *in = fopen(path, "re");
    const size_t n = text && in ? fread(text, 1, MOST_BYTES, in) : 0;
    const bool does =
        n > 2 && memcmp(text, "#!", 2) == 0 && memmem(text, n, "python", 6);

    if (in)
        (void)fclose(in);
    free(text);
    return does;
}

static bool is_script(const char *word)
{
    const size_t n = strlen(word);

    return n > 3 && strcmp(word + n - 3, ".py") == 0 && access(word, R_OK) == 0;
}

/* Owned: the interpreter that runs these words. NULL: none, but what they run may start
 * any. */
static char *interpreter_for(char *const *words)
{
    char path[PATH_MAX];
    int error;

    if (rln__is_python(words[0]))
        return strdup(words[0]);
    if (is_script(words[0]))
        return strdup(USUAL);
    error = rln__find_program(words[0], path);
    return error == 0 || error == EACCES ? interpreter_of(path) : NULL;
}

/* --- The package ------------------------------------------------------------------ */

/* The folder two levels above this program, which has `bin` and `lib`. */
static void find_prefix(char out[PATH_MAX])
{
    const ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);

    out[n > 0 ? n : 0] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(out, '/');

        if (slash)
            *slash = '\0';
    }
}

/* What begins the answer: a sitecustomize may print, too. */
#define ANSWER "rangeline is in "

/* Fills `answer` with the line that `words` print, from ANSWER on. */
static bool read_answer(char *const words[], char *answer, size_t size)
{
    posix_spawn_file_actions_t actions;
    int ends[2], error;
    bool has_answer = false;
    FILE *in;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[1]);
    in = fdopen(ends[0], "r");
    while (in && !error && !has_answer && fgets(answer, (int)size, in))
        has_answer = strncmp(answer, ANSWER, strlen(ANSWER)) == 0;
    if (in)
        (void)fclose(in);
    if (!error)
        (void)waitpid(child, NULL, 0);
    return has_answer;
}

/* The file in the package that the interpreter would import; NULL if there is none. The
 * working directory does not count, as for a script elsewhere. */
static char *ask_interpreter(const char *python, const char *file)
{
    static const char question[] =
        "import sys, importlib.util as u; sys.path = [p for p in sys.path if p]; "
        "s = u.find_spec('rangeline'); "
        "print('\\n" ANSWER
        "' + (s.submodule_search_locations[0] if s and s.origin else ''))";
    char *words[] = {(char *)python, "-c", (char *)question, NULL};
    char answer[PATH_MAX], *path;
    const char *const folder = answer + strlen(ANSWER);

    if (!read_answer(words, answer, sizeof(answer)))
        return NULL;
    answer[strcspn(answer, "\n")] = '\0';
    path = format("%s/%s", folder, file);
    if (*folder && access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* In a folder below the prefix; NULL if it is not there. */
static char *find_below(const char *prefix, const char *pattern, const char *file)
{
    char *path = format(pattern, prefix, file);

    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static char *find_file(const char *python, const char *file, const char *what)
{
    const char *given = getenv("RANGELINE_PYTHON");
    char prefix[PATH_MAX];
    char *path;

    if (given && *given) {
        path = format("%s/%s", given, file);
        if (access(path, R_OK) == 0)
            return path;
        rln__complain("cannot %s: path=\"%s\": %s", what, path, strerror(errno));
        rln__hint("`pip install .`; in a build tree, `cmake -S python -B build/python "
                  "&& cmake --build build/python`; or set RANGELINE_PYTHON to the "
                  "folder of the package rangeline");
        exit(RLN__EXIT_USAGE);
    }
    find_prefix(prefix);
    path = find_below(prefix, "%s/../%s", file);
    if (!path)
        path = find_below(prefix, "%s/python/package/rangeline/%s", file);
    return path ? path : ask_interpreter(python, file);
}

static _Noreturn void die_without_package(const char *python, const char *what)
{
    rln__complain("cannot %s: program=\"%s\": package rangeline is not installed", what,
                  python);
    rln__hint("`%s -m pip install .` in a clone (or a wheel's path for `.`), or set "
              "RANGELINE_PYTHON to the folder of the package",
              python);
    exit(RLN__EXIT_USAGE);
}

char *rln__python_file(const char *python, const char *file, const char *what)
{
    char *path = find_file(python, file, what);

    if (!path)
        die_without_package(python, what);
    return path;
}

/* --- PYTHONPATH ------------------------------------------------------------------- */

/* Puts `folder`, in the package, first into the program's PYTHONPATH. Frees it. */
static void prepend_path(struct rln__variables *variables, bool inherits_environment,
                         char *folder)
{
    const char *others =
        rln__variables_find(variables, "PYTHONPATH", inherits_environment);
    char *path = others && *others ? format("%s:%s", folder, others) : strdup(folder);

    if (!path)
        rln__die(RLN__EXIT_FAILED, "cannot prepare program: out of memory");
    rln__variables_add(variables, "PYTHONPATH", path);
    free(path);
    free(folder);
}

/* The folder of the package that contains `file`; dies naming `what` it is needed for.
 * `words` run the program. If that may start any Python, one of them may have the
 * package though the usual one lacks it: the hook is also installed by itself. */
static char *package_folder(char *const *words, const char *folder, const char *file,
                            const char *what)
{
    char *const known = interpreter_for(words);
    const char *const python = known ? known : USUAL;
    char prefix[PATH_MAX];
    char *path = find_file(python, file, what);

    find_prefix(prefix);
    if (!path && !known)
        path = find_below(prefix, "%s/share/rangeline/%s", file);
    if (!path)
        die_without_package(python, what);
    free(known);
    path[strlen(path) - strlen(file) + strlen(folder)] = '\0';
    return path;
}

void rln__python_stand_in(struct rln__variables *variables, bool inherits_environment,
                          char *const *words)
{
    prepend_path(variables, inherits_environment,
                 package_folder(words, "standin", "standin/nvtx/__init__.py",
                                "replace nvtx by rangeline"));
}

/* --- Every Python of the run ------------------------------------------------------ */

void rln__python_hook(struct rln__variables *variables, bool inherits_environment,
                      const char *what, char *const *words)
{
    prepend_path(variables, inherits_environment,
                 package_folder(words, "hook", "hook/sitecustomize.py", what));
}

char *rln__python_patterns(const char *list)
{
    char here[PATH_MAX];
    struct rln__buf out = {0};

    if (!getcwd(here, sizeof(here)))
        rln__die(RLN__EXIT_FAILED, "cannot prepare program: getcwd: %s",
                 strerror(errno));
    while (*list) {
        const size_t length = strcspn(list, ",");
        const bool is_relative = memchr(list, '/', length) && !strchr("/*", *list);
        const size_t n_dots = is_relative && strncmp(list, "./", 2) == 0 ? 2 : 0;

        if (is_relative) {
            rln__buf_text(&out, here);
            rln__buf_char(&out, '/');
        }
        rln__buf_add(&out, list + n_dots, length - n_dots);
        list += length + (list[length] == ',');
        rln__buf_char(&out, *list ? ',' : '\0');
    }
    if (out.has_failed)
        rln__die(RLN__EXIT_FAILED, "cannot prepare program: out of memory");
    return out.bytes;
}

char **rln__python_words(char **words)
{
    size_t n = 0;
    char **all;

    if (!is_script(words[0]))
        return words;
    while (words[n])
        n++;
    all = calloc(n + 2, sizeof(*all));
    if (!all)
        rln__die(RLN__EXIT_FAILED, "cannot prepare program: out of memory");
    all[0] = (char *)(uintptr_t)USUAL;
    memcpy(all + 1, words, n * sizeof(*words));
    return all;
}
