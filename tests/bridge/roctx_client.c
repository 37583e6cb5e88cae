/* SPDX-License-Identifier: Apache-2.0 */
/* roctx_client.c - makes calls of ROCTX, and prints what they return. It is linked with
 * AMD's library, or, compiled with ROCTX_LOADS, loads the one that its argument names.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void roctxMarkA(const char *message);
int roctxRangePushA(const char *message);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *message);
void roctxRangeStop(uint64_t id);

static struct roctx {
    void (*mark)(const char *);
    int (*push)(const char *);
    int (*pop)(void);
    uint64_t (*start)(const char *);
    void (*stop)(uint64_t);
} roctx;

#ifdef ROCTX_LOADS
static int find(const char *name)
{
    static const char *const names[] = {"roctxMarkA", "roctxRangePushA",
                                        "roctxRangePop", "roctxRangeStartA",
                                        "roctxRangeStop"};
    void *library = dlopen(name, RTLD_LAZY);

    for (size_t i = 0; library && i < 5; i++) {
        void *symbol = dlsym(library, names[i]);

        memcpy((char *)&roctx + i * sizeof(symbol), &symbol, sizeof(symbol));
    }
    return library != NULL;
}
#else
static int find(const char *name)
{
    (void)name;
    roctx = (struct roctx){roctxMarkA, roctxRangePushA, roctxRangePop, roctxRangeStartA,
                           roctxRangeStop};
    return 1;
}
#endif

int main(int argc, char **argv)
{
    uint64_t first, second;

    if (!find(argv[argc - 1])) {
        (void)puts("no library");
        return 0;
    }
    errno = EDOM; /* the program's */
    (void)printf("%d", roctx.push("outer"));
    if (errno != EDOM)
        (void)printf("(errno %d)", errno);
    (void)printf(" %d", roctx.push("inner"));
    roctx.mark("mark");
    first = roctx.start("first");
    second = roctx.start("second");
    (void)printf(" %" PRIu64 " %" PRIu64, first, second);
    roctx.stop(first);
    (void)printf(" %d", roctx.pop());
    roctx.stop(second);
    roctx.stop(second);
    (void)printf(" %d", roctx.pop());
    (void)printf(" %d\n", roctx.pop());
    return 0;
}
