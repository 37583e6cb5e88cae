/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - where does a program spend its time? Push and pop say which part is
 * running; ranges nest like the functions that they describe.
 *
 *   cc -O2 -Iinclude examples/pipeline.c -o build/examples/pipeline -ldl -lm
 *   build/bin/rangeline profile --stats true build/examples/pipeline
 */
#include <nvtx3/nvToolsExt.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_DAYS = 5, N_READINGS = 500000, N_NEIGHBOURS = 12 };

static double readings[N_READINGS], smooth[N_READINGS];

/* A sensor's temperatures of one day: warm at noon, and noisy. */
static void load(unsigned day)
{
    unsigned noise = day + 1;

    nvtxRangePush("load");
    for (int i = 0; i < N_READINGS; i++) {
        noise = noise * 1664525u + 1013904223u;
        readings[i] = 15 - 5 * cos(6.283185 * i / N_READINGS) + day + noise / 1e9;
    }
    nvtxRangePop();
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static void transform(void)
{
    nvtxRangePush("transform");
    nvtxRangePush("smooth");
    for (int i = 0; i < N_READINGS; i++) {
        smooth[i] = 0;
        for (int k = 0; k < N_NEIGHBOURS; k++)
            smooth[i] += readings[(i + k) % N_READINGS] / N_NEIGHBOURS;
    }
    nvtxRangePop();

    nvtxRangePush("sort");
    qsort(smooth, N_READINGS, sizeof(smooth[0]), by_value);
    nvtxRangePop();
    nvtxRangePop(); /* transform */
}

/* The mean of the middle half: the typical value, without extremes. */
static double reduce(void)
{
    double sum = 0;

    nvtxRangePush("reduce");
    for (int i = N_READINGS / 4; i < N_READINGS * 3 / 4; i++)
        sum += smooth[i];
    nvtxRangePop();
    return sum / (N_READINGS / 2);
}

int main(void)
{
    for (unsigned day = 0; day < N_DAYS; day++) {
        nvtxRangePush("day");
        load(day);
        transform();
        printf("day %u: typically %.2f degrees\n", day + 1, reduce());
        nvtxRangePop();
    }
    nvtxMark("all days done");
    return 0;
}
