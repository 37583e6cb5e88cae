/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/lod_kinds.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/renaming.h"
#include "timeline/lod_query.h"
#include "timeline/lod_rows.h"

struct folding {
    struct rln__lod *lod;
    struct rln__buf shown, folded, other; /* owned */
};

/* What a name is called without its numbers, except work of GPUs: sgemm_128x256 and
 * sgemm_256x128 are different kernels. */
static void fold(struct folding *f, uint32_t name, struct rln__buf *out)
{
    f->shown.length = out->length = 0;
    if (f->lod->names[name].is_of_gpu) {
        rln__lod_put_name(out, &f->lod->names[name]);
        return;
    }
    rln__lod_put_name(&f->shown, &f->lod->names[name]);
    rln__fold_numbers(out, (rln_text){f->shown.bytes, f->shown.length});
}

static int is_same(struct folding *f, uint32_t name)
{
    fold(f, name, &f->other);
    return f->other.length == f->folded.length &&
           !memcmp(f->other.bytes, f->folded.bytes, f->folded.length);
}

/* Sets the kind of the next name. If another text has the same hash, it is a kind of
 * its own. */
static int add(struct folding *f)
{
    struct rln__lod_kinds *kinds = &f->lod->kinds;
    const uint32_t name = (uint32_t)kinds->n;
    uint32_t *grown;
    uint64_t hash, known;

    fold(f, name, &f->folded);
    hash = rln__hash_bytes(f->folded.bytes, f->folded.length);
    known = rln__map_get(&kinds->by_hash, hash);
    grown = rln__grow(kinds->of_name, &kinds->capacity, kinds->n + 1,
                      sizeof(*kinds->of_name));
    if (!grown)
        return -1;
    kinds->of_name = grown;
    if (!known && rln__map_put(&kinds->by_hash, hash, (uint64_t)name + 1))
        return -1;
    grown[name] = known && is_same(f, (uint32_t)known - 1) ? (uint32_t)known - 1 : name;
    kinds->n++;
    return f->shown.has_failed || f->folded.has_failed || f->other.has_failed ? -1 : 0;
}

const uint32_t *rln__lod_kinds_of_names(struct rln__lod *lod)
{
    static const uint32_t none;
    struct folding f = {.lod = lod};
    int failed = 0;

    while (lod->kinds.n < lod->n_names && !failed)
        failed = add(&f);
    rln__buf_clear(&f.shown);
    rln__buf_clear(&f.folded);
    rln__buf_clear(&f.other);
    if (failed)
        return NULL;
    return lod->kinds.n ? lod->kinds.of_name : &none;
}

void rln__lod_kinds_clear(struct rln__lod_kinds *kinds)
{
    rln__free(kinds->of_name);
    rln__map_clear(&kinds->by_hash);
    *kinds = (struct rln__lod_kinds){0};
}
