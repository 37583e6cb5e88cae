/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/snapshot_on.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/monotonic.h"
#include "console/die.h"
#include "console/signal_name.h"
#include "record/during/snapshot.h"
#include "record/finish/trace_totals.h"
#include "record/start/capture_options.h"

#define LOOK_MS 10           /* the program has gone on for at most this long */
#define PAUSE_NS 1000000000u /* between two snapshots requested by ranges */

/* Signals that this command may get, and that nothing else waits for. */
static const int signals[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGQUIT};

#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static _Noreturn void refuse(const char *text)
{
    rln__complain("cannot record: --snapshot-on=\"%s\": unknown trigger", text);
    rln__hint("use crash, signal=SIGUSR2 (SIGUSR1, SIGHUP, SIGQUIT) or "
              "range=MESSAGE@DOMAIN; repeat the option for several");
    exit(RLN__EXIT_USAGE);
}

static int read_signal(const char *text)
{
    const int number = rln__signal_of(text);

    for (size_t i = 0; i < N_SIGNALS; i++)
        if (number == signals[i])
            return number;
    return 0;
}

static void parse_range(const char *text, struct rln__snapshot_on *out)
{
    const char *range = text + strlen("range=");

    if (out->range) {
        rln__complain("cannot record: --snapshot-on=\"%s\": range= was given before",
                      text);
        rln__hint("use one pattern; * is any text");
        exit(RLN__EXIT_USAGE);
    }
    rln__capture_check_range("snapshot-on", text, range);
    out->range = range;
}

void rln__snapshot_on_parse(const char *text, struct rln__snapshot_on *out)
{
    if (strcmp(text, "crash") == 0)
        out->at_crash = true;
    else if (strcmp(text, "signal") == 0)
        (void)sigaddset(&out->signals, SIGUSR2);
    else if (strncmp(text, "signal=", 7) == 0 && read_signal(text + 7))
        (void)sigaddset(&out->signals, read_signal(text + 7));
    else if (strncmp(text, "range=", 6) == 0)
        parse_range(text, out);
    else
        refuse(text);
}

/* Signals due to the program's state, rather than sent to end it; the kernel also kills
 * when memory is short. */
static bool is_fault(int number)
{
    static const int faults[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE, SIGABRT,
                                 SIGSYS,  SIGTRAP, SIGXCPU, SIGKILL};

    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        if (faults[i] == number)
            return true;
    return false;
}

static void take(const struct rln__snapshot_on *on, const char *why)
{
    char *pattern = rln__snapshot_pattern(on->beside);
    struct rln__trace_totals totals;
    char line[256];
    char *name;
    int result;

    rln__switch_recorder_catch_up(on->switches);
    result = rln__snapshot_take(on->trace, pattern, false, NULL, &name);
    if (result < 0) {
        rln__complain("cannot write snapshot: path=\"%s\": %s", name,
                      strerror(-result));
    } else if (rln__trace_totals_read(name, &totals) == 0) {
        rln__trace_totals_format(&totals, line, sizeof(line));
        rln__complain("%s: snapshot in %s: %s", why, name, line);
    }
    free(name);
    free(pattern);
}

void rln__snapshot_on_death(const struct rln__snapshot_on *on, pid_t pid, int signal)
{
    char why[64];

    if (!on->at_crash || !is_fault(signal))
        return;
    (void)snprintf(why, sizeof(why), "process %d was killed by %s", (int)pid,
                   rln__signal_text(signal));
    take(on, why);
}

void rln__snapshot_on_signal(const struct rln__snapshot_on *on, int signal)
{
    char why[64];

    (void)snprintf(why, sizeof(why), "got %s", rln__signal_text(signal));
    take(on, why);
}

void rln__snapshot_on_explain(const struct rln__snapshot_on *on)
{
    if (!on->range || on->n_taken)
        return;
    rln__complain(
        "no snapshot written: no range ended that matches --snapshot-on=\"range=%s\"",
        on->range);
    if (!strchr(on->range, '@'))
        rln__hint("use 'range=MESSAGE@*' for any domain; range=MESSAGE means the "
                  "default domain");
}

static void take_for_ranges(struct rln__snapshot_on *on, uint64_t n)
{
    char why[600];

    if (n == 1)
        (void)snprintf(why, sizeof(why), "a range %s has ended", on->range);
    else
        (void)snprintf(why, sizeof(why), "%llu ranges %s have ended",
                       (unsigned long long)n, on->range);
    take(on, why);
}

long rln__snapshot_on_poll(struct rln__snapshot_on *on, bool at_end)
{
    const uint64_t now_ns = (uint64_t)rln__monotonic_ns();
    const uint64_t n_asked =
        __atomic_load_n(&on->super->control.snapshots, __ATOMIC_ACQUIRE);

    if (!on->range)
        return LONG_MAX;
    if (n_asked <= on->n_taken) /* 0 if the trace was truncated */
        return LOOK_MS;
    if (now_ns < on->not_before_ns && !at_end)
        return (long)((on->not_before_ns - now_ns) / 1000000) + 1;
    take_for_ranges(on, n_asked - on->n_taken);
    on->n_taken = n_asked;
    on->not_before_ns = now_ns + PAUSE_NS;
    return LOOK_MS;
}
