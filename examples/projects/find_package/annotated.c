/* SPDX-License-Identifier: Apache-2.0 */
/* annotated.c - sums up ten numbers in a range, in C. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

int main(void)
{
    long sum = 0;
    int i;

    nvtxRangePushA("sum");
    for (i = 1; i <= 10; i++)
        sum += i;
    nvtxRangePop();
    printf("%ld\n", sum);
    return 0;
}
