/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - what does it take to hand out every range of a trace, and nothing more?
 *
 * read TRACE: an iteration over ranges, with reading and pairing. bench/run compares
 * the exports with the processor time that it takes.
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
