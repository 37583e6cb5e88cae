/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_activity.c - reads arbitrary bytes as one of CUPTI's records. Its strings are
 * CUPTI's own, so what points to them is not followed. */
#include <stdlib.h>
#include <string.h>

#include "gpu/activity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *record = malloc(size ? size : 1); /* a copy of the exact length */
    struct rln__activity activity;
    char name[RLN__MOST_GPU_NAME];

    if (!record)
        return 0;
    if (size)
        memcpy(record, data, size);
    if (rln__activity_read(record, size, &activity) == RLN__ACTIVITY_READ) {
        (void)rln__gpu_usual_name(activity.kind, &activity.element, name);
        if (rln__gpu_is_on_stream(activity.kind))
            rln__gpu_stream_path(&activity.element.kernel.at, name);
    }
    free(record);
    return 0;
}
