/* SPDX-License-Identifier: Apache-2.0 */
/* one_pid.c - processes with the same pid, which make ranges of their names:
 *
 *     A, B             pid 1 of two namespaces, at the same time
 *     first            pid 2 of the namespace of B; then it executes this program:
 *     first, executed  the same process
 *     second           pid 2 again, after the first
 *
 * Ends with 1 where a process may not choose that.
 */
#include <nvtx3/nvToolsExt.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *program;
static int a_to_b[2], b_to_a[2]; /* each has its outer range open until both have */

static void say(const char *name)
{
    nvtxRangePushA(name);
    nvtxRangePushA("inside");
    nvtxRangePop();
    nvtxRangePop();
}

static void say_with(const char *name, int to, int from)
{
    char byte = 0;

    nvtxRangePushA(name);
    if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
        _exit(1);
    nvtxRangePop();
}

static int ends_well(pid_t pid)
{
    int status = 0;

    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Makes the kernel give the pid 2 again. */
static int begin_pids_again(void)
{
    const int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
    const int is_written = fd >= 0 && write(fd, "1", 1) == 1;

    (void)close(fd);
    return is_written;
}

/* The kernel counts when a process began in such units. */
static void wait_a_tick(void)
{
    const clock_t unit = 1000 / sysconf(_SC_CLK_TCK);
    struct timespec begin, now;

    (void)clock_gettime(CLOCK_BOOTTIME, &begin);
    do {
        (void)clock_gettime(CLOCK_BOOTTIME, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 +
                 (now.tv_nsec - begin.tv_nsec) / 1000000 <=
             unit);
}

static void be_second(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        say("first");
        (void)execl(program, program, "executed", (char *)NULL);
        _exit(1);
    }
    if (pid != 2 || !ends_well(pid) || !begin_pids_again())
        _exit(1);
    wait_a_tick();
    pid = fork();
    if (pid == 0) {
        say("second");
        _exit(0);
    }
    _exit(pid != 2 || !ends_well(pid));
}

static int be_a(void *unused)
{
    (void)unused;
    say_with("A", a_to_b[1], b_to_a[0]);
    _exit(0);
}

static int be_b(void *unused)
{
    (void)unused;
    say_with("B", b_to_a[1], a_to_b[0]);
    be_second();
    _exit(1);
}

int main(int argc, char **argv)
{
    enum { STACK = 1 << 20 };
    char *stacks = malloc(2 * STACK);
    pid_t a, b;

    program = argv[0];
    if (argc > 1) {
        say("first, executed");
        return 0;
    }
    if (!stacks || pipe(a_to_b) || pipe(b_to_a))
        return 1;
    a = clone(be_a, stacks + STACK, CLONE_NEWPID | SIGCHLD, NULL);
    if (a < 0)
        return 1;
    b = clone(be_b, stacks + 2 * STACK, CLONE_NEWPID | SIGCHLD, NULL);
    if (b < 0)
        (void)kill(a, SIGKILL);
    return !(ends_well(a) & ends_well(b));
}
