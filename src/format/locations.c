/* SPDX-License-Identifier: Apache-2.0 */
#include "format/locations.h"

#include "format/attributes.h"

/* Instead of a string number: functions at several locations have this name. */
#define SEVERAL UINT32_MAX

static int add(struct rln__names *names, const struct rln__name_event *e)
{
    const uint32_t id = (uint32_t)(e->identifier >> RLN__ID_SHIFT) & RLN__MAX_ID;
    const uint32_t message = e->identifier >> RLN__STRING_TAG_SHIFT == RLN__TAG_STRING
                                 ? rln__names_message(names, e->process, id)
                                 : 0;
    const uint32_t location = rln__names_string(names, e->process, e->string_id);
    const uint64_t key = rln__name_key(RLN__TABLE_LOCATION, 0, message);
    const uint64_t before = rln__map_get(&names->map, key);

    if (!message || !location || before == location)
        return 0;
    return rln__map_put(&names->map, key, before ? SEVERAL : location);
}

int rln__locations_take(struct rln__names *names)
{
    size_t n = 0;

    for (size_t i = 0; i < names->n_events; i++) {
        const struct rln__name_event *e = &names->events[i];

        if (e->sub != RLN__SUB_RESOURCE || e->type != RLN__RESOURCE_LOCATION)
            names->events[n++] = *e;
        else if (add(names, e))
            return -1;
    }
    names->has_locations |= n < names->n_events;
    names->n_events = n;
    return 0;
}

/* Of "FILE:LINE"; a file's name may have a colon, too. */
static struct rln__location parse(rln_text text)
{
    struct rln__location out = {.line = 0};
    uint32_t unit = 1;

    while (text.length && text.bytes[text.length - 1] >= '0' &&
           text.bytes[text.length - 1] <= '9') {
        out.line += unit * (uint32_t)(text.bytes[--text.length] - '0');
        unit *= 10;
    }
    if (text.length > 1 && text.bytes[text.length - 1] == ':')
        out.file = (rln_text){text.bytes, text.length - 1};
    return out;
}

struct rln__location rln__location_of(const struct rln__names *names, rln_text message)
{
    const uint32_t number =
        names->has_locations
            ? rln__strings_find(&names->strings, message.bytes, message.length)
            : 0;
    const uint64_t key = rln__name_key(RLN__TABLE_LOCATION, 0, number);

    /* SEVERAL is no string's number. */
    return parse(rln__strings_get(
        &names->strings, number ? (uint32_t)rln__map_get(&names->map, key) : 0));
}
