/* SPDX-License-Identifier: Apache-2.0 */
#include "record/during/titles.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_NOTED 10000

static size_t read_file(int pid, const char *name, char *text, size_t size)
{
    char path[64];
    ssize_t n;
    int fd;

    (void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    n = read(fd, text, size);
    (void)close(fd);
    return n > 0 ? (size_t)n : 0;
}

/* The name of the main thread, between the outermost parentheses, and when the process
 * began. False if it has ended. */
static bool read_stat(int pid, char *text, size_t size,
                      struct rln__process_words *words, unsigned long long *start)
{
    const size_t n = read_file(pid, "stat", text, size - 1);
    char *begin, *end;

    text[n] = '\0';
    begin = strchr(text, '(');
    end = strrchr(text, ')');
    if (!begin || !end || end < begin)
        return false;
    words->name = begin + 1;
    words->n_name = (size_t)(end - begin - 1);
    return sscanf(end + 1,
                  " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                  "%*s %*s %*s %llu",
                  start) == 1;
}

static const struct rln__titled *find(const struct rln__titles *t, int pid,
                                      unsigned long long start)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].pid == pid && t->items[i].start == start)
            return &t->items[i];
    return NULL;
}

/* Whether a process has a title that it did not have before. `exe` is what it executes.
 */
static bool is_titled_anew(const struct rln__titles *t, int pid,
                           struct rln__titled *out, char exe[PATH_MAX])
{
    char stat[512], arguments[RLN__TITLE_ARGUMENT_BYTES], path[64];
    struct rln__process_words words = {.arguments = arguments, .executable = exe};
    const struct rln__titled *before;
    const char *title;
    size_t length;
    ssize_t n;

    *out = (struct rln__titled){.pid = pid};
    if (!read_stat(pid, stat, sizeof(stat), &words, &out->start))
        return false;
    (void)snprintf(path, sizeof(path), "/proc/%d/exe", pid);
    n = readlink(path, exe, PATH_MAX - 1);
    words.n_executable = n > 0 ? (size_t)n : 0;
    exe[words.n_executable] = '\0';
    words.n_arguments = read_file(pid, "cmdline", arguments, sizeof(arguments));
    title = rln__process_title(&words, &length);
    if (!title)
        return false;
    memcpy(out->title, title, length);
    before = find(t, pid, out->start);
    return !before || strcmp(before->title, out->title) != 0;
}

/* "PID START TITLE", a zero byte, and what it executes. */
static void note(struct rln__launch_record *record, const struct rln__titled *title,
                 const char *exe)
{
    char text[sizeof(title->title) + PATH_MAX + 64];
    int n = snprintf(text, sizeof(text), "%d %llu %s", title->pid, title->start,
                     title->title);

    n += 1 + snprintf(text + n + 1, sizeof(text) - (size_t)n - 1, "%s", exe);
    rln__launch_record_note(record, "title of", text, (size_t)n);
}

void rln__titles_poll(struct rln__titles *t, const struct rln__pids *pids,
                      struct rln__launch_record *record)
{
    struct rln__titled *items = calloc(pids->n + 1, sizeof(*items));

    if (!items)
        return;
    for (size_t i = 0; i < pids->n; i++) {
        char exe[PATH_MAX];

        if (is_titled_anew(t, pids->items[i], &items[i], exe) &&
            t->n_noted++ < MOST_NOTED)
            note(record, &items[i], exe);
    }
    free(t->items);
    t->items = items;
    t->n = pids->n;
}

void rln__titles_clear(struct rln__titles *titles)
{
    free(titles->items);
    memset(titles, 0, sizeof(*titles));
}
