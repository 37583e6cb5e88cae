/* SPDX-License-Identifier: Apache-2.0 */
#include "console/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/human_units.h"
#include "base/monotonic.h"
#include "base/utf8.h"

#define COLUMNS 26
#define QUIET_NS 1000000000 /* nothing is drawn earlier */
#define PAUSE_NS 100000000

void rln__progress_begin(struct rln__progress *p, const char *name, bool is_quiet)
{
    memset(p, 0, sizeof(*p));
    p->name = name;
    p->since_ns = p->drawn_ns = rln__monotonic_ns();
    p->is_shown = !is_quiet && isatty(STDERR_FILENO);
}

static void draw(struct rln__progress *p, double share, double seconds,
                 uint64_t n_events)
{
    struct rln__buf *line = &p->line;
    const double left = share > 0 ? seconds / share - seconds : 0;

    line->length = 0;
    rln__buf_char(line, '\r');
    (void)rln__buf_printable(line, p->name, strlen(p->name));
    rln__buf_text(line, "  [");
    for (int i = 0; i < COLUMNS; i++)
        rln__buf_char(line, i < (int)(share * COLUMNS) ? '#' : ' ');
    rln__buf_format(line, "] %3.0f %%  ", share * 100);
    if (n_events)
        rln__buf_format(line, "%.1f million events/s  ",
                        (double)n_events / seconds / 1e6);
    rln__buf_duration(line, left * 1e9);
    rln__buf_text(line, " left\033[K");
    if (line->has_failed)
        return;
    (void)fwrite(line->bytes, 1, line->length, stderr);
    (void)fflush(stderr);
    p->is_drawn = true;
}

void rln__progress_show(void *progress, double share, uint64_t n_events)
{
    struct rln__progress *p = progress;
    const int64_t now = p->is_shown ? rln__monotonic_ns() : 0;

    if (!p->is_shown || now - p->since_ns < QUIET_NS || now - p->drawn_ns < PAUSE_NS)
        return;
    p->drawn_ns = now;
    draw(p, share > 1 ? 1 : share, (double)(now - p->since_ns) / 1e9, n_events);
}

void rln__progress_of_reading(void *progress, double share)
{
    struct rln__progress *p = progress;

    if (p->is_shown && share < p->last_share)
        p->since_ns = rln__monotonic_ns();
    p->last_share = share;
    rln__progress_show(progress, share, 0);
}

void rln__progress_end(struct rln__progress *p)
{
    if (p->is_drawn)
        (void)fputs("\r\033[K", stderr);
    rln__buf_clear(&p->line);
}
