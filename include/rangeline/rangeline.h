/* SPDX-License-Identifier: Apache-2.0 */
/* rangeline.h - includes all headers of the library that reads traces. */
#ifndef RANGELINE_RANGELINE_H
#define RANGELINE_RANGELINE_H

#include "align.h"
#include "arrow.h"
#include "counter.h"
#include "diff.h"
#include "error.h"
#include "export.h"
#include "filter.h"
#include "finding.h"
#include "gpu.h"
#include "live.h"
#include "losses.h"
#include "memory.h"
#include "model.h"
#include "name_catalog.h"
#include "nesting.h"
#include "payload.h"
#include "reader.h"
#include "reduced.h"
#include "report.h"
#include "rewrite.h"
#include "schema_catalog.h"
#include "stats.h"
#include "sums.h"
#include "tree.h"
#include "version.h"
#include "window.h"

#endif
