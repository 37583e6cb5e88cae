/* SPDX-License-Identifier: Apache-2.0 */
/* payload_condition_read.h - the grammar of payload tests. */
#ifndef RLN_RANGES_PAYLOAD_CONDITION_READ_H
#define RLN_RANGES_PAYLOAD_CONDITION_READ_H

#include "ranges/payload_condition.h"

/* Adds a choice. RLN_ERR_NOMEM, RLN_ERR_ARGUMENT. */
rln_status rln__payload_tests_add(struct rln__payload_tests *tests, const char *text,
                                  rln_error *err);
void rln__payload_tests_clear(struct rln__payload_tests *tests);

#endif
