/* SPDX-License-Identifier: Apache-2.0 */
/* descendants.c - processes created in every way, with various actions before they
 * annotate. */
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { NOBODY = 65534 };

extern char **environ;

static int succeeded(pid_t child)
{
    const int status = status_of(child);

    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- fork ------------------------------------------------------------------------- */

static _Atomic int is_over;

/* Keeps recording and allocating, so that forks happen in the middle of either. */
static void *record_and_allocate(void *unused)
{
    while (!is_over) {
        char text[32];
        void *held = malloc(100000);

        mark();
        (void)snprintf(text, sizeof text, "%p", held); /* a new name */
        nvtxMarkA(text);
        nvtxDomainRegisterStringA(nvtxDomainCreateA(text), text);
        nvtxNameCategoryA(1, text);
        free(held);
    }
    return unused;
}

static int fork_from_threads(void)
{
    pthread_t threads[4];

    mark();
    for (int i = 0; i < 4; i++)
        CHECK(!pthread_create(&threads[i], NULL, record_and_allocate, NULL));
    for (int i = 0; i < 300; i++) {
        const pid_t child = fork();

        if (child == 0) {
            char text[32];

            marks(20);
            (void)snprintf(text, sizeof text, "child %d", i);
            nvtxMarkA(text);
            _exit(0);
        }
        CHECK(succeeded(child));
        mark();
    }
    is_over = 1;
    for (int i = 0; i < 4; i++)
        CHECK(!pthread_join(threads[i], NULL));
    return 0;
}

/* A child forked while another thread attaches must not wait for that thread, which it
 * does not have: its calls return. The parent is a new program each time, so that it
 * attaches again. */
static void *attach_now(void *unused)
{
    nvtxMarkA("some");
    return unused;
}

static int fork_while_attaching(void)
{
    for (int i = 0; i < 300; i++) {
        const pid_t parent = fork();

        if (parent == 0) {
            pthread_t thread;
            pid_t child;

            CHECK(!pthread_create(&thread, NULL, attach_now, NULL));
            (void)usleep((unsigned)i);
            child = fork();
            if (child == 0) {
                for (int j = 0; j < 1000; j++)
                    nvtxMarkA("some");
                _exit(0);
            }
            CHECK(succeeded(child));
            CHECK(!pthread_join(thread, NULL));
            mark();
            _exit(0);
        }
        CHECK(succeeded(parent));
    }
    return 0;
}

/* Each generation waits for the next. */
static int fork_deep(void)
{
    for (int depth = 0; depth < 200; depth++) {
        const pid_t child = fork();

        if (child != 0) {
            mark();
            CHECK(succeeded(child));
            mark();
            if (depth == 0)
                return 0;
            _exit(0);
        }
        mark();
    }
    _exit(0);
}

/* Each generation ends after creating the next, as daemons do. */
static int fork_on_and_on(void)
{
    for (int i = 0; i < 1000; i++) {
        const pid_t child = fork();

        CHECK(child >= 0);
        mark();
        if (child != 0)
            _exit(0);
    }
    return 0;
}

static int fork_wide(void)
{
    pid_t children[1000];

    for (int i = 0; i < 1000; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            marks(5);
            _exit(0);
        }
        mark();
    }
    for (int i = 0; i < 1000; i++)
        CHECK(succeeded(children[i]));
    return 0;
}

/* The parent closes the ranges that are open at a fork; the child knows their depths.
 */
static int fork_in_ranges(void)
{
    mark();
    for (int i = 0; i < 1000; i++) {
        pid_t child;

        CHECK(nvtxRangePushA("both") == 0);
        child = fork();
        if (child == 0) {
            CHECK(nvtxRangePushA("child's") == 1);
            CHECK(nvtxRangePop() == 1);
            CHECK(nvtxRangePop() == 0);
            CHECK(nvtxRangePop() == -1);
            marks(2);
            _exit(0);
        }
        CHECK(succeeded(child));
        CHECK(nvtxRangePop() == 0);
    }
    return 0;
}

/* --- other ways ------------------------------------------------------------------- */

static int vfork_child(void)
{
    mark();
    for (int i = 0; i < 100; i++) {
        const pid_t child = vfork();

        if (child == 0) {
            marks(3); /* in the memory of its parent, which is suspended */
            _exit(0);
        }
        CHECK(succeeded(child));
        mark();
    }
    return 0;
}

/* A thread whose first event is made by its vfork child, which shares its memory. The
 * thread still has its own structures afterwards, while other threads begin. */
static void *vfork_at_first(void *unused)
{
    const pid_t child = vfork();

    if (child == 0) {
        nvtxMarkA("may be dropped");
        _exit(0);
    }
    CHECK(succeeded(child));
    for (int i = 0; i < 2000; i++) {
        CHECK(nvtxRangePushA("outer") == 0);
        CHECK(nvtxRangePushA("inner") == 1);
        CHECK(nvtxRangePop() == 1);
        CHECK(nvtxRangePop() == 0);
        mark();
    }
    return unused;
}

static int vfork_first(void)
{
    mark();
    for (int round = 0; round < 20; round++) {
        pthread_t threads[16];

        for (int i = 0; i < 16; i++)
            CHECK(!pthread_create(&threads[i], NULL, vfork_at_first, NULL));
        for (int i = 0; i < 16; i++)
            CHECK(!pthread_join(threads[i], NULL));
    }
    return 0;
}

static int bare_fork(pid_t (*fork_barely)(void))
{
    mark();
    for (int i = 0; i < 100; i++) {
        const pid_t child = fork_barely();

        if (child == 0) {
            marks(20);
            _exit(0);
        }
        CHECK(succeeded(child));
        mark();
    }
    return 0;
}

static pid_t by_clone(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static int raw_clone(void)
{
    return bare_fork(by_clone);
}

#if __GLIBC_PREREQ(2, 34)
static int underscore_fork(void)
{
    return bare_fork(_Fork);
}
#else
static int underscore_fork(void)
{
    return host_skip("this libc has no _Fork()");
}
#endif

/* --- exec ------------------------------------------------------------------------- */

static int plain(void)
{
    marks(20);
    return 0;
}

/* As passed by NVTX's headers to a collector: a client without slots. */
static int get_module_table(uint32_t module, void *table, uint32_t *n_slots)
{
    static void *slots[1];

    (void)module;
    *(void ***)table = slots;
    *n_slots = 1;
    return 1;
}

static const void *get_export_table(uint32_t id)
{
    static const struct {
        size_t size;
        int (*get_module_table)(uint32_t, void *, uint32_t *);
    } export = {sizeof export, get_module_table};

    return id == 1 ? &export : NULL;
}

/* A program that must not be recorded, so that its marks are not counted. */
static int unrecorded(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    int (*initialize)(const void *(*)(uint32_t)) = NULL;

    nvtxMarkA("kept");
    if (!path)
        return 0;
    /* Not even if its headers load a collector regardless of set-uid. */
    *(void **)&initialize =
        dlsym(dlopen(path, RTLD_NOW | RTLD_LOCAL), "InitializeInjectionNvtx2");
    CHECK(initialize != NULL);
    CHECK(initialize(get_export_table) == 0);
    return 0;
}

static pid_t spawn(const char *path, const char *name, char **environment)
{
    char *const arguments[] = {(char *)path, (char *)name, NULL};
    pid_t child;

    CHECK(posix_spawn(&child, path, NULL, NULL, arguments, environment) == 0);
    return child;
}

static int spawned(void)
{
    char *nothing[] = {NULL};

    mark();
    for (int i = 0; i < 50; i++) {
        CHECK(succeeded(spawn("/proc/self/exe", "plain", environ)));
        CHECK(succeeded(spawn("/proc/self/exe", "unrecorded", nothing)));
        mark();
    }
    return 0;
}

/* The process executes another program, which is a new process in the trace. */
static int exec_after_marks(void)
{
    call_helper();
    execl("/proc/self/exe", "again", "plain", NULL);
    return 1;
}

/* --- rights, roots, names --------------------------------------------------------- */

static int drop_privileges(void)
{
    if (getuid() != 0)
        return host_skip("only root can give up privileges");
    call_helper();
    CHECK(setresgid(NOBODY, NOBODY, NOBODY) == 0);
    CHECK(setresuid(NOBODY, NOBODY, NOBODY) == 0);
    call_helper(); /* new blocks without the rights */
    return 0;
}

/* Checks the user of every thread of the process, the helper included. */
static void check_users(void)
{
    char line[256], command[64];
    FILE *all;

    (void)snprintf(command, sizeof command, "cat /proc/%d/task/*/status", getpid());
    all = popen(command, "re");
    CHECK(all != NULL);
    while (fgets(line, sizeof line, all)) {
        unsigned real, effective;

        if (sscanf(line, "Uid: %u %u", &real, &effective) == 2)
            CHECK(real == NOBODY && effective == NOBODY);
    }
    CHECK(pclose(all) == 0);
}

static void *mark_and_drop(void *unused)
{
    call_helper();
    CHECK(setresuid(NOBODY, NOBODY, NOBODY) == 0);
    check_users();
    call_helper();
    return unused;
}

static int setuid_from_thread(void)
{
    pthread_t thread;

    if (getuid() != 0)
        return host_skip("only root can give up privileges");
    CHECK(!pthread_create(&thread, NULL, mark_and_drop, NULL));
    call_helper();
    CHECK(!pthread_join(thread, NULL));
    return 0;
}

static int change_root(void)
{
    if (getuid() != 0)
        return host_skip("only root can change the root");
    marks(10);
    CHECK(mkdir("empty", 0700) == 0 && chroot("empty") == 0 && chdir("/") == 0);
    call_helper();
    return 0;
}

static int change_directory(void)
{
    /* The first event comes after the change: the path was relative. */
    CHECK(mkdir("elsewhere", 0700) == 0 && chdir("elsewhere") == 0);
    call_helper();
    CHECK(rmdir("../elsewhere") == 0);
    call_helper();
    return 0;
}

static int set_user_id(void)
{
    char command[4200], self[4096] = "";

    if (getuid() != 0)
        return host_skip("only root can make a set-uid program of another user");
    if (HAS_ASAN)
        return host_skip(
            "a set-uid program cannot be told to do without LeakSanitizer");
    CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    (void)snprintf(command, sizeof command,
                   "chmod 777 . && chmod 666 marks && cp %s suid && chown %d suid && "
                   "chmod 4755 suid",
                   self, NOBODY);
    CHECK(system(command) == 0);
    mark();
    CHECK(system("chmod 666 *.rln") == 0); /* it could write there */
    CHECK(succeeded(spawn("./suid", "unrecorded", environ)));
    mark();
    return 0;
}

/* unshare() of some namespaces fails in a process that has threads. */
static int single_threaded(void)
{
    const pid_t child = fork();

    if (child == 0) {
        CHECK(setenv("RANGELINE_HELPER", "0", 1) == 0);
        execl("/proc/self/exe", "again", "namespaces", NULL);
        _exit(1);
    }
    mark();
    return WEXITSTATUS(status_of(child));
}

static int namespaces(void)
{
    const int kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWPID};
    int n_made = 0;
    pid_t child;

    call_helper();
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (unshare(kinds[i]) == 0) {
            marks(1000);
            n_made++;
        } else if (kinds[i] == CLONE_NEWUSER) {
            CHECK(errno != EINVAL); /* the error for a process with threads */
        }
    }
    child = fork(); /* pid 1 of the new namespace, if there is one */
    if (child == 0) {
        marks(1000);
        _exit(0);
    }
    CHECK(succeeded(child));
    return n_made ? 0 : host_skip("no namespace may be made here");
}

/* --- the table -------------------------------------------------------------------- */

const struct host_case host_cases[] = {
    {"fork_from_threads", fork_from_threads},
    {"fork_while_attaching", fork_while_attaching},
    {"fork_deep", fork_deep},
    {"fork_on_and_on", fork_on_and_on},
    {"fork_wide", fork_wide},
    {"fork_in_ranges", fork_in_ranges},
    {"vfork_child", vfork_child},
    {"vfork_first", vfork_first},
    {"raw_clone", raw_clone},
    {"underscore_fork", underscore_fork},
    {"spawned", spawned},
    {"exec_after_marks", exec_after_marks},
    {"drop_privileges", drop_privileges},
    {"setuid_from_thread", setuid_from_thread},
    {"change_root", change_root},
    {"change_directory", change_directory},
    {"set_user_id", set_user_id},
    {"single_threaded", single_threaded},
    {.name = "namespaces", .run = namespaces}, /* single_threaded comes here */
    {"plain", plain},
    {.name = "unrecorded", .run = unrecorded}, /* not a test of its own */
    {0},
};
