/* SPDX-License-Identifier: Apache-2.0 */
/* resource_type.h - what named resources are, in words. */
#ifndef RLN_CLI_COMMANDS_RESOURCE_TYPE_H
#define RLN_CLI_COMMANDS_RESOURCE_TYPE_H

#include <stdint.h>

/* "cuda_stream"; NULL for an unknown type. */
const char *rln__resource_type_name(uint32_t type);

#endif
