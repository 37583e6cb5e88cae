/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/open/view.h"
#include "base/alloc.h"

#include <string.h>

int rln__view_init(struct rln__view *view, const rln_reader *whole)
{
    const size_t n_parts = whole->layout.n_parts;
    struct rln__clock_fit *fits = rln__alloc(n_parts, sizeof(*fits));
    rln_reader *r = &view->reader;

    memset(view, 0, sizeof(*view));
    if (!fits)
        return -1;
    if (n_parts)
        memcpy(fits, whole->clock_fits, n_parts * sizeof(*fits));
    view->whole = whole;
    *r = *whole;
    r->clock_fits = fits;
    r->progress = NULL;
    memset(&r->damages, 0, sizeof(r->damages));
    memset(&r->attribute_decoder, 0, sizeof(r->attribute_decoder));
    memset(&r->payload_segments, 0, sizeof(r->payload_segments));
    rln__view_renew(view);
    return 0;
}

void rln__view_renew(struct rln__view *view)
{
    rln_reader *r = &view->reader;

    r->names = view->whole->names;
    r->names.is_fixed = r->names.strings.is_fixed = 1;
    r->threads = view->whole->threads;
    r->n_threads = view->whole->n_threads;
    r->threads_by_number = view->whole->threads_by_number;
    rln__damages_clear(&r->damages);
}

const struct rln__input *rln__view_file(struct rln__view *view, uint32_t part)
{
    view->file = *view->reader.layout.parts[part].file;
    view->file.damages = &view->reader.damages;
    return &view->file;
}

void rln__view_clear(struct rln__view *view)
{
    rln__free(view->reader.clock_fits);
    rln__damages_clear(&view->reader.damages);
    rln__decoder_clear(&view->reader.attribute_decoder);
    rln__payload_segments_clear(&view->reader.payload_segments);
    memset(view, 0, sizeof(*view));
}
