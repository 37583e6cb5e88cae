#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page.py BIN - tests the output of `rangeline view --html`: the trace in the page, and
the other files in the folder. browser.py tests it in a browser.

Prints `N passed, N failed`.
"""

import base64
import hashlib
import re

from pages import data_of, enter_work, page_of, run_tests, view


def tracks(data, kind):
    return [track for track in data["tracks"] if track["kind"] == kind]


def test_the_data_has_all_of_a_trace():
    (data,) = data_of(page_of("nested.rln"))
    (ranges,) = tracks(data, "p")
    assert ranges["at"] == [0, 10000, 110000]
    assert ranges["ns"] == [100000, 40000, -1]
    assert [data["names"][n] for n in ranges["name"]] == [
        ["", "step"],
        ["", "load"],
        ["io", "load"],
    ]
    assert ranges["color"] == [0, 0, 0x00FF00 + 1]
    (marks,) = tracks(data, "m")
    assert abs(marks["value"][0] - 0.1) < 1e-6
    assert data["resolution"] == 0 and data["threads"] == [["main", 100, 100]]


def test_a_page_has_what_passes_and_says_what_that_is():
    (data,) = data_of(page_of("--name", "load", "--thread", "m*", "nested.rln"))
    assert data["filter"] == "thread m*, name load"
    (ranges,) = tracks(data, "p")
    assert [data["names"][n][1] for n in ranges["name"]] == ["load", "load"]
    assert ranges["at"] == [10000, 110000]
    (data,) = data_of(page_of("--thread", "7", "gap.rln"))
    assert data["tracks"] == [] and data["gaps"] == []
    (data,) = data_of(page_of("--name", "sent", "counters.rln"))
    assert [data["names"][t["counter"]][1] for t in data["tracks"]] == ["sent"]
    (few,) = data_of(page_of("--name", "load", "--most-ranges", "60", "pace.rln"))
    assert few["resolution"] > 0 and {few["names"][n[0]][1] for n in few["sums"]} == {"load"}
    assert all(t["at"] for t in few["tracks"])
    (data,) = data_of(page_of("nested.rln"))
    assert data["filter"] == ""


def test_counters_have_their_units_and_samples():
    (data,) = data_of(page_of("group.rln"))
    counters = {
        data["names"][t["counter"]][2]: t
        for t in tracks(data, "c")
        if len(data["names"][t["counter"]]) == 3
    }
    assert counters["read"]["unit"] == "bytes"
    assert counters["read"]["value"] == [4096, 8192]


def test_a_sample_without_a_value_ends_the_line_of_its_counter():
    (data,) = data_of(page_of("counters.rln"))
    of = {data["names"][t["counter"]][1]: t for t in tracks(data, "c")}
    assert of["queued"]["value"] == [4, 10, None, 1, 0], of["queued"]
    assert of["sent"]["value"] == [3072, 5120, 5120] and of["sent"]["unit"] == "bytes"
    assert [of[name]["holds"] for name in ("queued", "sent", "busy")] == [
        "until",
        "back",
        "line",
    ]


def test_payloads_and_categories_are_in_it():
    (data,) = data_of(page_of("payloads.rln"))
    (ranges,) = tracks(data, "p")
    assert ranges["payloads"]["1"] == [
        {
            "schema": "request",
            "value": {"text": "store", "category": 8, "op": "put", "weight": 2},
        }
    ]
    assert len(data["categories"]) >= max(ranges["category"])
    assert data["payloadsLeftOut"] == 0


def test_long_integers_are_texts():
    (data,) = data_of(page_of("rare.rln"))
    values = [v for kind in "pm" for t in tracks(data, kind) for v in t.get("value", [])]
    assert "18446744073709551615" in values and 0.1 in values and -2 in values, values


def test_the_thread_that_ended_a_range_is_in_it():
    (data,) = data_of(page_of("startend.rln"))
    (ranges,) = tracks(data, "s")
    assert ranges["endThread"] == {"0": 1} and len(data["threads"]) == 2


def test_gaps_are_in_it():
    (data,) = data_of(page_of("gap.rln"))
    assert data["gaps"] == [[100, 0, 42]]
    assert data["first"] <= 100 <= data["last"]


def items_of(track):
    """(start, end, level, count, share of the time covered) of each item."""
    more, level, covered = (
        track.get(column, [0] * len(track["at"]))
        for column in ("more", "level", "covered")
    )
    at, found = 0, []
    for i, step in enumerate(track["at"]):
        at += step
        ns = max(0, track["ns"][i])
        found.append((at, at + ns, level[i], 1 + more[i], covered[i] if more[i] else ns))
    return found


def totals(data):
    """The number of all ranges, and the time that they cover."""
    items = [item for t in tracks(data, "p") + tracks(data, "s") for item in items_of(t)]
    return sum(item[3] for item in items), sum(item[4] for item in items)


def test_short_neighbors_are_merged_where_there_are_too_many():
    (whole,) = data_of(page_of("threads.rln"))
    done = view("--html", "-", "--most-ranges", "60", "threads.rln")
    (few,) = data_of(done.stdout.decode())
    assert b"the page is an overview" in done.stderr
    assert whole["resolution"] == 0 and few["resolution"] > 0
    assert sum(len(t["at"]) for t in few["tracks"]) <= 60
    assert totals(few) == totals(whole)


def test_an_overview_has_exact_sums_by_name():
    (whole,) = data_of(page_of("threads.rln"))
    (few,) = data_of(page_of("--most-ranges", "60", "threads.rln"))
    exact = {}
    for track in tracks(whole, "p"):
        for name, ns in zip(track["name"], track["ns"]):
            n, total = exact.get(whole["names"][name][1], (0, 0))
            exact[whole["names"][name][1]] = n + 1, total + ns
    sums = {few["names"][each[0]][1]: each for each in few["sums"]}
    assert {name: (each[3], each[1]) for name, each in sums.items()} == exact
    assert all(sum(each[9]) == each[3] for each in sums.values()), sums
    assert few["sumsLeftOut"] == 0 and "sums" not in whole
    (mixed,) = data_of(page_of("--most-ranges", "2", "nested.rln"))
    assert tracks(mixed, "p")[0]["varied"] == [1, 0], mixed["tracks"]


def test_an_overview_keeps_levels_and_lanes():
    (whole,) = data_of(page_of("nested.rln"))
    (few,) = data_of(page_of("--most-ranges", "2", "nested.rln"))
    assert "level" not in tracks(whole, "p")[0]
    assert tracks(few, "p")[0]["level"] == [0, 1], few["tracks"]
    assert totals(few) == totals(whole)


def test_samples_are_merged_with_their_bounds_where_there_are_too_many():
    (few,) = data_of(page_of("--most-ranges", "1", "counters.rln"))
    kept = {few["names"][t["counter"]][1]: t for t in tracks(few, "c")}
    queued = kept["queued"]
    assert sum(queued.get("more", [])) + len(queued["at"]) == 5, queued
    assert min(n for n in queued["low"] if n is not None) == 0, queued
    assert max(n for n in queued["high"] if n is not None) == 10, queued


def test_the_policy_names_what_may_run_and_no_more():
    page = page_of("nested.rln")
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    for tag in ("script", "style"):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        checksum = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{checksum}'" in policy, policy
    assert "unsafe" not in policy and "connect-src 'none'" in policy, policy


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
