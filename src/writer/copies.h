/* SPDX-License-Identifier: Apache-2.0 */
/* copies.h - copies registrations with all they point to, to outlive the call. */
#ifndef RLN_WRITER_COPIES_H
#define RLN_WRITER_COPIES_H

#include <nvtxw3/nvtxw3.h>

/* A list of allocations that are freed together. */
struct copies {
    void **items; /* owned, as is what they point to */
    size_t n, capacity;
};

void copies_free(struct copies *copies);

/* `size` bytes of zeros that copies_free() frees, or NULL. */
void *copies_new(struct copies *copies, size_t size);

/* Each returns NULL for NULL. Without memory, it returns NULL and sets *failed. */
const char *copies_text(struct copies *copies, const char *text, int *failed);
const nvtxSemanticsHeader_t *
copies_semantics(struct copies *copies, const nvtxSemanticsHeader_t *from, int *failed);

#endif
