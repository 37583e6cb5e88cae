/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/pythons.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/shell_word.h"
#include "console/die.h"
#include "record/start/python_program.h"

/* A program that uses PyTorch imports it within its first seconds. */
#define MOST_LOOKS 60

/* A file of a process, and a zero byte after it; `*n` bytes. Owned; NULL if it cannot
 * be read. */
static char *read_file(pid_t pid, const char *name, size_t *n)
{
    struct rln__buf text = {0};
    char path[64], part[16384];
    ssize_t got;
    int fd;

    (void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    while ((got = read(fd, part, sizeof(part))) > 0)
        rln__buf_add(&text, part, (size_t)got);
    (void)close(fd);
    *n = text.length;
    rln__buf_char(&text, '\0');
    if (got == 0 && !text.has_failed)
        return text.bytes;
    rln__buf_clear(&text);
    return NULL;
}

static bool is_python(pid_t pid)
{
    char path[64], exe[PATH_MAX];
    ssize_t n;

    (void)snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
    n = readlink(path, exe, sizeof(exe) - 1);
    exe[n > 0 ? n : 0] = '\0';
    return rln__is_python(exe);
}

static bool has_torch(pid_t pid)
{
    size_t n;
    char *maps = read_file(pid, "maps", &n);
    const bool has = maps && strstr(maps, "/libtorch");

    free(maps);
    return has;
}

/* --- Those that ignore the environment -------------------------------------------- */

static const char *next_word(const char *word, const char *end)
{
    word += strlen(word) + 1;
    return word < end ? word : NULL;
}

/* Whether the interpreter's options make it ignore PYTHONPATH (-E, -I) or
 * sitecustomize (-S). */
static bool has_deaf_option(const char *words, size_t n)
{
    const char *const end = words + n;
    const char *word = words;

    while ((word = next_word(word, end)) && word[0] == '-' && word[1] &&
           strcmp(word, "--") != 0) {
        const char *letter = word + 1 + strcspn(word + 1, "EIScmWX");

        if (*letter && strchr("EIS", *letter))
            return true;
        if (*letter == 'c' || *letter == 'm')
            return false; /* the program begins */
        if (*letter && !letter[1] && !(word = next_word(word, end)))
            return false; /* the value of -W or -X is a word of its own */
    }
    return false;
}

static bool has_variable(pid_t pid, const char *name, bool *is_known)
{
    const size_t length = strlen(name);
    size_t n = 0;
    char *all = read_file(pid, "environ", &n);
    bool has = false;

    *is_known = all != NULL;
    for (const char *word = all; word && word < all + n && !has;
         word += strlen(word) + 1)
        has = strncmp(word, name, length) == 0 && word[length] == '=';
    free(all);
    return has;
}

static void keep_command(char *out, size_t size, const char *words, size_t n)
{
    struct rln__buf text = {0};

    for (const char *word = words; word && text.length < size;
         word = next_word(word, words + n)) {
        if (text.length)
            rln__buf_char(&text, ' ');
        rln__buf_shell_word(&text, word, strlen(word));
    }
    (void)snprintf(out, size, "%.*s", (int)text.length, text.bytes ? text.bytes : "");
    rln__buf_clear(&text);
}

static void add_deaf(struct rln__pythons *p, pid_t pid, const char *words, size_t n)
{
    if (p->n_deaf < RLN__MOST_DEAF_PRINTED)
        keep_command(p->commands[p->n_deaf], sizeof(p->commands[0]), words, n);
    p->deaf[p->n_deaf++] = pid;
}

/* Words that are not an interpreter's are a title that the program has written over
 * them, and over its variables. */
static void judge(struct rln__pythons *p, pid_t pid)
{
    bool is_known;
    size_t n = 0;
    char *words;

    for (size_t i = 0; i < p->n_deaf; i++)
        if (p->deaf[i] == pid)
            return;
    if (p->n_deaf == RLN__MOST_DEAF)
        return;
    words = read_file(pid, "cmdline", &n);
    if (words && rln__is_python(words) &&
        (has_deaf_option(words, n) ||
         (!has_variable(pid, RLN__PYTHON_RANGES_VARIABLE, &is_known) && is_known)))
        add_deaf(p, pid, words, n);
    free(words);
}

void rln__pythons_begin(struct rln__pythons *p, pid_t pid, char *const *words,
                        bool records_functions)
{
    struct rln__buf all = {0};

    for (char *const *word = words; *word; word++) {
        p->are_seen |= strstr(*word, "python") != NULL;
        rln__buf_add(&all, *word, strlen(*word) + 1);
    }
    p->is_deaf = !all.has_failed && rln__is_python(words[0]) &&
                 has_deaf_option(all.bytes, all.length);
    if (p->is_deaf && records_functions)
        add_deaf(p, pid, all.bytes, all.length);
    rln__buf_clear(&all);
}

void rln__pythons_poll(struct rln__pythons *p, const struct rln__pids *pids,
                       bool records_functions)
{
    for (size_t i = 0; i < pids->n; i++) {
        if (!is_python(pids->items[i]))
            continue;
        p->are_seen = true;
        if (!p->have_torch && p->n_looks < MOST_LOOKS) {
            p->n_looks++;
            p->have_torch = has_torch(pids->items[i]);
        }
        if (records_functions)
            judge(p, pids->items[i]);
    }
}

void rln__pythons_print_deaf(const struct rln__pythons *p)
{
    for (size_t i = 0; i < p->n_deaf && i < RLN__MOST_DEAF_PRINTED; i++)
        rln__complain("functions of process %d were not recorded: `%.*s` ignores the "
                      "environment",
                      (int)p->deaf[i], (int)strlen(p->commands[i]), p->commands[i]);
    if (p->n_deaf > RLN__MOST_DEAF_PRINTED)
        rln__complain("functions of %zu processes were not recorded", p->n_deaf);
    if (p->n_deaf)
        rln__hint("start them without -I, -E, -S, and with the variables of their "
                  "parents, PYTHONPATH among them");
}
