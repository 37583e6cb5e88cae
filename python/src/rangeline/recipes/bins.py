# SPDX-License-Identifier: Apache-2.0
"""Millions of steps in little memory: bins whose width doubles as more is seen.

A bin has the width of a power of two and begins at a multiple of it. So what is in the end
in which bin depends on what was added, and not on the order.
"""

import array
import collections

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
        self.n, self._values, self._steps = 0, array.array("Q"), collections.Counter()

    def add(self, values):
        """Adds a list of durations."""
        self.n += len(values)
        if self._values is not None and self.n <= _KEPT:
            self._values.extend(values)
        else:
            self._spill()
            self._steps.update(_steps(values))

    def merge(self, other):
        """Adds those of another."""
        if other.is_exact:
            self.add(other._values)
            return
        self.n += other.n
        self._spill()
        self._steps.update(other._steps)

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
        if self._values is not None:
            values, self._values = self._values, None
            self._steps.update(_steps(values))


_SHIFTS = [max(bits - 8, 0) for bits in range(65)]  # by the bits of a duration


def _steps(values):
    """Steps of REDUCED.md: 128 for each doubling."""
    shifts = map(_SHIFTS.__getitem__, map(int.bit_length, values))
    return [(shift << 7) + (value >> shift) for value, shift in zip(values, shifts)]


def _middle(step):
    if step < 256:
        return step
    shift = step // 128 - 1
    return ((step % 128 + 128) << shift) + ((1 << shift) >> 1)


class Column:
    """A series of Durations by integer, of at most `most` bins."""

    def __init__(self, most):
        self.axis, self._bins = Axis(most), {}

    def add(self, at, values):
        """Adds a duration each to `at` and the integers that follow it."""
        shrunk = self.axis.widen(at, at + len(values) - 1)
        if shrunk:
            bins, self._bins = self._bins, {}
            for place in sorted(bins):
                if place >> shrunk in self._bins:
                    self._bins[place >> shrunk].merge(bins[place])
                else:
                    self._bins[place >> shrunk] = bins[place]
        for place, part in _parts(at, values, self.axis.shift):
            if place not in self._bins:
                self._bins[place] = Durations()
            self._bins[place].add(part)

    def bins(self):
        """Those of each place, or None."""
        return [self._bins.get(place) for place in self.axis.places()] if self._bins else []

    def all(self):
        """Those of all places together."""
        out = Durations()
        for durations in self._bins.values():
            out.merge(durations)
        return out


def _parts(at, values, shift):
    """Yields the places of `at` and the integers that follow it, and their values."""
    first = at
    while first < at + len(values):
        place = first >> shift
        end = (place + 1) << shift
        yield place, values[first - at : end - at]
        first = end


class Grid:
    """The greatest value in each cell of rows and columns, which are integers."""

    def __init__(self, most_rows, most_columns):
        self.rows, self.columns, self._cells = Axis(most_rows), Axis(most_columns), {}

    def add(self, row, at, values):
        """Adds a value each to column `at` and those that follow it."""
        cells = self._widen(row, at, at + len(values) - 1)
        for column, part in _parts(at, values, self.columns.shift):
            cells[column] = max(cells.get(column, -1), max(part))

    def add_spans(self, row, firsts, lasts, values):
        """Adds each value to all columns from its first to its last."""
        cells = self._widen(row, min(firsts), max(lasts))
        shift = self.columns.shift
        for first, last, value in zip(firsts, lasts, values):
            for column in range(first >> shift, (last >> shift) + 1):
                if cells.get(column, -1) < value:
                    cells[column] = value

    def _widen(self, row, first, last):
        """Makes room. Returns the cells of the row."""
        up, left = self.rows.widen(row, row), self.columns.widen(first, last)
        if up or left:
            before, self._cells = self._cells, {}
            for place, cells in before.items():
                into = self._cells.setdefault(place >> up, {})
                for column, value in cells.items():
                    if into.get(column >> left, -1) < value:
                        into[column >> left] = value
        return self._cells.setdefault(row >> self.rows.shift, {})

    def lines(self):
        """Yields each row that has a cell, as its first and last number and its cells, None
        for an empty one."""
        columns = self.columns.places() if self._cells else ()
        for row in sorted(self._cells):
            yield self.rows.ends(row), [self._cells[row].get(column) for column in columns]
