/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/foreign_pages.h"
#include "base/count.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static int is_here(const char *name, uint16_t port)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost"};
    char here[32];

    for (size_t i = 0; i < RLN_COUNT(hosts); i++) {
        (void)snprintf(here, sizeof(here), "%s:%u", hosts[i], (unsigned)port);
        if (strcmp(name, here) == 0 || (port == 80 && strcmp(name, hosts[i]) == 0))
            return 1;
    }
    return 0;
}

void rln__callers_header(struct rln__caller *caller, const char *name,
                         const char *value)
{
    static const char scheme[] = "http://";

    /* No name has blanks, but some proxies take `Host : evil.example` as a host. */
    caller->is_foreign |= name[strcspn(name, " \t")] != '\0';
    if (strcasecmp(name, "Host") == 0) {
        caller->n_hosts++;
        caller->is_foreign |= !value || !is_here(value, caller->port);
    } else if (strcasecmp(name, "Origin") == 0) {
        caller->is_foreign |= !value || strncmp(value, scheme, strlen(scheme)) != 0 ||
                              !is_here(value + strlen(scheme), caller->port);
    } else if (strcasecmp(name, "Content-Length") == 0) {
        caller->has_body |= !value || strcmp(value, "0") != 0;
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        caller->has_body = 1;
    } else if (strcasecmp(name, "Accept-Encoding") == 0) {
        rln__encodings_add(&caller->encodings, value);
    }
}
