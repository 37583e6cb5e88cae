/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - what docs/JSON.md calls things, for all who spell them. Static texts. */
#ifndef RLN_MODEL_WORDS_H
#define RLN_MODEL_WORDS_H

#include "rangeline/model.h"

/* "mark", "push", ... or NULL for a type that this version does not know. */
const char *rln__event_name(rln_event_type type);

/* "push_pop", "start_end", "wait", "hold", or NULL. */
const char *rln__style_name(rln_range_style style);

/* Of a sample that has none: "zero", "unchanged", "unavailable", else "other". */
const char *rln__no_value_name(uint8_t no_value);

#endif
