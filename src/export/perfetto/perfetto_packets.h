/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_packets.h - the packets of one sequence, and the names that they share.
 *
 * A name is a number; the packet that uses it first brings the text with it.
 */
#ifndef RLN_EXPORT_PERFETTO_PERFETTO_PACKETS_H
#define RLN_EXPORT_PERFETTO_PERFETTO_PACKETS_H

#include "base/hash.h"
#include "export/perfetto/perfetto_fields.h"
#include "export/row_text_cache.h"
#include "output/output.h"
#include "rangeline/reader.h"

#define RLN__MOST_INTERNED 65536u /* further names are written where they are used */

struct rln__packets {
    struct rln__output *output; /* borrowed, as is the reader */
    const rln_reader *reader;
    struct rln__map names, categories; /* address of a text -> its number */
    size_t n_names;
    struct rln__buf interned;              /* for the next packet */
    struct rln__row_text_cache text_cache; /* attributes of events */
    uint64_t zero_ns;                      /* the trace's time 0 in the file */
    int has_begun;                         /* the sequence */
};

/* Where the packet begins, for rln__packet_end(). */
size_t rln__packet_begin(struct rln__packets *packets);
rln_status rln__packet_end(struct rln__packets *packets, size_t begin, rln_error *err);

/* A packet with an event of a track; `*event` is where the event begins. */
size_t rln__packet_begin_event(struct rln__packets *packets, enum track_event_type type,
                               uint64_t track, int64_t t_ns, size_t *event);
rln_status rln__packet_end_event(struct rln__packets *packets, size_t begin,
                                 size_t event, rln_error *err);

/* Name, location of the function that it names, category, domain and color of the
 * event. */
void rln__packet_attributes(struct rln__packets *packets, const rln_attributes *with);

/* Only name, location and category. */
void rln__packet_names(struct rln__packets *packets, const rln_attributes *with);

void rln__packets_clear(struct rln__packets *packets);

#endif
