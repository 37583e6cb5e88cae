# SPDX-License-Identifier: Apache-2.0
"""rank_sum: which ranges are unbalanced between ranks."""

from . import svg
from .answer import (ID, NS, PERCENT, TEXT, Answer, Column, count, duration, in_columns, percent,
                     titled)

_BALANCED = 5  # percent; below, ranks of a healthy job differ, too
_DRAWN = 24  # ranges

_COLUMNS = [Column("Range", TEXT), Column("Excess", NS), Column("Imbalance", PERCENT),
            Column("Slowest", ID), Column("Most", NS), Column("Mean", NS),
            Column("Median", NS), Column("Least", NS), Column("Total", NS)]
_ON_PROCESSOR = Column("Excess On CPU", NS)  # of the slowest, over the mean of all


def answer(job):
    """The ranges by how much longer than the mean their slowest rank takes."""
    ranges, kind, ranks = read(job.after, "rank_sum")
    ranges.sort(key=lambda r: (-r.excess, r.name))
    rows = [[r.name, r.excess, r.imbalance, r.slowest, r.most, r.mean, r.median, r.least, r.total]
            for r in ranges]
    on_processor = _excess_on_processor(job.after, ranges)
    if on_processor:
        for row in rows:
            row.insert(2, on_processor.get(row[0]))
    drawn = [r.spread(duration) for r in ranges[:_DRAWN]]
    return Answer(
        question=f"In which ranges do {kind}s spend different times?",
        sentence=_sentence(ranges, kind, ranks, on_processor),
        columns=_COLUMNS[:2] + [_ON_PROCESSOR] * bool(on_processor) + _COLUMNS[2:], rows=rows,
        pictures=[(f"Time of each {kind} by range: line from least to most, bar around the "
                   f"middle half, tick at the mean, dot at the slowest",
                   svg.spread(drawn, duration))] if drawn else [],
        data_columns=[Column("range", TEXT), Column("rank", ID), Column("time_ns", NS)],
        data=lambda: long_rows(job.after, "rank_sum"),
        go_on=[(f"see when the slowest {kind} is late",
                job.commands.recipe("heatmap", "heatmap", _step_of(ranges))),
               (f"see whether {kind}s call ranges equally often",
                job.commands.recipe("calls-differ", "calls"))],
        analysis='result = (table.group_by("range")\n'
                 '          .aggregate([("time_ns", "mean"), ("time_ns", "max"), '
                 '("time_ns", "sum")])\n'
                 '          .sort_by([("time_ns_sum", "descending")]))',
        plot='first = result["range"][0].as_py()\n'
             'rows = table.filter(pyarrow.compute.equal(table["range"], first))\n'
             'axes.bar(rows["rank"].to_pylist(), rows["time_ns"].to_pylist())\n'
             'axes.set(title=first, xlabel="' + kind + '", ylabel="ns")')


def _excess_on_processor(sums, ranges):
    """By range, how much longer than the mean of all its slowest rank was on a processor; empty
    unless all traces have context switches."""
    slowest, excess = {r.name: r.slowest for r in ranges}, {}
    rows = sums.ranks("rank_sum:cpu")
    _, ranks = next(rows)
    at = {rank: i for i, rank in enumerate(ranks)}
    for name, values in rows:
        if name in slowest and slowest[name] in at:
            excess[name] = round(values[at[slowest[name]]] - sum(values) / len(values))
    return excess


def _sentence(ranges, kind, ranks, on_processor):
    if not ranges:
        return "The sums have no ranges."
    if len(ranks) < 2:
        return f"There is only one {kind}: nothing can be compared."
    worst = ranges[0]
    if all(r.imbalance < _BALANCED for r in ranges if r.excess >= worst.excess / 2):
        return (f"The {len(ranks):,} {kind}s are balanced: in {worst.name}, the slowest exceeds "
                f"the mean by {percent(worst.imbalance)}, more than in other ranges.")
    return (f"{titled(kind)} {worst.slowest} spends {duration(worst.most)} in {worst.name}, "
            f"{duration(worst.excess)} more than the mean of {count(len(ranks), kind)} "
            f"({percent(worst.imbalance, sign=True)})"
            f"{_why(worst.excess, on_processor.get(worst.name))}.")


def _why(excess, on_processor):
    """Whether a rank computes for longer, or waits."""
    if on_processor is None:
        return ""
    if on_processor < excess / 3:
        return f": it waits, or others have its processor, since it computes {_more(on_processor)}"
    return f": it computes {_more(on_processor)}"


def _more(ns):
    return f"for {duration(abs(ns))} {'more' if ns >= 0 else 'less'} than the mean"


def _step_of(ranges):
    """The first range as the NAME of a recipe."""
    name = ranges[0].name if ranges else "NAME"
    short = name.removeprefix(":")
    return name if not short or ":" in short else short


class Range:
    """A range, and what its ranks spread over."""

    def __init__(self, name, ranks, values):
        ordered = sorted(values)
        n = len(ordered)
        self.name, self.total = name, sum(values)
        self.least, self.most = ordered[0], ordered[-1]
        self.low, self.median, self.high = (quantile(ordered, part) for part in (1, 2, 3))
        self.mean = self.total / n
        self.excess = self.most - self.mean
        self.imbalance = 100 * self.excess / self.mean if self.total else 0.0
        self.slowest = ranks[values.index(self.most)]

    def spread(self, show):
        """What svg.spread() draws."""
        return svg.Spread(self.name, self.least, self.low, self.mean, self.high, self.most,
                          f"{self.slowest}: {show(self.most)}")


def quantile(ordered, quarters):
    """A quartile of sorted integers, rounded down; the median is that of two if there are."""
    at = quarters * (len(ordered) - 1)
    return (ordered[at // 4] * (4 - at % 4) + ordered[-(-at // 4)] * (at % 4)) // 4


def read(sums, report):
    """The ranges of a report with a column per rank, the ranks' kind and their numbers."""
    rows = sums.ranks(report)
    kind, ranks = next(rows)
    return [Range(name, ranks, values) for name, values in rows if ranks], kind, ranks


@in_columns
def long_rows(sums, report):
    """Columns for Parquet: a row per range and rank."""
    rows = sums.ranks(report)
    _, ranks = next(rows)
    for name, values in rows:
        for rank, value in zip(ranks, values):
            yield name, rank, value
