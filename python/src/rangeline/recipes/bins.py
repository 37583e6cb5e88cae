# SPDX-License-Identifier: Apache-2.0
"""Millions of steps in little memory: bins whose width doubles as more is seen.

A bin has the width of a power of two and begins at a multiple of it. So what is in the end
in which bin depends on what was added, and not on the order.
"""

import array

_KEPT = 4096  # durations that are kept one by one, as in sums of traces


class Axis:
    """Places of integers: the narrowest bins, of at most `most`."""

    def __init__(self, most):
        self._most, self.shift, self.low, self.high = most, 0, None, None

    def widen(self, low, high):
        """Makes room. Returns by how many bits places shrink."""
        if self.low is not None and self.low <= low and high <= self.high:
            return 0
        self.low = low if self.low is None else min(self.low, low)
        self.high = high if self.high is None else max(self.high, high)
        before = self.shift
        while (self.high >> self.shift) - (self.low >> self.shift) >= self._most:
            self.shift += 1
        return self.shift - before

    def places(self):
        """All places, in order."""
        return range(self.low >> self.shift, (self.high >> self.shift) + 1)

    def ends(self, place):
        """The first and last integer of a place that is in use."""
        return (max(place << self.shift, self.low),
                min(((place + 1) << self.shift) - 1, self.high))


class Durations:
    """Durations of which quantiles are asked: exact up to 4,096, within 0.4 % beyond."""

    def __init__(self):
        self.n, self._values, self._steps = 0, array.array("q"), {}

    def add(self, value):
        self.n += 1
        if self._values is not None:
            self._values.append(value)
            if self.n > _KEPT:
                self._spill()
        else:
            self._count(value, 1)

    def merge(self, other):
        """Adds those of another, which is used up."""
        self.n += other.n
        if self._values is not None and other._values is not None and self.n <= _KEPT:
            self._values.extend(other._values)
            return
        if self._values is not None:
            self._spill()
        if other._values is not None:
            other._spill()
        for step, n in other._steps.items():
            self._steps[step] = self._steps.get(step, 0) + n

    @property
    def is_exact(self):
        return self._values is not None

    def quantile(self, part, of):
        """The duration below which part/of of them are."""
        rank = part * (self.n - 1) // of
        if self._values is not None:
            return sorted(self._values)[rank]
        for step in sorted(self._steps):
            rank -= self._steps[step]
            if rank < 0:
                return _middle(step)
        return 0

    def _spill(self):
        values, self._values = self._values, None
        for value in values:
            self._count(value, 1)

    def _count(self, value, n):
        step = _step(value)
        self._steps[step] = self._steps.get(step, 0) + n


def _step(value):
    """Steps of REDUCED.md: 128 for each doubling."""
    if value < 128:
        return value
    shift = value.bit_length() - 8
    return (shift + 1) * 128 + (value >> shift) - 128


def _middle(step):
    if step < 256:
        return step
    shift = step // 128 - 1
    return ((step % 128 + 128) << shift) + ((1 << shift) >> 1)


class Column:
    """A series of Durations by integer, of at most `most` bins."""

    def __init__(self, most):
        self.axis, self._bins = Axis(most), {}

    def add(self, at, value):
        shrunk = self.axis.widen(at, at)
        if shrunk:
            bins, self._bins = self._bins, {}
            for place in sorted(bins):
                if place >> shrunk in self._bins:
                    self._bins[place >> shrunk].merge(bins[place])
                else:
                    self._bins[place >> shrunk] = bins[place]
        place = at >> self.axis.shift
        if place not in self._bins:
            self._bins[place] = Durations()
        self._bins[place].add(value)

    def bins(self):
        """Those of each place, or None."""
        return [self._bins.get(place) for place in self.axis.places()] if self._bins else []

    def at(self, at):
        return self._bins[at >> self.axis.shift]


class Grid:
    """The greatest value in each cell of rows and columns, which are integers."""

    def __init__(self, most_rows, most_columns):
        self.rows, self.columns, self._cells = Axis(most_rows), Axis(most_columns), {}

    def add(self, row, first, last, value):
        """Adds a value to all columns from `first` to `last`."""
        up, left = self.rows.widen(row, row), self.columns.widen(first, last)
        if up or left:
            self._shrink(up, left)
        row, first, last = (row >> self.rows.shift, first >> self.columns.shift,
                            last >> self.columns.shift)
        cells = self._cells.get(row)
        if cells is None:
            cells = self._cells[row] = {}
        for column in range(first, last + 1):
            if cells.get(column, -1) < value:
                cells[column] = value

    def _shrink(self, up, left):
        before, self._cells = self._cells, {}
        for row, cells in before.items():
            into = self._cells.setdefault(row >> up, {})
            for column, value in cells.items():
                if into.get(column >> left, -1) < value:
                    into[column >> left] = value

    def lines(self):
        """Yields each row that has a cell, as its first and last number and its cells, None
        for an empty one."""
        columns = self.columns.places() if self._cells else ()
        for row in sorted(self._cells):
            yield self.rows.ends(row), [self._cells[row].get(column) for column in columns]


