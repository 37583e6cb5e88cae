/* SPDX-License-Identifier: Apache-2.0 */
/* list_events.c TRACE - prints the events of the first second of the first capture
 * window: their types, names, values and payloads. */
#include <rangeline/rangeline.h>

#include <stdio.h>

static rln_error err;

static rln_status print_event(rln_events *events, const rln_event *event)
{
    const rln_text name = event->attributes.message;
    const rln_payload *payloads;
    size_t n;
    const rln_status status = rln_events_payloads(events, &payloads, &n, &err);

    printf("%s %.*s", rln_event_type_name(event->type), (int)name.length,
           name.bytes ? name.bytes : "");
    for (size_t i = 0; i < event->n_values; i++)
        printf(" %g", rln_sample_in_unit(&event->values[i]));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 1; k < payloads[i].n_fields; k++)
            printf(" %.*s", (int)payloads[i].fields[k].name.length,
                   payloads[i].fields[k].name.bytes ? payloads[i].fields[k].name.bytes
                                                    : "");
    }
    printf("\n");
    return status;
}

int main(int argc, char **argv)
{
    const char *paths[1];
    const rln_event *event;
    rln_reader *reader = NULL;
    rln_events *events = NULL;
    rln_status status;

    if (argc != 2)
        return 2;
    paths[0] = argv[1];
    status = rln_reader_open(paths, 1, &reader, &err);
    if (!status)
        status = rln_reader_select_window(reader, 0, &err);
    if (!status)
        status = rln_reader_select_time(reader, 0, 1000000000, &err);
    if (!status)
        status = rln_events_open(reader, &events, &err);
    while (!status && (status = rln_events_next(events, &event, &err)) == RLN_OK)
        status = print_event(events, event);
    rln_events_close(events);
    rln_reader_close(reader);
    if (status == RLN_END)
        return 0;
    fprintf(stderr, "list_events: %s\n", err.message);
    return 1;
}
