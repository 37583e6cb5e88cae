/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/rule.h"

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

/* Of a name in a sentence. */
#define MOST_COLUMNS 60

/* Enclosing ranges that are looked at: recursion that deep is no mistake. */
#define MOST_LEVELS 64

/* A backslash before what ends a part makes parts of different names differ. */
static void add_key_text(struct rln__buf *key, rln_text text)
{
    size_t begin = 0;

    rln__buf_char(key, '|');
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] != '|' && text.bytes[i] != '\\')
            continue;
        rln__buf_utf8(key, text.bytes + begin, i - begin);
        rln__buf_char(key, '\\');
        begin = i;
    }
    rln__buf_utf8(key, text.bytes + begin, text.length - begin);
}

struct rln__finding *rln__finding_new(struct rln__inquiry *q, rln_text domain,
                                      bool is_default_domain, rln_text message,
                                      const char *tail)
{
    struct rln__finding *f = rln__append(&q->findings, &q->n, &q->capacity, sizeof(*f));

    if (!f)
        return NULL;
    memset(f, 0, sizeof(*f));
    f->rule = q->rule;
    f->limits = q->limits;
    f->severity = RLN_SEVERITY_NOTE;
    f->domain_name = domain;
    f->message = message;
    f->is_default_domain = is_default_domain;
    rln__buf_text(&f->key, q->rule->id);
    add_key_text(&f->key, is_default_domain ? (rln_text){"", 0} : domain);
    add_key_text(&f->key, message);
    if (tail)
        add_key_text(&f->key, (rln_text){tail, strlen(tail)});
    return f;
}

struct rln__finding *rln__finding_of_step(struct rln__inquiry *q, const char *tail)
{
    return rln__finding_new(q, q->run->domain_name, q->run->is_default_domain,
                            q->run->message, tail);
}

void rln__finding_clear(struct rln__finding *f)
{
    rln__buf_clear(&f->key);
    rln__buf_clear(&f->title);
}

void rln__finding_drop(struct rln__inquiry *q)
{
    rln__finding_clear(&q->findings[--q->n]);
}

bool rln__is_worth(const struct rln__inquiry *q, double ns)
{
    return ns > 0 && ns >= q->limits[0] * q->run->span_ns;
}

void rln__finding_won(struct rln__finding *f, const struct rln__inquiry *q, double ns)
{
    const double span = q->run->span_ns;

    f->has_won = true;
    f->won_ns = ns < span ? ns : span;
    f->won_share = span > 0 ? f->won_ns / span : 0;
    f->severity =
        f->won_share >= q->limits[1] ? RLN_SEVERITY_WARNING : RLN_SEVERITY_NOTE;
}

bool rln__finding_blames(const struct rln__finding *f, const struct rln__finding *other)
{
    return f->cause.bytes && rln__compare_text(f->cause, other->message) == 0 &&
           f->is_cause_default_domain == other->is_default_domain &&
           rln__compare_text(f->cause_domain, other->domain_name) == 0;
}

bool rln__finding_has_grown(const struct rln__finding *f)
{
    return f->has_known_share && f->has_won &&
           f->won_share - f->known_share >= f->limits[0];
}

void rln__finding_measure(struct rln__finding *f, const char *name, double value)
{
    f->measured[f->n_measured++] = (struct rln__measured){name, value};
}

void rln__finding_show(struct rln__finding *f, size_t range, double weight)
{
    size_t at = f->n_evidence;

    f->n_all_evidence++;
    while (at > 0 && weight > f->weights[at - 1])
        at--;
    if (at == RLN__MOST_EVIDENCE)
        return;
    if (f->n_evidence < RLN__MOST_EVIDENCE)
        f->n_evidence++;
    for (size_t i = f->n_evidence - 1; i > at; i--) {
        f->evidence[i] = f->evidence[i - 1];
        f->weights[i] = f->weights[i - 1];
    }
    f->evidence[at] = range;
    f->weights[at] = weight;
}

void rln__buf_range(struct rln__buf *buf, rln_text domain, bool is_default_domain,
                    rln_text message)
{
    struct rln__buf name = {0};
    size_t n_columns = 0;

    if (!is_default_domain) {
        n_columns = 1 + rln__buf_printable(&name, domain.bytes, domain.length);
        rln__buf_char(&name, ':');
    }
    n_columns += rln__buf_printable(&name, message.bytes, message.length);
    if (n_columns <= MOST_COLUMNS)
        rln__buf_add(buf, name.bytes, name.length);
    else
        (void)rln__buf_cut(buf, &name, n_columns, MOST_COLUMNS / 2,
                           MOST_COLUMNS - 1 - MOST_COLUMNS / 2);
    buf->has_failed |= name.has_failed;
    rln__buf_clear(&name);
}

bool rln__enclosing_call(const struct rln__nesting *nesting,
                         const struct rln__nesting_row *row,
                         struct rln__nesting_row *out)
{
    size_t parent = row->parent;

    for (unsigned level = 0; level < MOST_LEVELS && parent != SIZE_MAX; level++) {
        const struct rln__nesting_row up = rln__nesting_at(nesting, parent);

        if (up.name == row->name) {
            *out = up;
            return true;
        }
        parent = up.parent;
    }
    return false;
}

int rln__win_add(struct rln__win *win, size_t call, double ns)
{
    double *grown =
        rln__grow_to(win->by_call, &win->n, &win->capacity, call, sizeof(*grown));

    if (!grown)
        return -1;
    win->by_call = grown;
    if (ns > grown[call])
        grown[call] = ns;
    return 0;
}

double rln__win_total(const struct rln__win *win)
{
    double total = 0;

    for (size_t i = 0; i < win->n; i++)
        total += win->by_call[i];
    return total;
}

void rln__win_clear(struct rln__win *win)
{
    rln__free(win->by_call);
    memset(win, 0, sizeof(*win));
}
