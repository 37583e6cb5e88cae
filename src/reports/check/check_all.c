/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/check/check_all.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "reports/check/check_ranges.h"
#include "reports/check/check_trace.h"

#include <stdlib.h>

static void keep_wanted(struct rln_check *check)
{
    size_t n = 0;

    for (size_t i = 0; i < check->n; i++) {
        if (check->rows[i].severity != RLN__UNWANTED)
            check->rows[n++] = check->rows[i];
    }
    check->n = n;
}

static int by_need(const void *a, const void *b)
{
    const rln_finding *x = a, *y = b;

    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    if (x->first_ns != y->first_ns)
        return x->first_ns < y->first_ns ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return rln__compare_text(x->message, y->message);
}

rln_status rln_check_new(rln_reader *reader, rln_check **out, rln_error *err)
{
    rln_check *check = rln__alloc(1, sizeof(*check));
    rln_status status;

    *out = NULL;
    if (!check)
        return rln__fail_nomem(err);
    check->reader = reader;
    status = rln_info_open(reader, &check->info, err);
    if (!status)
        status = rln__check_ranges(check, err);
    if (!status)
        status = rln__check_trace(check, check->info, err);
    rln__key_index_clear(&check->keys);
    if (status) {
        rln_check_free(check);
        return status;
    }
    keep_wanted(check);
    if (check->n)
        qsort(check->rows, check->n, sizeof(*check->rows), by_need);
    *out = check;
    return RLN_OK;
}

void rln_check_free(rln_check *check)
{
    if (!check)
        return;
    rln__key_index_clear(&check->keys);
    rln_info_close(check->info);
    rln__free(check->rows);
    rln__free(check);
}

const rln_info *rln__check_info(const rln_check *check)
{
    return check->info;
}

const rln_finding *rln_check_at(const rln_check *check, size_t index)
{
    return index < check->n ? &check->rows[index] : NULL;
}
