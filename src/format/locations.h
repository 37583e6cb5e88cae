/* SPDX-License-Identifier: Apache-2.0 */
/* locations.h - where functions are in the source of the program, by their names. */
#ifndef RLN_FORMAT_LOCATIONS_H
#define RLN_FORMAT_LOCATIONS_H

#include "format/names.h"

/* Takes the resources that say locations out of names->events. 0, or -1 when there is no
 * memory. */
int rln__locations_take(struct rln__names *names);

struct rln__location {
    rln_text file; /* none: unknown, or functions at several locations have the name */
    uint32_t line;
};

/* Where the function is that has this name as its message. */
struct rln__location rln__location_of(const struct rln__names *names, rln_text message);

#endif
