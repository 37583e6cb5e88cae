/* SPDX-License-Identifier: Apache-2.0 */
#include "record/finish/split_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console/die.h"
#include "format/trace_path.h"
#include "rewrite/split.h"

#define MOST_NAMED 8u /* in the line that lists the files */

/* Owned by the caller. Windows are counted from 1 here, as nsys does. */
static char *name_of(const char *trace, uint32_t k)
{
    char *name;

    if (asprintf(&name, "%.*s.%u" RLN__TRACE_SUFFIX, (int)rln__path_stem(trace), trace,
                 k + 1) < 0)
        rln__die(RLN__EXIT_FAILED, "cannot write window: out of memory");
    return name;
}

static _Noreturn void give_up(const char *name, const char *why)
{
    (void)unlink(name);
    rln__complain("cannot write window: path=\"%s\": %s", name, why);
    rln__hint("read it from the trace with --window");
    exit(RLN__EXIT_FAILED);
}

/* Never overwrites a file in place. Returns whether it was written. */
static bool write_window(struct rln__split *split, const char *name, uint32_t k,
                         bool overwrites)
{
    rln_error err = {0};
    int to;

    if (overwrites && unlink(name) < 0 && errno != ENOENT)
        give_up(name, strerror(errno));
    to = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (to < 0) {
        rln__complain("cannot write window: path=\"%s\": %s", name, strerror(errno));
        return false;
    }
    if (rln__split_write(split, k, to, &err))
        give_up(name, err.message);
    if (close(to) < 0)
        give_up(name, strerror(errno));
    return true;
}

static void print_names(const char *trace, const uint32_t *written, uint32_t n)
{
    char line[MOST_NAMED * 4096];
    size_t used = 0;

    for (uint32_t i = 0; i < n; i++) {
        const bool is_left_out = n > MOST_NAMED && i > 1 && i + 1 < n;
        char *name;

        if (is_left_out)
            continue;
        name = name_of(trace, written[i]);
        used += (size_t)snprintf(line + used, sizeof(line) - used, "%s%s",
                                 i == 0                         ? ""
                                 : n > MOST_NAMED && i + 1 == n ? ", ..., "
                                                                : ", ",
                                 name);
        free(name);
        if (used >= sizeof(line))
            break;
    }
    if (n)
        rln__complain("%s: one window%s", line, n == 1 ? "" : " each");
}

int rln__split_trace(const char *trace, bool overwrites)
{
    uint32_t *written; /* owned */
    struct rln__split *split;
    rln_error err = {0};
    uint32_t n = 0, n_windows;
    uint64_t n_unlisted;

    if (rln__split_open(trace, &split, &err))
        rln__die(RLN__EXIT_FAILED, "cannot split trace: path=\"%s\": %s", trace,
                 err.message);
    n_windows = (uint32_t)rln__split_count(split);
    n_unlisted = rln__split_count_unlisted(split);
    written = calloc(n_windows + 1, sizeof(*written));
    if (!written)
        rln__die(RLN__EXIT_FAILED, "cannot split trace: out of memory");
    for (uint32_t k = 0; k < n_windows; k++) {
        char *name = name_of(trace, k);

        if (write_window(split, name, k, overwrites))
            written[n++] = k;
        free(name);
    }
    if (n_windows == 0)
        rln__complain("%s: nothing to split: the whole run was recorded", trace);
    print_names(trace, written, n);
    if (n_unlisted)
        rln__hint("%s has %" PRIu64
                  " more windows, which are not listed and have no files of their own",
                  trace, n_unlisted);
    if (n < n_windows)
        rln__hint("%s has all windows; use -f to replace existing files", trace);
    rln__split_close(split);
    free(written);
    return n == n_windows ? RLN__EXIT_OK : RLN__EXIT_FAILED;
}
