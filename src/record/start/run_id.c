/* SPDX-License-Identifier: Apache-2.0 */
/* run_id.c - makes the random name of a run, a version 4 uuid. */
#include "record/start/run_id.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "console/die.h"

void rln__run_id_new(uint8_t id[16], char text[RLN__RUN_ID_TEXT])
{
    char *at = text;

    if (getrandom(id, 16, 0) != 16)
        rln__die(RLN__EXIT_FAILED, "cannot name run: getrandom: %s", strerror(errno));
    id[6] = (uint8_t)((id[6] & 0x0f) | 0x40);
    id[8] = (uint8_t)((id[8] & 0x3f) | 0x80);
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        at += snprintf(at, 3, "%02x", id[i]);
    }
}
