# SPDX-License-Identifier: Apache-2.0
"""straggler: which rank the others wait for, step by step."""

from . import steps as step_rows
from . import svg
from .answer import (COUNT, ID, NS, PERCENT, Answer, Column, count, duration, in_columns, percent,
                     titled)
from .commands import analyze_step

_DRAWN = 15  # ranks
_OFTEN = 50  # percent of the steps; a rank that is slower by chance is seldom the slowest

_COLUMNS = [Column("Lost Time", NS), Column("Slowest", COUNT), Column("Slowest (%)", PERCENT),
            Column("Instances", COUNT), Column("Average", NS), Column("Most", NS),
            Column("Total Time", NS)]
_DATA = [Column("rank", ID), Column("lost_ns", NS), Column("slowest", COUNT),
         Column("instances", COUNT), Column("total_ns", NS), Column("max_ns", NS)]


def answer(job):
    """The ranks by what they cost the others."""
    ranks = [_row(row) for row in job.after.rows("straggler")]
    steps = step_rows.read(job, step_rows.StepMap())
    kind = steps.kind
    return Answer(
        question=f"Which {kind} do the others wait for, in steps called {job.step}?",
        sentence=_sentence(job.step, kind, ranks, steps),
        columns=[Column(titled(kind), ID), *_COLUMNS], rows=ranks,
        pictures=_pictures(kind, ranks, steps),
        data_columns=_DATA,
        data=lambda: _data(ranks),
        go_on=[(f"see when these {kind}s are slow",
                job.commands.recipe("heatmap", "heatmap", job.step)),
               ("see in which ranges the time is spent",
                job.commands.recipe("rank_sum", "ranks")),
               (f"see what makes a {kind} slow",
                job.commands.of_all("analyze", analyze_step(job.step)))],
        analysis='result = table.sort_by([("lost_ns", "descending")])',
        plot='axes.bar(table["rank"].to_pylist(), table["lost_ns"].to_pylist())\n'
             'axes.set(xlabel="' + kind + '", ylabel="lost, ns")')


@in_columns
def _data(ranks):
    yield from ([row[0], row[1], row[2], row[4], row[7], row[6]] for row in ranks)


def _row(row):
    return [int(row["Rank"]), int(float(row["Lost Time"])), int(row["Slowest"]),
            float(row["Slowest (%)"]), int(row["Instances"]), float(row["Avg"]), int(row["Max"]),
            int(row["Total Time"])]


def _sentence(name, kind, ranks, steps):
    if not ranks:
        if len(steps.ranks) == 1:
            return f"Only {kind} {steps.ranks[0]} has ranges called {name}: no other waits."
        return f"No range called {name} is on several {kind}s."
    rank, lost, slowest, share = ranks[0][:4]
    if not lost:
        return f"All {len(ranks):,} {kind}s are equally fast in each step."
    said = (f"{titled(kind)} {rank} is the slowest in {count(slowest, 'step')} ({percent(share)}) "
            f"and takes {duration(lost)} longer there, more than any other of "
            f"{count(len(ranks), kind)}")
    if steps.is_in_turn():
        return f"{said}; but they ran one after another: none waited."
    if share > _OFTEN:
        return f"{said}: so long the others wait, if each step ends together."
    return f"{said}; no {kind} is the slowest in most steps."


def _pictures(kind, ranks, steps):
    costly = [row for row in ranks[:_DRAWN] if row[1]]
    pictures = []
    if costly:
        bars = [svg.Bar(f"{kind} {row[0]}", [row[1]],
                        f"{duration(row[1])}, {percent(row[3])}") for row in costly]
        pictures.append((f"Time that a {kind} took longer than the median of {kind}s, in the steps "
                         "in which it was the slowest, and their share",
                         svg.bars(bars, [(svg.USUAL, "lost time")], duration)))
    if ranks:
        rows, columns = steps.grid.rows, steps.grid.columns
        each = [f"{1 << rows.shift} {kind}s for each row"] if rows.shift else []
        each += [f"{1 << columns.shift} steps for each cell"] if columns.shift else []
        scale = "".join(f", {text}" for text in each)
        pictures.append((f"{titled(kind)}s from top to bottom, steps from left to right: duration, "
                         f"compared with the median of {kind}s{scale}",
                         steps.picture()))
    return pictures
