/* SPDX-License-Identifier: Apache-2.0 */
/* copies.c - implements copies.h: copies of registrations. */
#include "writer/copies.h"

#include <nvtx3/nvToolsExtSemanticsCounters.h>

#include <stdlib.h>
#include <string.h>

void copies_free(struct copies *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->items[i]);
    free(c->items);
    memset(c, 0, sizeof(*c));
}

void *copies_new(struct copies *c, size_t size)
{
    void *const made = calloc(1, size ? size : 1);

    if (made && c->n == c->capacity) {
        const size_t capacity = 2 * c->capacity + 4;
        void **const items = realloc(c->items, capacity * sizeof(*items));

        if (!items) {
            free(made);
            return NULL;
        }
        c->items = items;
        c->capacity = capacity;
    }
    if (made)
        c->items[c->n++] = made;
    return made;
}

const char *copies_text(struct copies *c, const char *text, int *failed)
{
    char *made;

    if (!text)
        return NULL;
    made = copies_new(c, strlen(text) + 1);
    if (made)
        strcpy(made, text);
    else
        *failed = 1;
    return made;
}

/* Only counters' semantics contain pointers; unknown semantics are copied in the size
 * that they declare. */
const nvtxSemanticsHeader_t *
copies_semantics(struct copies *c, const nvtxSemanticsHeader_t *from, int *failed)
{
    nvtxSemanticsHeader_t *made;

    if (!from || from->structSize < sizeof(*from))
        return NULL;
    made = copies_new(c, from->structSize);
    if (!made) {
        *failed = 1;
        return NULL;
    }
    memcpy(made, from, from->structSize);
    if (from->semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1 &&
        from->structSize >= sizeof(nvtxSemanticsCounter_t)) {
        nvtxSemanticsCounter_t *const counter = (nvtxSemanticsCounter_t *)made;

        counter->unit = copies_text(c, counter->unit, failed);
    }
    made->next = copies_semantics(c, from->next, failed);
    return made;
}
