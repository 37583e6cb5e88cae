/* SPDX-License-Identifier: Apache-2.0 */
/* itt_sync.h - ITT's synchronization objects, which addresses identify, as locks of
 * NVTX in the domain "ITT sync". Signatures are ITT's. */
#ifndef RLN_BRIDGE_ITT_SYNC_H
#define RLN_BRIDGE_ITT_SYNC_H

/* An object at the address before is destroyed. Type and name may be NULL. */
void rln__itt_sync_create(void *address, const char *type, const char *name,
                          int attribute);
void rln__itt_sync_rename(void *address, const char *name);
void rln__itt_sync_destroy(void *address);

/* These create an object without a name if there is none. */
void rln__itt_sync_prepare(void *address);
void rln__itt_sync_cancel(void *address);
void rln__itt_sync_acquired(void *address);
void rln__itt_sync_releasing(void *address);

#endif
