/* SPDX-License-Identifier: Apache-2.0 */
/* signal_name.h - signals as options name them: SIGTERM, term, 15. */
#ifndef RLN_CONSOLE_SIGNAL_NAME_H
#define RLN_CONSOLE_SIGNAL_NAME_H

/* 0 if it is no signal. */
int rln__signal_of(const char *text);
/* "SIGTERM"; "signal 34" for one without a name. Static: valid until the next call.
 * sigabbrev_np() needs glibc 2.32, and the wheels run with 2.28. */
const char *rln__signal_text(int number);

#endif
