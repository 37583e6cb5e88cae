/* SPDX-License-Identifier: Apache-2.0 */
/* make_traces.c DIR [N] - writes every scenario to DIR/<name>.rln, for tests of the
 * command; with N, only DIR/crowd.rln: N threads with one range each, all with
 * different names. */
#include <stdlib.h>

#include "scenarios.h"

#define NAME_BYTES 160  /* of a string and its attributes, at most */
#define THREAD_BYTES 96 /* of a thread and its range */

static void sc_crowd(struct tb *tb, uint32_t n)
{
    struct tb_chunk c;
    uint64_t base = 0; /* of the chunk: times count from it */

    (void)tb_part(tb, 99);
    c = tb_names(tb, 1);
    (void)tb_process(&c, 1, 0, 100);
    for (uint32_t i = 1; i <= n; i++) {
        char name[32];

        if (c.at + NAME_BYTES > c.end)
            c = tb_names(tb, 1);
        (void)snprintf(name, sizeof(name), "name %u", i);
        tb_string(&c, i, name);
        tb_attributes(&c, i, 0, i);
    }
    c.at = c.end;
    for (uint32_t i = 1; i <= n; i++) {
        const uint64_t t = (uint64_t)i * 10;

        if (c.at + THREAD_BYTES > c.end) {
            base = t;
            c = tb_chunk_at(tb, RLN__CHUNK_EVENTS, 1, i, i, base);
        }
        tb_thread(&c, i, i, t, "t");
        (void)tb_event(&c, RLN__PUSH, i, t - base);
        (void)tb_event(&c, RLN__POP, 0, t - base + 5);
    }
}

static void write_to(struct tb *tb, const char *folder, const char *name)
{
    char path[4096];

    (void)snprintf(path, sizeof(path), "%s/%s.rln", folder, name);
    tb_write(tb, path);
    tb_clear(tb);
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3)
        return 2;
    for (size_t i = 0; i < SC_COUNT && argc == 2; i++) {
        struct tb tb = {0};

        sc_all[i].build(&tb);
        write_to(&tb, argv[1], sc_all[i].name);
    }
    if (argc == 3) {
        struct tb tb = {0};

        sc_crowd(&tb, (uint32_t)strtoul(argv[2], NULL, 10));
        write_to(&tb, argv[1], "crowd");
    }
    return 0;
}
