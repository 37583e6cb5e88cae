/* SPDX-License-Identifier: Apache-2.0 */
/* rangeline.h - includes all headers of the library that reads traces. */
#ifndef RANGELINE_RANGELINE_H
#define RANGELINE_RANGELINE_H

#include "arrow.h"
#include "error.h"
#include "export.h"
#include "filter.h"
#include "finding.h"
#include "live.h"
#include "model.h"
#include "reader.h"
#include "report.h"
#include "values.h"
#include "version.h"

#endif
