/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/export/export_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "console/die.h"
#include "console/ends_with.h"
#include "console/signal_name.h"
#include "console/unfinished.h"
#include "console/written.h"
#include "export/exporter.h"
#include "export/exporters.h"
#include "output/output.h"
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

    while (rln__format_at(n_formats))
        n_formats++;
    if (index < n_formats)
        return rln__format_at(index)->name;
    return index - n_formats < N_TYPES ? types[index - n_formats].type : NULL;
}

const char *rln__export_type_called(const char *word, size_t length)
{
    const char *type;

    if (length == strlen(RLN__NSYS_TYPES) && memcmp(word, RLN__NSYS_TYPES, length) == 0)
        return rln__format_find("jsonl")->name;
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

const char *rln__export_type_of(const char *output)
{
    const struct rln__format *format = rln__format_of_path(output);

    for (size_t i = 0; i < N_TYPES; i++)
        if (rln__ends_with(output, types[i].extension))
            return types[i].type;
    return format ? format->name : NULL;
}

char *rln__export_usual_name(const char *trace, const char *type)
{
    const size_t i = index_of(type);

    return rln__export_name(trace, i < N_TYPES ? types[i].extension
                                               : rln__export_format(type)->extension);
}

/* --- Python ----------------------------------------------------------------------- */

/* Runs a program of the package with standard input from `in`. If it fails, the output
 * goes, too, and the command ends; the program has said why. */
static void run_python(char **words, int in, size_t i, struct rln__output *output)
{
    posix_spawn_file_actions_t actions;
    int status = 0, error;
    pid_t child;

    error = posix_spawn_file_actions_init(&actions);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!error)
        error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    if (!error && waitpid(child, &status, 0) < 0)
        error = errno;
    (void)posix_spawn_file_actions_destroy(&actions);
    if (!error && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    if (error)
        rln__complain("cannot export: type=%s, program=python3: %s", types[i].type,
                      strerror(error));
    else if (WIFSIGNALED(status))
        rln__complain("cannot export: type=%s: python3 was killed by %s", types[i].type,
                      rln__signal_text(WTERMSIG(status)));
    rln__output_clear(output);
    exit(RLN__EXIT_FAILED);
}

/* All tables as Arrow streams one after the other, in a file beside the output that has
 * no name any more. */
static int stream_tables(const struct rln__input_traces *inputs,
                         const struct rln__export_to *to, const char *path,
                         uint64_t *n_opened)
{
    struct rln__export_to tables = {.options = to->options, .is_quiet = true};
    char *name;
    int fd;

    if (asprintf(&name, "%s.%ld.arrows", path, (long)getpid()) < 0)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    tables.options.format = "arrow";
    tables.options.path = name;
    tables.options.flags |= RLN_EXPORT_REPLACE;
    *n_opened = rln__export_to(inputs, &tables);
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        rln__die(RLN__EXIT_FAILED, "cannot read file: path=\"%s\": %s", name,
                 strerror(errno));
    (void)unlink(name);
    free(name);
    return fd;
}

/* A file per table of these streams. */
static void write_files(char *script, int tables, size_t i, struct rln__output *output)
{
    char *words[] = {"python3", script, (char *)types[i].type, output->part, NULL};

    run_python(words, tables, i, output);
    (void)close(tables);
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
static void write_ranges(char *script, const struct rln__input_traces *inputs,
                         const char *filters, size_t i, struct rln__output *output)
{
    char command[PATH_MAX] = "rangeline"; /* in PATH, if it does not know itself */
    char *words[] = {"python3", script, command, output->part, (char *)filters, NULL};
    FILE *const paths = list_paths(inputs);
    const ssize_t n = readlink("/proc/self/exe", command, sizeof(command) - 1);

    if (n > 0)
        command[n] = '\0';

    run_python(words, fileno(paths), i, output);
    (void)fclose(paths);
}

static void open_output(struct rln__output *output, const char *path, size_t i,
                        int may_replace)
{
    const char *extension = types[i].files;
    rln_error err = {0};

    rln__die_if(
        extension ? rln__output_open_folder(output, path, may_replace, extension, &err)
                  : rln__output_open(output, path, may_replace, RLN__OUTPUT_FILE, &err),
        &err);
}

uint64_t rln__export_tables(const struct rln__input_traces *inputs,
                            const struct rln__export_to *to, const char *filters)
{
    const char *const type = to->options.format;
    const size_t i = index_of(type);
    char *path = to->options.path ? strdup(to->options.path)
                                  : rln__export_name(inputs->name, types[i].extension);
    const int may_replace = (to->options.flags & RLN_EXPORT_REPLACE) != 0;
    struct rln__output output;
    rln_status status;
    rln_error err = {0};
    uint64_t n_opened = 1;
    char *script; /* owned */
    int tables;

    if (!path)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    if (strcmp(path, "-") == 0)
        rln__die(RLN__EXIT_USAGE,
                 "cannot export: type=%s, output=-: not for standard output; give a "
                 "file or folder with -o",
                 type);
    rln__input_traces_refuse_output(inputs, path);
    script = types[i].files
                 ? rln__python_file("python3", "_arrow_files.py",
                                    "export to Arrow's formats")
                 : rln__python_file("python3", "_parquet.py", "export to Parquet");
    if (types[i].files) {
        open_output(&output, path, i, may_replace);
        rln__output_clear(&output); /* it was only to be refused before the work */
        tables = stream_tables(inputs, to, path, &n_opened);
        open_output(&output, path, i, may_replace);
        write_files(script, tables, i, &output);
    } else {
        rln__unfinished_begin(path);
        open_output(&output, path, i, may_replace);
        rln__unfinished_is(output.part);
        write_ranges(script, inputs, filters, i, &output);
    }
    status = rln__output_end(&output, &err);
    rln__unfinished_is(NULL);
    rln__output_clear(&output);
    rln__die_if(status, &err);
    if (!to->is_quiet)
        rln__written_note(path);
    free(script);
    free(path);
    return n_opened;
}
