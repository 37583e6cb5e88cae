/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/select.h"

static void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t t = *a;

    *a = *b;
    *b = t;
}

/* The median of three, so that sorted input is not the worst case. */
static uint64_t choose_pivot(uint64_t *v, size_t low, size_t high)
{
    const size_t middle = low + (high - low) / 2;

    if (v[middle] < v[low])
        swap(&v[middle], &v[low]);
    if (v[high] < v[low])
        swap(&v[high], &v[low]);
    if (v[high] < v[middle])
        swap(&v[high], &v[middle]);
    return v[middle];
}

uint64_t rln__select(uint64_t *v, size_t n, size_t rank)
{
    size_t low = 0, high = n - 1;

    while (low < high) {
        const uint64_t pivot = choose_pivot(v, low, high);
        size_t i = low, j = high;

        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i > j)
                break;
            swap(&v[i++], &v[j]);
            if (j == 0)
                break;
            j--;
        }
        if (rank <= j && j < high)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break; /* between the two: equal to the pivot */
    }
    return v[rank];
}
