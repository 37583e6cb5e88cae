/* SPDX-License-Identifier: Apache-2.0 */
/* make_traces.c - writes every scenario to DIR/<name>.rln, for tests of the command. */
#include "scenarios.h"

int main(int argc, char **argv)
{
    char path[4096];

    if (argc != 2)
        return 2;
    for (size_t i = 0; i < SC_COUNT; i++) {
        struct tb tb = {0};

        sc_all[i].build(&tb);
        (void)snprintf(path, sizeof(path), "%s/%s.rln", argv[1], sc_all[i].name);
        tb_write(&tb, path);
        tb_clear(&tb);
    }
    return 0;
}
