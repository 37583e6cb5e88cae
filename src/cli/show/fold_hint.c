/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/fold_hint.h"
#include "base/renaming.h"
#include "console/die.h"

#define LEAST_NAMES 20
#define LEAST_TO_ONE 4
#define MANY_NAMES 1000
#define MANY_TO_ONE 10

void rln__fold_hint_add(struct rln__fold_hint *f, rln_text name)
{
    f->name.length = 0;
    rln__fold_numbers(&f->name, name);
    /* A hash collision or a lack of memory does not matter: it is only a note. */
    if (!f->name.has_failed)
        (void)rln__map_put(&f->folded, rln__hash_bytes(f->name.bytes, f->name.length),
                           1);
    f->n_names++;
}

size_t rln__fold_hint_names(const struct rln__fold_hint *f)
{
    return f->n_names >= LEAST_NAMES && f->folded.n * LEAST_TO_ONE <= f->n_names
               ? f->folded.n
               : 0;
}

bool rln__fold_hint_is_strong(const struct rln__fold_hint *f)
{
    return f->n_names >= MANY_NAMES && f->folded.n * MANY_TO_ONE <= f->n_names;
}

void rln__fold_hint_note(const struct rln__fold_hint *f)
{
    const size_t n = rln__fold_hint_names(f);

    if (!n || f->is_given)
        return;
    rln__note("without numbers, %zu range names are %zu", f->n_names, n);
    rln__hint("use --fold-numbers to merge `step 12` and `step 13` into `step #`");
}

void rln__fold_hint_clear(struct rln__fold_hint *f)
{
    rln__map_clear(&f->folded);
    rln__buf_clear(&f->name);
    memset(f, 0, sizeof(*f));
}
