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

#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static const unsigned char magic[8] = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30};

EXPORTED void __itt_api_init(struct rln__itt_global *client, int groups);
EXPORTED void __itt_api_init(struct rln__itt_global *client, int groups)
{
    const int is_known = client && !memcmp(client->magic, magic, sizeof(magic)) &&
                         client->major == RLN__ITT_MAJOR;

    (void)groups; /* all are recorded alike */
    if (!is_known || !client->functions)
        return;
    for (struct rln__itt_function *f = client->functions; f->name; f++) {
        void *call = rln__itt_call(f->name);

        *f->slot = call ? call : f->none;
    }
}
