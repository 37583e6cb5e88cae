/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/launch_signals.h"
#include "base/count.h"
#include "base/monotonic.h"
#include "record/start/child_pids.h"

#include <errno.h>
#include <limits.h>
#include <sys/wait.h>
#include <time.h>

/* Signals that the launcher handles, plus SIGXFSZ and SIGPIPE, which must not end it.
 */
void rln__launch_signals(sigset_t *out)
{
    static const int signals[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                                  SIGUSR2, SIGCONT, SIGTSTP, SIGXFSZ, SIGPIPE};

    (void)sigemptyset(out);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        (void)sigaddset(out, signals[i]);
}

/* --- Waiting ---------------------------------------------------------------------- */

struct wait {
    struct rln__launch *launch;
    int status;
    bool program_stopped;
    bool program_ended;
    bool is_to_stop;      /* to be done as soon as the program has stopped */
    bool any_left;        /* children: the program, or processes it left behind */
    bool stops_waiting;   /* told to end */
    unsigned n_lingering; /* seconds since the program ended */
};

static void reap(struct wait *w)
{
    for (;;) {
        int status;
        const pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED);

        if (pid == 0 || (pid < 0 && errno != ECHILD)) {
            w->any_left = rln__pids_any_child_of_run();
            return;
        }
        if (pid < 0) {
            w->any_left = false;
            return;
        }
        if (rln__pid_is_left_out(pid)) {
            if (WIFEXITED(status) || WIFSIGNALED(status))
                (void)rln__pids_leave_out(0); /* another may get its number */
            continue;
        }
        if (pid == w->launch->pid) {
            w->status = status;
            w->program_stopped = WIFSTOPPED(status);
            w->program_ended = WIFEXITED(status) || WIFSIGNALED(status);
        }
        if (w->launch->on_death && WIFSIGNALED(status))
            w->launch->on_death(w->launch->on_context, pid, WTERMSIG(status));
    }
}

/* Stops until SIGCONT. A shell goes on as soon as we have stopped, so the program must
 * stop first, or it may take input meant for the prompt. In a process group that no
 * shell controls, which nothing would continue, the kernel ignores this signal, as it
 * did for the program. */
static void stop(struct wait *w)
{
    sigset_t signals;

    w->is_to_stop = false;
    w->program_stopped = false; /* SIGCONT reaches the program, too */
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGTSTP);
    (void)raise(SIGTSTP);
    (void)sigprocmask(SIG_UNBLOCK, &signals, NULL);
    (void)sigprocmask(SIG_BLOCK, &signals, NULL);
}

/* Signals from the terminal have reached the whole process group, including the
 * program. */
static void pass_on(struct wait *w, const siginfo_t *info)
{
    const int signal = info->si_signo;
    const bool is_for_us = info->si_code != SI_KERNEL && info->si_pid != w->launch->pid;

    if (signal == SIGCHLD || signal == SIGXFSZ || signal == SIGPIPE)
        return;
    if (w->launch->on_own_signal && sigismember(&w->launch->own_signals, signal)) {
        w->launch->on_own_signal(w->launch->on_context, signal);
        return;
    }
    if (!w->program_ended && is_for_us)
        (void)kill(w->launch->pid, signal);
    w->is_to_stop = signal == SIGTSTP || (w->is_to_stop && signal != SIGCONT);
    if (w->program_ended && signal != SIGCONT && signal != SIGTSTP)
        w->stops_waiting = true;
}

static void a_second_passed(struct wait *w)
{
    w->launch->each_second(w->launch->each_second_context);
    if (w->program_ended && w->n_lingering++ == 1)
        rln__complain("the program has ended; waiting for processes that it left "
                      "behind (Ctrl-C stops waiting; --wait primary does not wait)");
}

/* --- After the end ---------------------------------------------------------------- */

/* Signals that end this command once the program has ended. */
static void ending_signals(sigset_t *out)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action;

    (void)sigemptyset(out);
    for (size_t i = 0; i < RLN_COUNT(signals); i++)
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            (void)sigaddset(out, signals[i]);
}

/* Uses up the signals that came for the program. A terminal sends them to the whole
 * process group, so ours may come after the program's end. */
static void use_up_signals(int status)
{
    struct timespec patience = {0, WIFSIGNALED(status) ? 10000000 : 0};
    sigset_t signals;

    ending_signals(&signals);
    while (sigtimedwait(&signals, NULL, &patience) > 0)
        patience.tv_nsec = 0;
}

int rln__launch_is_interrupted(void)
{
    sigset_t ending, pending;

    ending_signals(&ending);
    return sigpending(&pending) == 0 && sigandset(&pending, &pending, &ending) == 0 &&
           !sigisemptyset(&pending);
}

void rln__launch_take_signals_back(const struct rln__launch *l)
{
    sigset_t signals = l->old_mask;

    (void)sigaddset(&signals, SIGXFSZ);
    (void)sigaddset(&signals, SIGPIPE);
    (void)sigprocmask(SIG_SETMASK, &signals, NULL);
}

/* --- Until the end ---------------------------------------------------------------- */

void rln__launch_wait(struct rln__launch *l, struct rln__launch_end *out)
{
    struct wait w = {.launch = l};
    long next_second = rln__monotonic_ms() + 1000;
    long next_attend = l->attend ? rln__monotonic_ms() : LONG_MAX;
    sigset_t handled;

    rln__launch_signals(&handled);
    for (;;) {
        const long next = next_attend < next_second ? next_attend : next_second;
        const long left_ms = next - rln__monotonic_ms();
        const struct timespec left = {left_ms / 1000, left_ms % 1000 * 1000000};
        siginfo_t info;

        reap(&w);
        if (w.program_ended && (!w.any_left || !l->waits_for_all))
            break;
        if (w.is_to_stop && (w.program_stopped || w.program_ended)) {
            stop(&w);
            continue;
        }
        if (left_ms <= 0 && next == next_attend) {
            const long after_ms = l->attend(l->attend_context);

            next_attend =
                after_ms == LONG_MAX ? LONG_MAX : rln__monotonic_ms() + after_ms;
            continue;
        }
        if (left_ms <= 0) {
            a_second_passed(&w);
            next_second = rln__monotonic_ms() + 1000;
            if (w.stops_waiting)
                break; /* other processes that got Ctrl-C had a second to end */
            continue;
        }
        if (sigtimedwait(&handled, &info, &left) > 0)
            pass_on(&w, &info);
    }
    use_up_signals(w.status);
    out->signal = WIFSIGNALED(w.status) ? WTERMSIG(w.status) : 0;
    out->exit_code = out->signal ? 128 + out->signal : WEXITSTATUS(w.status);
    out->all_ended = !w.any_left;
}
