/* SPDX-License-Identifier: Apache-2.0 */
/* children.c - a forked child continues in the same trace as a separate process: it has
 * its parent's depth, names and ids, and so does its own child. */
#include <nvtx3/nvToolsExt.h>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static nvtxDomainHandle_t domain;
static nvtxEventAttributes_t named;

static void in_child(pid_t child, void (*run)(nvtxRangeId_t id), nvtxRangeId_t id)
{
    int status;

    if (child == 0) {
        run(id);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void run_grandchild(nvtxRangeId_t id)
{
    (void)id;
    nvtxMarkA("grandchild");
    CHECK(nvtxRangePop() == 1);
    CHECK(nvtxRangePop() == 0);
    CHECK(nvtxRangePop() == -1);
}

static void run_child(nvtxRangeId_t id)
{
    nvtxDomainMarkEx(domain, &named);
    CHECK(nvtxRangePushA("of the child") == 1);
    nvtxRangeEnd(id);
    in_child(fork(), run_grandchild, 0);
    CHECK(nvtxRangePop() == 1);
    CHECK(nvtxRangePop() == 0);
    CHECK(nvtxRangePop() == -1);
}

int main(void)
{
    nvtxRangeId_t id;

    domain = nvtxDomainCreateA("names");
    named.version = NVTX_VERSION;
    named.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    named.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    named.message.registered = nvtxDomainRegisterStringA(domain, "registered before");
    nvtxDomainMarkEx(domain, &named);
    CHECK(nvtxRangePushA("of the parent") == 0);
    id = nvtxRangeStartA("started in the parent");
    in_child(fork(), run_child, id);
    in_child(fork(), run_child, 0);
    nvtxDomainMarkEx(domain, &named);
    CHECK(nvtxRangePop() == 0);
    return 0;
}
