/* SPDX-License-Identifier: Apache-2.0 */
#include "console/nearest.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Insertions, deletions, replacements and swaps of neighbors between two words. */
static size_t distance(const char *a, const char *b)
{
    size_t cost[RLN__MOST_WORD + 1][RLN__MOST_WORD + 1];
    const size_t n = strlen(a);
    const size_t m = strlen(b);

    if (n > RLN__MOST_WORD || m > RLN__MOST_WORD)
        return SIZE_MAX;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            size_t best;

            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            best = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (cost[i - 1][j] + 1 < best)
                best = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < best)
                best = cost[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                cost[i - 2][j - 2] + 1 < best)
                best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    }
    return cost[n][m];
}

/* Of two words as near as each other: more is likely missing at the end (stat: stats,
 * not start) or too much there (statss: stats, not status) than wrong inside. */
static int rank(const char *word, const char *other)
{
    if (strncmp(word, other, strlen(word)) == 0)
        return 2;
    return strncmp(word, other, strlen(other)) == 0;
}

const char *rln__nearest(const char *word, const char *const *words, size_t n_words)
{
    const char *nearest = NULL;
    const size_t length = strlen(word);
    size_t best = (length + 1) / 3; /* at most a third of the word may be wrong */

    for (size_t i = 0; i < n_words; i++)
        if (strcasecmp(word, words[i]) == 0)
            return words[i];
    for (size_t i = 0; i < n_words; i++) {
        const size_t d = distance(word, words[i]);

        if (d < length && d <= best &&
            (!nearest || d < best || rank(word, words[i]) > rank(word, nearest))) {
            best = d;
            nearest = words[i];
        }
    }
    /* Else more may be missing, or too much, at the end. */
    for (size_t i = 0; !nearest && length >= 2 && i < n_words; i++) {
        if (rank(word, words[i]) && 2 * strlen(words[i]) >= length)
            nearest = words[i];
    }
    return nearest;
}
