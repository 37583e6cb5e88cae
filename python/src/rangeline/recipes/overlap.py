# SPDX-License-Identifier: Apache-2.0
"""overlap: how much of communication and of copies computation hides."""

from . import gpu_util, svg
from .answer import NS, PERCENT, Answer, Column, count, duration, percent

_DRAWN = 24  # GPUs

_COLUMNS = [Column("Exposed", NS), Column("Of Span", PERCENT), Column("Communication", NS),
            Column("Exposed Communication", NS), Column("Copy", NS), Column("Exposed Copy", NS),
            Column("Compute", NS)]


def answer(job):
    """The GPUs, those first that only communicate or copy most of the time."""
    gpus = gpu_util.read(job.after)
    worst = sorted(gpus, key=lambda g: (-g.exposed, g.rank, g.device))
    bars = [svg.Bar(g.name, [g.exposed_communication, g.exposed_copy, _both(g)],
                    f"{duration(g.exposed)}, {percent(_share(g))}") for g in worst[:_DRAWN]]
    return Answer(
        question="How much communication and copying is hidden by computation?",
        sentence=_sentence(gpus), columns=[*gpu_util.columns(gpus), *_COLUMNS],
        rows=[[g.rank, g.device, g.exposed, _share(g), g.communication, g.exposed_communication,
               g.copy, g.exposed_copy, g.compute] for g in worst],
        pictures=[("Time in which a GPU computes nothing, and its share of the time from the "
                   "first operation to the last", svg.bars(
                       bars, [(svg.OTHER, "only communicates"), (svg.THIRD, "only copies"),
                              (svg.IDLE, "both")], duration))]
        if any(g.exposed for g in gpus) else [],
        data_columns=gpu_util.DATA, data=lambda: gpu_util.data(gpus),
        go_on=[("see which collectives take the time", job.commands.recipe("nccl", "nccl")),
               ("see whether steps wait for them",
                job.commands.of_one(gpu_util.kind_of(gpus), worst[0].rank if worst else 0,
                                    "analyze", "-r", "comm-exposed"))],
        analysis='result = table.sort_by([("exposed_communication_ns", "descending")])',
        plot='axes.bar(range(len(result)), result["exposed_communication_ns"].to_pylist())\n'
             'axes.set(xlabel="GPUs", ylabel="exposed communication, ns")')


def _both(gpu):
    return gpu.exposed - gpu.exposed_communication - gpu.exposed_copy


def _share(gpu):
    return 100 * gpu.exposed / gpu.span if gpu.span else 0.0


def _sentence(gpus):
    if not gpus:
        return gpu_util.NO_GPU
    said = []
    for what, total, exposed in (
            ("communication", sum(g.communication for g in gpus),
             sum(g.exposed_communication for g in gpus)),
            ("copies", sum(g.copy for g in gpus), sum(g.exposed_copy for g in gpus))):
        if total:
            said.append(f"{percent(100 * (total - exposed) / total)} of {what}")
    span, lost = sum(g.span for g in gpus), sum(g.exposed for g in gpus)
    if not said:
        return f"Of {count(len(gpus), 'GPU')}, none communicates or copies."
    return (f"Other work hides {' and '.join(said)}; for {percent(100 * lost / span)} of the time "
            f"of {count(len(gpus), 'GPU')}, there is only communication or copying.")
