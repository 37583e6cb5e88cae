/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - what does it cost to iterate over all ranges of a trace?
 *
 * bench_read TRACE reads and pairs events, and prints the number of ranges. bench/run
 * compares the exports with its processor time.
 */
#include <rangeline/rangeline.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const char *const paths[] = {argc > 1 ? argv[1] : ""};
    rln_reader *reader = NULL;
    rln_ranges *ranges = NULL;
    const rln_range *range;
    unsigned long long n = 0;
    rln_status status = rln_reader_open(paths, 1, &reader, NULL);

    if (!status)
        status = rln_ranges_open(reader, &ranges, NULL);
    while (!status && !(status = rln_ranges_next(ranges, &range, NULL)))
        n++;
    rln_ranges_close(ranges);
    rln_reader_close(reader);
    printf("%llu\n", n);
    return status != RLN_END;
}
