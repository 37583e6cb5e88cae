/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/capture/gate_word.h"

static struct rln__control before_any;
struct rln__control *rln__control = &before_any;
