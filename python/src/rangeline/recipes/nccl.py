# SPDX-License-Identifier: Apache-2.0
"""nccl: which collectives take how long, by size."""

from . import svg
from .answer import COUNT, NS, RATE, TEXT, Answer, Column, count, duration, in_columns

_DRAWN = 24  # of names and sizes

_COLUMNS = [Column("Name", TEXT), Column("Bytes", COUNT), Column("Calls", COUNT),
            Column("GPU Time", NS), Column("GPU Average", NS), Column("GB/s", RATE),
            Column("Host Time", NS), Column("Host Average", NS), Column("Host Most", NS)]
_DATA = [Column("name", TEXT), Column("bytes", COUNT), Column("calls", COUNT),
         Column("total_bytes", COUNT), Column("host_ns", NS), Column("host_min_ns", NS),
         Column("host_max_ns", NS), Column("gpu_calls", COUNT), Column("gpu_ns", NS)]


class _Call:
    """Calls of one name and size, of all ranks."""

    def __init__(self, row):
        self.name = row["Name"]
        (self.size, self.n, self.n_bytes, self.host, self.host_min, self.host_max, self.n_gpu,
         self.gpu) = (int(float(row[name] or 0)) if name in row else 0
                      for name in ("Bytes", "Calls", "Total Bytes", "Host Time", "Host Min",
                                   "Host Max", "GPU Calls", "GPU Time"))

    @property
    def rate(self):
        """Bytes a nanosecond on the GPU, which are GB/s."""
        return self.size * self.n_gpu / self.gpu if self.gpu else None

    @property
    def average(self):
        """The same of a call."""
        return self.gpu / self.n_gpu if self.gpu else self.host / self.n


def answer(job):
    """Names and sizes by their time."""
    calls = [_Call(row) for row in job.after.rows("nccl_sum")]
    on_gpu = any(c.gpu for c in calls)

    def time(call):  # all of one kind: times of hosts and of GPUs have no sum
        return call.gpu if on_gpu else call.host

    calls.sort(key=lambda c: (-time(c), -c.host, c.name, c.size))
    bars = [svg.Bar(f"{c.name} {size(c.size)}", [time(c)], _note(c)) for c in calls[:_DRAWN]
            if time(c)]
    return Answer(
        question="Which collectives take the time, at which sizes?",
        sentence=_sentence(calls, time, on_gpu), columns=_COLUMNS,
        rows=[[c.name, c.size, c.n, c.gpu, c.gpu / c.n_gpu if c.n_gpu else None, c.rate, c.host,
               c.host / c.n, c.host_max] for c in calls],
        pictures=[(f"Time {'on all GPUs' if on_gpu else 'in all callers'}, by name and bytes of a "
                   "call", svg.bars(bars, [(svg.USUAL, "time")], duration))] if bars else [],
        data_columns=_DATA,
        data=lambda: _data(calls),
        go_on=[("see how much of it computation hides",
                job.commands.recipe("overlap", "overlap")),
               ("see whether messages are too small",
                job.commands.of_all("analyze", "-r", "small-messages"))],
        analysis='result = table.sort_by([("gpu_ns", "descending"), ("host_ns", "descending")])',
        plot='axes.scatter(result["bytes"].to_pylist(), result["host_ns"].to_pylist())\n'
             'axes.set(xlabel="bytes of a call", ylabel="ns of all calls")',
        lacking=[] if on_gpu or not calls else
        ["times are of the calls of the host, which return before the GPU is done: "
         "`rangeline profile -t nvtx,cuda` records GPUs, too"])


@in_columns
def _data(calls):
    yield from ([c.name, c.size, c.n, c.n_bytes, c.host, c.host_min, c.host_max, c.n_gpu, c.gpu]
                for c in calls)


def size(n_bytes):
    """Bytes for people: "64 KiB"."""
    for unit, shift in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if n_bytes >= 1 << shift:
            return f"{n_bytes / (1 << shift):.4g} {unit}"
    return f"{n_bytes} B"


def _note(call):
    rate = f", {call.rate:.1f} GB/s" if call.rate else ""
    return f"{call.n:,} \N{MULTIPLICATION SIGN} {duration(call.average)}{rate}"


def _sentence(calls, time, on_gpu):
    if not calls:
        return "The traces have no calls of NCCL with a size."
    total, first = sum(map(time, calls)), calls[0]
    n = sum(c.n_gpu if on_gpu else c.n for c in calls)
    return (f"{count(n, 'call')} took {duration(total)} "
            f"{'on all GPUs' if on_gpu else 'in all callers'}; most, "
            f"{duration(time(first))}, {first.name} of {size(first.size)}.")
