/* SPDX-License-Identifier: Apache-2.0 */
#include "record/start/guarded_mapping.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/count.h"

/* The signal is due to what a thread does itself, and comes to it. */
static struct {
    void *at; /* atomic; NULL: free */
    size_t n_bytes;
} mappings[6];
static char taken; /* its address: the slot is being filled */
static volatile sig_atomic_t is_lost;

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    const int error = errno;

    (void)context;
    for (size_t i = 0; i < RLN_COUNT(mappings); i++) {
        void *at = __atomic_load_n(&mappings[i].at, __ATOMIC_ACQUIRE);

        if (!at || at == &taken ||
            (uintptr_t)info->si_addr - (uintptr_t)at >= mappings[i].n_bytes ||
            mmap(at, mappings[i].n_bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            continue;
        is_lost = 1;
        errno = error;
        return;
    }
    (void)sigaction(number, &by_default, NULL); /* the access is repeated, and fatal */
}

void rln__mapping_guard(void *at, size_t n_bytes)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigset_t bus;

    (void)sigemptyset(&bus);
    (void)sigaddset(&bus, SIGBUS);
    (void)sigaction(SIGBUS, &action, NULL);
    (void)pthread_sigmask(SIG_UNBLOCK, &bus, NULL);
    for (size_t i = 0; i < RLN_COUNT(mappings); i++) {
        void *none = NULL;

        if (!__atomic_compare_exchange_n(&mappings[i].at, &none, (void *)&taken, 0,
                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        mappings[i].n_bytes = n_bytes;
        __atomic_store_n(&mappings[i].at, at, __ATOMIC_RELEASE);
        return;
    }
}

void rln__mapping_forget(const void *at)
{
    for (size_t i = 0; i < RLN_COUNT(mappings); i++)
        if (at && __atomic_load_n(&mappings[i].at, __ATOMIC_ACQUIRE) == at)
            __atomic_store_n(&mappings[i].at, NULL, __ATOMIC_RELEASE);
}

bool rln__mapping_is_lost(void)
{
    return is_lost;
}
