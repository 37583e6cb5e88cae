/* SPDX-License-Identifier: Apache-2.0 */
/* empties.c - an empty message is an ordinary one: later names are not mistaken for it,
 * whatever their addresses. */
#include <nvtx3/nvToolsExt.h>

static const char empty[4096];
static _Alignas(64) const char text[64] = "text";

int main(void)
{
    /* So many addresses that any other could be mistaken for one of them. */
    for (unsigned i = 0; i < sizeof empty; i++)
        nvtxMarkA(empty + i);
    nvtxMarkA(text);
    return 0;
}
