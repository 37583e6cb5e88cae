/* SPDX-License-Identifier: Apache-2.0 */
/* root.h - by which factor bounds grow that divide an interval into equal parts of a
 * logarithmic scale. By basic arithmetic: pow() differs between libraries. */
#ifndef RLN_STATISTICS_ROOT_H
#define RLN_STATISTICS_ROOT_H

/* The n-th root of x >= 1, by Newton's method from above. */
static inline double rln__root(double x, unsigned n)
{
    double root = 1 + (x - 1) / n, next = root;

    do {
        double power = 1; /* root^(n-1) */

        root = next;
        for (unsigned i = 1; i < n; i++)
            power *= root;
        next = (root * (n - 1) + x / power) / n;
    } while (next < root);
    return root;
}

#endif
