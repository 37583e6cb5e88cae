/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/input_files.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "console/die.h"
#include "console/text_file.h"

static void add(struct rln__file_names *names, const char *name,
                struct rln__file_origin origin)
{
    if (names->n + 2 > names->capacity) {
        names->capacity = names->capacity ? 2 * names->capacity : 64;
        names->items = realloc(names->items, names->capacity * sizeof(*names->items));
        names->origins =
            realloc(names->origins, names->capacity * sizeof(*names->origins));
    }
    if (!names->items || !names->origins || !(names->items[names->n] = strdup(name)))
        rln__die(RLN__EXIT_FAILED, "out of memory");
    names->origins[names->n] = origin;
    names->items[++names->n] = NULL;
}

static void add_list(struct rln__file_names *names, const char *list)
{
    struct rln__buf text = {0};
    const size_t n_before = names->n;
    struct rln__file_origin origin = {list, 0};

    rln__text_file_read(list, "list: path", &text);
    for (char *rest = text.bytes, *line; (line = strsep(&rest, "\n"));) {
        const size_t length = strlen(line);

        origin.line++;
        if (length && line[length - 1] == '\r') /* a list from Windows */
            line[length - 1] = '\0';
        if (*line)
            add(names, line, origin);
    }
    rln__buf_clear(&text);
    if (names->n == n_before)
        rln__die(RLN__EXIT_FAILED, "cannot find traces: list=\"%s\": it has no names",
                 list);
}

static void add_pattern(struct rln__file_names *names, const char *pattern)
{
    const struct rln__file_origin typed = {NULL, 0};
    glob_t found = {0};
    const int status = glob(pattern, 0, NULL, &found);

    if (status)
        rln__die(RLN__EXIT_FAILED, "cannot find traces: pattern=\"%s\": %s", pattern,
                 status == GLOB_NOMATCH   ? "no file matches"
                 : status == GLOB_NOSPACE ? "out of memory"
                                          : "unreadable folder");
    for (size_t i = 0; i < found.gl_pathc; i++)
        add(names, found.gl_pathv[i], typed);
    globfree(&found);
}

void rln__file_names_add(struct rln__file_names *names, const char *word)
{
    const struct rln__file_origin typed = {NULL, 0};

    if (access(word, F_OK) == 0 || !strpbrk(word, "*?[@"))
        add(names, word, typed);
    else if (*word == '@')
        add_list(names, word + 1);
    else if (strpbrk(word, "*?["))
        add_pattern(names, word);
    else
        add(names, word, typed);
}

void rln__file_names_add_all(struct rln__file_names *names, char *const *words,
                             size_t n_words)
{
    for (size_t i = 0; i < n_words; i++)
        rln__file_names_add(names, words[i]);
}

/* --- Slices ----------------------------------------------------------------------- */

/* Of each launcher, the task and the number of tasks. mpirun within an allocation of
 * Slurm starts the program, so its own come first. */
static const char *const variables[][2] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"SLURM_PROCID", "SLURM_NTASKS"}};

static bool read_number(const char *text, char end, uint64_t *out)
{
    char *after;

    if (!text || *text < '0' || *text > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &after, 10);
    return !errno && *after == end;
}

static bool read_environment(uint64_t *index, uint64_t *n)
{
    for (size_t i = 0; i < RLN_COUNT(variables); i++) {
        if (read_number(getenv(variables[i][0]), '\0', index) &&
            read_number(getenv(variables[i][1]), '\0', n) && *index < *n)
            return true;
    }
    return false;
}

static void read_slice(const char *slice, uint64_t *index, uint64_t *n)
{
    const char *slash = strchr(slice, '/');

    if (strcmp(slice, "auto") == 0) {
        if (read_environment(index, n))
            return;
        rln__complain("cannot slice inputs: slice=auto: no launcher of a job has set "
                      "SLURM_PROCID and SLURM_NTASKS, OMPI_COMM_WORLD_RANK and "
                      "OMPI_COMM_WORLD_SIZE, or PMI_RANK and PMI_SIZE");
        rln__hint("run it under srun or mpirun, or give --slice I/N");
        exit(RLN__EXIT_USAGE);
    }
    if (slash && read_number(slice, '/', index) && read_number(slash + 1, '\0', n) &&
        *index < *n)
        return;
    rln__complain("cannot slice inputs: slice=\"%s\": not I/N with I from 0 to N - 1",
                  slice);
    rln__hint("the first of four is --slice 0/4; in a job, use --slice auto");
    exit(RLN__EXIT_USAGE);
}

void rln__file_names_slice(struct rln__file_names *names, const char *slice)
{
    uint64_t index, n;
    size_t n_kept = 0;

    read_slice(slice, &index, &n);
    for (size_t i = 0; i < names->n; i++) {
        if (i % n != index) {
            free(names->items[i]);
            continue;
        }
        names->origins[n_kept] = names->origins[i];
        names->items[n_kept++] = names->items[i];
    }
    names->n = n_kept;
    if (names->items)
        names->items[n_kept] = NULL;
}

/* --- As words of a shell ---------------------------------------------------------- */

#define MOST_WORDS 3

static size_t common_start(const char *a, const char *b, size_t length)
{
    size_t n = 0;

    while (n < length && a[n] && a[n] == b[n])
        n++;
    return n;
}

static size_t common_end(const char *a, size_t n_a, const char *b, size_t length)
{
    const size_t n_b = strlen(b);
    size_t n = 0;

    while (n < length && n < n_b && n < n_a && a[n_a - 1 - n] == b[n_b - 1 - n])
        n++;
    return n;
}

/* Whether the pattern finds these names, in this order, and no other. */
static bool finds_just(const char *pattern, char *const *names)
{
    glob_t found = {0};
    bool is_same = glob(pattern, 0, NULL, &found) == 0;
    size_t i = 0;

    while (is_same && i < found.gl_pathc && names[i]) {
        is_same = strcmp(found.gl_pathv[i], names[i]) == 0;
        i++;
    }
    is_same = is_same && i == found.gl_pathc && !names[i];
    globfree(&found);
    return is_same;
}

/* What all names begin with, a star, and what all end with. */
static void write_pattern(char *const *names, struct rln__buf *out)
{
    const char *first = names[0];
    const size_t length = strlen(first);
    size_t start = length, end = length;

    for (size_t i = 1; names[i]; i++) {
        start = common_start(first, names[i], start);
        end = common_end(first, length, names[i], end);
    }
    /* Names such as a.rln and a.a.rln share more than there is. */
    if (start + end > length)
        end = length - start;
    rln__buf_add(out, first, start);
    rln__buf_char(out, '*');
    rln__buf_add(out, first + length - end, end);
    rln__buf_char(out, '\0');
}

/* A name that begins with a dash would be an option. */
static void add_word(struct rln__buf *out, const char *name, size_t length)
{
    struct rln__buf word = {0};

    if (*name == '-')
        rln__buf_text(&word, "./");
    rln__buf_add(&word, name, length);
    rln__buf_char(out, ' ');
    rln__buf_shell_word(out, word.bytes, word.length);
    out->has_failed |= word.has_failed;
    rln__buf_clear(&word);
}

void rln__file_names_words(char *const *names, struct rln__buf *out)
{
    struct rln__buf pattern = {0};
    size_t n = 0;

    while (n <= MOST_WORDS && names[n])
        n++;
    if (n > MOST_WORDS)
        write_pattern(names, &pattern);
    if (pattern.length && !pattern.has_failed && finds_just(pattern.bytes, names)) {
        add_word(out, pattern.bytes, pattern.length - 1);
    } else {
        for (size_t i = 0; names[i]; i++)
            add_word(out, names[i], strlen(names[i]));
    }
    rln__buf_clear(&pattern);
}

void rln__file_names_summary(char *const *names, struct rln__buf *out)
{
    size_t n = 0;

    while (names[n])
        n++;
    (void)rln__buf_printable(out, names[0], strlen(names[0]));
    if (n == 2) {
        rln__buf_text(out, " and ");
        (void)rln__buf_printable(out, names[1], strlen(names[1]));
    } else if (n > 2) {
        rln__buf_format(out, " and %zu more", n - 1);
    }
}

char **rln__file_names_take(struct rln__file_names *names)
{
    char **items = names->items;

    free(names->origins);
    memset(names, 0, sizeof(*names));
    return items;
}

void rln__file_names_clear(struct rln__file_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->items[i]);
    free(names->items);
    free(names->origins);
    memset(names, 0, sizeof(*names));
}
