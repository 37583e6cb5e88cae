/* SPDX-License-Identifier: Apache-2.0 */
/* callbacks.h - our functions behind NVTX's, as tables indexed by callback id. */
#ifndef RLN_COLLECT_CALLBACKS_H
#define RLN_COLLECT_CALLBACKS_H

typedef void (*rln__callback)(void);

/* NVTX's callback ids, from 1; entry 0 is NULL. A slot whose callback is NULL here
 * stays empty, and the call behind it costs a load and a branch. */
enum { RLN__CORE_CALLBACKS = 16, RLN__CORE2_CALLBACKS = 16 };

extern const rln__callback rln__core_callbacks[RLN__CORE_CALLBACKS];
extern const rln__callback rln__core2_callbacks[RLN__CORE2_CALLBACKS];

/* What both tables say with the same code. resource.c */
void rln__name_category(unsigned domain, unsigned category, const char *name);
void rln__name_category_wide(unsigned domain, unsigned category, const void *name);
void rln__name_thread(unsigned tid, const char *name);
void rln__name_thread_wide(unsigned tid, const void *name);

#endif
