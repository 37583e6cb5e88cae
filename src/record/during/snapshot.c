/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_io.h"
#include "console/die.h"
#include "console/same_file.h"
#include "console/stdout_error.h"
#include "format/copy.h"
#include "format/layout.h"
#include "format/trace_path.h"
#include "record/finish/trace_totals.h"
#include "record/start/output_name.h"

char *rln__snapshot_pattern(const char *trace)
{
    char *pattern;

    if (asprintf(&pattern, "%.*s.#" RLN__TRACE_SUFFIX, (int)rln__path_stem(trace),
                 trace) < 0)
        rln__die(RLN__EXIT_FAILED, "cannot name snapshot: out of memory");
    return pattern;
}

/* A copy of a finished run is left marked as finished, and is read as such. */
static int mark_as_copy(int to)
{
    const uint64_t at = offsetof(struct rln__superblock, finished);
    uint64_t finished;
    const int result = rln__read_at(to, at, &finished, sizeof(finished), NULL);

    if (result < 0 || finished != RLN__GOES_ON)
        return result;
    finished = RLN__IS_COPY;
    return rln__write_at(to, at, &finished, sizeof(finished));
}

static int copy_to(const char *trace, int to)
{
    const int from = open(trace, O_RDONLY | O_CLOEXEC);
    struct rln__copied copied;
    int result;

    if (from < 0)
        return -errno;
    result = rln__copy_trace(from, to, &copied);
    (void)close(from);
    return result == 0 ? mark_as_copy(to) : result;
}

/* Under a temporary name until it is complete; an existing file stays until then. */
static int copy_as(const char *trace, const char *part, const char *name,
                   bool overwrites, rln__on_part *on_part)
{
    const int to = open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int result;

    if (to < 0)
        return errno == EEXIST ? -EBUSY
                               : -errno; /* no other process should have our pid */
    if (on_part)
        on_part(part);
    result = copy_to(trace, to);
    if (close(to) < 0 && result == 0)
        result = -errno;
    if (result == 0)
        result = rln__give_name(part, name, overwrites);
    if (result < 0)
        (void)unlink(part);
    if (on_part)
        on_part(NULL);
    return result;
}

static int copy_under(const char *trace, const char *name, bool overwrites,
                      rln__on_part *on_part)
{
    struct stat st;
    char *part;
    int result;

    if (overwrites && stat(trace, &st) == 0 && rln__leads_to(name, &st))
        return -EDEADLK;
    if (!overwrites && access(name, F_OK) == 0)
        return -EEXIST;
    if (asprintf(&part, "%s.%ld", name, (long)getpid()) < 0)
        return -ENOMEM;
    result = copy_as(trace, part, name, overwrites, on_part);
    free(part);
    return result;
}

int rln__snapshot_take(const char *trace, const char *pattern, bool overwrites,
                       rln__on_part *on_part, char **name)
{
    const bool has_number = rln__output_has_number(pattern);
    int result = -EEXIST;

    *name = NULL;
    for (unsigned number = 1; result == -EEXIST; number++) {
        free(*name);
        *name = rln__output_numbered(pattern, number);
        result = copy_under(trace, *name, overwrites && !has_number, on_part);
        if (!has_number)
            break;
    }
    return result;
}

void rln__snapshot_print(const char *name)
{
    struct rln__trace_totals totals;
    char line[256];

    if (rln__trace_totals_read(name, &totals) < 0)
        return;
    rln__trace_totals_format(&totals, line, sizeof(line));
    rln__print_line(stdout, "%s: %s", name, line);
}
