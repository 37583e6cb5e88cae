/* SPDX-License-Identifier: Apache-2.0 */
/* diff_junit.h - a comparison as the results of tests, a test per range, in the form
 * that JUnit's task of Ant writes and CI services read. */
#ifndef RLN_CLI_SHOW_DIFF_JUNIT_H
#define RLN_CLI_SHOW_DIFF_JUNIT_H

#include "reports/diff/diff_view.h"

/* Writes a file in which the comparison is an error, until the outcome replaces it: if a
 * trace is unreadable, no older outcome stays. Nothing if it is standard output or a
 * pipe. Exits 1 with a message if writing fails, or if there is a file that is no XML. */
void rln__diff_junit_begin(const char *path);

/* Writes the file. A range that exceeds the limit fails if `may_fail`; one of which it
 * is not known, or that is not compared, is skipped. Without a range on both sides there
 * is an error. Exits 1 with a message if writing fails. */
void rln__diff_junit_write(const struct rln__diff_view *view, const char *path,
                           bool may_fail);

#endif
