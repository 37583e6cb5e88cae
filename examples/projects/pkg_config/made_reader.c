/* SPDX-License-Identifier: Apache-2.0 */
/* made_reader.c - prints the depth of each range of a trace. */
#include <rangeline/rangeline.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *paths[1];
    const rln_range *range;
    rln_reader *reader = NULL;
    rln_ranges *ranges = NULL;
    rln_error err;
    rln_status status;

    if (argc != 2)
        return 2;
    paths[0] = argv[1];
    status = rln_reader_open(paths, 1, &reader, &err);
    if (!status)
        status = rln_ranges_open(reader, &ranges, &err);
    while (!status) {
        status = rln_ranges_next(ranges, &range, &err);
        if (!status)
            printf("%u\n", range->depth);
    }
    rln_ranges_close(ranges);
    rln_reader_close(reader);
    if (status != RLN_END)
        fprintf(stderr, "%s\n", err.message);
    return status != RLN_END;
}
