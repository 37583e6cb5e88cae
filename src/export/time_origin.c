/* SPDX-License-Identifier: Apache-2.0 */
#include "export/time_origin.h"
#include "ranges/events.h"
#include "trace/open/load.h"

rln_status rln__export_time_origin(rln_reader *reader, uint64_t *zero_ns,
                                   rln_error *err)
{
    const rln_event *first;
    rln_events *events;
    rln_status status = rln__events_open_all(reader, &events, err);

    *zero_ns = reader->layout.parts[0].super.created[0].monotonic_ns;
    if (status)
        return status;
    rln__events_ignore_window(events);
    status = rln_events_next(events, &first, err);
    if (!status && first->t_ns < 0 && 0 - (uint64_t)first->t_ns > *zero_ns)
        *zero_ns = 0 - (uint64_t)first->t_ns;
    rln_events_close(events);
    return status == RLN_END ? RLN_OK : status;
}
