# SPDX-License-Identifier: Apache-2.0
"""heatmap: when steps are slow, and on which ranks."""

from . import steps as step_rows
from .answer import ID, NS, RATE, Answer, Column, count, duration, titled

_COLUMNS = [Column("Longest", NS), Column("Times Median", RATE), Column("At", NS)]


def answer(job):
    """The longest step of each rank in each stretch of time."""
    steps = step_rows.read(job, step_rows.TimeMap())
    usual = steps.all.quantile(1, 2)
    rows = sorted(([rank, length, length / max(usual, 1), start - steps.grid.columns.low]
                   for rank, (length, start) in steps.longest.items()),
                  key=lambda row: (-row[1], row[0]))
    return Answer(
        question=f"When are steps called {job.step} slow, and on which {steps.kind}s?",
        sentence=_sentence(job.step, steps, usual, rows),
        columns=[Column(titled(steps.kind), ID), *_COLUMNS], rows=rows,
        pictures=[(_caption(steps), steps.picture())],
        data_columns=step_rows.COLUMNS, data=lambda: step_rows.blocks(job.after),
        go_on=[(f"see how much each {steps.kind} costs the others",
                job.commands.recipe("straggler", "straggler", job.step)),
               (f"see one {steps.kind} on a time line",
                job.commands.of_one(steps.kind, rows[0][0], "view"))],
        analysis='result = (table.group_by("rank")\n'
                 '          .aggregate([("duration_ns", "max"), ("duration_ns", "sum")])\n'
                 '          .sort_by([("duration_ns_max", "descending")]))',
        plot='axes.scatter(table["start_ns"].to_pylist(), table["rank"].to_pylist(),\n'
             '             c=table["duration_ns"].to_pylist(), s=4)\n'
             'axes.set(xlabel="start, ns since 1970", ylabel="' + steps.kind + '")')


def _sentence(name, steps, usual, rows):
    rank, longest, times, at = rows[0]
    return (f"The longest of {count(steps.all.n, 'range')} called {name} on "
            f"{count(len(steps.longest), steps.kind)} took {duration(longest)}, {times:,.2f} "
            f"times the median of {duration(usual)}: on {steps.kind} {rank}, {duration(at)} after "
            "the first.")


def _caption(steps):
    rows, columns = steps.grid.rows, steps.grid.columns
    ranks = f", {1 << rows.shift} {steps.kind}s for each row" if rows.shift else ""
    return (f"{titled(steps.kind)}s from top to bottom, time from left to right, "
            f"{duration(1 << columns.shift)} for each cell{ranks}: the longest step, compared with "
            "the median of all")
