/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/foreign_pages.h"
#include "base/count.h"

#include <stdio.h>
#include <string.h>

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

static int has_host(const char *host, uint16_t port)
{
    return host && is_here(host, port);
}

static int has_origin(const char *origin, uint16_t port)
{
    static const char scheme[] = "http://";

    return !origin || (strncmp(origin, scheme, strlen(scheme)) == 0 &&
                       is_here(origin + strlen(scheme), port));
}

int rln__is_of_this_server(const char *host, const char *origin, uint16_t port)
{
    return has_host(host, port) && has_origin(origin, port);
}
