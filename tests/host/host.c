/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - runs the named case, and counts marks. */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

static unsigned long *count; /* in the file `marks` */

/* Also before main(): a constructor may be the first to mark. */
static unsigned long *counter(void)
{
    unsigned long *at = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
    int fd;

    if (at)
        return at;
    fd = open("marks", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *at) < 0)
        _exit(3);
    at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        _exit(3);
    __atomic_store_n(&count, at,
                     __ATOMIC_RELEASE); /* two mappings are as good as one */
    return at;
}

void count_marks(unsigned n)
{
    __atomic_fetch_add(counter(), n, __ATOMIC_RELAXED);
}

void mark(void)
{
    nvtxMarkA("kept");
    count_marks(1);
}

void marks(unsigned n)
{
    while (n--)
        mark();
}

void call_helper(void)
{
    marks(40 * MANY);
}

void host_fail(const char *file, int line, const char *what)
{
    dprintf(2, "%s:%d: does not hold: %s (errno %d)\n", file, line, what, errno);
    _exit(1);
}

int status_of(pid_t child)
{
    int status = -1;

    CHECK(child > 0);
    while (waitpid(child, &status, 0) < 0)
        CHECK(errno == EINTR);
    return status;
}

int main(int argc, char **argv)
{
    for (const struct host_case *c = host_cases; c->name; c++) {
        if (argc > 1 && strcmp(c->name, argv[1]) == 0) {
            (void)counter();
            return c->run();
        }
    }
    (void)fprintf(stderr, "usage: %s CASE\n", argv[0]);
    for (const struct host_case *c = host_cases; c->name; c++)
        (void)fprintf(stderr, "  %s\n", c->name);
    return 2;
}
