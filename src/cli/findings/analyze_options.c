/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/findings/analyze_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/choices.h"
#include "console/die.h"
#include "console/misread.h"
#include "console/nearest.h"

const char *rln__rule_word(size_t index)
{
    return index < RLN__N_RULES ? rln__rules[index]->id : NULL;
}

size_t rln__rule_called(const struct rln__args *args, const char *option,
                        const char *name, size_t length)
{
    const size_t index = rln__rule_index(name, length);
    const char *words[RLN__N_RULES], *nearest;
    char word[32] = {0};

    if (index < RLN__N_RULES)
        return index;
    for (size_t i = 0; i < RLN__N_RULES; i++)
        words[i] = rln__rules[i]->id;
    memcpy(word, name, length < sizeof(word) ? length : sizeof(word) - 1);
    nearest = rln__nearest(word, words, RLN__N_RULES);
    rln__complain("cannot analyze: %s=\"%.*s\": no such rule", option, (int)length,
                  name);
    if (nearest)
        rln__hint_instead(args, name, length, nearest,
                          " `rangeline analyze --help-rules` lists the rules");
    else
        rln__hint("`rangeline analyze --help-rules` lists the rules");
    exit(RLN__EXIT_USAGE);
}

void rln__choose_rules(const struct rln__args *args, unsigned option,
                       struct rln__analysis_options *out)
{
    const char *list;
    size_t at = 0;

    if (rln__args_has(args, option))
        memset(out->is_asked, 0, sizeof(out->is_asked));
    while ((list = rln__args_next(args, option, &at))) {
        for (;;) {
            const size_t length = strcspn(list, ",");

            out->is_asked[rln__rule_called(args, "rule", list, length)] = true;
            if (!list[length])
                break;
            list += length + 1;
        }
    }
}

/* "0.05" and "5%"; whether it is a number of at least 0. */
static bool read_number(const char *text, size_t length, double *out)
{
    char copy[64] = {0}, *end;

    if (!length || length >= sizeof(copy))
        return false;
    memcpy(copy, text, length);
    *out = strtod(copy, &end);
    if (end == copy || !isfinite(*out) || *out < 0)
        return false;
    if (*end == '%') {
        *out /= 100;
        end++;
    }
    return !*end;
}

/* `word` is what precedes the = of `text`. */
static size_t threshold_called(const struct rln__args *args,
                               const struct rln__rule *rule, const char *word,
                               const char *text)
{
    const size_t index = rln__threshold_index(rule, word);
    const char *wrong = strchr(text, '.') + 1;
    const char *words[RLN__MOST_THRESHOLDS], *nearest;
    char after[80];
    size_t n = 0;

    if (index != SIZE_MAX)
        return index;
    while (n < RLN__MOST_THRESHOLDS && rule->thresholds[n].name) {
        words[n] = rule->thresholds[n].name;
        n++;
    }
    nearest = rln__nearest(word, words, n);
    (void)snprintf(after, sizeof(after),
                   " `rangeline analyze --help-rules %s` lists its thresholds",
                   rule->id);
    rln__complain("cannot analyze: set=\"%s\": no such threshold", text);
    if (nearest)
        rln__hint_instead(args, wrong, strlen(word), nearest, after);
    else
        rln__hint("%s", after + 1);
    exit(RLN__EXIT_USAGE);
}

/* Whether a threshold is a part of a whole, which more than 1 cannot be. */
static bool is_part(const char *threshold)
{
    return rln__is_choice("share|warning|agreement|chance|cause|slower|slowest|agree|"
                          "idle|busy|exposed|copying|stalled",
                          threshold);
}

static void set_threshold(const struct rln__args *args, const char *text,
                          struct rln__analysis_options *out)
{
    const char *dot = strchr(text, '.'), *equals = strchr(text, '=');
    char name[32] = {0}; /* longer than any threshold's */
    size_t rule, length, index;
    double value;

    if (!dot || !equals || equals < dot) {
        rln__complain("cannot analyze: set=\"%s\": not RULE.NAME=VALUE", text);
        rln__hint("for example --set outliers.share=2%%");
        exit(RLN__EXIT_USAGE);
    }
    if (dot == text) {
        rln__complain("cannot analyze: set=\"%s\": no rule", text);
        rln__hint("name one before the dot, such as --set outliers%.*s",
                  (int)strcspn(text, "="), text);
        exit(RLN__EXIT_USAGE);
    }
    rule = rln__rule_called(args, "set", text, (size_t)(dot - text));
    length = (size_t)(equals - dot - 1);
    memcpy(name, dot + 1, length < sizeof(name) ? length : sizeof(name) - 1);
    if (!read_number(equals + 1, strlen(equals + 1), &value)) {
        rln__complain("cannot analyze: set=\"%s\": not a number", text);
        rln__hint("use a number of 0 or more, or a percentage, such as 2%%");
        exit(RLN__EXIT_USAGE);
    }
    index = threshold_called(args, rln__rules[rule], name, text);
    if (value > 1 && is_part(rln__rules[rule]->thresholds[index].name)) {
        rln__complain("cannot analyze: set=\"%s\": more than the whole", text);
        rln__hint("it is a share: use 0 to 1, or a percentage, such as 2%%");
        exit(RLN__EXIT_USAGE);
    }
    out->limits[rule][index] = value;
}

void rln__set_thresholds(const struct rln__args *args, unsigned option,
                         struct rln__analysis_options *out)
{
    const char *text;
    size_t at = 0;

    while ((text = rln__args_next(args, option, &at)))
        set_threshold(args, text, out);
}

/* A gate that nothing can fail. */
_Noreturn static void refuse_gate(const char *word, size_t length, const char *reason)
{
    rln__complain("cannot analyze: fail-on=\"%.*s\": %s", (int)length, word, reason);
    rln__hint(
        "use `--fail-on warning`, RULE, or RULE:SHARE with a share of the run, such "
        "as outliers:5%%");
    exit(RLN__EXIT_USAGE);
}

static void add_limit(const struct rln__args *args, const char *word, size_t length,
                      const struct rln__analysis_options *rules,
                      struct rln__fail_on *out)
{
    const char *colon = memchr(word, ':', length);
    const size_t name = colon ? (size_t)(colon - word) : length;
    double share = 0;
    size_t rule;

    if (length == 7 && memcmp(word, "warning", 7) == 0) {
        out->is_any_warning = true;
        return;
    }
    if (rln__rule_index(word, name) == RLN__N_RULES && name >= 4 &&
        strncmp(word, "warning", name) == 0)
        refuse_gate(word, length, "no such rule");
    rule = rln__rule_called(args, "fail-on", word, name);
    if (colon && !read_number(colon + 1, length - name - 1, &share))
        refuse_gate(word, length, "not a share");
    if (share > 1)
        refuse_gate(word, length, "no finding can win more than the run");
    if (colon && !rln__rule_has_gain(rln__rules[rule]))
        refuse_gate(word, length, "this rule does not say what could be won");
    if (!rules->is_asked[rule]) {
        rln__complain("cannot analyze: fail-on=\"%.*s\": --rule leaves it out",
                      (int)length, word);
        rln__hint("add --rule %s", rln__rules[rule]->id);
        exit(RLN__EXIT_USAGE);
    }
    out->is_rule[rule] = true;
    out->shares[rule] = share;
}

void rln__read_fail_on(const struct rln__args *args, unsigned option,
                       const struct rln__analysis_options *rules,
                       struct rln__fail_on *out)
{
    const char *list;
    size_t at = 0;

    memset(out, 0, sizeof(*out));
    while ((list = rln__args_next(args, option, &at))) {
        for (;;) {
            const size_t length = strcspn(list, ",");

            add_limit(args, list, length, rules, out);
            if (!list[length])
                break;
            list += length + 1;
        }
    }
}

static void note_abstention(const struct rln__fail_on *on,
                            const struct rln__outcome *outcome)
{
    const size_t rule = rln__rule_index(outcome->rule->id, strlen(outcome->rule->id));

    if (outcome->why && on->is_rule[rule])
        rln__note("--fail-on %s has checked nothing: the rule abstains: %s",
                  outcome->rule->id, outcome->why);
}

static bool fails(const struct rln__fail_on *on, const struct rln__finding *f)
{
    const size_t rule = rln__rule_index(f->rule->id, strlen(f->rule->id));
    const double share = on->shares[rule];

    if (f->is_known)
        return on->is_rule[rule] && f->has_known_share && f->known_share < share &&
               f->won_share >= share;
    return (on->is_any_warning && f->severity >= RLN_SEVERITY_WARNING) ||
           (on->is_rule[rule] && f->won_share >= share);
}

bool rln__is_failure(const struct rln__fail_on *on, const struct rln__analysis *a)
{
    bool is_failure = false;

    for (size_t i = 0; i < a->n_outcomes; i++)
        note_abstention(on, &a->outcomes[i]);
    for (size_t i = 0; i < a->n; i++)
        is_failure |= fails(on, &a->findings[i]);
    return is_failure;
}
