/* SPDX-License-Identifier: Apache-2.0 */
/* unchanged.c - prints the process state visible to a program, before, between and
 * after its annotations. unchanged.sh compares the output of recorded and unrecorded
 * runs. */
#include <nvtx3/nvToolsExt.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A collector keeps its file at a high descriptor with close-on-exec: programs use low
 * ones, and programs that they execute do not inherit it. */
enum { LOW = 500, ALL = 8192 };

static void print_descriptors(int below)
{
    for (int fd = 0; fd < below; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf(" %d", fd);
    printf(" next %d", dup(0));
    printf("\n");
}

/* Not SigQ, because it counts signals of the user's other programs, too. */
static void print_status(void)
{
    FILE *status = fopen("/proc/self/status", "re");
    char line[512];

    while (status && fgets(line, sizeof line, status)) {
        static const char *const keys[] = {
            "Uid",     "Gid",    "Groups",     "Threads", "SigPnd",
            "ShdPnd",  "SigBlk", "SigIgn",     "SigCgt",  "NoNewPrivs",
            "Seccomp", "Umask",  "CoreDumping"};

        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
            if (strncmp(line, keys[i], strlen(keys[i])) == 0)
                fputs(line, stdout);
    }
    if (status)
        (void)fclose(status);
}

static void print_self(const char *when, int descriptors_below)
{
    char directory[4096];
    struct rlimit files;
    cpu_set_t processors;
    const mode_t mask = umask(0);

    (void)umask(mask);
    printf("-- %s\n", when);
    print_status();
    print_descriptors(descriptors_below);
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "NVTX_", 5) != 0 && strncmp(*e, "RANGELINE_", 10) != 0)
            printf("%s\n", *e);
    (void)getrlimit(RLIMIT_NOFILE, &files);
    (void)sched_getaffinity(0, sizeof processors, &processors);
    printf("directory %s, mask %o, locale %s, files %lu, nice %d, processors %d\n",
           getcwd(directory, sizeof directory), mask, setlocale(LC_ALL, NULL),
           (unsigned long)files.rlim_cur, getpriority(PRIO_PROCESS, 0),
           CPU_COUNT(&processors));
    (void)prctl(PR_GET_NAME, directory);
    printf("name %s, dumpable %d, timer slack %d, sid %d\n", directory,
           prctl(PR_GET_DUMPABLE), prctl(PR_GET_TIMERSLACK), getsid(0) == getpid());
    for (int number = 1; number < SIGRTMAX; number++) {
        struct sigaction action;

        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            printf("signal %d is handled or ignored\n", number);
    }
    fflush(stdout);
}

/* Prints errno after each kind of call, including a first call. */
static void print_errno(const char *name, int before)
{
    printf("errno %d after %s, was %d\n", errno, name, before);
}

#define WITH_ERRNO(call)                                                               \
    do {                                                                               \
        errno = 77;                                                                    \
        call;                                                                          \
        print_errno(#call, 77);                                                        \
    } while (0)

int main(int argc, char **argv)
{
    static char text[1 << 21];
    nvtxDomainHandle_t domain;
    nvtxEventAttributes_t event = {0};

    if (argc > 1 && strcmp(argv[1], "child") == 0) {
        print_self("in a child", ALL);
        return 0;
    }
    (void)setlocale(LC_ALL, "C.UTF-8");
    srand(1);
    print_self("before", LOW);
    WITH_ERRNO(nvtxMarkA("first"));
    WITH_ERRNO(nvtxRangePushA("a"));
    WITH_ERRNO(nvtxRangePop());
    WITH_ERRNO((domain = nvtxDomainCreateA("d")));
    WITH_ERRNO(nvtxDomainRegisterStringA(domain, "s"));
    WITH_ERRNO(nvtxDomainNameCategoryA(domain, 1, "c"));
    WITH_ERRNO(nvtxNameOsThreadA(1, "t"));
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    WITH_ERRNO(nvtxDomainMarkEx(domain, &event));
    memset(text, 'x', sizeof text - 1);
    WITH_ERRNO(nvtxMarkA(text));
    WITH_ERRNO(nvtxRangeEnd(nvtxRangeStartA("a")));
    WITH_ERRNO(for (int i = 0; i < 100000; i++) nvtxMarkA("many")); /* new chunks */
    (void)usleep(1000);
    print_self("between", LOW);
    fflush(stdout);
    if (fork() == 0) {
        execl("/proc/self/exe", argv[0], "child", NULL);
        _exit(127);
    }
    (void)wait(NULL);
    printf("random %d, clock %d\n", rand(), clock() > 0);
    print_self("after", LOW);
    return 42;
}
