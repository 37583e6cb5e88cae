/* SPDX-License-Identifier: Apache-2.0 */
/* signal_name.h - signals as options name them: SIGTERM, term, 15. */
#ifndef RLN_CONSOLE_SIGNAL_NAME_H
#define RLN_CONSOLE_SIGNAL_NAME_H

/* 0 if it is no signal. */
int rln__signal_of(const char *text);

#endif
