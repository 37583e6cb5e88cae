/* SPDX-License-Identifier: Apache-2.0 */
/* launch_signals.h - the launcher's signals while a program is recorded, Ctrl-C and
 * Ctrl-Z among them: passed on, until the program and its descendants have ended. */
#ifndef RLN_RECORD_START_LAUNCH_SIGNALS_H
#define RLN_RECORD_START_LAUNCH_SIGNALS_H

#include "record/start/launch.h"

/* Signals that the launcher handles, plus SIGXFSZ and SIGPIPE, which must not end it. */
void rln__launch_signals(sigset_t *out);

void rln__launch_wait(struct rln__launch *l, struct rln__launch_end *out);

/* Whether a signal that ends this command has come since: steps not necessary for the
 * trace to be complete must be left out. */
int rln__launch_is_interrupted(void);

/* From now on signals have their usual effect, also one that has come since. */
void rln__launch_take_signals_back(const struct rln__launch *l);

#endif
