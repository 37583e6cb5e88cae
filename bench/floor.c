/* SPDX-License-Identifier: Apache-2.0 */
/* floor.c - what does adding up ranges by name cost if nothing is checked?
 *
 * bench_floor TRACE pairs pushes and pops by a stack and counts durations by the name's
 * id, as `stats` does, and ignores everything else: damage, domains, names that are
 * equal, times out of order, and that a word may be a value: for plain traces. It prints the time in ranges, in ticks. bench/run measures
 * the program.
 */
#include "trace/open/load.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_WORDS = 1 << 16, MOST_OPEN = 1 << 12, IDS = 1 << 10, COUNTS = 1 << 16 };

struct sum {
    uint64_t n, total, least, most;
    uint32_t counts[COUNTS]; /* of durations; the last: all longer ones */
};

static struct sum sums[IDS];

static void add_up(const uint64_t *words, size_t n, uint64_t base_ticks)
{
    struct {
        uint64_t ticks;
        uint32_t id;
    } open[MOST_OPEN];
    size_t n_open = 0;

    for (size_t i = 0; i < n; i++) {
        const uint64_t ticks = base_ticks + (words[i] >> RLN__TICKS_SHIFT);

        if ((words[i] & 15) == RLN__PUSH) {
            open[n_open].ticks = ticks;
            open[n_open].id = (uint32_t)(words[i] >> RLN__ID_SHIFT) % IDS;
            n_open += n_open < MOST_OPEN - 1;
        } else if ((words[i] & 15) == RLN__POP && n_open) {
            struct sum *sum = &sums[open[--n_open].id];
            const uint64_t took = ticks - open[n_open].ticks;

            sum->n++;
            sum->total += took;
            sum->least = took < sum->least ? took : sum->least;
            sum->most = took > sum->most ? took : sum->most;
            sum->counts[took < COUNTS ? took : COUNTS - 1]++;
        }
    }
}

int main(int argc, char **argv)
{
    const char *const paths[] = {argc > 1 ? argv[1] : ""};
    uint64_t *words = malloc(MOST_WORDS * sizeof(*words)), total = 0;
    rln_reader *reader = NULL;

    if (!words || rln_reader_open(paths, 1, &reader, NULL))
        return 1;
    for (size_t i = 0; i < IDS; i++)
        sums[i].least = UINT64_MAX;
    for (size_t i = 0; i < reader->layout.n_chunks; i++) {
        const struct rln__chunk_info *chunk = &reader->layout.chunks[i];
        uint64_t at = chunk->offset + RLN__CHUNK_HEADER_BYTES;

        while (chunk->kind == RLN__CHUNK_EVENTS && at < chunk->end) {
            const size_t n = chunk->end - at < MOST_WORDS * sizeof(*words)
                                 ? (size_t)(chunk->end - at)
                                 : MOST_WORDS * sizeof(*words);

            if (rln__input_read(reader->files[0], at, words, n, NULL, NULL))
                return 1;
            add_up(words, n / sizeof(*words), chunk->base_ticks);
            at += n;
        }
    }
    for (size_t i = 0; i < IDS; i++)
        total += sums[i].total;
    printf("%llu\n", (unsigned long long)total);
    rln_reader_close(reader);
    free(words);
    return 0;
}
