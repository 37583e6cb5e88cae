#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page.py BIN - tests the output of `rangeline view --html`: the trace in the page, and
the other files in the folder. browser.py tests it in a browser.

Prints `N passed, N failed`.
"""

import base64
import hashlib
import re
import shutil
import subprocess

from page_blocks import BLOCK, unpacked
from pages import RANGELINE, data_of, enter_work, page_of, page_of_files, run_tests, view


def rows(data, kind):
    """The rows of a kind: what about() says of each, and its columns."""
    both = zip(data["about"]["rows"], data["rows"])
    return [{**columns, "about": about} for about, columns in both if about["kind"] == kind]


def named(data, numbers):
    return [data["about"]["names"][n]["message"] for n in numbers]


def counters_of(data, key="message"):
    """By name: its row."""
    names = data["about"]["names"]
    return {names[row["about"]["name"]][key]: row for row in rows(data, "c")}


def test_the_data_has_all_of_a_trace():
    (data,) = data_of(page_of("nested.rln"))
    about = data["about"]
    step, load = rows(data, "p")
    assert (step["at"], step["ns"]) == ([0, 120000], [100000, -1])
    assert (load["at"], load["ns"]) == ([10000], [40000])
    assert named(data, step["name"] + load["name"]) == ["step", "load", "load"]
    assert [about["names"][n]["domain"] for n in step["name"]] == ["", "io"]
    assert (step["color"], load["color"]) == ([0, 0x00FF00 + 1], [0])
    (marks,) = rows(data, "m")
    assert abs(marks["value"][0] - 0.1) < 1e-6
    assert about["hasReports"] and "resolution" not in about
    assert about["threads"] == [{"name": "main", "pid": 100, "tid": 100}]


def test_processes_of_one_pid_are_told_apart():
    (data,) = data_of(page_of("parts.rln"))
    for key in ("processes", "threads", "groups"):
        pids = {each["pid"] for each in data["about"][key]}
        assert pids == {100, 100 + (1 << 24)}, (key, pids)


def test_a_page_has_what_passes_and_says_what_that_is():
    (data,) = data_of(page_of("--name", "load", "--thread", "m*", "nested.rln"))
    assert data["about"]["filter"] == "thread m*, name load"
    outer, inner = rows(data, "p")
    assert named(data, outer["name"] + inner["name"]) == ["load", "load"]
    assert (outer["at"], inner["at"]) == ([120000], [10000])
    (data,) = data_of(page_of("--thread", "7", "gap.rln"))
    assert data["about"]["gaps"] == [] and not any(row["at"] for row in data["rows"])
    (data,) = data_of(page_of("--name", "sent", "counters.rln"))
    assert list(counters_of(data)) == ["sent"]
    (few,) = data_of(page_of("--name", "load", "--most-ranges", "60", "pace.rln"))
    assert few["about"]["resolution"] > 0
    assert list(sums_of(few)) == ["load"]
    (data,) = data_of(page_of("nested.rln"))
    assert data["about"]["filter"] == ""


def test_counters_have_their_units_and_samples():
    (data,) = data_of(page_of("group.rln"))
    read = counters_of(data, "field")["read"]
    assert read["about"]["unit"] == "bytes"
    assert read["value"] == [4096, 8192]


def test_a_sample_without_a_value_ends_the_line_of_its_counter():
    (data,) = data_of(page_of("counters.rln"))
    of = counters_of(data)
    assert of["queued"]["value"] == [4, 10, None, 1, 0], of["queued"]
    assert of["sent"]["value"] == [3072, 5120, 5120]
    assert of["sent"]["about"]["unit"] == "bytes"
    assert [of[name]["about"]["interpolation"] for name in ("queued", "sent", "busy")] == [
        "until",
        "back",
        "line",
    ]


def test_payloads_and_categories_are_in_it():
    (data,) = data_of(page_of("payloads.rln"))
    said = [row["payloads"] for row in rows(data, "p")]
    assert [
        {
            "schema": "request",
            "value": {"text": "store", "category": 8, "op": "put", "weight": 2},
        }
    ] in [payloads for row in said for payloads in row.values()], said
    numbers = [n for row in rows(data, "p") for n in row.get("category", [])]
    assert len(data["about"]["categories"]) > max(numbers)


def test_payloads_of_ends_and_of_events_submitted_later_are_in_it():
    (data,) = data_of(page_of("deferred.rln"))
    later = [row for row in rows(data, "p") if "lane" in row["about"]]
    assert later and all(row["payloads"] for row in later), later


def test_long_integers_are_texts():
    (data,) = data_of(page_of("rare.rln"))
    values = [v for kind in "pm" for row in rows(data, kind) for v in row.get("value", [])]
    assert "18446744073709551615" in values and 0.1 in values and -2 in values, values


def test_the_thread_that_ended_a_range_is_in_it():
    (data,) = data_of(page_of("startend.rln"))
    ended = [row["endThread"] for row in rows(data, "s") if row["endThread"]]
    assert ended == [{"0": 1}] and len(data["about"]["threads"]) == 2, data["rows"]


def test_gaps_are_in_it():
    (data,) = data_of(page_of("gap.rln"))
    assert data["about"]["gaps"] == [[100, 0, 42]]
    assert data["about"]["first"] <= 100 <= data["about"]["last"]


def totals(data):
    """The number of all ranges, and the time that they cover."""
    n = total = 0
    for row in rows(data, "p") + rows(data, "s"):
        for i, ns in enumerate(row["ns"]):
            n += 1 + row["more"][i]
            total += row["covered"][i] if row["more"][i] else max(0, ns)
    return n, total


def sums_of(data):
    """By name: the answer about the whole trace."""
    about = data["about"]
    (sums,) = data["ask"](f"0/sums?from={about['first']}&to={about['last']}")
    assert not sums["isRough"] and sums["more"] == 0, sums
    return {about["names"][row["name"]]["message"]: row for row in sums["rows"]}


def test_short_neighbors_are_merged_where_there_are_too_many():
    (whole,) = data_of(page_of("threads.rln"))
    done = view("--html", "-", "--most-ranges", "60", "threads.rln")
    (few,) = data_of(done.stdout.decode())
    assert b"the page is an overview" in done.stderr
    assert whole["about"]["hasReports"] and few["about"]["resolution"] > 0
    assert sum(len(row["at"]) for row in few["rows"]) <= 60
    assert totals(few) == totals(whole)


def test_an_overview_has_exact_sums_by_name():
    (whole,) = data_of(page_of("threads.rln"))
    (few,) = data_of(page_of("--most-ranges", "60", "threads.rln"))
    assert sums_of(few) == sums_of(whole)
    assert few["ask"]("0/reports") == [404] and whole["ask"]("0/reports") != [404]


def test_a_page_has_only_what_passes():
    """Names, payloads, and bytes: nothing of what a filter has left out is there."""
    for words, is_all in ([], True), (["--name", "served"], False):
        ((kind, _, digits),) = BLOCK.findall(page_of(*words, "payloads.rln"))
        content = unpacked(digits)
        assert kind == ("trace" if is_all else "index")
        assert [text in content for text in (b"served", b"store")] == [True, is_all], words


def test_an_overview_keeps_levels():
    (whole,) = data_of(page_of("nested.rln"))
    (few,) = data_of(page_of("--most-ranges", "2", "nested.rln"))
    for data in (whole, few):
        assert [row["about"]["level"] for row in rows(data, "p")] == [0, 1]
    assert totals(few) == totals(whole)


def test_samples_are_merged_with_their_bounds_where_there_are_too_many():
    (few,) = data_of(page_of("--most-ranges", "1", "counters.rln"))
    queued = counters_of(few)["queued"]
    assert sum(queued.get("more", [])) + len(queued["at"]) == 5, queued
    assert min(n for n in queued["low"] if n is not None) == 0, queued
    assert max(n for n in queued["high"] if n is not None) == 10, queued


def test_what_is_not_as_in_the_file_is_not_there_as_the_file():
    """Whatever option changes a trace, the page has its index."""
    subprocess.run([RANGELINE, "export", "-q", "-t", "sqlite", "-o", "s.sqlite", "nested.rln"], check=True)
    changed = {
        "--name": "*", "--thread": "*", "--domain": "*", "--process": "*", "--category": "*",
        "--min-duration": "0", "--rename": "s/step/renamed/", "--fold-numbers": None,
        "--filter-time": "0/1s", "--align": "range=step",
    }
    for option, value in changed.items():
        words = [option] if value is None else [option, value]
        ((kind, _, digits),) = BLOCK.findall(page_of(*words, "nested.rln"))
        assert kind == "index", words
        if option == "--rename":
            content = unpacked(digits)
            assert b"renamed" in content and b"step" not in content
    ((kind, _, _),) = BLOCK.findall(page_of("s.sqlite"))  # an export says more
    assert kind == "index"


def test_the_policy_names_what_may_run_and_no_more():
    page = page_of("nested.rln")
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    (boot,) = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    inside = dict(re.findall(r'<script type="application/gzip" id="(\w+)">(\S+)</script>', page))
    texts = [boot.encode(), unpacked(inside["script"]), unpacked(inside["style"])]
    boot, script, style = (
        f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'" for text in texts
    )
    assert policy == (
        f"default-src 'none'; script-src {boot} {script} 'wasm-unsafe-eval'; worker-src blob:; "
        f"style-src {style}; connect-src 'none'; base-uri 'none'; form-action 'none'"
    ), policy


def test_a_small_page_stays_small():
    # Either makes a page 4 % smaller, where it is there.
    is_packed = shutil.which("wasm-opt") and shutil.which("zopfli")
    assert len(page_of("nested.rln").encode()) < (420_000 if is_packed else 450_000)
    page = page_of_files()
    assert not page or page.stat().st_size < 900_000


def test_existing_files_are_not_replaced():
    with open("mine.html", "w", encoding="utf-8") as file:
        file.write("mine")
    assert view("--html", "mine.html", "nested.rln").returncode == 1
    with open("mine.html", encoding="utf-8") as file:
        assert file.read() == "mine"
    assert view("-f", "--html", "mine.html", "nested.rln").returncode == 0
    assert view("--html", "nowhere/x.html", "nested.rln").returncode == 1


enter_work()
run_tests(globals())
