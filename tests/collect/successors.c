/* SPDX-License-Identifier: Apache-2.0 */
/* successors.c - a thread that starts after another has ended continues in its chunk;
 * events still belong to the right thread, whatever its first call is. */
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>

#include "check.h"

static nvtxRangeId_t id;

static void *marks(void *unused)
{
    nvtxMarkA("mark");
    return unused;
}

static void *pushes(void *unused)
{
    CHECK(nvtxRangePushA("push") == 0);
    CHECK(nvtxRangePop() == 0);
    return unused;
}

static void *pops(void *unused)
{
    CHECK(nvtxRangePop() == -1);
    nvtxMarkA("after a pop");
    return unused;
}

static void *starts(void *unused)
{
    id = nvtxRangeStartA("start");
    return unused;
}

static void *ends(void *unused)
{
    nvtxRangeEnd(id);
    return unused;
}

static void *uses_domain(void *unused)
{
    nvtxEventAttributes_t a = {0};

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.payloadType = NVTX_PAYLOAD_TYPE_INT32;
    a.payload.iValue = 7;
    nvtxDomainMarkEx(nvtxDomainCreateA("domain"), &a);
    return unused;
}

int main(void)
{
    void *(*const bodies[])(void *) = {marks, pushes, pops, starts, ends, uses_domain};

    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
            pthread_t thread;

            CHECK(pthread_create(&thread, NULL, bodies[i], NULL) == 0);
            CHECK(pthread_join(thread, NULL) == 0);
        }
    }
    return 0;
}
