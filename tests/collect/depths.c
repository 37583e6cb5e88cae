/* SPDX-License-Identifier: Apache-2.0 */
/* depths.c - push and pop return the depth in their thread and domain, from 0; an
 * unmatched pop returns -1, and has no effect. */
#include <nvtx3/nvToolsExt.h>

#include <pthread.h>

#include "check.h"

enum { MANY_DOMAINS = 20 };

static nvtxDomainHandle_t domain;

static int push_in(nvtxDomainHandle_t in)
{
    nvtxEventAttributes_t a = {0};

    a.version = NVTX_VERSION;
    a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    a.messageType = NVTX_MESSAGE_TYPE_ASCII;
    a.message.ascii = "in a domain";
    return nvtxDomainRangePushEx(in, &a);
}

static void *in_another_thread(void *unused)
{
    CHECK(nvtxRangePop() == -1);
    CHECK(nvtxRangePushA("thread") == 0);
    CHECK(push_in(domain) == 0);
    CHECK(nvtxRangePop() == 0);
    return unused;
}

int main(void)
{
    nvtxDomainHandle_t many[MANY_DOMAINS];
    pthread_t thread;
    char name[32];

    CHECK(nvtxRangePop() == -1);
    CHECK(nvtxRangePushA("outer") == 0);
    CHECK(nvtxRangePushA("inner") == 1);
    domain = nvtxDomainCreateA("a domain");
    CHECK(push_in(domain) == 0);
    CHECK(push_in(domain) == 1);
    CHECK(nvtxRangePop() == 1);
    CHECK(pthread_create(&thread, NULL, in_another_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(nvtxDomainRangePop(domain) == 1);
    CHECK(nvtxDomainRangePop(domain) == 0);
    CHECK(nvtxDomainRangePop(domain) == -1);
    CHECK(nvtxRangePop() == 0);
    CHECK(nvtxRangePop() == -1);

    for (int i = 0; i < MANY_DOMAINS; i++) {
        snprintf(name, sizeof name, "domain %03d", i);
        many[i] = nvtxDomainCreateA(name);
        CHECK(push_in(many[i]) == 0);
        CHECK(push_in(many[i]) == 1);
    }
    for (int i = 0; i < MANY_DOMAINS; i++) {
        CHECK(nvtxDomainRangePop(many[i]) == 1);
        CHECK(nvtxDomainRangePop(many[i]) == 0);
        CHECK(nvtxDomainRangePop(many[i]) == -1);
    }
    return 0;
}
