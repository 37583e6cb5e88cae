/* SPDX-License-Identifier: Apache-2.0 */
/* sys.h - calls the kernel directly.
 *
 * The collector runs inside programs that may have replaced any libc function by an
 * annotated one: calling it would reenter the collector in the middle of its work. The
 * collector also must not touch errno. So it calls the kernel: each function returns
 * the kernel's result, negative errno on failure, is no cancellation point, and is
 * async-signal-safe. Only functions in use are here.
 */
#ifndef RLN_BASE_SYS_H
#define RLN_BASE_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>

#if defined(__x86_64__)
static inline long rln__sys6(long n, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static inline long rln__sys6(long n, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = n;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;

    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}
#else
#error "Rangeline knows Linux on x86-64 and aarch64"
#endif

static inline long rln__sys3(long n, long a, long b, long c)
{
    return rln__sys6(n, a, b, c, 0, 0, 0);
}

static inline int rln__sys_open(const char *path, int flags, unsigned mode)
{
    return (int)rln__sys6(SYS_openat, AT_FDCWD, (long)path, flags, (long)mode, 0, 0);
}

static inline int rln__sys_close(int fd)
{
    return (int)rln__sys3(SYS_close, fd, 0, 0);
}

static inline long rln__sys_read(int fd, void *to, size_t n_bytes)
{
    return rln__sys3(SYS_read, fd, (long)to, (long)n_bytes);
}

static inline long rln__sys_pwrite(int fd, const void *from, size_t n_bytes,
                                   uint64_t at)
{
    return rln__sys6(SYS_pwrite64, fd, (long)from, (long)n_bytes, (long)at, 0, 0);
}

static inline long rln__sys_pread(int fd, void *to, uint64_t n_bytes, uint64_t at)
{
    return rln__sys6(SYS_pread64, fd, (long)to, (long)n_bytes, (long)at, 0, 0);
}

static inline int rln__sys_fstat(int fd, struct stat *out)
{
    return (int)rln__sys3(SYS_fstat, fd, (long)out, 0);
}

static inline int rln__sys_fstatfs(int fd, struct statfs *out)
{
    return (int)rln__sys3(SYS_fstatfs, fd, (long)out, 0);
}

static inline int rln__sys_fallocate(int fd, int mode, uint64_t at, uint64_t n_bytes)
{
    return (int)rln__sys6(SYS_fallocate, fd, mode, (long)at, (long)n_bytes, 0, 0);
}

static inline int rln__sys_fcntl(int fd, int command, long argument)
{
    return (int)rln__sys3(SYS_fcntl, fd, command, argument);
}

static inline int rln__sys_ioctl(int fd, unsigned long request, void *argument)
{
    return (int)rln__sys3(SYS_ioctl, fd, (long)request, (long)argument);
}

static inline int rln__sys_unlink(const char *path)
{
    return (int)rln__sys3(SYS_unlinkat, AT_FDCWD, (long)path, 0);
}

static inline long rln__sys_readlink(const char *path, char *to, size_t n_bytes)
{
    return rln__sys6(SYS_readlinkat, AT_FDCWD, (long)path, (long)to, (long)n_bytes, 0,
                     0);
}

/* The address, or NULL. */
static inline void *rln__sys_mmap(size_t n_bytes, int prot, int flags, int fd,
                                  uint64_t at)
{
    const long r = rln__sys6(SYS_mmap, 0, (long)n_bytes, prot, flags, fd, (long)at);

    return r < 0 && r > -4096 ? NULL : (void *)r;
}

static inline int rln__sys_munmap(void *at, size_t n_bytes)
{
    return (int)rln__sys3(SYS_munmap, (long)at, (long)n_bytes, 0);
}

static inline int rln__sys_madvise(void *at, size_t n_bytes, int advice)
{
    return (int)rln__sys3(SYS_madvise, (long)at, (long)n_bytes, advice);
}

/* Private zeroed memory, excluded from the program's core dumps; NULL if there is none.
 */
static inline void *rln__sys_zeros(size_t n_bytes)
{
    void *at = rln__sys_mmap(n_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at)
        rln__sys_madvise(at, n_bytes, MADV_DONTDUMP);
    return at;
}

static inline uint32_t rln__sys_getpid(void)
{
    return (uint32_t)rln__sys3(SYS_getpid, 0, 0, 0);
}

static inline uint32_t rln__sys_getppid(void)
{
    return (uint32_t)rln__sys3(SYS_getppid, 0, 0, 0);
}

static inline uint32_t rln__sys_gettid(void)
{
    return (uint32_t)rln__sys3(SYS_gettid, 0, 0, 0);
}

/* Copies memory that may be unmapped: returns the bytes that could be read, or negative
 * errno. -ESRCH: the thread has ended, or is a main thread that called pthread_exit(),
 * whose id no longer gives access to the process's memory. */
static inline long rln__sys_copy_of(uint32_t tid, const struct iovec *to, size_t n_to,
                                    const struct iovec *from, size_t n_from)
{
    return rln__sys6(SYS_process_vm_readv, (long)tid, (long)to, (long)n_to, (long)from,
                     (long)n_from, 0);
}

/* The same for this process. */
static inline long rln__sys_copy(const struct iovec *to, size_t n_to,
                                 const struct iovec *from, size_t n_from)
{
    return rln__sys_copy_of(rln__sys_gettid(), to, n_to, from, n_from);
}

/* Whether the process's address space is unlimited. */
static inline int rln__sys_has_any_address(void)
{
    uint64_t now_and_most[2] = {~(uint64_t)0, 0};

    rln__sys6(SYS_prlimit64, 0, RLIMIT_AS, 0, (long)now_and_most, 0, 0);
    return now_and_most[0] == ~(uint64_t)0;
}

static inline int rln__sys_tgkill(uint32_t pid, uint32_t tid, int signal)
{
    return (int)rln__sys3(SYS_tgkill, (long)pid, (long)tid, signal);
}

static inline int rln__sys_prctl(int option, unsigned long a)
{
    return (int)rln__sys6(SYS_prctl, option, (long)a, 0, 0, 0, 0);
}

static inline uint64_t rln__sys_clock_ns(clockid_t clock)
{
    struct timespec now = {0, 0};

    rln__sys3(SYS_clock_gettime, clock, (long)&now, 0);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void rln__sys_yield(void)
{
    rln__sys3(SYS_sched_yield, 0, 0, 0);
}

/* Gives the calling thread ordinary scheduling, on the processors where `like` may run.
 */
static inline void rln__sys_schedule_like(uint32_t like)
{
    unsigned long mask[128]; /* 8,192 processors */
    const int priority = 0;  /* a struct sched_param */
    const long n_bytes =
        rln__sys3(SYS_sched_getaffinity, (long)like, sizeof mask, (long)mask);

    rln__sys3(SYS_sched_setscheduler, 0, 0 /* SCHED_OTHER */, (long)&priority);
    if (n_bytes > 0)
        rln__sys3(SYS_sched_setaffinity, 0, n_bytes, (long)mask);
}

static inline int rln__sys_uname(struct utsname *out)
{
    return (int)rln__sys3(SYS_uname, (long)out, 0, 0);
}

static inline long rln__sys_getcwd(char *to, size_t n_bytes)
{
    return rln__sys3(SYS_getcwd, (long)to, (long)n_bytes, 0);
}

static inline long rln__sys_getrandom(void *to, size_t n_bytes)
{
    return rln__sys3(SYS_getrandom, (long)to, (long)n_bytes, 0);
}

/* Waits while *word is `expected`, for at most `timeout_ns`. */
static inline int rln__sys_futex_wait(uint32_t *word, uint32_t expected,
                                      uint64_t timeout_ns)
{
    struct timespec timeout = {(time_t)(timeout_ns / 1000000000u),
                               (long)(timeout_ns % 1000000000u)};

    return (int)rln__sys6(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, (long)expected,
                          (long)&timeout, 0, 0);
}

static inline int rln__sys_futex_wake(uint32_t *word)
{
    return (int)rln__sys6(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0,
                          0);
}

/* A signal mask as the kernel sees it. */
typedef uint64_t rln__sigmask;

static inline void rln__sys_sigprocmask(int how, const rln__sigmask *set,
                                        rln__sigmask *old)
{
    rln__sys6(SYS_rt_sigprocmask, how, (long)set, (long)old, sizeof *set, 0, 0);
}

/* Whether the word at or around an address can be read: the kernel reads the signal
 * mask before it rejects the invalid operation on it. */
static inline int rln__sys_is_readable(uintptr_t at)
{
    const uintptr_t word = at & ~(uintptr_t)7; /* the kernel takes 0 for "no mask" */

    return word && rln__sys6(SYS_rt_sigprocmask, -1, (long)word, 0,
                             sizeof(rln__sigmask), 0, 0) != -EFAULT;
}

/* Whether a word can be written: the kernel stores the signal mask there. */
static inline int rln__sys_is_writable(uint64_t *at)
{
    return at && rln__sys6(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)at,
                           sizeof(rln__sigmask), 0, 0) != -EFAULT;
}

/* Whether the process has a handler for a signal. */
static inline int rln__sys_is_handled(int number)
{
    /* The kernel's struct sigaction begins with the handler; 0 and 1 mean none. */
    unsigned long action[8] = {0};

    return rln__sys6(SYS_rt_sigaction, number, 0, (long)action, sizeof(rln__sigmask), 0,
                     0) == 0 &&
           action[0] > 1;
}

/* Whether the thread runs on its alternate signal stack. */
static inline int rln__sys_is_on_signal_stack(void)
{
    stack_t stack = {0};

    return rln__sys3(SYS_sigaltstack, 0, (long)&stack, 0) == 0 &&
           (stack.ss_flags & SS_ONSTACK) != 0;
}

#endif
