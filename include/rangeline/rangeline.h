/* SPDX-License-Identifier: Apache-2.0 */
/* rangeline.h - the whole library: reads traces, builds ranges, computes reports. */
#ifndef RANGELINE_RANGELINE_H
#define RANGELINE_RANGELINE_H

#include "error.h"
#include "model.h"
#include "reader.h"
#include "stats.h"
#include "tree.h"
#include "version.h"

#endif
