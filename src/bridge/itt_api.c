/* SPDX-License-Identifier: Apache-2.0 */
/* itt_api.c - where the ITT code in a program or library meets this library.
 *
 *     client --> dlopen($INTEL_LIBITTNOTIFY64) --> __itt_api_init(its functions)
 *                                                       |
 *     client <-- slots have functions of itt_calls.c <------'
 *
 * The client calls this once, with a lock of its own held, perhaps inside malloc(): so
 * nothing is done here but to fill in the slots.
 */
#include "bridge/itt_calls.h"
#include "bridge/itt_layout.h"

#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static const unsigned char magic[8] = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30};

/* RANGELINE_ITT is a list of words. */
static int requested_calls(void)
{
    const char *list = getenv("RANGELINE_ITT");
    int requested = 0;

    while (list && *list) {
        const size_t n = strcspn(list, ",");

        requested |= n == 4 && !memcmp(list, "sync", 4)   ? RLN__ITT_SYNC
                     : n == 4 && !memcmp(list, "heap", 4) ? RLN__ITT_HEAP
                                                          : 0;
        list += n + (list[n] == ',');
    }
    return requested;
}

EXPORTED void __itt_api_init(struct rln__itt_global *client, int groups);
EXPORTED void __itt_api_init(struct rln__itt_global *client, int groups)
{
    const int is_known = client && !memcmp(client->magic, magic, sizeof(magic)) &&
                         client->major == RLN__ITT_MAJOR;
    const int requested = requested_calls();

    (void)groups; /* what the client knows, not what is recorded */
    if (!is_known || !client->functions)
        return;
    for (struct rln__itt_function *f = client->functions; f->name; f++) {
        void *call = rln__itt_call(f->name, requested);

        *f->slot = call ? call : f->none;
    }
}
