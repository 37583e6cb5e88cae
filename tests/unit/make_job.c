/* SPDX-License-Identifier: Apache-2.0 */
/* make_job.c DIR N [KIND] - writes N traces of job_scenario.h to DIR/t00000.rln and so
 * on: of all kinds, or of one, by number. */
#include <stdlib.h>

#include "job_scenario.h"

int main(int argc, char **argv)
{
    const uint32_t n = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;

    if (argc < 3)
        return 2;
    for (uint32_t i = 0; i < n; i++) {
        struct tb tb = {0};
        char path[4096];

        (void)snprintf(path, sizeof(path), "%s/t%05u.rln", argv[1], (unsigned)i);
        job_build(&tb, i, argc > 3 ? (enum job_kind)atoi(argv[3]) : job_kind_of(i));
        tb_write(&tb, path);
        tb_clear(&tb);
    }
    return 0;
}
