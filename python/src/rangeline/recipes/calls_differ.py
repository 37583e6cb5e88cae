# SPDX-License-Identifier: Apache-2.0
"""calls-differ: in which ranges ranks do not do the same, as after a branch that some take."""

import collections

from . import rank_sum, svg
from .answer import COUNT, ID, PERCENT, TEXT, Answer, Column, count, titled

_DRAWN = 24  # ranges
_NAMED = 5  # ranks that differ
_MOST_AGREE = 90  # percent; below, ranks have different parts, and none is odd,
_FEW = 3  # except that of three or more ranks one may always be

def answer(job):
    """Ranges whose number of calls differs: first those in which few ranks are different."""
    rows, drawn, n_alone = [], [], 0
    found = job.after.ranks("rank_calls")
    kind, ranks = next(found)
    for name, calls in found:
        if sum(n > 0 for n in calls) == 1 < len(calls):
            n_alone += 1  # as of the rank that writes output
            continue
        row = _row(name, ranks, calls)
        if row:
            rows.append(row)
            drawn.append((row, rank_sum.Range(name, ranks, calls)))
    order = [not _is_odd(row, ranks) for row in rows]
    ordered = sorted(range(len(rows)), key=lambda i: (order[i], -rows[i][3], rows[i][0]))
    spread = [drawn[i][1].spread(lambda n: f"{n:,}") for i in ordered[:_DRAWN]]
    return Answer(
        question=f"In which ranges does the number of calls differ between {kind}s?",
        sentence=_sentence([rows[i] for i in ordered], kind, ranks),
        lacking=[f"{count(n_alone, 'range')} that only one {kind} calls "
                 f"{'is' if n_alone == 1 else 'are'} not listed"] if n_alone else [],
        columns=[Column("Range", TEXT), Column("Usual Calls", COUNT),
                 Column(f"{titled(kind)}s Agree", COUNT), Column("Agree", PERCENT),
                 Column("Least", COUNT), Column("Most", COUNT), Column("Who Differs", TEXT)],
        rows=[rows[i] for i in ordered],
        pictures=[(f"Calls of each {kind} by range: line from least to most, bar around the "
                   "middle half, tick at the mean, dot at the most",
                   svg.spread(spread, lambda n: f"{n:,.0f}"))] if spread else [],
        data_columns=[Column("range", TEXT), Column("rank", ID), Column("calls", COUNT)],
        data=lambda: rank_sum.long_rows(job.after, "rank_calls"),
        go_on=[("see whether times differ, too", job.commands.recipe("rank_sum", "ranks")),
               (f"see the call tree of a {kind}",
                job.commands.of_one(kind, 0, "stats", "-r", "tree"))],
        analysis='result = (table.group_by("range")\n'
                 '          .aggregate([("calls", "min"), ("calls", "max"), '
                 '("calls", "count_distinct")])\n'
                 '          .sort_by([("calls_count_distinct", "descending")]))',
        plot='first = result["range"][0].as_py()\n'
             'rows = table.filter(pyarrow.compute.equal(table["range"], first))\n'
             'axes.bar(rows["rank"].to_pylist(), rows["calls"].to_pylist())\n'
             'axes.set(title=first, xlabel="' + kind + '", ylabel="calls")')


def _row(name, ranks, calls):
    """None if all agree."""
    counts = collections.Counter(calls)
    if len(counts) < 2:
        return None
    usual, n_agree = min(counts.items(), key=lambda item: (-item[1], item[0]))
    others = [(rank, n) for rank, n in zip(ranks, calls) if n != usual]
    who = ", ".join(f"{rank} ({n:,})" for rank, n in others[:_NAMED])
    if len(others) > _NAMED:
        who += f", and {len(others) - _NAMED:,} more"
    return [name, usual, n_agree, 100 * n_agree / len(calls), min(calls), max(calls), who]


def _is_odd(row, ranks):
    """Whether so many agree that the others are odd."""
    return row[3] >= _MOST_AGREE or len(ranks) - row[2] == 1 and len(ranks) >= _FEW


def _sentence(rows, kind, ranks):
    if len(ranks) < 2:
        return f"There is only one {kind}: nothing can be compared."
    if not rows:
        return f"All {len(ranks):,} {kind}s call each range that several have equally often."
    name, usual, n_agree, _, _, _, who = rows[0]
    said = f"{count(len(rows), 'range')} differ{'s' if len(rows) == 1 else ''}"
    if not _is_odd(rows[0], ranks):
        return (f"{said}, but in none do {_MOST_AGREE} % of {count(len(ranks), kind)} agree: "
                "they may have different parts.")
    return (f"{said}: {name} is called {count(usual, 'time')} on {n_agree:,} of "
            f"{count(len(ranks), kind)}; different: {kind} {who}.")
