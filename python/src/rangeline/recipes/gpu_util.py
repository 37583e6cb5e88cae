# SPDX-License-Identifier: Apache-2.0
"""gpu_util: which GPUs have nothing to do, and how long."""

from . import svg
from .answer import ID, NS, PERCENT, Answer, Column, count, duration, in_columns, percent, titled
from .bins import Column as Series

_DRAWN = 24  # GPUs
_POINTS = 512
_EVEN = 5  # percent between GPUs; they differ by that in a healthy job

_TIMES = ["Span", "Busy", "Compute", "Communication", "Copy", "Exposed Communication",
          "Exposed Copy", "Idle"]
DATA = [Column("rank", ID), Column("device", ID),
        *(Column(f"{name.lower().replace(' ', '_')}_ns", NS) for name in _TIMES)]
NO_GPU = "There is no GPU work to compare: `rangeline profile -t cuda` records it."

_TIMES_SHOWN = ["Idle", "Compute", "Communication", "Copy", "Span"]


class Gpu:
    """A GPU of a rank: its times add up to the span, from its first operation to the last."""

    def __init__(self, row):
        self.kind, self.rank, self.device = row["Kind"], int(row["Rank"]), int(row["Device"])
        (self.span, self.busy, self.compute, self.communication, self.copy,
         self.exposed_communication, self.exposed_copy, self.idle) = (int(row[name] or 0)
                                                                      for name in _TIMES)
        self.util = 100 * self.busy / self.span if self.span else 0.0

    @property
    def name(self):
        return f"{self.kind} {self.rank}, GPU {self.device}"

    @property
    def exposed(self):
        """Time in which the GPU waited for data, as far as is known: nothing computed."""
        return self.busy - self.compute


def read(sums):
    """Each GPU of each rank."""
    return [Gpu(row) for row in sums.rows("gpu_util")]


def kind_of(gpus):
    """What they belong to: "rank", "trace" or "pid"."""
    return gpus[0].kind if gpus else "rank"


def columns(gpus):
    """Of the table for people: which GPU it is."""
    return [Column(titled(kind_of(gpus)), ID), Column("Device", ID)]


@in_columns
def data(gpus):
    """Columns for Parquet."""
    yield from ([g.rank, g.device, g.span, g.busy, g.compute, g.communication, g.copy,
                 g.exposed_communication, g.exposed_copy, g.idle] for g in gpus)


def answer(job):
    """The GPUs, those first that were idle most."""
    gpus = read(job.after)
    worst = sorted(gpus, key=lambda g: (g.util, g.rank, g.device))
    return Answer(
        question="Which GPUs have nothing to do?",
        sentence=_sentence(worst),
        columns=[*columns(gpus), Column("Util", PERCENT),
                 *(Column(name, NS) for name in _TIMES_SHOWN)],
        rows=[[g.rank, g.device, g.util, g.idle, g.compute, g.communication, g.copy, g.span]
              for g in worst],
        pictures=_pictures(gpus, worst), data_columns=DATA, data=lambda: data(gpus),
        go_on=[("see what the program does while a GPU is idle",
                job.commands.of_one(kind_of(gpus), worst[0].rank if worst else 0, "analyze", "-r",
                                    "gpu-idle")),
               ("see whether communication is hidden",
                job.commands.recipe("overlap", "overlap"))],
        analysis='result = table.sort_by([("idle_ns", "descending")])',
        plot='axes.bar(range(len(result)), result["idle_ns"].to_pylist())\n'
             'axes.set(xlabel="GPUs", ylabel="idle, ns")')


def _sentence(worst):
    if not worst:
        return NO_GPU
    span, busy = sum(g.span for g in worst), sum(g.busy for g in worst)
    said = (f"{count(len(worst), 'GPU')} {'was' if len(worst) == 1 else 'were'} busy "
            f"{percent(100 * busy / span if span else 0)} of the time")
    if len(worst) == 1:
        return f"{said}."
    if worst[-1].util - worst[0].util < _EVEN:
        return f"{said}, all about equally."
    return f"{said}, {worst[0].name} only {percent(worst[0].util)}."


def _pictures(gpus, worst):
    if not gpus:
        return []
    bars = [svg.Bar(g.name, [g.compute, g.exposed, g.idle], f"{percent(g.util)} busy")
            for g in worst[:_DRAWN]]
    which = f"The {_DRAWN} least busy of {len(gpus):,} GPUs" if len(gpus) > _DRAWN else "GPUs"
    pictures = [(f"{which}: time from the first operation to the last", svg.bars(
        bars, [(svg.USUAL, "computes"), (svg.OTHER, "only communicates or copies"),
               (svg.IDLE, "idle")], duration))]
    if len(gpus) > _DRAWN:
        series = Series(_POINTS)
        series.add(0, [round(gpu.util) for gpu in gpus])
        bins = series.bins()
        pictures.append((f"Busy time of all GPUs, by {kind_of(gpus)}", svg.lines(
            [svg.Line("median", [b.quantile(1, 2) for b in bins]),
             svg.Line("least to most", [b.quantile(1, 1) for b in bins],
                      [b.quantile(0, 1) for b in bins])],
            (f"{gpus[0].kind} {gpus[0].rank}", f"{gpus[-1].kind} {gpus[-1].rank}"),
            lambda value: f"{value:.0f} %")))
    return pictures
