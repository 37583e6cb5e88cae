/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c - one of several files in a program that each include NVTX.
 * -DUNIT=name names its function; C and C++ alike, whichever headers. */
#include <nvtx3/nvToolsExt.h>

#define UNIT_NAME_L2(name) #name
#define UNIT_NAME(name) UNIT_NAME_L2(name)

#ifdef __cplusplus
extern "C"
#endif
    void
    UNIT(void);

#ifdef __cplusplus
/* Inline and template functions call NVTX too, and have linkage of their own. */
inline int inline_push(const char *message)
{
    return nvtxRangePushA(message);
}

template <typename T> int template_pop(T)
{
    return nvtxRangePop();
}

void UNIT(void)
{
    inline_push(UNIT_NAME(UNIT));
    template_pop(1);
}
#else
void UNIT(void)
{
    nvtxRangePushA(UNIT_NAME(UNIT));
    nvtxRangePop();
}
#endif
