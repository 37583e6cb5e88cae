/* SPDX-License-Identifier: Apache-2.0 */
/* unseen_domains.h - included domains that no program creates: a misspelled name looks
 * like a program without annotations. */
#ifndef RLN_RECORD_FINISH_UNSEEN_DOMAINS_H
#define RLN_RECORD_FINISH_UNSEEN_DOMAINS_H

/* Notes the domains of `list`, the value of --nvtx-domain-include, that are not in the
 * trace at `path`, and those that are. */
void rln__unseen_domains_note(const char *path, const char *list);

#endif
