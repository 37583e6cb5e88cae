/* SPDX-License-Identifier: Apache-2.0 */
#include "console/devtools.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "console/find_program.h"
#include "console/signal_name.h"

extern char **environ;

#define TO_BROWSER 3 /* descriptors, as --remote-debugging-pipe has them */
#define FROM_BROWSER 4
#define ROOM (PATH_MAX + 64) /* of a path in the folder, in an option */
#define OUTPUT "/output"
#define TMPDIR "TMPDIR="
#define ENDS_NS 5000000000 /* how long a browser may take to end */
#define LOOK_MS 100        /* how soon a signal is seen */

bool rln__devtools_find(char path[PATH_MAX])
{
    static const char *const names[] = {"chromium",      "chromium-browser",
                                        "google-chrome", "google-chrome-stable",
                                        "chrome",        "microsoft-edge"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (rln__find_program(names[i], path) == 0)
            return true;
    }
    return false;
}

/* --- Beginning -------------------------------------------------------------------- */

/* A pipe whose ends are above the descriptors that the browser gets. */
static int make_pipe(int ends[2])
{
    int made[2];

    if (pipe(made) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, FROM_BROWSER + 1);
        (void)close(made[i]);
    }
    return ends[0] < 0 || ends[1] < 0 ? -1 : 0;
}

/* Our environment, with temporary files in that folder, so that none are left when the
 * browser is killed. The caller frees it; NULL: no memory. */
static char **make_environment(char *tmpdir)
{
    size_t n = 0, n_made = 0;
    char **made;

    while (environ[n])
        n++;
    made = calloc(n + 2, sizeof(*made));
    for (size_t i = 0; i < n && made; i++) {
        if (strncmp(environ[i], TMPDIR, strlen(TMPDIR)) != 0)
            made[n_made++] = environ[i];
    }
    if (made)
        made[n_made] = tmpdir;
    return made;
}

static int spawn(pid_t *child, char **words, const char *folder, int in, int out)
{
    char output[ROOM], tmpdir[ROOM];
    char **environment;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int error;

    (void)snprintf(output, sizeof(output), "%s" OUTPUT, folder);
    (void)snprintf(tmpdir, sizeof(tmpdir), TMPDIR "%s", folder);
    environment = make_environment(tmpdir);
    if (!environment)
        return ENOMEM;
    (void)sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output,
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, in, TO_BROWSER);
    posix_spawn_file_actions_adddup2(&actions, out, FROM_BROWSER);
    error = posix_spawn(child, words[0], &actions, &attributes, words, environment);
    free(environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

int rln__devtools_start(struct rln__devtools *d, const char *browser,
                        const char *folder, unsigned seconds)
{
    char profile[ROOM];
    char *words[] = {(char *)browser,
                     "--headless",
                     "--remote-debugging-pipe",
                     "--disable-gpu",
                     "--hide-scrollbars",
                     "--no-first-run",
                     "--disable-background-networking",
                     profile,
                     geteuid() == 0 ? "--no-sandbox" : NULL, /* root cannot have one */
                     NULL};
    int commands[2] = {-1, -1}, answers[2] = {-1, -1}, error = 0;

    *d = (struct rln__devtools){.deadline_ns = rln__monotonic_ns() +
                                               seconds * INT64_C(1000000000)};
    (void)snprintf(profile, sizeof(profile), "--user-data-dir=%s/profile", folder);
    if (make_pipe(commands) < 0 || make_pipe(answers) < 0)
        error = errno;
    if (!error && fcntl(commands[1], F_SETFL, O_NONBLOCK) < 0) /* it may not read */
        error = errno;
    if (!error)
        error = spawn(&d->pid, words, folder, commands[0], answers[1]);
    d->to = commands[1];
    d->from = answers[0];
    (void)close(commands[0]);
    (void)close(answers[1]);
    if (error) {
        (void)close(d->to);
        (void)close(d->from);
    }
    return error;
}

/* --- Asking ----------------------------------------------------------------------- */

/* Whether a signal is to end us, which is blocked: see console/unfinished.h. */
static bool are_to_end(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t waiting;

    (void)sigpending(&waiting);
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        if (sigismember(&waiting, ends[i]) == 1)
            return true;
    }
    return false;
}

/* Waits until a pipe is ready: false at the deadline, or if we are to end. */
static bool is_ready(const struct rln__devtools *d, int fd, short events)
{
    struct pollfd ready = {.fd = fd, .events = events};
    int n = 0;

    while (n == 0 && rln__monotonic_ns() < d->deadline_ns && !are_to_end())
        n = poll(&ready, 1, LOOK_MS);
    return n > 0;
}

/* Reads more, up to the deadline. */
static bool read_more(struct rln__devtools *d)
{
    char bytes[65536];
    ssize_t n;

    if (!is_ready(d, d->from, POLLIN))
        return false;
    n = read(d->from, bytes, sizeof(bytes));
    if (n > 0)
        rln__buf_add(&d->answers, bytes, (size_t)n);
    return n > 0 && !d->answers.has_failed;
}

/* The next answer or event; NULL: none came. */
static const char *next_message(struct rln__devtools *d)
{
    struct rln__buf *const all = &d->answers;
    size_t looked = 0;

    if (d->next) { /* what was used goes */
        memmove(all->bytes, all->bytes + d->next, all->length - d->next);
        all->length -= d->next;
        d->next = 0;
    }
    while (true) {
        const char *end = all->length > looked
                              ? memchr(all->bytes + looked, 0, all->length - looked)
                              : NULL;

        if (end) {
            d->next = (size_t)(end - all->bytes) + 1;
            return all->bytes;
        }
        looked = all->length;
        if (!read_more(d))
            return NULL;
    }
}

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

const char *rln__devtools_ask(struct rln__devtools *d, const char *method,
                              const char *params)
{
    struct rln__buf asked = {0};
    char answer[32];
    const char *message;
    size_t sent = 0;

    rln__buf_format(&asked, "{\"id\":%u,\"method\":\"%s\",\"params\":%s", ++d->n_asked,
                    method, params);
    if (d->session[0])
        rln__buf_format(&asked, ",\"sessionId\":\"%s\"", d->session);
    rln__buf_add(&asked, "}", 2); /* with the end of the text */
    while (!asked.has_failed && sent < asked.length && is_ready(d, d->to, POLLOUT)) {
        const ssize_t n = write(d->to, asked.bytes + sent, asked.length - sent);

        if (n < 0)
            break;
        sent += (size_t)n;
    }
    rln__buf_clear(&asked);
    (void)snprintf(answer, sizeof(answer), "{\"id\":%u,", d->n_asked);
    do
        message = next_message(d);
    while (message && !begins_with(message, answer));
    return message && begins_with(message + strlen(answer), "\"result\"") ? message
                                                                          : NULL;
}

bool rln__devtools_wait(struct rln__devtools *d, const char *event)
{
    const char *message;
    char begin[128];

    (void)snprintf(begin, sizeof(begin), "{\"method\":\"%s\"", event);
    do
        message = next_message(d);
    while (message && !begins_with(message, begin));
    return message != NULL;
}

const char *rln__devtools_text(const char *answer, const char *member, size_t *length)
{
    char key[64];
    const char *at;

    (void)snprintf(key, sizeof(key), "\"%s\":\"", member);
    at = answer ? strstr(answer, key) : NULL;
    if (!at)
        return NULL;
    at += strlen(key);
    *length = strcspn(at, "\"");
    return at;
}

/* --- Ending ----------------------------------------------------------------------- */

/* The status, as of waitpid(). Kills it when its time is over. */
static int end_of(pid_t pid)
{
    const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};
    const int64_t deadline_ns = rln__monotonic_ns() + ENDS_NS;
    int status = 0;
    pid_t ended;

    while ((ended = waitpid(pid, &status, WNOHANG)) == 0 &&
           rln__monotonic_ns() < deadline_ns)
        (void)nanosleep(&moment, NULL);
    if (ended != 0)
        return status;
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, &status, 0);
    return status;
}

static void put_last_line(const char *folder, char *line, size_t size)
{
    char output[ROOM], each[512];
    FILE *file;

    (void)snprintf(output, sizeof(output), "%s" OUTPUT, folder);
    file = fopen(output, "re");
    line[0] = '\0';
    while (file && fgets(each, sizeof(each), file)) {
        each[strcspn(each, "\n")] = '\0';
        if (each[0])
            (void)snprintf(line, size, "%s", each);
    }
    if (file)
        (void)fclose(file);
}

void rln__devtools_end(struct rln__devtools *d, const char *folder, char *reason,
                       size_t size)
{
    const bool is_late = rln__monotonic_ns() >= d->deadline_ns;
    int status;

    (void)close(d->to); /* it ends when it can be asked no more */
    (void)close(d->from);
    if (is_late || are_to_end())
        (void)kill(d->pid, SIGKILL);
    status = end_of(d->pid);
    put_last_line(folder, reason, size);
    if (is_late)
        (void)snprintf(reason, size, "it takes too long");
    else if (WIFSIGNALED(status))
        (void)snprintf(reason, size, "it was killed by %s",
                       rln__signal_text(WTERMSIG(status)));
    else if (!reason[0])
        (void)snprintf(reason, size, "it has drawn nothing");
    rln__buf_clear(&d->answers);
}
