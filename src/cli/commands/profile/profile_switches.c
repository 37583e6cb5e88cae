/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/profile/profile_switches.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "console/die.h"

/* Says in the trace why there are none, and if they were requested, here. */
static void note_no_switches(struct rln__profile *p, const char *why)
{
    rln__launch_record_note(&p->record, RLN__NO_SWITCHES_NOTE, why, strlen(why));
    if (rln__args_has(&p->args, RLN__PROFILE_SWITCHES))
        rln__note("switches are not recorded: --cpuctxsw=\"%s\": %s",
                  rln__args_text(&p->args, RLN__PROFILE_SWITCHES), why);
}

static void note_refusal(struct rln__profile *p, int error)
{
    char why[160];

    (void)snprintf(
        why, sizeof(why), "perf_event_open: %s%s", strerror(error),
        p->switches.is_on
            ? "; instead, the clocks of threads are read up to 100 times a second"
            : "");
    note_no_switches(p, why);
    if ((error == EACCES || error == EPERM) &&
        rln__args_has(&p->args, RLN__PROFILE_SWITCHES))
        rln__hint("a container's seccomp filter, or a perf_event_paranoid above 2, "
                  "forbids them; Docker permits them with --cap-add=PERFMON");
}

void rln__profile_switches(struct rln__profile *p)
{
    const char *which = rln__args_text(&p->args, RLN__PROFILE_SWITCHES);
    int result;

    if (which && strcmp(which, "none") == 0)
        return;
    result = rln__switch_recorder_begin(&p->switches, &p->trace.file,
                                        p->record.chunk.process, p->launch.pid);
    if (result < 0 || p->switches.sources.refusal)
        note_refusal(p, result < 0 ? -result : -p->switches.sources.refusal);
}

void rln__profile_switches_end(struct rln__profile *p)
{
    const size_t n = rln__switch_recorder_end(&p->switches);
    const int refusal = p->switches.sources.refusal;
    char why[160];

    if (!n)
        return;
    if (refusal)
        (void)snprintf(
            why, sizeof(why),
            "perf_event_open: %s; instead, the clocks of threads were read, but "
            "of %zu threads, for which there was no room (ulimit -n)",
            strerror(-refusal), n);
    else
        (void)snprintf(why, sizeof(why),
                       "of %zu threads, for which there was no room (ulimit -l, -n)",
                       n);
    note_no_switches(p, why);
}
