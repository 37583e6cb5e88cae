# SPDX-License-Identifier: Apache-2.0
"""The OTF2 export, as printed by OTF2's otf2-print, has the recorded events."""
import collections
import os
import re
import resource
import shutil
import sys

import traces

LINE = re.compile(r'(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: "(.*)" <\d+>$')


def exported(trace, *options, name=None):
    if not shutil.which("otf2-print"):
        raise traces.Skipped("otf2-print is not installed")
    out = traces.WORK / (name or f"{trace.stem}.otf2")
    done = traces.run(traces.RANGELINE, "export", "-t", "otf2", "-f", "-o", out, *options,
                      trace, ok=False)
    if b"built without libotf2" in done.stderr:
        raise traces.Skipped("libotf2 is not installed")
    assert done.returncode == 0, done.stderr
    return out


def printed(folder, *options):
    done = traces.run("otf2-print", *options, folder / "traces.otf2")
    assert not done.stderr, done.stderr
    return done.stdout.decode()


def slices(text):
    """(name, duration) of each region entered and left, by location; they must nest."""
    found, stacks, last = collections.Counter(), collections.defaultdict(list), {}
    for line in text.splitlines():
        match = LINE.match(line)
        if not match:
            continue
        what, where, t, name = match.groups()
        assert int(t) >= last.get(where, 0), line
        last[where] = int(t)
        if what == "ENTER":
            stacks[where].append((name, int(t)))
        else:
            begun, start = stacks[where].pop()
            assert begun == name, line
            found[name, int(t) - start] += 1
    assert not any(stacks.values())
    return found


def test_every_range_is_entered_and_left():
    for trace in traces.everything(), traces.golden("startend"), traces.golden("threads"):
        ours = slices(printed(exported(trace)))
        everything = traces.ranges(trace)
        last = max(e["t"] for e in traces.events(trace) if e["type"] != "thread_begin")
        theirs = collections.Counter(
            ((r["domain"] + ":" if "domain" in r else "") + r["message"],
             r.get("end", last) - r["start"]) for r in everything if traces.is_whole(r))
        assert ours == theirs, (trace, ours - theirs, theirs - ours)


def test_locations_are_threads_of_processes():
    text = printed(exported(traces.everything()), "-G")
    assert re.search(r'LOCATION_GROUP.*Name: "everything \d+"', text), text
    assert re.search(r'LOCATION .*Name: "start/end 0"', text), text
    assert re.search(r'METRIC_MEMBER.*Name: "io:queued".*Unit: "bytes"', text), text


def test_samples_are_metrics():
    values = re.findall(r'METRIC .*\("(io:\w+)" <\d+>; DOUBLE; ([-0-9.]+)\)',
                        printed(exported(traces.everything())))
    assert values == [("io:queued", "5"), ("io:queued", "-2"), ("io:queued", "0"),
                      ("io:load", "0.25")], values


def test_every_trace_is_read_again():
    for name in traces.golden_names():
        printed(exported(traces.golden(name)))


def test_an_empty_trace_has_a_location():
    for empty in traces.empty(), traces.before_any_clock([]):
        assert "LOCATION " in printed(exported(empty), "-G")


def test_times_before_any_clock_are_in_order():
    trace = traces.before_any_clock([(-500, -100), (-50, 100)])
    assert slices(printed(exported(trace))) == {("r", 400): 1, ("r", 150): 1}


def test_samples_without_a_known_time_come_last():
    text = printed(exported(traces.untimed()))
    assert [name for name, _ in slices(text)] == ["open"], text
    assert re.findall(r'METRIC .*\("io:untimed" <\d+>; DOUBLE; ([0-9]+)\)', text) == ["1", "2"]


def test_only_archives_are_replaced():
    out = exported(traces.everything(), name="kept.otf2")
    done = traces.run(traces.RANGELINE, "export", "-t", "otf2", "-o", out,
                      traces.everything(), ok=False)
    assert done.returncode == 1 and b"File exists" in done.stderr
    exported(traces.everything(), name="kept.otf2")
    mine = traces.WORK / "mine"
    mine.mkdir()
    (mine / "letter").write_text("precious")
    done = traces.run(traces.RANGELINE, "export", "-t", "otf2", "-f", "-o", mine,
                      traces.everything(), ok=False)
    assert done.returncode == 1 and b"it is no archive of OTF2" in done.stderr, done
    assert os.listdir(mine) == ["letter"]
    assert not [n for n in os.listdir(traces.WORK) if n.endswith(".part")]


def test_what_fails_leaves_nothing_behind():
    exported(traces.everything(), name="possible.otf2")
    place = traces.WORK / "full"
    place.mkdir()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    done = traces.run(traces.RANGELINE, "export", "-t", "otf2", "-o", place / "out",
                      traces.everything(70000), ok=False, preexec_fn=limit)
    assert done.returncode == 1 and b"cannot write file: path=" in done.stderr, done
    assert not os.listdir(place)
    done = traces.run(traces.RANGELINE, "export", "-t", "otf2", "-o", place / "no/out",
                      traces.everything(), ok=False)
    assert done.returncode == 1 and b"No such file or directory" in done.stderr, done


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
