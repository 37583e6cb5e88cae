/* SPDX-License-Identifier: Apache-2.0 */
/* manners.c - tests what our headers guarantee beyond NVTX; each case prints a line:
 *
 *   manners errno             the first call does not change errno, whatever happens
 *   manners reenter           a call made while attaching, on the same thread, returns,
 *   manners reenter-ext       also one of an extension, and while that attaches
 *   manners closed LIBRARY    a tool that declined is unloaded
 *   manners left              slots that the tool did not fill do nothing
 *   manners addresses         functions have addresses, and work through them
 */
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int is_reentering, is_reentering_ext;

/* Called by the toy tool out of its init, and out of that of an extension. */
NVTX_DYNAMIC_EXPORT void toy_during_init(void);
void toy_during_init(void)
{
    if (is_reentering)
        printf("push during attach = %d\n", nvtxRangePushA("during"));
    if (is_reentering_ext)
        printf("is enabled during attach = %d\n", nvtxDomainIsEnabled(NULL));
}

int main(int argc, char **argv)
{
    int (*const push)(const char *) = &nvtxRangePushA;
    int (*const pop)(void) = nvtxRangePop;

    if (argc > 1 && strcmp(argv[1], "errno") == 0) {
        errno = 42;
        nvtxMarkA("first");
        printf("errno = %d\n", errno);
    } else if (argc > 1 && strcmp(argv[1], "reenter") == 0) {
        is_reentering = 1;
        printf("push after attach = %d\n", nvtxRangePushA("after"));
    } else if (argc > 1 && strcmp(argv[1], "reenter-ext") == 0) {
        is_reentering_ext = 1;
        errno = 42;
        printf("is enabled after attach = %d\n", nvtxDomainIsEnabled(NULL));
        printf("errno = %d\n", errno);
    } else if (argc > 2 && strcmp(argv[1], "closed") == 0) {
        nvtxMarkA("first");
        printf("tool is %s\n",
               dlopen(argv[2], RTLD_LAZY | RTLD_NOLOAD) ? "loaded" : "gone");
    } else if (argc > 1 && strcmp(argv[1], "left") == 0) {
        const int depth = nvtxRangePushA("kept");
        printf("push = %d, domain is %s, domain pop = %d\n", depth,
               nvtxDomainCreateA("left") ? "set" : "NULL", nvtxDomainRangePop(NULL));
    } else {
        const int depth = push("by address");
        printf("push = %d, pop = %d\n", depth, pop());
    }
    return 0;
}
