/* SPDX-License-Identifier: Apache-2.0 */
#include "console/signal_name.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const struct {
    const char *name;
    int number;
} signals[] = {
    {"HUP", SIGHUP},       {"INT", SIGINT},       {"QUIT", SIGQUIT},
    {"ILL", SIGILL},       {"TRAP", SIGTRAP},     {"ABRT", SIGABRT},
    {"IOT", SIGABRT},      {"BUS", SIGBUS},       {"FPE", SIGFPE},
    {"KILL", SIGKILL},     {"USR1", SIGUSR1},     {"SEGV", SIGSEGV},
    {"USR2", SIGUSR2},     {"PIPE", SIGPIPE},     {"ALRM", SIGALRM},
    {"TERM", SIGTERM},     {"STKFLT", SIGSTKFLT}, {"CHLD", SIGCHLD},
    {"CLD", SIGCHLD},      {"CONT", SIGCONT},     {"STOP", SIGSTOP},
    {"TSTP", SIGTSTP},     {"TTIN", SIGTTIN},     {"TTOU", SIGTTOU},
    {"URG", SIGURG},       {"XCPU", SIGXCPU},     {"XFSZ", SIGXFSZ},
    {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF},     {"WINCH", SIGWINCH},
    {"IO", SIGIO},         {"POLL", SIGIO},       {"PWR", SIGPWR},
    {"SYS", SIGSYS},
};

const char *rln__signal_text(int number)
{
    static char text[24];

    (void)snprintf(text, sizeof(text), "signal %d", number);
    for (size_t i = sizeof(signals) / sizeof(signals[0]); i--;) {
        if (signals[i].number == number)
            (void)snprintf(text, sizeof(text), "SIG%s", signals[i].name);
    }
    return text;
}

int rln__signal_of(const char *text)
{
    const char *name = strncasecmp(text, "SIG", 3) == 0 ? text + 3 : text;
    char *end;
    long number;

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        if (strcasecmp(name, signals[i].name) == 0)
            return signals[i].number;
    }
    if (*text < '0' || *text > '9')
        return 0;
    number = strtol(text, &end, 10);
    return !*end && number > 0 && number <= SIGRTMAX ? (int)number : 0;
}
