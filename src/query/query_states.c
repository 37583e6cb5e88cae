/* SPDX-License-Identifier: Apache-2.0 */
/* query_states.c - what the time of the threads of rows was made of, pixel by pixel:
 *
 *   pixels     |       |       |       |       |       |
 *   thread     on------|-----------blocked-------|on----   unknown
 *   items      [  on  ][ both ][    blocked     ][ on  ][ none ]
 *
 * Pixels in which a thread was only in one state, and in the same, are one item, and so
 * are those of which nothing is known. All numbers are exact: of one pixel, they are those
 * of the report cpu_sum.
 */
#include "query/query_states.h"

#include "base/alloc.h"
#include "base/count.h"
#include "base/json.h"
#include <math.h>

enum column { START, ON, PREEMPTED, BLOCKED, N_COLUMNS };

struct item { /* up to the next, or the end of the span */
    int64_t columns[N_COLUMNS];
    enum column only; /* the only state; START: unknown; N_COLUMNS: several */
};

struct states {
    struct rln__cpu_times *times; /* borrowed from the index */
    int64_t from_ns, to_ns, pixel_ns;
    struct item *items; /* owned; of one row */
    size_t n, capacity;
};

enum rln__lod_states_known rln__query_states_known(const struct rln__query_context *a)
{
    return a->is_live || !a->lod->is_complete ? RLN__LOD_STATES_NONE
                                              : rln__lod_states_known(a->lod);
}

static struct item item_of(int64_t start_ns, int64_t end_ns,
                           const struct rln__cpu_split *split)
{
    struct item item = {.columns = {start_ns, (int64_t)split->on_ns,
                                    (int64_t)split->preempted_ns,
                                    (int64_t)split->blocked_ns},
                        .only = N_COLUMNS};

    for (enum column c = ON; c < N_COLUMNS; c++)
        if (item.columns[c] == end_ns - start_ns)
            item.only = c;
    if ((int64_t)split->unknown_ns == end_ns - start_ns)
        item.only = START;
    return item;
}

static int add(struct states *s, const struct item *pixel)
{
    struct item *last = s->n ? &s->items[s->n - 1] : NULL;

    if (last && pixel->only != N_COLUMNS && pixel->only == last->only) {
        for (enum column c = ON; c < N_COLUMNS; c++)
            last->columns[c] += pixel->columns[c];
        return 0;
    }
    last = rln__append(&s->items, &s->n, &s->capacity, sizeof(*last));
    if (!last)
        return -1;
    *last = *pixel;
    return 0;
}

static int measure(struct states *s, uint32_t thread)
{
    int64_t start_ns = s->from_ns;

    while (start_ns < s->to_ns) {
        const int64_t room_ns = s->to_ns - start_ns;
        const int64_t end_ns =
            start_ns + (room_ns < s->pixel_ns ? room_ns : s->pixel_ns);
        const struct rln__cpu_split split =
            rln__cpu_times_of(s->times, thread, start_ns, end_ns);
        const struct item pixel = item_of(start_ns, end_ns, &split);

        if (add(s, &pixel))
            return -1;
        start_ns = end_ns;
    }
    return 0;
}

static int is_needed(const struct states *s, enum column column)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i].columns[column])
            return 1;
    return column == START;
}

static void put(struct rln__buf *out, const struct states *s)
{
    static const char *const words[] = {"start", "on", "preempted", "blocked"};

    for (enum column c = START; c < N_COLUMNS; c++) {
        if (!is_needed(s, c))
            continue;
        rln__json_begin(out, words[c], '[');
        for (size_t i = 0; i < s->n; i++)
            rln__json_i64(out, NULL, s->items[i].columns[c]);
        rln__buf_char(out, ']');
    }
}

static int put_row(struct rln__buf *out, struct states *s, const struct rln__lod *lod,
                   uint32_t number)
{
    const struct rln__lod_row *row = &lod->rows[number];

    s->n = 0;
    if (rln__lod_is_of_thread(row) && s->times && measure(s, row->thread))
        return -1;
    rln__buf_format(out, "{\"row\":%u", number);
    put(out, s);
    rln__json_i64(out, "end", s->to_ns);
    rln__buf_char(out, '}');
    return 0;
}

int rln__query_states(const struct rln__query_context *a, struct rln__buf *out)
{
    const struct rln__question *q = a->question;
    const double pixel = ((double)q->to - (double)q->from) / q->pixels;
    struct states s = {.from_ns = q->from,
                       .to_ns = q->to,
                       .pixel_ns = pixel > 1 ? (int64_t)ceil(pixel) : 1};
    int status = 200;

    if (rln__query_states_known(a) == RLN__LOD_STATES_KNOWN &&
        rln__lod_states(a->lod, &s.times, NULL))
        return 500;
    rln__buf_text(out, "{\"rows\":[");
    for (size_t i = 0; i < q->n_rows && status == 200; i++) {
        rln__buf_text(out, i ? ",\n" : "");
        if (q->rows[i] >= a->lod->n_rows)
            status = 404;
        else if (put_row(out, &s, a->lod, q->rows[i]))
            status = 500;
    }
    rln__buf_text(out, "]}\n");
    rln__free(s.items);
    return status;
}
