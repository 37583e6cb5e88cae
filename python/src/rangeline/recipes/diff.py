# SPDX-License-Identifier: Apache-2.0
"""diff: what became slower between two jobs. Ranks are the repetitions, each compared with
itself, as in `rangeline diff` runs are."""

import array
import math

from . import rank_sum, svg
from .answer import (COUNT, ID, NS, PERCENT, TEXT, Answer, Column, count, duration, in_columns,
                     percent, titled)
from .sums import Failed

_CHANCE = 0.01  # as in `rangeline diff`
_CHANGE = 1  # percent; below, a change of the median rank is not worth a verdict
_DRAWN = 24  # ranges

def answer(job):
    """The ranges by how much their total changed."""
    before, kind_before, old = _read(job.before)
    after, kind, new = _read(job.after)
    if old and new and kind_before != kind:
        raise Failed(f"rangeline: cannot compare jobs: before has {kind_before}s, after has "
                     f"{kind}s\n")
    common = [rank for rank in old if rank in set(new)]
    rows = []
    for name in sorted({*before, *after}):
        rows.append(_row(name, *(_of(side, name, ranks, common) for side, ranks in
                                 ((before, old), (after, new)))))
    rows.sort(key=lambda row: (-abs(row[5]), row[0]))
    drawn = [_bar(row) for row in rows[:_DRAWN] if row[5]]
    legend = [(svg.USUAL, "less time"), (svg.OTHER, "more time")]
    return Answer(
        question="What became slower or faster between two jobs?",
        sentence=_sentence(rows, kind, common),
        columns=[Column("Range", TEXT), Column("Verdict", TEXT), Column("Change", PERCENT),
                 Column("Median Before", NS), Column("Median After", NS),
                 Column("Total Change", NS), Column(f"{titled(kind)}s", COUNT),
                 Column("Slower", COUNT), Column("Faster", COUNT), Column("Chance", TEXT)],
        rows=rows,
        pictures=[(f"Change of the time of all {kind}s", svg.bars(drawn, legend, duration))]
        if drawn else [],
        data_columns=[Column("range", TEXT), Column("rank", ID), Column("before_ns", NS),
                      Column("after_ns", NS)],
        data=lambda: _data(before, old, after, new),
        go_on=[(f"compare calls one by one, of one {kind}",
                job.commands.of_one(kind, common[0] if common else 0, "diff", "-b",
                                    job.commands_before.file(kind, common[0] if common else 0))),
               (f"see which {kind}s are slow now",
                job.commands.recipe("rank_sum", "ranks"))],
        analysis='result = (table.group_by("range")\n'
                 '          .aggregate([("before_ns", "sum"), ("after_ns", "sum")])\n'
                 '          .sort_by([("after_ns_sum", "descending")]))',
        plot='rows = result.slice(0, 20)\n'
             'axes.barh(rows["range"].to_pylist(), rows["before_ns_sum"].to_pylist(), '
             'alpha=0.5)\n'
             'axes.barh(rows["range"].to_pylist(), rows["after_ns_sum"].to_pylist(), alpha=0.5)\n'
             'axes.set(xlabel="ns")',
        lacking=_lacking(kind, old, new, common))


def _read(sums):
    found = sums.ranks("rank_sum")
    kind, ranks = next(found)
    return {name: array.array("Q", times) for name, times in found}, kind, ranks


def _of(side, name, ranks, common):
    """The times of the common ranks; None if the side lacks the range."""
    if name not in side:
        return None
    times = dict(zip(ranks, side[name]))
    return [times[rank] for rank in common]


def _row(name, before, after):
    was, now = (sorted(times or [0]) for times in (before, after))
    old, new = (rank_sum.quantile(times, 2) if times else 0 for times in (was, now))
    change = 100 * (new - old) / old if old and after is not None and before is not None else None
    pairs = list(zip(before or [], after or []))
    slower, faster = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
    chance = sign_test(slower, faster)
    verdict = ("new" if before is None else "gone" if after is None else
               _verdict(slower, faster, chance, change))
    return [name, verdict, change, old, new, sum(now) - sum(was), len(pairs), slower, faster,
            f"{chance:.2f}" if chance >= _CHANCE else f"< {_CHANCE}"]


def _verdict(slower, faster, chance, change):
    if slower == faster == 0:
        return "same"
    if slower + faster < 8:  # even if all agree, chance may do that
        return "too few"
    if chance >= _CHANCE:
        return "noise"
    if change is not None and abs(change) < _CHANGE:
        return "same"
    return "slower" if slower > faster else "faster"


def sign_test(n, m):
    """How probable it is that of n + m coins at most min(n, m), or as many, show heads."""
    n_all, less = n + m, min(n, m)
    if not n_all or n == m:
        return 1.0
    ways, total = 1, 0
    for k in range(less + 1):
        total += ways
        ways = ways * (n_all - k) // (k + 1)
    shift = max(total.bit_length() - 64, 0)  # so that it fits a float
    return min(1.0, 2 * math.ldexp(float(total >> shift), shift - n_all))


def _bar(row):
    more = row[5] > 0
    return svg.Bar(row[0], [0, row[5]] if more else [-row[5], 0],
                   f"{'+' if more else ''}{duration(row[5])}, {row[1]}")


def _sentence(rows, kind, common):
    if not common:
        return f"The jobs have no {kind} in common."
    found = [row for row in rows if row[1] in ("slower", "faster")]
    if not found:
        few = any(row[1] == "too few" for row in rows)
        return (f"No range changed by more than noise between {count(len(common), kind)}" +
                (": with so few, chance may do what is seen." if few else "."))
    first = found[0]
    return (f"{count(sum(row[1] == 'slower' for row in rows), 'range')} became slower and "
            f"{count(sum(row[1] == 'faster' for row in rows), 'range')} faster. {first[0]} became "
            f"{first[1]} on {max(first[7], first[8]):,} of {count(first[6], kind)}" +
            (f", by {percent(abs(first[2]))} on the median {kind}." if first[2] else "."))


def _lacking(kind, old, new, common):
    notes = [f"{count(len(ranks) - len(common), kind)} only {when}, not compared: " +
             ", ".join(str(rank) for rank in sorted({*ranks} - {*common})[:5]) +
             (", ..." if len(ranks) - len(common) > 5 else "")
             for ranks, when in ((old, "before"), (new, "after")) if len(ranks) > len(common)]
    return [*notes, f"a verdict is about the {kind}s of these two jobs; runs of the same program "
                    "may differ by more, which only more runs can tell"]


@in_columns
def _data(before, old, after, new):
    ranks = sorted({*old, *new})
    for name in sorted({*before, *after}):
        was = dict(zip(old, before.get(name, ())))
        now = dict(zip(new, after.get(name, ())))
        for rank in ranks:
            yield name, rank, was.get(rank), now.get(rank)
