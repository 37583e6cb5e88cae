# SPDX-License-Identifier: Apache-2.0
"""A trace exported as SQLite and read again gives the same reports, byte for byte."""
import functools
import sys

import traces

REPORTS = ["nvtx_sum", "nvtx_pushpop_sum", "nvtx_startend_sum", "nvtx_pushpop_trace",
           "tree", "category_sum", "mark_sum", "counter_sum", "payload_sum", "thread_sum",
           "process_sum", "startend_trace", "gaps", "outliers"]

RANGES = REPORTS[:5] + ["gaps", "outliers", "thread_sum", "process_sum", "startend_trace"]
COUNTS = ["thread_sum", "process_sum"]
# What the tables cannot contain, and the reports that differ, as in docs/guide/EXPORT.md.
LOST = {
    "counters": (["counter_sum"], "the number of a counter that was never registered"),
    "deferred": (RANGES + ["mark_sum"], "flags: what was submitted afterwards, or unplaced"),
    "fork": (COUNTS, "pops of what the parent pushed"),
    "gap": (RANGES, "gaps: a range whose end was lost, and whose name goes on, is open"),
    "gpu": (COUNTS, "flags: that the mark of a loss was submitted afterwards"),
    "locks": (COUNTS, "steps of synchronization objects"),
    "nested": (COUNTS, "pops that close nothing"),
    "newest": (RANGES, "flags: which beginnings were overwritten"),
    "parts": (RANGES + ["category_sum"],
              "which traces there were: the last event of all bounds what is open"),
    "payloads": (RANGES + ["payload_sum"],
                 "which payloads a range had from its end: a message that only these give"),
    "pool": (COUNTS, "calls of the memory extension"),
    "rare": (["process_sum", "mark_sum"], "folders of programs; bytes that are not UTF-8"),
    "startend": (RANGES, "ends that close nothing: the last event bounds what is open"),
    "windows": (["nvtx_pushpop_trace", "gaps"] + COUNTS,
                "flags: since when a range is known that was open before its window"),
}


def reports(path):
    """The output of each report; None if it is empty."""
    base = traces.WORK / "report"
    for old in traces.WORK.glob("report_*.csv"):
        old.unlink()
    traces.run(traces.RANGELINE, "stats", "-q", "-r", ",".join(REPORTS), "-f", "csv", "-o", base,
               path)
    said = {}
    for name in REPORTS:
        file = traces.WORK / f"report_{name}.csv"
        said[name] = file.read_bytes() if file.exists() else None
    if said["startend_trace"]:  # ids are offsets in a file
        said["startend_trace"] = [line.rsplit(b",", 1)[0]
                                  for line in said["startend_trace"].splitlines()]
    return said


@functools.lru_cache(None)
def differing(trace, *options):
    """The names of the reports that differ."""
    back = traces.export(trace, "sqlite", "--include-blobs", *options,
                         name="round_trip.sqlite")
    ours, again = reports(trace), reports(back)
    return {name for name in REPORTS if ours[name] != again[name]}


def test_reports_of_golden_traces_are_the_same():
    for name in traces.golden_names():
        lost, _ = LOST.get(name, ((), ""))
        assert differing(traces.golden(name)) <= set(lost), name


def test_reports_of_a_program_that_says_everything_are_the_same():
    for schema in "3.25", "3.28":
        # A folder of a program, and the bytes of one mark.
        assert differing(traces.everything(), "--schema", schema) == {"process_sum",
                                                                      "mark_sum"}


def test_what_is_lost_is_lost():
    """Keeps this list up to date."""
    for name, (lost, why) in LOST.items():
        assert differing(traces.golden(name)) & set(lost), (name, why)


def test_ranges_and_marks_are_the_same_one_by_one():
    """Names, threads, colors, categories, payloads, nesting, and what is open."""
    kept = ("style", "start", "end", "duration", "pid", "tid", "end_pid", "end_tid", "domain",
            "message", "registered", "category", "category_name", "color", "payload",
            "payload_type", "payloads", "depth", "open")
    trace = traces.everything()
    back = traces.export(trace, "sqlite", "--include-blobs", name="one_by_one.sqlite")
    def ranges(path):
        rows = [{key: r.get(key) for key in kept} for r in traces.ranges(path)
                if traces.is_whole(r)]
        return sorted(rows, key=lambda r: (r["start"], r["end"] or 0, r["message"] or ""))
    ours, again = ranges(trace), ranges(back)
    assert len(ours) > 8
    for r in ours:
        if r["message"] == "in the child":  # its depth counts a range of the parent
            r["depth"] -= 1
    assert ours == again, [pair for pair in zip(ours, again) if pair[0] != pair[1]]


def test_an_export_of_an_export_is_the_same():
    first = traces.export(traces.everything(), "sqlite", name="first.sqlite")
    second = traces.export(first, "sqlite", name="second.sqlite")
    assert reports(first) == reports(second)
    info = [traces.run(traces.RANGELINE, "info", path).stdout.splitlines()[1:]
            for path in (first, second)]
    assert info[0][0] == info[1][0], info  # when it was


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
