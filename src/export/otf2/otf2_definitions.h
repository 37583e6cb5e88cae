/* SPDX-License-Identifier: Apache-2.0 */
/* otf2_definitions.h - what numbers in an OTF2 archive mean: regions, locations,
 * metrics. */
#ifndef RLN_EXPORT_OTF2_OTF2_DEFINITIONS_H
#define RLN_EXPORT_OTF2_OTF2_DEFINITIONS_H

#include "export/otf2/otf2_archive.h"

/* Writes the definitions of all that was written, and closes the files of events. */
OTF2_ErrorCode rln__otf2_define(struct rln__otf2 *o);

#endif
