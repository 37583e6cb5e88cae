# SPDX-License-Identifier: Apache-2.0
"""Filters select the same ranges in every format, and in `print` and `stats`."""
import collections
import csv
import fnmatch
import json
import sys

import traces

import case_perfetto
import case_text


def found_in_csv(*options):
    rows = case_text.lines(traces.everything(), *options)
    return collections.Counter((r["name"], int(r["start_ns"])) for r in rows
                               if r["type"] in ("push_pop", "start_end"))


def found_in_perfetto(*options):
    d = case_perfetto.decoded(traces.everything(), *options, name="filtered.pftrace")
    return collections.Counter((s[0], s[1]) for s in d.slices)


def found_in_print(*options):
    text = traces.run(traces.RANGELINE, "print", "--ranges", "--json", *options,
                      traces.everything()).stdout.decode()
    return collections.Counter((r["message"], r["start"]) for r in
                               map(json.loads, text.splitlines()))


def found_in_speedscope(*options):
    d = case_text.parsed(traces.everything(), "speedscope", *options,
                         name="filtered.speedscope")
    frames = [f["name"].split(":")[-1] for f in d["shared"]["frames"]]
    return collections.Counter((frames[e["frame"]], e["at"]) for p in d["profiles"]
                               for e in p["events"] if e["type"] == "O")


def check(wanted, *options):
    """Every reader gives exactly the ranges of the trace that `wanted` accepts."""
    ranges = [r for r in traces.ranges(traces.everything()) if wanted(r)]
    expected = collections.Counter((r["message"], r["start"]) for r in ranges)
    assert 0 < len(expected) < len(traces.ranges(traces.everything())), (options, expected)
    for found in found_in_csv, found_in_perfetto, found_in_print:
        ours = found(*options)
        assert ours == expected, (found.__name__, options, ours - expected, expected - ours)
    stacks = collections.Counter((r["message"], r["start"]) for r in ranges
                                 if r["style"] == "push_pop")
    assert found_in_speedscope(*options) == stacks, options


def named(name):
    one, = (r for r in traces.ranges(traces.everything()) if r["message"] == name)
    return one


def test_by_name():
    check(lambda r: r["message"] == "inner", "--name", "inner")
    check(lambda r: fnmatch.fnmatchcase(r["message"], "*n*er*"), "--name", "*n*er*")
    check(lambda r: r["message"] in ("inner", "here"), "--name", "inner", "--name", "h?re")


def test_by_domain_and_category():
    check(lambda r: r.get("domain") == "io", "--domain", "io")
    check(lambda r: "domain" not in r, "--domain", "default")
    check(lambda r: r.get("category") == 7, "--category", "7")
    check(lambda r: r.get("category_name") == "disk", "--category", "d*k", "--domain", "io")


def test_by_process_and_thread():
    child = named("in the child")
    check(lambda r: r["pid"] == child["pid"], "--process", str(child["pid"]))
    check(lambda r: r["tid"] == child["tid"], "--thread", str(child["tid"]))
    check(lambda r: r["pid"] == child["pid"], "--process", str(child["pid"]), "--thread",
          "every*")


def test_by_time():
    read = named("read")

    def overlaps(r):
        return r["start"] <= read["end"] and r.get("end", 1 << 62) >= read["start"]
    check(overlaps, "--filter-time", f"{read['start']}ns/{read['end']}")
    check(lambda r: r["start"] <= read["end"], "--filter-time", f"/{read['end']}")
    check(lambda r: r.get("end", 1 << 62) >= read["start"], "--filter-time",
          f"{read['start'] / 1e9:.9f}s/")


def test_by_the_time_of_a_range():
    read = named("read")

    def overlaps(r):
        return r["start"] <= read["end"] and r.get("end", 1 << 62) >= read["start"]
    check(overlaps, "--filter-nvtx", "read@io")
    check(overlaps, "--filter-nvtx", "read@*/0")
    check(lambda r: overlaps(r) and r.get("domain") == "io", "--filter-nvtx", "read@io",
          "--domain", "io")


def test_sums_count_what_lies_inside():
    inner = named("inner")
    text = traces.run(traces.RANGELINE, "stats", "-q", "-r", "nvtx_sum", "-f", "csv",
                      "--filter-nvtx", "inner", traces.everything()).stdout.decode()
    rows = {r["Range"]: r for r in csv.DictReader(text.splitlines())}
    assert set(rows) == {":outer", ":inner"}, rows
    for row in rows.values():
        assert int(row["Total Time (ns)"]) == inner["end"] - inner["start"], row


def test_what_makes_no_sense_is_said_with_a_hint():
    for options, status, hint in (
            (["--filter-time", "5"], 2, b"such as --filter-time 1s/2500ms"),
            (["--filter-time", "2s/1x"], 2, b"such as --filter-time 1s/2500ms"),
            (["--filter-nvtx", "read"], 0, b"add @DOMAIN"),
            (["--filter-nvtx", "inner/7"], 1, b"count indexes from 0"),
            (["--filter-nvtx", "even"], 1, b"`--filter-nvtx even/0`")):
        trace = traces.everything(10) if "even" in options else traces.everything()
        done = traces.run(traces.RANGELINE, "print", *options, trace, ok=False)
        assert done.returncode == status and hint in done.stderr, (options, done.stderr)


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
