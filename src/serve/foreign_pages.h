/* SPDX-License-Identifier: Apache-2.0 */
/* foreign_pages.h - refuses requests that other sites' pages send to this server. */
#ifndef RLN_SERVE_FOREIGN_PAGES_H
#define RLN_SERVE_FOREIGN_PAGES_H

#include <stdint.h>

/* Whether `host` (the header; NULL: none) is this server on the loopback, not another
 * site's name that resolves to it, and `origin` is absent or this server itself. */
int rln__is_of_this_server(const char *host, const char *origin, uint16_t port);

#endif
