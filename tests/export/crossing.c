/* SPDX-License-Identifier: Apache-2.0 */
/* crossing.c - 20 times, two ranges of two domains that cross; and two that cross while
 * an exporter does not wait for their ends, because so much is in them.
 *
 *     outer         [---- marks ------ marks ----]     first   [----]
 *     io:across             [--------- marks ------ marks -]      [----]  io:second
 */
#include <nvtx3/nvToolsExt.h>
#include <time.h>

static void mark_many(void)
{
    enum { MORE_THAN_WAIT = 70000 };

    for (int i = 0; i < MORE_THAN_WAIT; i++)
        nvtxMarkA("mark");
    nvtxRangePushA("small");
    nvtxRangePop();
}

static void push(nvtxDomainHandle_t domain, const char *text)
{
    const nvtxEventAttributes_t a = {.version = NVTX_VERSION,
                                     .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                     .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                     .message.ascii = text};

    nvtxDomainRangePushEx(domain, &a);
}

/* Two ranges of which one begins or ends as the other one ends do not cross. */
static void wait_a_moment(void)
{
    const struct timespec moment = {.tv_nsec = 1000};

    (void)nanosleep(&moment, NULL);
}

int main(void)
{
    const nvtxDomainHandle_t io = nvtxDomainCreateA("io");

    for (int i = 0; i < 20; i++) {
        nvtxRangePushA("first");
        wait_a_moment();
        push(io, "second");
        wait_a_moment();
        nvtxRangePop();
        wait_a_moment();
        nvtxDomainRangePop(io);
    }
    nvtxRangePushA("outer");
    mark_many();
    push(io, "across");
    mark_many();
    nvtxRangePop();
    mark_many();
    nvtxDomainRangePop(io);
    return 0;
}
