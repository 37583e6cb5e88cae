/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_exit.c - in a build that counts what runs, _exit() writes the counts, too.
 *
 * tools/coverage links it into everything. A program (with -DPROGRAM) also gets
 * -Wl,--wrap=_exit; its libraries, each with counts of its own, give it a function that
 * writes them. Processes that are killed still write nothing.
 */
void __gcov_dump(void);
void coverage_at_exit(void (*write_counts)(void));

#ifdef PROGRAM
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

enum { MOST = 16 };

static void (*writers[MOST])(void);
static unsigned n_writers;

__attribute__((visibility("default"))) void coverage_at_exit(void (*write_counts)(void))
{
    const unsigned i = __atomic_fetch_add(&n_writers, 1, __ATOMIC_RELAXED);

    if (i < MOST)
        writers[i] = write_counts;
}

void __wrap__exit(int status)
{
    for (unsigned i = 0; i < MOST && writers[i]; i++)
        writers[i]();
    __real__exit(status);
}
#else
#pragma weak coverage_at_exit /* a program of others lacks it */
#endif

__attribute__((constructor)) static void register_counts(void)
{
    if (coverage_at_exit)
        coverage_at_exit(__gcov_dump);
}
