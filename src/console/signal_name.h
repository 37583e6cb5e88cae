/* SPDX-License-Identifier: Apache-2.0 */
/* signal_name.h - signals as options name them: SIGTERM, term, 15. */
#ifndef RLN_CONSOLE_SIGNAL_NAME_H
#define RLN_CONSOLE_SIGNAL_NAME_H

/* 0 if it is no signal. */
int rln__signal_of(const char *text);
/* "TERM" for SIGTERM; "?" for a signal without a name. sigabbrev_np() needs glibc 2.32,
 * and the wheels run with 2.28. */
const char *rln__signal_name(int number);

#endif
