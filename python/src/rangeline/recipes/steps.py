# SPDX-License-Identifier: Apache-2.0
"""Each step of each rank, read in one go: of rows by the hundred million, few bins are kept.

    for part of a rank in blocks(): Pace, StepMap or TimeMap .add(rank, step, starts, lengths)
"""

import array
import bisect
import difflib
import operator
import re

from . import svg
from .answer import ID, NS, Column, duration, printable
from .bins import Column as Series
from .bins import Durations, Grid
from .commands import shell_word
from .sums import Failed

MOST_ROWS, MOST_COLUMNS = 1024, 512  # of a map
_NUMBER = re.compile(r"[0-9]+")
COLUMNS = [Column("rank", ID), Column("step", ID), Column("start_ns", NS),
           Column("duration_ns", NS)]

# Times the usual, for the colors of svg.HEAT: healthy ranks are within a twentieth.
_LEVELS = (0.95, 1.05, 1.1, 1.25, 1.5, 2, 4)
_WORDS = ("below 0.95 \N{MULTIPLICATION SIGN} the median", "about 1", "from 1.05", "from 1.1",
          "from 1.25", "from 1.5", "from 2", "from 4")


def blocks(sums):
    """Yields lists of ranks, steps, starts and durations, rank by rank."""
    report = sums.numbers("step_trace")
    next(report)
    return report


def read(job, kept):
    """Adds all steps to `kept`, and returns that, with the kind of the ranks. Fails if there
    are none."""
    report = job.after.numbers("step_trace")
    is_empty = True
    kept.kind = next(report)[0].lower() or "rank"
    for ranks, steps, starts, lengths in report:
        at, is_empty = 0, False
        while at < len(ranks):
            end = bisect.bisect_right(ranks, ranks[at], at)
            kept.add(ranks[at], steps[at], starts[at:end], lengths[at:end])
            at = end
    if is_empty:
        raise Failed(f"rangeline: cannot run recipe: no range is called "
                     f'"{printable(job.step)}"\n{_hint(job.step, job.after)}')
    return kept


def _hint(step, sums):
    """A line with a name that is there; nothing if none is near."""
    ranges = sums.ranks("rank_sum")
    next(ranges)
    names = {name.removeprefix(":") for name, _ in ranges}
    folded = {_NUMBER.sub("#", name) for name in names} - names
    fitting = [name for name in sorted(folded, key=len) if name.startswith(step)]
    if fitting:
        return f"hint: `--fold-numbers {shell_word(fitting[0])}`\n"
    bare = {name.rpartition(":")[2]: name for name in sorted(names)}
    near = difflib.get_close_matches(step, [*names, *bare], 1)
    return f"hint: did you mean {shell_word(near[0])}?\n" if near else ""


class Pace:
    """Durations by the number of the step, and how far its starts are apart."""

    def __init__(self):
        self.kind = "rank"
        self.by_step = Series(MOST_COLUMNS)
        self.n_ranks, self._last_rank = 0, None
        self._first, self._last = array.array("q"), array.array("q")  # starts, of each step
        self.n_shared = 0  # steps that several ranks have: all up to some number

    def add(self, rank, step, starts, lengths):
        """Adds a part of the steps of a rank, from number `step`."""
        if rank != self._last_rank:
            self.n_ranks, self._last_rank = self.n_ranks + 1, rank
        self.by_step.add(step, lengths)
        end = min(step + len(starts), len(self._first))
        if step < end:
            self._first[step:end] = array.array("q", map(min, self._first[step:end], starts))
            self._last[step:end] = array.array("q", map(max, self._last[step:end], starts))
            self.n_shared = max(self.n_shared, end)
        for of_step in self._first, self._last:
            of_step.extend(starts[max(end - step, 0):])

    @property
    def n_steps(self):
        return len(self._first)

    def apart(self):
        """For each bin of `by_step`, by how much the starts of a step differ between ranks at
        most; None if only one has it."""
        out = []
        for place in self.by_step.axis.places() if self._first else ():
            first, last = self.by_step.axis.ends(place)
            out.append(max((self._last[step] - self._first[step]
                            for step in range(first, min(last + 1, self.n_shared))),
                           default=None))
        return out

    def notes(self):
        """What is rough."""
        all_bins = self.by_step.bins()
        rough = sum(1 for b in all_bins if b and not b.is_exact)
        return [f"medians of {rough:,} of {len(all_bins):,} points are within 0.4 %: they stand "
                "for over 4,096 ranges"] if rough else []


class StepMap:
    """The longest step of each rank by the number of the step."""

    def __init__(self):
        self.kind = "rank"
        self.grid, self._by_step = Grid(MOST_ROWS, MOST_COLUMNS), Series(MOST_COLUMNS)
        self._spans = {}  # of each rank, from its first start to its last end

    def add(self, rank, step, starts, lengths):
        """Adds a part of the steps of a rank, from number `step`."""
        self.grid.add(rank, step, lengths)
        self._by_step.add(step, lengths)
        start, end = self._spans.get(rank, (starts[0], starts[0]))
        self._spans[rank] = (
            min(start, min(starts)), max(end, max(map(operator.add, starts, lengths))))

    @property
    def ranks(self):
        """Which have steps."""
        return list(self._spans)

    def is_in_turn(self):
        """Whether each rank began after another had ended."""
        spans = sorted(self._spans.values())
        return len(spans) > 1 and all(end <= start for (_, end), (start, _)
                                      in zip(spans, spans[1:]))

    def picture(self):
        """The map, colored by the median of each step."""
        axis = self._by_step.axis
        return _map(self.grid, [b.quantile(1, 2) if b else None for b in self._by_step.bins()],
                    (f"step {axis.low:,}", f"step {axis.high:,}"))


class TimeMap:
    """The longest step of each rank by time."""

    def __init__(self):
        self.kind = "rank"
        self.grid, self.all = Grid(MOST_ROWS, MOST_COLUMNS), Durations()
        self.longest = {}  # of each rank, and when it began

    def add(self, rank, _, starts, lengths):
        """Adds a part of the steps of a rank."""
        longest = max(lengths)
        if rank not in self.longest or longest > self.longest[rank][0]:
            self.longest[rank] = longest, starts[lengths.index(longest)]
        self.grid.add_spans(rank, starts, [start + max(length, 1) - 1 for start, length in
                                           zip(starts, lengths)], lengths)
        self.all.add(lengths)

    def picture(self):
        """The map, colored by the median of all steps."""
        times = self.grid.columns
        return _map(self.grid, [self.all.quantile(1, 2)] * len(times.places()),
                    ("0", duration(times.high + 1 - times.low)))


def _map(grid, usual, places):
    labels, levels = [], []
    for (first, last), cells in grid.lines():
        labels.append(f"{first}" if first == last else f"{first}-{last}")
        levels.append([_level(value, of) for value, of in zip(cells, usual)])
    return svg.heat(levels, labels, places, _WORDS)


def _level(value, usual):
    if value is None:
        return None
    return sum(value >= limit * max(usual, 1) for limit in _LEVELS)
