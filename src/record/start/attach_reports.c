/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/attach_reports.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include "console/die.h"
#include "format/attach_report.h"
#include "format/superblock.h"

#define MOST_PRINTED 5

/* hook/sitecustomize.py knows these numbers. */
_Static_assert(offsetof(struct rln__attach_reports, n) == 16 &&
                   offsetof(struct rln__attach_reports, has_torch) == 20 &&
                   offsetof(struct rln__attach_reports, entries) == 64 &&
                   sizeof(struct rln__attach_report) == 512 &&
                   offsetof(struct rln__attach_report, path) == 40,
               "the layout that Python writes");

struct rln__attach_reports *rln__attach_reports_open(const uint8_t run_id[16],
                                                     struct rln__variables *variables)
{
    /* Writable for all: the program may have become another user. */
    const int id =
        shmget(IPC_PRIVATE, sizeof(struct rln__attach_reports), IPC_CREAT | 0666);
    struct rln__attach_reports *reports = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
    char text[16];

    if (id >= 0) /* as soon as no process has it attached */
        (void)shmctl(id, IPC_RMID, NULL);
    if (reports == (void *)-1)
        return NULL;
    memcpy(reports->run_id, run_id, sizeof(reports->run_id));
    (void)snprintf(text, sizeof(text), "%d", id);
    rln__variables_add(variables, RLN__REPORT_VARIABLE, text);
    return reports;
}

static void hint_at_open(const struct rln__attach_report *r, const char *trace)
{
    switch (r->error) {
    case EACCES:
    case EPERM:
        rln__hint("it runs as user %" PRIu32
                  ", who may not open the trace: record as that user, or make an NVTX "
                  "call before the program drops its privileges",
                  r->uid);
        break;
    case EMFILE:
    case ENFILE:
        rln__hint("it had no free file descriptor: raise `ulimit -n`, or make an NVTX "
                  "call before it opens them");
        break;
    case ENOENT:
        if (access(trace, F_OK) == 0)
            rln__hint("it runs in a chroot or container: choose a path with -o that is "
                      "the same inside and outside");
        else
            rln__hint("the trace was moved or removed while it was recorded");
        break;
    default:
        break;
    }
}

static const char *why_beside(int32_t error)
{
    return error == EACCES || error == EPERM ? "it may not open the trace"
                                             : "it cannot record into the trace";
}

static void print(const struct rln__attach_report *r, const char *trace)
{
    switch (r->step) {
    case RLN__ATTACH_BESIDE:
        rln__complain("process %" PRIu32 " is recorded in %s: %s", r->pid, r->path,
                      why_beside(r->error));
        break;
    case RLN__ATTACH_MEMORY:
        rln__complain("process %" PRIu32 " was not recorded: cannot map memory",
                      r->pid);
        rln__hint("raise its address space (`ulimit -v`), or use kernel 4.14 or newer");
        break;
    case RLN__ATTACH_CLOCK:
        rln__complain("process %" PRIu32
                      " was not recorded: it may not read the processor's counter",
                      r->pid);
        rln__hint("set RANGELINE_CLOCK=system to record it");
        break;
    case RLN__ATTACH_PYTHON:
        rln__complain("functions and PyTorch modules of process %" PRIu32
                      " were not recorded: rangeline is not built for %s",
                      r->pid, r->path);
        rln__hint("`%s -m pip install .` in a clone (or a wheel's path for `.`)",
                  r->path);
        break;
    case RLN__ATTACH_DISPLACED:
        rln__complain("functions of process %" PRIu32
                      " are not complete: it set another profile function "
                      "(cProfile, sys.setprofile)",
                      r->pid);
        rln__hint(
            "what runs under that is missing, on a thread also what comes after it; "
            "with Python 3.12 or newer nothing is");
        break;
    case RLN__ATTACH_MISSED:
        rln__complain("functions of process %" PRIu32
                      " have wrong times: it set another function for switches of "
                      "greenlets (greenlet.settrace)",
                      r->pid);
        rln__hint("let that function call the one that greenlet.settrace() returns");
        break;
    default:
        rln__complain("process %" PRIu32 " was not recorded: cannot open trace: %s",
                      r->pid, r->error ? strerror(r->error) : "not the run's trace");
        hint_at_open(r, trace);
        break;
    }
}

/* The segment may hold anything: any process of the machine can write to it. */
static bool copy(const struct rln__attach_report *from, struct rln__attach_report *to)
{
    const uint32_t step = __atomic_load_n(&from->step, __ATOMIC_ACQUIRE);

    *to = *from;
    to->step = step;
    to->path[sizeof(to->path) - 1] = '\0';
    return step != RLN__ATTACH_NONE;
}

/* Such a process is in the trace, except its functions. */
static bool is_of_functions(const struct rln__attach_report *r)
{
    return r->step == RLN__ATTACH_PYTHON || r->step == RLN__ATTACH_DISPLACED ||
           r->step == RLN__ATTACH_MISSED;
}

static bool is_repeated(const struct rln__attach_report *printed, size_t n,
                        const struct rln__attach_report *r)
{
    for (size_t i = 0; i < n; i++)
        if (printed[i].step == r->step && printed[i].error == r->error &&
            r->step != RLN__ATTACH_BESIDE)
            return true;
    return false;
}

size_t rln__attach_reports_print(const struct rln__attach_reports *reports,
                                 const char *trace)
{
    const uint32_t n = reports ? __atomic_load_n(&reports->n, __ATOMIC_ACQUIRE) : 0;
    struct rln__attach_report printed[MOST_PRINTED];
    size_t n_printed = 0, n_of_functions = 0;
    bool is_beside = false;

    for (uint32_t i = 0; i < n && i < RLN__MAX_REPORTS; i++) {
        struct rln__attach_report r;

        if (!copy(&reports->entries[i], &r))
            continue;
        is_beside |= r.step == RLN__ATTACH_BESIDE;
        n_of_functions += is_of_functions(&r);
        if (n_printed == MOST_PRINTED || is_repeated(printed, n_printed, &r))
            continue;
        print(&r, trace);
        printed[n_printed++] = r;
    }
    if (is_beside)
        rln__hint("read all traces as one: `rangeline stats *.rln`");
    if (n_of_functions > 1)
        rln__complain("functions of %zu processes are missing, or not complete",
                      n_of_functions);
    if (n - n_of_functions > n_printed && n_printed)
        rln__complain("%s%zu processes could not open the trace",
                      n > RLN__MAX_REPORTS ? "more than " : "",
                      (n > RLN__MAX_REPORTS ? RLN__MAX_REPORTS : n) - n_of_functions);
    return n - n_of_functions;
}

bool rln__attach_reports_lack_functions(const struct rln__attach_reports *reports)
{
    const uint32_t n = reports ? __atomic_load_n(&reports->n, __ATOMIC_ACQUIRE) : 0;

    for (uint32_t i = 0; i < n && i < RLN__MAX_REPORTS; i++) {
        struct rln__attach_report r;

        if (copy(&reports->entries[i], &r) && is_of_functions(&r))
            return true;
    }
    return false;
}

bool rln__attach_reports_lack_torch(const struct rln__attach_reports *reports)
{
    return reports && !__atomic_load_n(&reports->has_torch, __ATOMIC_ACQUIRE);
}
