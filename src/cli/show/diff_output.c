/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/diff_output.h"

#include <stdint.h>

#include "console/pager.h"
#include "console/stdout_error.h"
#include "table/diff_table.h"

/* In the formats for people. */
#define MOST_LISTED 50

static bool is_human_readable(enum rln__table_format format)
{
    return format <= RLN__FORMAT_TABLE || format >= RLN__FORMAT_MARKDOWN;
}

/* With the first rows only, and a sentence besides; a page is of all rows. */
bool rln__diff_is_for_people(enum rln__table_format format)
{
    return is_human_readable(format) && format <= RLN__FORMAT_MARKDOWN;
}

void rln__diff_table_print(const struct rln__diff_view *view,
                           enum rln__table_format format, bool follows_summary)
{
    const bool is_for_people = rln__diff_is_for_people(format);
    struct rln__buf buf = {0};
    struct rln__table t;
    const size_t most = is_for_people ? MOST_LISTED : SIZE_MAX;
    const size_t n = rln__diff_show(view, is_human_readable(format), most, &t);

    if (n || !is_for_people) {
        t.is_bold = rln__has_color();
        if (format == RLN__FORMAT_COLUMN)
            t.most_columns = rln__screen_columns();
        if (follows_summary)
            rln__buf_char(&buf, '\n');
        rln__table_print(&t, format, &buf);
        if (n > most)
            rln__buf_format(&buf, "\n... and %zu more: -f csv has all\n", n - most);
        (void)rln__write_out(&buf);
    }
    rln__buf_clear(&buf);
    rln__table_clear(&t);
}
