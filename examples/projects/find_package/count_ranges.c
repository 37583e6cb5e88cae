/* SPDX-License-Identifier: Apache-2.0 */
/* count_ranges.c - prints how many ranges a trace has. */
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
    int n_ranges = 0;

    if (argc != 2)
        return 2;
    paths[0] = argv[1];
    status = rln_reader_open(paths, 1, &reader, &err);
    if (!status)
        status = rln_ranges_open(reader, &ranges, &err);
    while (!status) {
        status = rln_ranges_next(ranges, &range, &err);
        n_ranges += !status;
    }
    rln_ranges_close(ranges);
    rln_reader_close(reader);
    if (status != RLN_END) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("version %s, ranges: %d\n", rln_version(), n_ranges);
    return 0;
}
