/* SPDX-License-Identifier: Apache-2.0 */
/* rangeline.h - includes all headers of the library that reads traces. */
#ifndef RANGELINE_RANGELINE_H
#define RANGELINE_RANGELINE_H

#include "arrow.h"
#include "counter.h"
#include "error.h"
#include "export.h"
#include "filter.h"
#include "finding.h"
#include "gpu.h"
#include "live.h"
#include "memory.h"
#include "model.h"
#include "payload.h"
#include "reader.h"
#include "report.h"
#include "version.h"
#include "window.h"

#endif
