/* SPDX-License-Identifier: Apache-2.0 */
/* run_test.h - whether two sides differ by more than the runs of one side do.
 *
 * The calls of one run are no independent samples: a run has its own addresses, its own
 * processor and its own clock speed, and all of its calls share them. A test over
 * calls, of which there are thousands, finds that in any two runs of the same program.
 * So there is a second test, in which each run is one value.
 */
#ifndef RLN_ANALYZE_RUN_TEST_H
#define RLN_ANALYZE_RUN_TEST_H

#include <stddef.h>

/* Student's t test, two-sided, with the variance that both sides have together, so that
 * one run can stand against several: the p. 1 if there are less than three values. */
double rln__run_test(const double *a, size_t n_a, const double *b, size_t n_b);

/* The same of one run a side, of which these are stretches: as if the whole run were
 * one more of them. What slows a run down for a tenth of its time may as well slow down
 * all of the next one, so more stretches do not make the mean of a run any surer. */
double rln__stretch_test(const double *a, size_t n_a, const double *b, size_t n_b);

#endif
