/* SPDX-License-Identifier: Apache-2.0 */
/* index.c - what does the viewer's index of a trace cost?
 *
 * bench_index TRACE makes it, as `rangeline view` does, and prints the number of merged
 * ranges in it. bench/run measures the program. */
#include "timeline/lod_build.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    const char *const paths[] = {argc > 1 ? argv[1] : ""};
    rln_reader *reader = NULL;
    struct rln__lod lod;
    rln_status status = rln_reader_open(paths, 1, &reader, NULL);

    if (status)
        return 1;
    status = rln__lod_init(&lod, reader, NULL, rln__lod_budget(reader), NULL);
    if (!status) {
        status = rln__lod_build(&lod, NULL);
        printf("%zu\n", lod.n_buckets);
        rln__lod_clear(&lod);
    }
    rln_reader_close(reader);
    return status != RLN_OK;
}
