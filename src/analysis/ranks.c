/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/ranks.h"

#include <string.h>

#include "base/alloc.h"
#include "base/key_index.h"
#include "reports/sums.h"

static int choose_tracks(const struct rln__run *run, struct rln__ranks *steps)
{
    struct rln__map by_rank = {0};
    const struct rln__track *track;
    size_t at = 0;
    int failed = 0;

    while (!failed && (track = rln__run_next_track(run, &at))) {
        const size_t i = (size_t)rln__map_get(&by_rank, track->rank);

        if (!rln__track_has_rank(track))
            continue;
        if (!i) {
            steps->ranks[steps->n_ranks++] = track;
            failed = rln__map_put(&by_rank, track->rank, steps->n_ranks);
        } else if (track->n > steps->ranks[i - 1]->n) {
            steps->ranks[i - 1] = track;
        }
    }
    rln__map_clear(&by_rank);
    return failed;
}

int rln__ranks_read(const struct rln__run *run, struct rln__ranks *out)
{
    memset(out, 0, sizeof(*out));
    out->ranks = rln__alloc(run->n_tracks + 1, sizeof(*out->ranks));
    if (!out->ranks || choose_tracks(run, out))
        return -1;
    for (size_t i = 0; i < out->n_ranks; i++) {
        out->have_more |= i > 0 && out->ranks[i]->n != out->n_calls;
        if (i == 0 || out->ranks[i]->n < out->n_calls)
            out->n_calls = out->ranks[i]->n;
    }
    return 0;
}

void rln__ranks_clear(struct rln__ranks *steps)
{
    rln__free(steps->ranks);
    memset(steps, 0, sizeof(*steps));
}

const char *rln__rank_word(const struct rln__run *run)
{
    static const char *const words[] = {[RLN__RANK_OF_JOB] = "rank",
                                        [RLN__RANK_OF_TRACE] = "trace",
                                        [RLN__RANK_OF_PROCESS] = "process"};

    return words[run->rank_kind];
}
