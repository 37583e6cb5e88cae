# SPDX-License-Identifier: Apache-2.0
"""Scripts that read the JSON lines of older releases of Nsight Systems find what they look
for in ours: each test reads them as one of these scripts does, by its own rules."""
import collections
import json
import sys

import traces

CATEGORY, MARK, THREAD, PUSH_POP, START_END, DOMAIN = 33, 34, 39, 59, 60, 75


def records(trace=None, *options):
    """The first line, and the events."""
    trace = trace or traces.everything()
    text = traces.export(trace, "json", *options).read_text(encoding="utf-8")
    first, *rest = [json.loads(line) for line in text.splitlines()]
    return first, rest


def events(*where):
    _, rest = records(*where)
    for r in rest:
        assert set(r) == {"Type", "NvtxEvent"} and r["Type"] == r["NvtxEvent"]["Type"], r
    return [r["NvtxEvent"] for r in rest]


def test_every_range_is_there_with_its_times():
    for name in [None] + [n for n in traces.golden_names() if n not in traces.RESUMED]:
        trace = traces.golden(name) if name else traces.everything()
        ours = collections.Counter(
            (e["Type"], e.get("Text"), int(e["Timestamp"]),
             int(e["EndTimestamp"]) if "EndTimestamp" in e else None,
             int(e["GlobalTid"]) >> 24 & 0xffffff, int(e["GlobalTid"]) & 0xffffff)
            for e in events(trace) if e["Type"] in (PUSH_POP, START_END))
        kinds = {"push_pop": PUSH_POP, "start_end": START_END}
        theirs = collections.Counter(
            (kinds[r["style"]], r.get("message"), r["start"], r.get("end"),
             r["pid"], r["tid"])
            for r in traces.ranges(trace) if r["style"] in kinds and traces.is_whole(r))
        assert ours == theirs, (name, ours - theirs, theirs - ours)


def test_numbers_of_64_bits_are_strings_and_small_ones_are_not():
    for e in events():
        assert all(isinstance(e[key], str)
                   for key in ("Timestamp", "EndTimestamp", "GlobalTid", "DomainId", "TextId")
                   if key in e), e
        assert isinstance(e.get("Category", 0), int) and e["NsTime"] is True, e


def test_every_line_is_an_object_when_newlines_become_commas():
    text = traces.export(traces.everything(), "json").read_text(encoding="utf-8")
    whole = json.loads('{"all":[' + text.replace("\n", ",")[:-1] + "]}")["all"]
    assert len(whole) == len(text.splitlines())


def test_a_benchmark_finds_domains_and_categories_by_their_text():
    """As cuML's: the number of a domain or category is that of the event of its name."""
    texts = [e for e in events() if "Text" in e and "DomainId" in e]

    def number(key, name):
        return next(e[key] for e in texts if e["Text"] == name)

    io, disk = number("DomainId", "io"), number("Category", "disk")
    timed = {e["Text"]: int(e["EndTimestamp"]) - int(e["Timestamp"]) for e in texts
             if e["DomainId"] == io and "EndTimestamp" in e}
    assert set(timed) == {"read", "block", "send"} and min(timed.values()) >= 0, timed
    assert {e["Text"] for e in texts if e.get("Category") == disk and e["DomainId"] == io
            and "EndTimestamp" in e} == {"read", "block"}


def test_a_script_takes_push_pop_ranges_with_times_and_text():
    """As HectorNVTXEvents."""
    found = [(int(r["NvtxEvent"]["Timestamp"]), int(r["NvtxEvent"]["EndTimestamp"]),
              r["NvtxEvent"]["Text"]) for r in records()[1]
             if r.get("Type") == PUSH_POP and "EndTimestamp" in r["NvtxEvent"]]
    assert {"outer", "inner", "read", "block", "send", "in the child"} == {
        name for _, _, name in found}
    assert all(start <= end for start, end, _ in found)


def test_a_script_takes_texts_from_the_first_line_by_number():
    """As NvtxNode: push/pop ranges by TextId, start/end ranges by Text."""
    first, rest = records()
    assert set(first) == {"data"} and all(isinstance(t, str) for t in first["data"])
    names = collections.defaultdict(set)
    for event in (r["NvtxEvent"] for r in rest):
        assert {"GlobalTid", "DomainId"} <= set(event), event
        if event["Type"] == PUSH_POP:
            names[PUSH_POP].add(first["data"][int(event["TextId"])])
            assert first["data"][int(event["TextId"])] == event["Text"]
        elif event["Type"] == START_END:
            names[START_END].add(event["Text"])
    assert {"outer", "block", "never popped"} <= names[PUSH_POP]
    assert names[START_END] == {"crossing", "here", "never ended"}


def test_names_that_no_event_uses_are_there():
    named = {(e["Type"], e["Text"]) for e in events() if e["Type"] in (CATEGORY, DOMAIN)}
    assert named == {(DOMAIN, "io"), (DOMAIN, "never used"), (CATEGORY, "disk"),
                     (CATEGORY, "tape, never used")}
    assert [e["Text"] for e in events() if e["Type"] == THREAD] == ["ender"]


def test_texts_are_json_whatever_their_bytes_are():
    marks = {e["Text"] for e in events() if e["Type"] == MARK and "Text" in e}
    assert set(traces.NAMES) <= marks


def test_an_empty_trace_and_a_large_one_are_whole():
    first, rest = records(traces.empty())
    assert isinstance(first["data"], list)
    assert {r["Type"] for r in rest} <= {CATEGORY, THREAD, DOMAIN}, rest
    first, rest = records(traces.everything(70000))
    assert sum(r["NvtxEvent"].get("Text") in ("odd", "even") for r in rest) == 70000
    assert first["data"].count("odd") == 1


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
