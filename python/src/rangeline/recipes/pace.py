# SPDX-License-Identifier: Apache-2.0
"""pace: whether steps become slower, or ranks drift apart."""

from . import steps as step_rows
from . import svg
from .answer import COUNT, ID, NS, Answer, Column, count, duration, percent
from .commands import analyze_step

_DRIFT = 5  # percent between the first and the last quarter of the steps; less is steady

_COLUMNS = [Column("First Step", ID), Column("Last Step", ID), Column("Ranges", COUNT),
            Column("Median", NS), Column("Least", NS), Column("Most", NS),
            Column("Starts Apart", NS)]


def answer(job):
    """The durations of steps over their number, and how far their starts are apart."""
    steps = step_rows.read(job, step_rows.Pace())
    bins, apart = steps.by_step.bins(), steps.apart()
    rows = [[*steps.by_step.axis.ends(place), b.n, b.quantile(1, 2), b.quantile(0, 1),
             b.quantile(1, 1), gap]
            for place, b, gap in zip(steps.by_step.axis.places() if bins else (), bins, apart) if b]
    return Answer(
        question=f"Do steps called {job.step} become slower, or {steps.kind}s drift apart?",
        sentence=_sentence(steps, bins, apart),
        columns=_COLUMNS, rows=_worst_first(rows),
        pictures=_pictures(steps, bins, apart),
        data_columns=step_rows.COLUMNS, data=lambda: step_rows.blocks(job.after),
        go_on=[(f"see which {steps.kind}s are slow, and when",
                job.commands.recipe("heatmap", "heatmap", job.step)),
               ("see what else the slow steps have in common",
                job.commands.of_all("analyze", analyze_step(job.step)))],
        analysis='result = (table.group_by("step")\n'
                 '          .aggregate([("duration_ns", "approximate_median"), '
                 '("duration_ns", "min"), ("duration_ns", "max")])\n'
                 '          .sort_by("step"))',
        plot='for column in "duration_ns_approximate_median", "duration_ns_min", '
             '"duration_ns_max":\n'
             '    axes.plot(result["step"].to_pylist(), result[column].to_pylist(), '
             'label=column)\n'
             'axes.set(xlabel="step", ylabel="ns")\naxes.legend()',
        lacking=steps.notes())


def _worst_first(rows):
    return sorted(rows, key=lambda row: (-row[3], row[0]))


def _sentence(steps, bins, apart):
    gaps = [gap for gap in apart if gap is not None]
    return (f"The {count(steps.n_steps, 'step')} of {count(steps.n_ranks, steps.kind)} "
            f"{_drift(_quarters(bins))} {duration(steps.by_step.all().quantile(1, 2))}" +
            (f", and {steps.kind}s begin a step up to {duration(max(gaps))} apart." if gaps
             else "."))


def _drift(quarters):
    """What the steps do, before their median."""
    if not quarters:
        return "are too few to show a trend: their median is"
    first, last = quarters[0], quarters[-1]
    change = 100 * (last - first) / max(first, 1)
    if 100 * (max(quarters) - min(quarters)) < _DRIFT * max(min(quarters), 1):
        return "keep their pace: their median is"
    if abs(change) >= _DRIFT and quarters in (sorted(quarters), sorted(quarters, reverse=True)):
        return (f"become {'slower' if change > 0 else 'faster'}: from {duration(first)} in the "
                f"first quarter to {duration(last)} in the last ({percent(change, sign=True)}), "
                "with a median of")
    return (f"change their pace, from {duration(min(quarters))} to {duration(max(quarters))} by "
            "quarter, without becoming ever slower or faster: their median is")


def _quarters(bins):
    """The medians of the quarters of the steps, as far as at least half of the ranks have
    them: the last steps of a few are no pace. None for fewer than 20."""
    most = max(b.n for b in bins if b)
    medians = [b.quantile(1, 2) for b in bins if b and 2 * b.n >= most]
    n = len(medians)
    if n < 20:
        return None
    return [sorted(medians[i * n // 4 : (i + 1) * n // 4])[n // 8] for i in range(4)]


def _pictures(steps, bins, apart):
    if not bins:
        return []
    axis = steps.by_step.axis
    places = f"step {axis.low:,}", f"step {axis.high:,}"
    each = "" if not axis.shift else f", {1 << axis.shift} steps for each point"

    def series(part, of):
        return [b.quantile(part, of) if b else None for b in bins]

    pictures = [(f"Duration over the number of the step{each}", svg.lines(
        [svg.Line(f"median of {steps.kind}s", series(1, 2)),
         svg.Line("least to most", series(1, 1), series(0, 1))], places, duration))]
    if any(gap is not None for gap in apart):
        pictures.append((f"Between the first {steps.kind} that begins a step and the last; clocks "
                         "of hosts agree to about a millisecond", svg.lines(
                             [svg.Line("starts apart", apart)], places, duration)))
    return pictures
