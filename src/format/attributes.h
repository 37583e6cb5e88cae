/* SPDX-License-Identifier: Apache-2.0 */
/* attributes.h - looks up ids of names, also in the processes that a forked child
 * inherited them from. */
#ifndef RLN_FORMAT_ATTRIBUTES_H
#define RLN_FORMAT_ATTRIBUTES_H

#include "format/names_table.h"

/* The attributes with that id in the process. */
uint32_t rln__names_attr_slow(struct rln__names *names, uint32_t process, uint32_t id);

/* Attributes in the event's record itself. `message` is a string number. */
uint32_t rln__names_attr_in_line(struct rln__names *names, uint32_t process,
                                 const uint64_t words[3], uint32_t message);

/* The attributes `attr` (an index) with those in `payload` replaced. */
uint32_t rln__names_attr_with_payload(struct rln__names *names, uint32_t process,
                                      uint32_t attr,
                                      const struct rln__payload_attributes *payload);

/* Renames the messages of all attributes so far. Later attributes are renamed when they
 * are resolved, by the rules of names->renaming. 0, or -1 when there is no memory. */
int rln__names_rename(struct rln__names *names);

/* The message of a process's attributes before it was renamed. */
uint32_t rln__names_message(const struct rln__names *names, uint32_t process,
                            uint32_t id);

/* The text of a domain's name, by its string id in a process. For an empty name, the
 * text is a pair of quotes, because no text means the default domain. 0 when there is
 * no memory. */
uint32_t rln__names_domain_text(struct rln__names *names, uint32_t process,
                                uint32_t string);

/* The domain or string with an id of a process. Domains without a record share one
 * entry and set `*is_unknown`; RLN__NONE when there is no memory. A string is 0 if it
 * has no record. */
uint32_t rln__names_domain(struct rln__names *names, uint32_t process, uint32_t id,
                           int *is_unknown);
uint32_t rln__names_string(const struct rln__names *names, uint32_t process,
                           uint32_t id);

/* The name of a category, 0 if it has none. */
uint32_t rln__names_category(const struct rln__names *names, uint32_t process,
                             uint32_t domain_id, uint32_t category);

/* The process that forked this one; RLN__NONE if unknown. */
uint32_t rln__names_parent(const struct rln__names *names, uint32_t process);

/* The name that the program gave to a thread, 0 if none. */
uint32_t rln__names_thread(const struct rln__names *names, uint32_t process,
                           uint32_t tid);

static inline uint32_t rln__names_attr(struct rln__names *names, uint32_t process,
                                       uint32_t id)
{
    const struct rln__trace_process *p = &names->processes[process];

    if (id < p->n_attrs && p->attrs[id])
        return p->attrs[id] - 1;
    return rln__names_attr_slow(names, process, id);
}

/* Removes unknown attributes from the cache: their ids may get records as a trace
 * grows. */
void rln__names_forget_unknown(struct rln__names *names);

/* The process that owns `id` of `process`: a forked child inherits the ids of strings,
 * attributes and domains below a limit. */
uint32_t rln__names_owner(const struct rln__names *names, uint32_t process,
                          enum rln__name_table table, uint32_t id);

#endif
