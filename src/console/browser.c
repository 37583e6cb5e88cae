/* SPDX-License-Identifier: Apache-2.0 */
#include "console/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console/die.h"

extern char **environ;

char *rln__private_page(void)
{
    const char *folder = getenv("XDG_RUNTIME_DIR");
    char *name;
    int fd;

    if (!folder || access(folder, W_OK) < 0)
        folder = getenv("TMPDIR");
    if (asprintf(&name, "%s/rangeline-XXXXXX.html", folder ? folder : "/tmp") < 0)
        rln__die(RLN__EXIT_FAILED, "out of memory");
    fd = mkstemps(name, (int)strlen(".html"));
    if (fd < 0)
        rln__die(RLN__EXIT_FAILED, "cannot write page: path=\"%s\": %s", name,
                 strerror(errno));
    (void)close(fd);
    return name;
}

static bool has_screen(void)
{
    return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
}

bool rln__open_browser(const char *path)
{
    char *words[] = {"xdg-open", (char *)path, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    bool is_started;

    if (!has_screen() || posix_spawn_file_actions_init(&actions))
        return false;
    /* It lists every browser that it has not found. */
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                           O_WRONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    is_started = posix_spawnp(&child, words[0], &actions, NULL, words, environ) == 0;
    (void)posix_spawn_file_actions_destroy(&actions);
    return is_started;
}

static bool write_redirection(const char *path, const char *address)
{
    FILE *file = fopen(path, "we");
    bool is_written;

    if (!file)
        return false;
    is_written =
        fprintf(file,
                "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"referrer\" content=\"no-referrer\">\n"
                "<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n"
                "<title>rangeline</title>\n<a href=\"%s\">rangeline view</a>\n",
                address, address) > 0;
    return fclose(file) == 0 && is_written;
}

char *rln__open_browser_at(const char *address)
{
    char *path;

    if (!has_screen())
        return NULL;
    path = rln__private_page();
    if (write_redirection(path, address) && rln__open_browser(path))
        return path;
    (void)unlink(path);
    free(path);
    return NULL;
}
