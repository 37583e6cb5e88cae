/* SPDX-License-Identifier: Apache-2.0 */
/* unseen_domains.h - domains that were to be recorded and that no program has: a
 * misspelt name looks like a program without annotations. */
#ifndef RLN_RECORD_FINISH_UNSEEN_DOMAINS_H
#define RLN_RECORD_FINISH_UNSEEN_DOMAINS_H

/* Notes those of `list`, the value of --nvtx-domain-include, that the trace at `path`
 * does not have, with the domains that it has. */
void rln__unseen_domains_note(const char *path, const char *list);

#endif
