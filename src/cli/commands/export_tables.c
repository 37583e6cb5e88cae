/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/export_tables.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console/die.h"
#include "console/signal_name.h"
#include "console/unfinished.h"
#include "console/written.h"
#include "record/start/python_program.h"

extern char **environ;

static const struct {
    const char *type;
    const char *extension;
    const char *files; /* in the folder; NULL: it is a file */
} types[] = {
    {"arrowdir", "_arwdir", ".arrow"},
    {"parquetdir", "_pqtdir", ".parquet"},
    {"parquet", ".parquet", NULL},
};

#define N_TYPES (sizeof(types) / sizeof(types[0]))

static size_t index_of(const char *type)
{
    size_t i = 0;

    while (i < N_TYPES && strcmp(types[i].type, type) != 0)
        i++;
    return i;
}

bool rln__is_table_type(const char *type)
{
    return index_of(type) < N_TYPES;
}

const char *rln__export_type_at(size_t index)
{
    size_t n_formats = 0;

    while (rln_format_at(n_formats))
        n_formats++;
    if (index < n_formats)
        return rln_format_at(index)->name;
    return index - n_formats < N_TYPES ? types[index - n_formats].type : NULL;
}

const char *rln__export_type_called(const char *word, size_t length)
{
    const char *type;

    if (length == strlen(RLN__NSYS_TYPES) && memcmp(word, RLN__NSYS_TYPES, length) == 0)
        return rln_format_find("jsonl")->name;
    for (size_t i = 0; (type = rln__export_type_at(i)); i++)
        if (strlen(type) == length && memcmp(word, type, length) == 0)
            return type;
    return NULL;
}

const char *rln__export_way_out(const char *word)
{
    static const struct {
        const char *type, *way_out;
    } known[] = {
        {"hdf", "use parquetdir, or sqlite: both have the tables"},
        {"text", "`rangeline print` prints the events"},
        {"info", "`rangeline info` prints what is in a trace"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(known[i].type, word) == 0)
            return known[i].way_out;
    return NULL;
}

static bool ends_with(const char *name, size_t length, const char *end)
{
    const size_t n_end = strlen(end);

    return length >= n_end && memcmp(name + length - n_end, end, n_end) == 0;
}

const char *rln__export_type_of(const char *output)
{
    const size_t length = strlen(output);
    const rln_format *format = rln_format_of_path(output);

    for (size_t i = 0; i < N_TYPES; i++)
        if (ends_with(output, length, types[i].extension))
            return types[i].type;
    return format ? format->name : "sqlite";
}

char *rln__export_usual_name(const char *trace, const char *type)
{
    const size_t i = index_of(type);

    return rln__export_name(trace, i < N_TYPES ? types[i].extension
                                               : rln__export_format(type)->extension);
}

static char *format(const char *pattern, const char *a, const char *b)
{
    char *text;

    if (asprintf(&text, pattern, a, b) < 0)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    return text;
}

/* --- Existing files --------------------------------------------------------------- */

static bool is_self_or_parent(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Whether nothing is in the folder but what an export puts there. */
static bool is_export(const char *path, const char *files)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    bool is_one = folder != NULL;

    while (folder && (entry = readdir(folder)))
        is_one = is_one && (is_self_or_parent(entry->d_name) ||
                            ends_with(entry->d_name, strlen(entry->d_name), files));
    if (folder)
        (void)closedir(folder);
    return is_one;
}

static int remove_folder(const char *path, const char *files)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;

    while (folder && (entry = readdir(folder)))
        if (ends_with(entry->d_name, strlen(entry->d_name), files))
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        (void)closedir(folder);
    return rmdir(path);
}

/* Ends the program if the name is not ours to take. */
static void check_way(const char *path, const char *files, bool may_replace)
{
    struct stat st;

    if (lstat(path, &st) < 0)
        return;
    if (!may_replace) {
        rln__complain("cannot export: output=\"%s\": File exists", path);
        rln__hint("choose another name with -o, or replace it with -f");
        exit(RLN__EXIT_FAILED);
    }
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        rln__die(RLN__EXIT_FAILED, "cannot export: output=\"%s\": not a regular file",
                 path);
    if (!S_ISDIR(st.st_mode) != !files)
        rln__die(RLN__EXIT_FAILED, "cannot export: output=\"%s\": it is %s folder",
                 path, files ? "not a" : "a");
    if (files && !is_export(path, files))
        rln__die(RLN__EXIT_FAILED,
                 "cannot export: output=\"%s\": it has files other than *%s", path,
                 files);
}

/* --- Python ----------------------------------------------------------------------- */

/* Runs a program of the package with standard input from `in`. If it fails, `part`,
 * which may be a folder, goes, too, and the command ends; the program has said why. */
static void run_python(char **words, int in, size_t i, const char *part)
{
    posix_spawn_file_actions_t actions;
    int status = 0, error;
    pid_t child;

    if (!types[i].files) {
        rln__unfinished_begin();
        rln__unfinished_is(part);
    }
    error = posix_spawn_file_actions_init(&actions);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!error)
        error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    if (!error && waitpid(child, &status, 0) < 0)
        error = errno;
    (void)posix_spawn_file_actions_destroy(&actions);
    rln__unfinished_is(NULL);
    if (!error && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    if (error)
        rln__complain("cannot export: type=%s, program=python3: %s", types[i].type,
                      strerror(error));
    else if (WIFSIGNALED(status))
        rln__complain("cannot export: type=%s: python3 was killed by %s", types[i].type,
                      rln__signal_text(WTERMSIG(status)));
    if (types[i].files)
        (void)remove_folder(part, types[i].files);
    else
        (void)unlink(part);
    exit(RLN__EXIT_FAILED);
}

/* A file per table, of an export in Arrow's streams, which has no name meanwhile. */
static uint64_t write_files(const struct rln__input_traces *inputs,
                            const struct rln__export_to *to, size_t i, char *part)
{
    char *const type = (char *)to->options.format;
    char *const script =
        rln__python_file("python3", "_arrow_files.py", "export to Arrow's formats");
    char *const source = format("%s%s", part, ".arrows");
    char *words[] = {"python3", script, type, part, NULL};
    struct rln__export_to tables = {.options = to->options, .is_quiet = true};
    uint64_t n_opened;
    int in;

    tables.options.format = "arrow";
    tables.options.path = source;
    tables.options.flags |= RLN_EXPORT_REPLACE;
    n_opened = rln__export_to(inputs, &tables);
    in = open(source, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        rln__die(RLN__EXIT_FAILED, "cannot read file: path=\"%s\": %s", source,
                 strerror(errno));
    (void)unlink(source);
    run_python(words, in, i, part);
    (void)close(in);
    free(source);
    free(script);
    return n_opened;
}

/* The paths, each with the zero byte at its end. */
static FILE *list_paths(const struct rln__input_traces *inputs)
{
    FILE *list = tmpfile();

    for (size_t i = 0; list && inputs->paths[i]; i++)
        (void)fwrite(inputs->paths[i], strlen(inputs->paths[i]) + 1, 1, list);
    if (!list || fflush(list) || lseek(fileno(list), 0, SEEK_SET) < 0)
        rln__die(RLN__EXIT_FAILED, "cannot export: type=parquet: %s", strerror(errno));
    return list;
}

/* The ranges, which Python reads itself. */
static void write_ranges(const struct rln__input_traces *inputs, const char *filters,
                         size_t i, char *part)
{
    char *const script =
        rln__python_file("python3", "_parquet.py", "export to Parquet");
    char command[PATH_MAX] = "rangeline"; /* in PATH, if it does not know itself */
    char *words[] = {"python3", script, command, part, (char *)filters, NULL};
    FILE *const paths = list_paths(inputs);
    const ssize_t n = readlink("/proc/self/exe", command, sizeof(command) - 1);

    if (n > 0)
        command[n] = '\0';

    run_python(words, fileno(paths), i, part);
    (void)fclose(paths);
    free(script);
}

uint64_t rln__export_tables(const struct rln__input_traces *inputs,
                            const struct rln__export_to *to, const char *filters)
{
    const char *const type = to->options.format;
    const size_t i = index_of(type);
    char *path = to->options.path ? strdup(to->options.path)
                                  : rln__export_name(inputs->name, types[i].extension);
    char *part = path ? format("%s%s", path, ".part") : NULL;
    uint64_t n_opened = 1;

    if (!path)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    if (strcmp(path, "-") == 0)
        rln__die(RLN__EXIT_USAGE,
                 "cannot export: type=%s, output=-: not for standard output; give a "
                 "file or folder with -o",
                 type);
    rln__input_traces_keep_from(inputs, path);
    check_way(path, types[i].files, to->options.flags & RLN_EXPORT_REPLACE);
    if (types[i].files)
        (void)remove_folder(part, types[i].files); /* left by one that was killed */
    if (strcmp(type, "parquet") == 0)
        write_ranges(inputs, filters, i, part);
    else
        n_opened = write_files(inputs, to, i, part);
    if (types[i].files)
        (void)remove_folder(path, types[i].files); /* a file is replaced by rename */
    if (rename(part, path) < 0)
        rln__die(RLN__EXIT_FAILED, "cannot export: output=\"%s\": %s", path,
                 strerror(errno));
    if (!to->is_quiet)
        rln__written_note(path);
    free(part);
    free(path);
    return n_opened;
}
