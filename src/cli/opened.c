/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/opened.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/die.h"
#include "model/load.h"

void rln__die_if(rln_status status, const rln_error *err)
{
    if (status && status != RLN_END)
        rln__die(RLN__EXIT_FAILED, "%s", err->message);
}

static bool is_trace_name(const char *name)
{
    const size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".rln") == 0;
}

/* Owned by the caller; NULL if there is none. */
static char *find_newest(void)
{
    DIR *dir = opendir(".");
    const struct dirent *entry;
    struct timespec newest = {0, 0};
    char *found = NULL;

    while (dir && (entry = readdir(dir))) {
        struct stat st;

        if (!is_trace_name(entry->d_name) || stat(entry->d_name, &st) ||
            !S_ISREG(st.st_mode))
            continue;
        if (found && (st.st_mtim.tv_sec < newest.tv_sec ||
                      (st.st_mtim.tv_sec == newest.tv_sec &&
                       st.st_mtim.tv_nsec <= newest.tv_nsec)))
            continue;
        free(found);
        found = strdup(entry->d_name);
        newest = st.st_mtim;
    }
    if (dir)
        (void)closedir(dir);
    return found;
}

/* Says why a trace cannot be opened, and names the one that may be meant. */
static _Noreturn void refuse(const char *const *paths, size_t n_paths,
                             const rln_error *err)
{
    rln__complain("%s", err->message);
    for (size_t i = 0; i < n_paths; i++) {
        char path[PATH_MAX];

        (void)snprintf(path, sizeof(path), "%s.rln", paths[i]);
        if (access(paths[i], F_OK) < 0 && access(path, F_OK) == 0)
            rln__hint("there is a trace %s", path);
    }
    exit(RLN__EXIT_FAILED);
}

void rln__opened_open(struct rln__opened *opened, const struct rln__args *args)
{
    const char *const *paths = (const char *const *)args->operands;
    size_t n_paths = args->n_operands;
    rln_error err = {0};

    memset(opened, 0, sizeof(*opened));
    if (n_paths == 0) {
        opened->found = find_newest();
        if (!opened->found) {
            rln__complain("cannot find a trace: there is no *.rln in this directory");
            rln__hint("record one: `rangeline profile ./program`");
            exit(RLN__EXIT_FAILED);
        }
        (void)fprintf(stderr, "rangeline: reading %s, the newest trace here\n",
                      opened->found);
        paths = (const char *const *)&opened->found;
        n_paths = 1;
    }
    opened->name = paths[0];
    if (rln_reader_open(paths, n_paths, &opened->reader, &err))
        refuse(paths, n_paths, &err);
}

void rln__opened_note_damage(const struct rln__opened *opened)
{
    const struct rln__damages *damages = &opened->reader->damages;

    if (damages->n_found == 0)
        return;
    (void)fflush(stdout);
    (void)fprintf(
        stderr,
        "note: %" PRIu64 " place%s could not be read; the first: file=\"%s\", "
        "offset=%" PRIu64 ": %s\n",
        damages->n_found, damages->n_found == 1 ? "" : "s", damages->items[0].path,
        damages->items[0].offset, damages->items[0].reason);
    if (damages->n_found > 1)
        rln__hint("`rangeline info %s` lists them", opened->name);
}

void rln__opened_close(struct rln__opened *opened)
{
    rln_reader_close(opened->reader);
    free(opened->found);
    memset(opened, 0, sizeof(*opened));
}

bool rln__write_out(struct rln__buf *buf)
{
    size_t n_written;

    if (buf->has_failed)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    errno = 0;
    n_written = buf->length ? fwrite(buf->bytes, 1, buf->length, stdout) : 0;
    if (n_written == buf->length && fflush(stdout) == 0) {
        buf->length = 0;
        return true;
    }
    if (errno != EPIPE)
        rln__die(RLN__EXIT_FAILED, "cannot write: %s", strerror(errno));
    return false;
}
