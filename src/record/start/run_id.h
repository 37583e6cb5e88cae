/* SPDX-License-Identifier: Apache-2.0 */
/* run_id.h - the random name of a run: a process that knows it may join the run's
 * trace. */
#ifndef RLN_RECORD_START_RUN_ID_H
#define RLN_RECORD_START_RUN_ID_H

#include <stdint.h>

#define RLN__RUN_ID_TEXT 37 /* 36 characters and the terminator */

/* A new id, as bytes and as a uuid's text. Dies if the kernel gives no randomness. */
void rln__run_id_new(uint8_t id[16], char text[RLN__RUN_ID_TEXT]);

#endif
