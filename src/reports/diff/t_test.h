/* SPDX-License-Identifier: Apache-2.0 */
/* t_test.h - whether two sides differ by more than the runs of one side do.
 *
 * The calls of one run are not independent samples: a run has its own addresses,
 * processor and clock speed, and all of its calls share them. A test over calls, of
 * which there are thousands, finds such differences in any two runs of the same
 * program. So there is a second test, in which each run is one value.
 */
#ifndef RLN_REPORTS_DIFF_T_TEST_H
#define RLN_REPORTS_DIFF_T_TEST_H

#include <stddef.h>

/* The p of Student's t test, two-sided, with the pooled variance of both sides, so that
 * one run can be compared with several; its root is at least `spread`, as that of values
 * that were rounded. 1 if there are fewer than three values. */
double rln__t_test(const double *a, size_t n_a, const double *b, size_t n_b,
                   double spread);

/* Between which bounds the difference of the means, b's less a's, is: one outside them
 * has a p below that one. NAN if there are fewer than three values. */
void rln__t_bounds(const double *a, size_t n_a, const double *b, size_t n_b,
                   double spread, double p, double *least, double *most);

/* The p for one run a side, cut into these stretches: the mean of a run has the
 * variance of a single stretch. What slows a run down for a tenth of its time may as
 * well slow down all of the next one, so more stretches do not make the mean of a run
 * more certain. */
double rln__stretch_test(const double *a, size_t n_a, const double *b, size_t n_b);

#endif
