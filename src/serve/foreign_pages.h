/* SPDX-License-Identifier: Apache-2.0 */
/* foreign_pages.h - what the headers of a request say, to refuse requests that other
 * sites' pages send to this server. */
#ifndef RLN_SERVE_FOREIGN_PAGES_H
#define RLN_SERVE_FOREIGN_PAGES_H

#include "serve/compressed.h"

#include <stdint.h>

/* What a request's headers say: all of them, as a header may be given twice. A request of
 * ours has one host. */
struct rln__caller {
    uint16_t port; /* of this server */
    unsigned n_hosts;
    int is_foreign; /* a host or an origin that is not this server on the loopback, such
                       as another site's name that resolves to it */
    int has_body;
    struct rln__encodings encodings;
};

void rln__callers_header(struct rln__caller *caller, const char *name,
                         const char *value);

#endif
