/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/inputs/input_traces.h"
#include "base/buf.h"
#include "base/count.h"
#include "base/file_name.h"
#include "console/ends_with.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/inputs/named_range.h"
#include "cli/inputs/near_file.h"
#include "console/die.h"
#include "console/pager.h"
#include "console/same_file.h"
#include "console/stdout_error.h"
#include "export/exporter.h"
#include "ranges/align.h"
#include "trace/open/load.h"
#include "trace/open/losses.h"
#include "trace/open/window_list.h"

void rln__die_if(rln_status status, const rln_error *err)
{
    if (status && status != RLN_END)
        rln__die(RLN__EXIT_FAILED, "%s", err->message);
}

static void hint_at_folder(const char *path)
{
    const size_t length = strlen(path);
    struct rln__buf pattern = {0};
    char *any = rln__newest_trace(path); /* owned */

    if (!any) {
        rln__hint("it is a folder without traces (*.rln)");
        return;
    }
    free(any);

    rln__buf_format(&pattern, "%s%s*.rln", path,
                    length && path[length - 1] == '/' ? "" : "/");
    rln__buf_char(&pattern, '\0');
    if (!pattern.has_failed)
        rln__hint("it is a folder: give the traces in it, as `%s`", pattern.bytes);
    rln__buf_clear(&pattern);
}

/* Hints at how to make a file readable. Returns whether its name shows one. */
static bool hint_at_way(const char *path)
{
    static const char *const reports[] = {".nsys-rep", ".qdrep"};
    static const struct {
        const char *suffix, *command;
    } packed[] = {{".zst", "zstd -d"}, {".gz", "gunzip"}, {".xz", "unxz"}};
    struct stat st;

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        hint_at_folder(path);
        return true;
    }
    for (size_t i = 0; i < RLN_COUNT(reports); i++) {
        if (!rln__ends_with(path, reports[i]))
            continue;
        rln__hint("run `nsys export -t sqlite %s`, and read %.*s.sqlite", path,
                  (int)(strlen(path) - strlen(reports[i])), path);
        return true;
    }
    for (size_t i = 0; i < RLN_COUNT(packed); i++) {
        if (!rln__ends_with(path, packed[i].suffix))
            continue;
        rln__hint("decompress it first: `%.*s %s`", (int)strlen(packed[i].command),
                  packed[i].command, path);
        return true;
    }
    return false;
}

/* Where a list names the trace that the message is about. */
static void hint_at_line(const char *path, const struct rln__file_origin *origin,
                         const char *message)
{
    const char *field = strstr(message, "path=\"");
    const size_t length = strlen(path);

    if (origin->list && field && strncmp(field + 6, path, length) == 0 &&
        field[6 + length] == '"')
        rln__hint("list \"%s\" names it in line %zu", origin->list, origin->line);
}

/* Explains why a trace cannot be opened, and suggests the one that may be meant. */
static _Noreturn void refuse(const char *const *paths,
                             const struct rln__file_origin *origins, size_t n_paths,
                             const rln_error *err)
{
    bool is_explained = strchr(err->message, '\n') != NULL;

    rln__complain("%s", err->message);
    for (size_t i = 0; origins && i < n_paths; i++)
        hint_at_line(paths[i], &origins[i], err->message);
    for (size_t i = 0; i < n_paths; i++) {
        char path[PATH_MAX];

        (void)snprintf(path, sizeof(path), "%s.rln", paths[i]);
        if (!is_explained && access(paths[i], F_OK) < 0 && access(path, F_OK) == 0) {
            rln__hint("did you mean `%s`?", path);
            is_explained = true;
        }
        if (access(paths[i], F_OK) == 0 && hint_at_way(paths[i]))
            is_explained = true;
        if (!is_explained && access(paths[i], F_OK) < 0)
            is_explained = rln__hint_near_file(paths[i]);
        if (!is_explained && access(paths[i], X_OK) == 0) {
            rln__hint("it is a program: `rangeline profile %.*s%s` records it",
                      strchr(paths[i], '/') ? 0 : 2, "./", paths[i]);
            is_explained = true;
        }
        if (!is_explained && rln__reduced_is(paths[i])) {
            rln__hint("it has sums of traces: `rangeline stats %s` prints them",
                      paths[i]);
            is_explained = true;
        }
    }
    if (!is_explained && strncmp(err->message, "not a trace: ", 13) == 0)
        rln__hint("give a *.rln file, or a SQLite export of Nsight Systems");
    exit(RLN__EXIT_FAILED);
}

/* Refuses an export that is older than its report: it comes from another report, which
 * had that name. */
static void refuse_stale(const char *path)
{
    const size_t length = strlen(path);
    const char *dot = strrchr(path, '.');
    char report[PATH_MAX];
    struct stat exported, reported;

    if (!dot || strcmp(dot, ".sqlite") != 0 || length >= sizeof(report) - 8)
        return;
    (void)snprintf(report, sizeof(report), "%.*s.nsys-rep", (int)(dot - path), path);
    if (stat(path, &exported) || stat(report, &reported) ||
        exported.st_mtim.tv_sec >= reported.st_mtim.tv_sec)
        return;
    rln__complain("cannot read SQLite export: path=\"%s\": it is older than \"%s\"",
                  path, report);
    rln__hint("`nsys export -t sqlite -f true -o %s %s` recreates it; `touch %s` marks "
              "it as current",
              path, report, path);
    exit(RLN__EXIT_FAILED);
}

/* Traces that are being written, and exports of Nsight's, need descriptors of their
 * own. Only commands that read do this: a recorded program inherits its user's limit.
 */
static void raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* `path`, or the trace that `profile -o run.nsys-rep` has named run.rln: scripts made
 * for nsys go on to read the name that they gave. Owned by the caller. */
static char *trace_called(const char *path)
{
    static const char suffix[] = ".nsys-rep";
    char *name = NULL;

    if (rln__ends_with(path, suffix) && access(path, F_OK) < 0 &&
        asprintf(&name, "%.*s.rln", (int)(strlen(path) - strlen(suffix)), path) < 0)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    if (name && access(name, F_OK) == 0) {
        rln__complain("reading %s: there is no %s", name, path);
        return name;
    }
    free(name);
    name = strdup(path);
    if (!name)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    return name;
}

/* `origins` may be NULL. */
static void open_traces(struct rln__input_traces *inputs, const char *const *paths,
                        const struct rln__file_origin *origins, size_t n_paths)
{
    rln_error err = {0};

    memset(inputs, 0, sizeof(*inputs));
    inputs->paths = calloc(n_paths + 1, sizeof(*inputs->paths));
    if (!inputs->paths)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    for (size_t i = 0; i < n_paths; i++)
        inputs->paths[i] = trace_called(paths[i]);
    inputs->name = inputs->paths[0];
    raise_limit();
    if (rln_reader_open((const char *const *)inputs->paths, n_paths, &inputs->reader,
                        &err))
        refuse(paths, origins, n_paths, &err);
    for (size_t i = 0; rln__reader_path(inputs->reader, i); i++)
        refuse_stale(rln__reader_path(inputs->reader, i));
}

void rln__input_traces_open_paths(struct rln__input_traces *inputs,
                                  const char *const *paths, size_t n_paths)
{
    open_traces(inputs, paths, NULL, n_paths);
}

void rln__input_traces_open_files(struct rln__input_traces *inputs,
                                  const struct rln__file_names *files)
{
    char *found; /* owned: handed over */

    rln__pager_allow();
    if (files->n) {
        open_traces(inputs, (const char *const *)files->items, files->origins,
                    files->n);
        return;
    }
    found = rln__newest_trace(".");
    if (!found) {
        rln__complain("cannot find trace: no *.rln in this directory");
        rln__hint("record one: `rangeline profile ./program`");
        exit(RLN__EXIT_FAILED);
    }
    rln__complain("reading %s, the newest trace here", found);
    rln__input_traces_open_paths(inputs, (const char *const *)&found, 1);
    inputs->found = found;
}

void rln__input_traces_open(struct rln__input_traces *inputs, char *const *words,
                            size_t n_words)
{
    struct rln__file_names files = {0};

    rln__file_names_add_all(&files, words, n_words);
    rln__input_traces_open_files(inputs, &files);
    rln__file_names_clear(&files);
}

void rln__input_traces_align(const struct rln__input_traces *inputs,
                             const struct rln__args *args, unsigned option)
{
    const char *how = rln__args_text(args, option);
    struct rln__named_range range = {NULL, NULL};
    struct rln__alignment alignment = {.by = RLN__ALIGN_REALTIME};
    rln_error err = {0};
    rln_status status;

    if (!how)
        return;
    if (strncmp(how, "range=", 6) == 0 && how[6]) {
        char *copy = strdup(how + 6); /* owned: handed over */

        if (!copy)
            rln__die(RLN__EXIT_FAILED, "out of memory");
        rln__named_range_read(&range, copy);
        alignment = (struct rln__alignment){
            .by = RLN__ALIGN_RANGE,
            .message = range.message,
            .domain = range.domain,
            .is_any_domain = range.domain && strcmp(range.domain, "*") == 0,
        };
    } else if (strcmp(how, "sync") == 0) {
        alignment.by = RLN__ALIGN_SYNC_POINTS;
    } else if (strcmp(how, "realtime") != 0) {
        rln__complain("cannot align clocks: align=\"%s\": not one of realtime, sync, "
                      "range=MESSAGE[@DOMAIN]",
                      how);
        exit(RLN__EXIT_USAGE);
    }
    status = rln__reader_align(inputs->reader, &alignment, &err);
    if (status == RLN_ERR_ARGUMENT) {
        rln__complain("%s", err.message);
        if (alignment.by == RLN__ALIGN_RANGE)
            rln__hint(
                "`rangeline stats` lists names; add @DOMAIN, or @* for any domain");
        exit(RLN__EXIT_FAILED);
    }
    rln__die_if(status, &err);
    free(range.message);
}

void rln__input_traces_set_jobs(const struct rln__input_traces *inputs,
                                const struct rln__args *args, unsigned option)
{
    const uint64_t n = rln__args_count(args, option);

    if (!rln__args_has(args, option))
        return;
    if (n < 1 || n > RLN__MOST_PROCESSORS) {
        rln__complain("cannot read: jobs=%" PRIu64 ": not 1 to %d", n,
                      RLN__MOST_PROCESSORS);
        exit(RLN__EXIT_USAGE);
    }
    if (inputs->reader)
        rln__reader_set_jobs(inputs->reader, (unsigned)n);
}

void rln__input_traces_select_window(const struct rln__input_traces *inputs,
                                     const struct rln__args *args, unsigned option)
{
    const size_t n = rln__reader_count_windows(inputs->reader);
    uint64_t window, n_unlisted;

    if (!rln__args_has(args, option))
        return;
    window = rln__args_count(args, option);
    if (window < n && !rln_reader_select_window(inputs->reader, (size_t)window, NULL))
        return;
    n_unlisted = rln__reader_get_losses(inputs->reader)->n_unlisted;
    if (n && n_unlisted > 0)
        rln__complain("cannot read window: file=\"%s\", window=%" PRIu64
                      ": only windows 0 to %zu of %" PRIu64 " are listed",
                      inputs->name, window, n - 1, n + n_unlisted);
    else
        rln__complain("cannot read window: file=\"%s\", window=%" PRIu64
                      ": the trace has %zu window%s%s",
                      inputs->name, window, n, n == 1 ? "" : "s",
                      n ? ", counted from 0" : "");
    rln__hint(n ? "`rangeline info %s` lists them"
                : "`rangeline info %s` says why nothing was recorded",
              inputs->name);
    exit(RLN__EXIT_FAILED);
}

void rln__input_traces_refuse_output(const struct rln__input_traces *inputs,
                                     const char *output)
{
    struct stat to;

    if (stat(output, &to))
        return;
    for (size_t i = 0; inputs->paths[i]; i++) {
        if (!rln__leads_to(inputs->paths[i], &to))
            continue;
        rln__complain("cannot write output: path=\"%s\": it is an input trace", output);
        rln__hint("choose another output name");
        exit(RLN__EXIT_FAILED);
    }
}

static void note_damage(const struct rln__input_traces *inputs,
                        const struct rln__losses *losses)
{
    if (losses->n_damages == 0)
        return;
    rln__note("%" PRIu64
              " place%s could not be read, first: file=\"%s\", offset=%" PRIu64 ": %s",
              losses->n_damages, losses->n_damages == 1 ? "" : "s", losses->damage.path,
              losses->damage.offset, losses->damage.reason);
    if (losses->n_damages > 1)
        rln__hint("`rangeline info %s` lists them", inputs->name);
}

static void note_duplicate(rln_reader *reader)
{
    const struct rln__duplicate *duplicate;

    if (rln__reader_find_duplicate(reader, &duplicate, NULL) == RLN_OK)
        rln__note("events count twice: path=\"%s\": it is %s \"%s\"", duplicate->path,
                  duplicate->what, duplicate->of);
}

void rln__input_traces_note_losses(const struct rln__input_traces *inputs,
                                   uint64_t n_opened)
{
    const struct rln__losses *losses = rln__reader_get_losses(inputs->reader);

    (void)rln__flush_output();
    note_duplicate(inputs->reader);
    note_damage(inputs, losses);
    if (losses->n_overwritten) /* not a loss: it is what --buffer asks for */
        rln__note("older events were overwritten; all events from %.9f s on are there",
                  (double)losses->complete_since_ns / 1e9);
    if (losses->n_dropped > n_opened)
        rln__note("%" PRIu64 " event%s dropped: no space", losses->n_dropped,
                  losses->n_dropped == 1 ? " was" : "s were");
}

void rln__input_traces_close(struct rln__input_traces *inputs)
{
    rln_reader_close(inputs->reader);
    rln__reduced_free(inputs->reduced);
    rln_filter_free(inputs->filter);
    free(inputs->found);
    for (size_t i = 0; inputs->paths && inputs->paths[i]; i++)
        free(inputs->paths[i]);
    free(inputs->paths);
    memset(inputs, 0, sizeof(*inputs));
}

void rln__input_traces_title(const struct rln__input_traces *inputs,
                             char out[RLN__TITLE_BYTES])
{
    const char *name = rln__file_name(inputs->name);
    size_t n = 1;

    while (inputs->paths[n])
        n++;
    if (n > 1)
        (void)snprintf(out, RLN__TITLE_BYTES, "%s and %zu more", name, n - 1);
    else
        (void)snprintf(out, RLN__TITLE_BYTES, "%s", name);
}
