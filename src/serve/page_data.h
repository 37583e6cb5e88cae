/* SPDX-License-Identifier: Apache-2.0 */
/* page_data.h - writes a trace as JSON for the viewer. */
#ifndef RLN_SERVE_PAGE_DATA_H
#define RLN_SERVE_PAGE_DATA_H

#include "serve/page.h"

/* The trace as JSON that may be embedded in HTML: without a `<`. */
rln_status rln__page_data(rln_reader *reader, const struct rln__page_options *options,
                          struct rln__output *output, rln_error *err);

#endif
