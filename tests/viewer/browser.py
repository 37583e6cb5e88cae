#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser.py BIN CHROMIUM [--renew] [TEST...] - tests the page in a real browser: zoom,
search, selection, filters, comparison, and its appearance.

Needs Playwright (tools/setup test); exits 77 without it. --renew replaces the reference
pictures: check them. Prints `N passed, N failed`.
"""

import base64
import contextlib
import gzip
import html
import http.server
import itertools
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    PYTHON = pathlib.Path(__file__).parents[2] / "build/browser/bin/python3"
    if not PYTHON.exists() or os.environ.get("VIEWER_AGAIN"):
        print("skipped: Playwright is not installed: tools/setup test")
        sys.exit(77)
    os.environ["VIEWER_AGAIN"] = "1"
    os.execv(PYTHON, [str(PYTHON), "-B", *sys.argv])

from pages import (
    BIN,
    HERE,
    RANGELINE,
    data_of,
    enter_work,
    export_of,
    page_of,
    page_of_files,
    run_tests,
)
from page_blocks import page_with
from pictures import MOST_SHARE, share_that_differs

WAIT_MS = int(os.environ.get("VIEWER_WAIT_MS", "60000"))
SIZE = {"width": 1280, "height": 800}
LOOK = {"viewport": SIZE, "color_scheme": "light"}
SPAN_OF = (
    "() => new URLSearchParams(location.hash.slice(1)).get('t').split(',').map(Number)"
)
DRAWN = """() => rangeline.timelines[0].picture.drawn.some(({ pieces }) =>
  pieces.some(({ tile }) => tile.start.length))"""
opened = []  # to be closed after a test
page_errors = []  # what no code of a page has caught: a test in which there are some fails,
provoked = []  # unless it provokes errors that begin like this
free_pages = []  # reused, because creating one takes longer than most tests
numbers = itertools.count()  # of files: going to the same address does not load again


class PageInUse:
    """A page of the browser, until the test ends. With options, it is a new one."""

    def __init__(self, options):
        self.is_own = bool(options)
        if self.is_own:
            self.page = BROWSER.new_context(viewport=SIZE, **options).new_page()
        else:
            self.page = free_pages.pop() if free_pages else CONTEXT.new_page()
        self.page.set_default_timeout(WAIT_MS)
        self.listeners = []
        self.listen("pageerror", lambda error: page_errors.append(str(error)))

    def listen(self, event, listener):
        self.page.on(event, listener)
        self.listeners.append((event, listener))

    def close(self):
        if self.is_own:
            self.page.context.close()
            return
        for event, listener in self.listeners:
            self.page.remove_listener(event, listener)
        if self.page.url.startswith("http:"):
            self.page.goto("about:blank")  # so that a server sees it leave
        free_pages.append(self.page)


class Shown:
    """A page in the browser, and its console output."""

    def __init__(self, html, address="", url=None, waits=True, **options):
        if html is not None:
            path = pathlib.Path(f"page{next(numbers)}.html").resolve()
            path.write_text(html, encoding="utf-8")
            url = path.as_uri()
        self.said = []
        look = {key: options.pop(key, usual) for key, usual in LOOK.items()}
        used = PageInUse(options)
        opened.append(used)
        self.page = page = used.page
        page.bring_to_front()  # a hidden page draws only occasional frames
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"])
        used.listen("console", lambda message: self.said.append(message.text))
        used.listen(
            "request",
            lambda request: (
                self.said.append(request.url)
                if not request.url.startswith((url, "blob:"))
                else None
            ),
        )
        if page.url.split("#")[0] == url:
            page.goto("about:blank")  # another address would not load it again
        page.goto(url + address)
        if waits:
            self.settle()

    def settle(self):
        self.page.wait_for_selector("#pictures[aria-busy=false]", timeout=WAIT_MS)

    def span(self):
        return self.page.evaluate(SPAN_OF)

    def table(self):
        """{name: the other columns} of the table on screen."""
        rows = self.page.locator("#table tr").all()
        cells = [row.locator("td:not(.wide)").all_inner_texts()[1:] for row in rows]
        names = [row.locator("button").get_attribute("title") for row in rows]
        return {name: tuple(others) for name, others in zip(names, cells)}

    def press(self, *keys):
        self.page.evaluate("document.activeElement.blur()")
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def wait_for_address(self, pattern):
        self.page.wait_for_url(re.compile(pattern), timeout=WAIT_MS)
        self.settle()

    def center(self):
        box = self.page.locator("canvas.timeline").first.bounding_box()
        return box["x"] + 190 + (box["width"] - 190) / 2, box["y"] + box["height"] / 2


class ShownFiles(Shown):
    """rangeline.html, and files that it opens."""

    def __init__(self, *files, **options):
        self.files = files
        super().__init__(None, url=page_of_files().as_uri(), **options)

    def settle(self):
        if self.files:
            self.choose(*self.files)
            self.files = ()
        super().settle()

    def choose(self, *files):
        self.page.locator("input[type=file]").set_input_files(files)


def has(locator, text):
    expect(locator).to_contain_text(text, timeout=WAIT_MS)


# --- What is shown --------------------------------------------------------------------


def test_it_shows_the_numbers_of_stats():
    shown = Shown(page_of("nested.rln"))
    assert shown.page.title().startswith("nested.rln")
    has(shown.page.locator("#facts"), "7 events in 120.0 us")
    expect(shown.page.locator("#loading")).to_be_hidden()
    assert shown.table() == {
        "step": ("100.0 us", "60.0 us", "1"),
        "load": ("40.0 us", "40.0 us", "1"),
        "io:load": ("0 ns", "0 ns", "1"),
    }


def test_an_open_range_ends_with_its_part():
    shown = Shown(page_of("parts.rln"))
    assert shown.table()["io:load"] == ("0 ns", "0 ns", "1"), shown.table()


def test_ranges_that_begin_before_the_first_event_count_in_full():
    shown = Shown(page_of("newest.rln"))
    assert shown.table()["io:load"][0] == "5.2 us", shown.table()  # 5.05 us after that event


def test_gpu_work_is_filtered_by_its_domain():
    for domain, names in (("rangeline.cuda", {"k", "copy", "cudaLaunchKernel"}), ("", {"step"})):
        shown = Shown(page_of("gpu.rln"), f"#domain={domain}")
        assert set(shown.table()) == names, (domain, shown.table())


def test_the_address_holds_what_is_on_screen():
    shown = Shown(page_of("nested.rln"), "#t=20000,30000&name=load&by=domain")
    assert shown.table() == {"load": ("10.0 us", "10.0 us", "1")}
    assert shown.page.locator("#grouping").input_value() == "domain"
    assert shown.page.locator(".group").all_inner_texts()[0].startswith("Default domain")


def test_an_address_of_nonsense_shows_the_whole():
    shown = Shown(
        page_of("nested.rln"), "#t=NaN,x&sel=9,99,1e999&fold=%00&move=x,y&span=3"
    )
    assert shown.table()["step"] == ("100.0 us", "60.0 us", "1")


def test_traces_of_all_kinds_can_be_shown():
    for name in (
        "windows",
        "payloads",
        "newest",
        "threads",
        "gap",
        "group",
        "deferred",
        "fork",
    ):
        assert not Shown(page_of(f"{name}.rln")).said
        opened.pop().close()


def test_dropped_events_are_reported():
    shown = Shown(page_of("gap.rln"))
    has(shown.page.locator("#lost"), "42 events were dropped")


def test_a_damaged_trace_says_that_events_are_missing():
    damaged = bytearray(pathlib.Path("threads.rln").read_bytes())
    at = len(damaged) * 2 // 3 // 512 * 512  # among its events
    damaged[at : at + 8] = b"\xff" * 8
    pathlib.Path("damaged.rln").write_bytes(damaged)
    for words in ([], ["--thread", "*"]):  # the trace in the page, and its index
        shown = Shown(page_of("damaged.rln", *words))
        has(shown.page.locator("#lost"), "Events are missing: a part of the trace cannot be read, "
            f"first at offset {at}: a record does not fit its chunk")
    expect(Shown(page_of("threads.rln")).page.locator("#lost")).to_be_hidden()


def test_an_export_that_cannot_be_read_says_so():
    exported = subprocess.run([RANGELINE, "export", "-q", "-f", "-t", "sqlite", "-o", "unread.sqlite", "gpu.rln"], check=False)
    if exported.returncode:
        return  # built without SQLite
    with contextlib.closing(sqlite3.connect("unread.sqlite")) as export, export:
        for table in "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_MEMCPY":
            export.execute(f"DELETE FROM {table}")
        export.execute("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME COLUMN start TO begun")
    shown = Shown(page_of("unread.sqlite"))
    has(shown.page.locator("#lost"), "a part of the trace cannot be read: the table CUPTI_ACTIVITY_KIND_KERNEL")
    has(shown.page.locator(".empty"), "No ranges that can be read.")


def test_overwritten_events_are_reported():
    shown = Shown(page_of("newest.rln"))
    has(shown.page.locator("#facts"), "complete from 4.9 us on: older events were")
    expect(shown.page.locator("#lost")).to_be_hidden()


def test_names_are_never_markup():
    hostile = (
        '</script><script>document.title="owned"</script><img src=x onerror=alert(1)>'
    )
    page = page_of("nested.rln")
    (data,) = data_of(page)
    for name in data["about"]["names"]:
        name["message"] = name["message"].replace("step", hostile)
    html = page_with(page, data)
    shown = Shown(html)
    assert shown.page.title().startswith("nested.rln") and not shown.said
    assert hostile in shown.table()
    shown.page.get_by_role("button", name=hostile).first.click()
    has(shown.page.locator("#details h2"), hostile)


def test_what_is_not_the_page_s_own_does_not_run():
    html = page_of("nested.rln").replace(
        "</header>",
        '</header><script>document.title="owned"</script>'
        '<img src="x:" onerror="document.title=\'owned\'">',
    )
    shown = Shown(html)
    assert shown.page.title().startswith("nested.rln")
    assert any("Content Security Policy" in text for text in shown.said), shown.said


def test_an_open_range_goes_to_the_right_edge_and_says_open():
    shown = Shown(page_of("nested.rln"))  # its last event is a push
    box = shown.page.locator("canvas.timeline").bounding_box()
    middle = 26 + 4 + 10  # the axis, what is free, half a row
    color = shown.page.evaluate(
        """([x, y]) => [...document.querySelector("canvas.timeline").getContext("2d")
        .getImageData(x, y, 1, 1).data].slice(0, 3)""",
        [box["width"] - 6, middle],
    )
    assert color == [0, 255, 0], color
    shown.page.mouse.move(box["x"] + box["width"] - 3, box["y"] + middle)
    has(shown.page.locator(".stage .tip"), "Not closed")


def test_a_counter_shows_its_value_wherever_it_holds():
    shown = Shown(page_of("counters.rln"))
    tip = shown.page.locator(".stage .tip")
    for ns, row, said in (
        (2500, 0, "queued0"),
        (1150, 1, "sent5.0 KiB"),
        (2050, 2, "busy0.5"),
        (2900, 3, None),
    ):
        y = shown.page.evaluate("(n) => { const p = rangeline.timelines[0].picture, at = p.side.layout.places.filter("
                                "({ kind }) => kind === 'counter')[n]; return p.areas[at.area].screenY(at) + 20; }", row)
        shown.page.mouse.move(*point_of(shown, ns, y))
        if said:
            has(tip, said)
        else:
            expect(tip).to_be_hidden(timeout=WAIT_MS)


def test_counters_are_measured_in_the_time_of_the_totals():
    shown = Shown(page_of("counters.rln"), "#t=300,700&span=150,300")
    lines = shown.page.locator("#levels tbody tr")
    assert lines.first.locator("td:not(.wide)").all_inner_texts() == ["queued", "4", "8", "10"]
    lines.first.get_by_role("button", name="10").click()
    shown.wait_for_address("t=51,451")
    has(shown.page.locator("#said"), "io:queued: most 10, at 200 ns")
    lines.first.get_by_role("button", name="4").click()
    has(shown.page.locator("#said"), "io:queued: least 4, at ")
    shown.press("Escape", "0")
    # In the whole trace, the picture gets larger there, and a line marks it.
    first, last = shown.span()
    lines.first.get_by_role("button").last.click()
    shown.settle()
    from_, to = shown.span()
    at, _ = shown.page.evaluate("rangeline.ruler")
    assert to - from_ < 0.2 * (last - first) and from_ < at < to, (from_, to, at)
    shown.press("Escape", "0")
    assert shown.page.evaluate("rangeline.ruler") is None
    expect(lines).to_have_count(6)
    expect(Shown(page_of("nested.rln")).page.locator("#levels")).to_be_hidden()
    has(Shown(page_of("--most-ranges", "1", "counters.rln")).page.locator("#levels tr", has_text="queued"), "\u2248 ")


STRIP = """([n, ns]) => { const { picture, canvas } = rangeline.timelines[0], { view } = picture;
  const at = picture.side.layout.places.filter(({ kind }) => kind === 'states')[n], ratio = devicePixelRatio;
  const x = picture.x(ns), y = picture.areas[at.area].screenY(at), data = canvas.getContext('2d').getImageData(
    x * ratio, (y + 1) * ratio, 1, 1).data, css = getComputedStyle(document.documentElement);
  const hex = '#' + [...data].slice(0, 3).map((part) => part.toString(16).padStart(2, '0')).join('');
  const words = ['on', 'preempted', 'blocked', 'paper'];
  return { y: y + at.height / 2, state: words.find((word) => css.getPropertyValue('--' + word).trim() === hex) || hex }; }"""


def strip_at(shown, thread, ns):
    """What the strip of the n-th thread shows then, and what the pointer says there."""
    found, box = shown.page.evaluate(STRIP, [thread, ns]), shown.page.locator("canvas.timeline").bounding_box()
    shown.page.mouse.move(point_of(shown, ns, 0)[0], box["y"] + found["y"])
    tip = shown.page.locator(".stage .tip")
    return found["state"], tip.inner_text() if tip.is_visible() else ""


def test_strips_show_when_threads_were_on_a_processor():
    states = {  # switch_scenario.h
        0: ((20e3, "on", "on a processor"), (40e3, "preempted", "preempted"), (70e3, "on", "on a processor"),
            (120e3, "blocked", "blocked"), (180e3, "on", "on a processor")),
        1: ((12e3, "paper", ""), (20e3, "preempted", "preempted"), (40e3, "on", "on a processor"),
            (80e3, "blocked", "blocked"), (112e3, "on", "on a processor"), (150e3, "paper", "")),
    }
    for scheme in "light", "dark":
        shown = Shown(page_of("switches.rln"), color_scheme=scheme)
        for thread, expected in states.items():
            for ns, state, text in expected:
                tip = f"{['main 100/100', 'worker 100/101'][thread]}\n{text}" if text else ""
                seen = strip_at(shown, thread, ns)
                assert seen[0] == state and seen[1].replace("\n\n", "\n") == tip, (scheme, thread, ns, seen)
    # In a folded thread, too; and the name stays beside the bars.
    shown.page.locator("button.group").first.click()
    shown.settle()
    assert strip_at(shown, 0, 40e3)[0] == "preempted"
    top = shown.page.locator("button.group").first.bounding_box()["y"]
    assert top == shown.page.locator("canvas.timeline").bounding_box()["y"] + 26 + 4 + 4, top


def test_a_pixel_of_a_strip_is_divided_as_its_time_is():
    shown = Shown(page_of("switches.rln"))
    # As one of a long trace, which has several states in each pixel.
    shares = shown.page.evaluate("""async () => { const { side } = rangeline.timelines[0];
      const [row] = await side.source.states({ from: 20000, to: 40000, pixels: 1, rows: [0] });
      side.states.each = (row, filter, draw) => draw({ row, start: [0], end: 200000, on: [100000], blocked: [50000] }, 0, 200000);
      rangeline.draw(); return row; }""")
    assert (shares["on"], shares["preempted"], shares["end"] - shares["start"][0]) == ([10000], [10000], 20000), shares
    column = shown.page.evaluate("""() => { const { picture, canvas } = rangeline.timelines[0];
      const at = picture.side.layout.places.find(({ kind }) => kind === 'states');
      const data = canvas.getContext('2d').getImageData(picture.x(90000), picture.areas[at.area].screenY(at), 1, 4).data;
      return [0, 1, 2, 3].map((y) => '#' + [...data].slice(y * 4, y * 4 + 3).map((part) => part.toString(16).padStart(2, '0')).join('')); }""")
    on, blocked, paper = (shown.page.evaluate("(word) => getComputedStyle(document.documentElement).getPropertyValue(word).trim()", f"--{word}")
                          for word in ("on", "blocked", "paper"))
    assert column == [paper, blocked, on, on], column  # half of the time on, a quarter blocked, a quarter unknown
    assert strip_at(shown, 0, 90e3)[1].endswith("on a processor 50 %, blocked 25 %, unknown 25 %")


def test_the_panel_says_what_the_time_of_a_range_was_made_of():
    command = [RANGELINE, "stats", "-q", "-r", "cpu_sum", "-f", "json", "switches.rln"]
    of_stats = {row["Range"]: row for row in json.loads(subprocess.check_output(command))}
    shown = Shown(page_of("switches.rln"))
    said = {}
    for name in "step", "load":
        shown.page.locator("#table").get_by_role("button", name=name).click()
        shown.settle()
        has(shown.page.locator("#details h2"), name)
        text = shown.page.locator("#details dt", has_text="Of that").locator("+ dd")
        said[name] = [float(part) * 1000 for part in re.findall(r"(?:processor|preempted|blocked) ([0-9.]+)", text.inner_text())]
        assert "get a processor again" in text.locator("span").get_attribute("title")
    for name, times in said.items():
        row = of_stats[f":{name}"]
        assert times == [row[f"{state} (ns)"] for state in ("On CPU", "Preempted", "Blocked")], (name, times, row)
    # Of the selected time, a line for each thread.
    lines = shown.page.locator("#states tbody tr")
    assert lines.count() == 2
    shown.press("x")  # that of "load"
    has(shown.page.locator("#scope"), "80.0 us")
    cells = [line.locator("td:not(.wide)").all_text_contents() for line in lines.all()]
    assert cells == [["main 100/100", "50.0 us", "20.0 us", "10.0 us"], ["worker 100/101", "20.0 us", "0", "60.0 us"]], cells
    for row, thread in enumerate(("main", "worker")):  # of a row
        one = Shown(page_of("switches.rln"), f"#span=30000,110000&rows={row}").page.locator("#states tbody tr")
        assert one.count() == 1, thread
        has(one, thread)


def test_only_threads_whose_switches_were_recorded_have_strips():
    strips = "rangeline.timelines[0].side.layout.places.filter(({ kind }) => kind === 'states').length"
    assert Shown(page_of("nested.rln")).page.evaluate(strips) == 0
    expect(opened[-1].page.locator("#states")).to_be_hidden()
    subprocess.run([RANGELINE, "merge", "-f", "-o", "some.rln", "switches.rln", "threads.rln"], check=True)
    some = Shown(page_of("some.rln")).page
    groups = some.evaluate("rangeline.timelines[0].side.layout.groups.filter(({ group }) => group.rows).length")
    assert some.evaluate(strips) == 2 < groups, groups


def test_names_of_counters_have_the_room_that_values_leave():
    names = ["allocated in pool 0", "allocated in pool 1", ""]
    data = made_up(0, names, 0, 1000)
    values = [0.000489672, 12.345678, 99.9694821]
    put_rows(data, *(({"kind": "c", "name": k, "label": name and f"host:{name}", "unit": "%", "interpolation": "until"},
                      {"at": [100, 400, 400], "value": values}) for k, name in enumerate(names)))
    shown = Shown(page_with(page_of("nested.rln"), data), viewport={"width": 1440, "height": 800})
    lines = shown.page.locator("#levels tbody tr")
    expect(lines.locator(".name")).to_have_text(["allocated in pool 0", "allocated in pool 1", "(no name)"])
    expect(lines.first.locator("td:not(.wide)").nth(1)).to_have_text("0.00049 %")
    expect(lines.first.locator("td:not(.wide)").last).to_have_text("100 %")
    assert lines.first.locator("button").last.get_attribute("title").startswith("99.9695 %\n")
    parts = "(each) => each.scrollWidth <= each.clientWidth"
    assert lines.nth(1).locator(".head").evaluate(parts), lines.all_inner_texts()
    assert shown.page.evaluate("[2e4, 1234.5, 12.345, 0.5, 7, 123456789, -0.0123].map(rounded)") == [
        "20K", "1235", "12.3", "0.5", "7", "123M", "-0.0123"]


def test_the_bounds_of_a_counter_are_below_its_name():
    shown = Shown(page_of("counters.rln"), viewport={"width": 1000, "height": 300})
    drawn = shown.page.evaluate(
        """() => {
          const [, area] = rangeline.timelines[0].picture.areas, { fillText } = CanvasRenderingContext2D.prototype;
          const seen = [], written = [];
          CanvasRenderingContext2D.prototype.fillText = (text, x, y) => / to /.test(text) && written.push([text, y - 6, y + 6]);
          for (area.scroll(-1e6); ; area.scroll(3)) {
            written.length = 0;
            rangeline.draw();
            const top = document.querySelector("canvas.timeline").getBoundingClientRect().top;
            const names = [...document.querySelectorAll(".group")].map((each) => each.getBoundingClientRect());
            seen.push({ top: area.top, written: [...written], names: names.map((box) => [box.top - top, box.bottom - top]) });
            if (area.top + area.room >= area.height) break;
          }
          CanvasRenderingContext2D.prototype.fillText = fillText;
          return seen;
        }"""
    )
    assert len(drawn) > 10 and len(drawn[0]["written"]) > 1, drawn
    for each in drawn:
        for text, top, bottom in each["written"]:
            assert all(bottom <= begin or top >= end for begin, end in each["names"]), (text, each)


def test_samples_that_share_a_pixel_show_their_bounds():
    data = made_up(0, ["n"], 0, 1_000_000)
    values = [500 if i % 2 else 7 for i in range(500)] + [16777217]
    values[250] = 1_000_000
    steps = [500_000] + [1] * 499 + [400_000]
    counter = {"kind": "c", "name": 0, "label": "n", "unit": "B", "interpolation": "until"}
    limits = {"least": 10, "most": 1000, "low": 7, "high": 16777217}
    put_rows(data, ({**counter, **limits}, {"at": steps, "value": values}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.press("t")
    row, tip = 26 + 4 + 20, shown.page.locator(".stage .tip")
    listed = shown.page.locator("#listing tbody td:nth-child(4)")
    expect(listed).to_have_text(["7 B to 976.6 KiB", "16.0 MiB"])
    has(shown.page.locator("#listing"), "500 samples")
    for ns, said in (
        (500_000, "7 B to 976.6 KiB500 samples"),
        (700_000, "n500 B"),
        (900_499, "n16.0 MiB"),
    ):
        shown.page.mouse.move(*point_of(shown, ns, row))
        has(tip, said)
    # The axis reaches beyond what the program gave, so that 500 is at its bottom.
    box = shown.page.locator("canvas.timeline").bounding_box()
    x, y = point_of(shown, 700_000, row + 10)
    color = shown.page.evaluate(
        """([x, y]) => [...document.querySelector("canvas.timeline").getContext("2d")
        .getImageData(x, y, 1, 1).data].slice(0, 3)""",
        [int(x - box["x"]), int(y - box["y"])],
    )
    assert color == [255, 255, 255], color


def test_gaps_are_shown_where_events_were_dropped():
    shown = Shown(page_of("gap.rln"))
    shown.page.mouse.move(*point_of(shown, 100, 26 + 4 + 10))
    has(shown.page.locator(".stage .tip"), "42 events were dropped here")


# --- Names, rows and labels -----------------------------------------------------------


def test_names_are_shortened_by_rules():
    forms = Shown(page_of("nested.rln")).page.evaluate(
        "(messages) => messages.map((message) => formsOf(titleOf({ message, field: '' })))",
        [
            "/usr/lib/json/decoder.py:343(raw_decode)",
            "<frozen importlib._bootstrap>:241(_call)",
            "/usr/lib/json/decoder.py:1(<module>)",
            "/usr/lib/json/__init__.py:299(loads)",
            "<frozen os>:1(<module>)",
            "aten::mm, op_id = 12, seq = 4",
            "void at::native::fill<4, at::F<float> >(int, at::F<float>)",
            "std::vector<int>::operator()(int) const",
            "load (batch 3)",
            "a < b and b > c",
            "if (a<b) then (c>d)",
            "http://host:80(path)",
            "12:30(lunch)",
            "a::b is not a name",
        ],
    )
    assert forms == [
        ["raw_decode  decoder.py:343", "raw_decode"],
        ["_call"],
        ["<module>  decoder.py:1", "decoder.py:1"],
        ["loads  json/__init__.py:299", "loads"],
        ["<module>"],
        ["aten::mm, op_id = 12, seq = 4", "aten::mm", "mm"],
        [
            "void at::native::fill<4, at::F<float> >(int, at::F<float>)",
            "at::native::fill",
            "fill",
        ],
        [
            "std::vector<int>::operator()(int) const",
            "std::vector::operator()",
            "operator()",
        ],
        ["load (batch 3)"],
        ["a < b and b > c"],
        ["if (a<b) then (c>d)"],
        ["http://host:80(path)"],
        ["12:30(lunch)"],
        ["a::b is not a name"],
    ]


def test_names_that_would_read_the_same_say_what_differs():
    kernel = "void at::native::elementwise_kernel<4, at::native::%s<float> >(int, at::native::%s<float>)"
    other = "void at::native::vectorized_kernel<at::native::Fill<float> >(int)"
    names = [*(kernel % (each, each) for each in ("Fill", "Multiply")), other, "/lib/a_long/__init__.py:1(<module>)",
             "/lib/another_long/__init__.py:1(<module>)"]
    shown = Shown(page_with(page_of("nested.rln"), made_up(len(names), names, 0, 1000)))
    texts = shown.page.locator("#table .name").evaluate_all("(all) => all.map((each) => each.textContent)")
    assert texts == [
        "elementwise_kernel  Fill<float> >(int, at::native::Fill",
        "elementwise_kernel  Multiply<float> >(int, at::native::Multiply",
        "vectorized_kernel",
        "a_long/__init__.py:1",
        "another_long/__init__.py:1",
    ], texts


def test_narrow_boxes_keep_both_ends_of_a_name():
    fitted = Shown(page_of("nested.rln")).page.evaluate(
        """() => {
          const ruler = new Ruler({ font: "", measureText: () => ({ width: 10 }) });
          return [1000, 120, 75, 50, 30, 15].map((room) => ruler.fit("decode frame 12", room));
        }"""
    )
    assert fitted == [
        "decode frame 12",
        "decode\u2026me 12",
        "dec\u2026 12",
        "d\u202612",
        "",
        "",
    ], fitted


def test_an_axis_has_labels_of_one_unit():
    labels = Shown(page_of("nested.rln")).page.evaluate(
        """(spans) => spans.map(([from, to]) => {
          const { by, found } = ticksOf(from, to, 1200, 110);
          const { base, label } = labelsOf(from, to, by);
          return [base, label(found[0]), label(found[1])];
        })""",
        [
            [934_600_000, 934_830_000],
            [7_300_000_000, 7_300_000_040],
            [60_100_000_000, 60_600_000_000],
            [0, 100],
        ],
    )
    assert labels == [
        ["934 ms", "+600 us", "+650 us"],
        ["7.300000 s", "+0 ns", "+5 ns"],
        ["", "60.10 s", "60.15 s"],
        ["", "0 ns", "10 ns"],
    ], labels


def test_the_name_of_a_thread_stands_beside_its_ranges():
    shown = Shown(page_of("threads.rln"))
    places = shown.page.evaluate(
        """() => rangeline.sides[0].layout.groups.map(({ group, y, height }) => [group.key, y,
          rangeline.sides[0].layout.places.find((place) => place.group === group).y, height])"""
    )
    assert len(places) > 2 and all(y == first for _, y, first, _ in places), places
    # Processes have a line of their own, threads here one level.
    assert [each[3] for each in places] == [22, 30, 30, 22, 30], places
    box = shown.page.locator(".group").first.bounding_box()
    canvas = shown.page.locator("canvas.timeline").bounding_box()
    assert abs(box["y"] - canvas["y"] - 26 - places[0][1]) < 1.5, (box, places[0])


def test_ranks_are_in_their_order():
    def processes_of(labels):
        data = made_up(len(labels), ["x"], 0, 1000)
        data["about"]["processes"] = [{"pid": 7 + i, "label": each} for i, each in enumerate(labels)]
        for i, (group, thread) in enumerate(zip(data["about"]["groups"], data["about"]["threads"])):
            group["pid"] = thread["pid"] = 7 + i
        names = Shown(page_with(page_of("nested.rln"), data)).page.locator(".header .group b")
        return names.all_text_contents()

    ranks = ["rank 2", "rank 10 \u00b7 train", "rank 0", "rank 1"]
    assert processes_of(ranks) == ["rank 0", "rank 1", "rank 2", "rank 10 \u00b7 train"]
    others = ["rank 2", "train", "rank 0"]
    assert processes_of(others) == others, "one is no rank: by pid"


def test_a_filter_leaves_only_rows_with_matches():
    shown = Shown(page_of("nested.rln"), "#name=io:load")
    rows = shown.page.evaluate("rangeline.sides[0].layout.places.length")
    shown = Shown(page_of("nested.rln"))
    assert shown.page.evaluate("rangeline.sides[0].layout.places.length") > rows
    shown.page.click("#filter-button")
    shown.page.fill("#by-name", "zzz")
    has(shown.page.locator(".empty"), 'Nothing matches "zzz"')
    has(shown.page.locator("#more"), "No matches")
    shown.page.get_by_role("button", name="Clear filters").last.click()
    expect(shown.page.locator(".empty")).to_be_hidden(timeout=WAIT_MS)
    shown.settle()
    assert shown.page.evaluate("rangeline.sides[0].layout.places.length") > rows


def test_a_filter_says_how_many_threads_it_leaves_out():
    data = made_up(8, [f"only {i}" for i in range(8)], 0, 1000)
    shown = Shown(page_with(page_of("nested.rln"), data), "#name=only 3")
    assert shown.page.evaluate("rangeline.sides[0].layout.more") == 7
    expect(shown.page.locator(".group")).to_have_count(1)


def test_threads_that_are_hardly_ever_busy_share_a_line():
    n = 60
    data = made_up(n, ["work"], 0, 1_000_000)
    for row in data["rows"][10:]:
        row.update(at=[500_000], ns=[100])
    shown = Shown(page_with(page_of("nested.rln"), data))
    groups = shown.page.locator(".group")
    expect(groups).to_have_count(11)
    has(groups.last, "50 more threads")
    expect(groups.last).to_have_attribute("aria-expanded", "false")
    shown.press("/")
    shown.page.fill("#search", "work")
    for k in range(11):  # the eleventh is in one of them
        shown.page.press("#search", "Enter")
        has(shown.page.locator("#details"), f"t{k} 1/{k}")
    has(shown.page.locator(".group", has_text="more threads"), "50 more")
    expect(shown.page.locator(".group", has_text="t10")).to_be_visible()
    assert Shown(page_with(page_of("nested.rln"), data), "#name=work").page.evaluate(
        "rangeline.sides[0].layout.groups.length") == n  # a filter shows all that match


def test_names_that_differ_in_numbers_are_summed_up():
    data = made_up(60, [f"step {i}" for i in range(60)], 0, 1000)
    shown = Shown(page_with(page_of("nested.rln"), data))
    folding = shown.page.locator("#folding-button")
    expect(folding).to_have_attribute("aria-pressed", "true")
    expect(shown.page.locator("#table tr")).to_have_text([re.compile("^step #60.0 us60.0 us60")])
    folding.click()
    shown.wait_for_address("folded=0")
    expect(shown.page.locator("#table tr")).to_have_count(60)
    few = Shown(page_of("nested.rln"))
    expect(few.page.locator("#folding-button")).to_have_attribute(
        "aria-pressed", "false"
    )


def test_numbers_of_kernels_are_never_folded():
    shown = Shown(page_of(of_a_training()), "#folded=1")
    names = shown.table()
    assert "step #" in shown.page.locator("#table").inner_text(), names
    kernels = [name for name in names if "sgemm_" in name]
    assert len({re.search(r"sgemm_\d+x\d+", name).group() for name in kernels}) > 1, names
    shown.press("i")
    assert not shown.page.evaluate(
        "rangeline.flame.icicles[0].roots.map((i) => rangeline.flame.icicles[0].label(i))"
        ".filter((label) => /sgemm_#/.test(label))")


def test_numbers_are_folded_where_one_kind_fills_the_table():
    others = [f"part {c}" for c in "abcdefghij"]
    for names, is_folded in (
        ([f"step {i}" for i in range(30)] + others, "true"),
        ([f"step {i}" for i in range(20)] + others, "true"),
        ([f"layer {i}" for i in range(12)], "false"),
        ([f"layer {i}" for i in range(24)] + [f"part {c}{d}" for c in "abcde" for d in "vwxyz"], "false"),
    ):
        data = made_up(len(names), names, 0, 1000)
        folding = Shown(page_with(page_of("nested.rln"), data)).page.locator("#folding-button")
        expect(folding).to_have_attribute("aria-pressed", is_folded)


def test_a_server_and_a_file_fold_numbers_alike():
    words = "pace.rln"
    address = served(words)
    if not address:
        return
    for where in ("#folded=1&flame=1", "#folded=1&t=0,5000&flame=1"):
        shown = Shown(page_of(words), where), Shown(None, where, url=address)
        tables = [each.table() for each in shown]
        assert tables[0] == tables[1], tables
        trails = [each.page.inner_text("#flame .trail") for each in shown]
        assert trails[0] == trails[1], trails


def test_edges_move_by_keys_and_are_remembered():
    shown = Shown(page_of("nested.rln"), locale="en")  # a browser of its own
    widths = "() => [rangeline.view.left, document.querySelector('aside').clientWidth]"
    gutter, panel = shown.page.evaluate(widths)
    shown.page.locator("#gutter-edge").press("ArrowRight")
    shown.page.locator("#panel-edge").press("ArrowLeft")
    assert shown.page.evaluate(widths) == [gutter + 20, panel + 20]
    shown.page.reload()
    shown.settle()
    assert shown.page.evaluate(widths) == [gutter + 20, panel + 20]
    for _ in range(40):
        shown.page.locator("#gutter-edge").press("ArrowRight")
    assert shown.page.evaluate(widths)[0] == 420
    shown.page.locator("#gutter-edge").dblclick()
    assert shown.page.evaluate(widths)[0] == gutter


def test_rows_grow_with_the_text_and_can_be_compact():
    shown = Shown(page_of("threads.rln"), locale="en")
    height = "rangeline.sides[0].layout.places.find(({ kind }) => kind === 'row').height"
    assert shown.page.evaluate(height) == 30  # there is room
    shown.page.click("#filter-button")
    shown.page.check("#compact")
    shown.settle()
    assert shown.page.evaluate(height) == 15
    shown.page.uncheck("#compact")
    shown.page.evaluate("document.documentElement.style.fontSize = '24px'")
    shown.page.wait_for_function(f"() => {height} === 45", timeout=WAIT_MS)
    shown.page.evaluate("document.documentElement.style.fontSize = '16px'")
    shown.page.set_viewport_size({"width": 1000, "height": 300})
    shown.page.wait_for_function(f"() => {height} === 20", timeout=WAIT_MS)


def test_narrow_pages_name_threads_and_tids():
    data = made_up(3, ["one"], 0, 1000)
    for i, group in enumerate(data["about"]["groups"]):
        group.update(label="worker of a pool", tid=28740 + i)
    shown = Shown(page_with(page_of("nested.rln"), data), viewport={"width": 390, "height": 844})
    for i, note in enumerate(shown.page.locator(".group .note").all()):
        expect(note).to_have_text(str(28740 + i))
        assert note.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    shown.page.click("#filter-button")
    label = shown.page.locator("label:has(#compact)").bounding_box()
    assert label["height"] < 30, label  # one line


def test_panes_fit_narrow_pages():
    narrow = {"width": 400, "height": 800}
    shown = Shown(page_of("pace.rln"), "#flame=1&table=1", viewport=narrow)
    has(shown.page.locator("#listing"), "240 items on screen")
    for pane in ("#flame", "#listing", "aside"):
        box = shown.page.locator(pane).bounding_box()
        assert box["height"] > 50 and box["y"] + box["height"] <= 800, (pane, box)


def test_colors_can_be_those_of_domains():
    shown = Shown(page_of("nested.rln"), "#color=domain")
    colors = shown.page.evaluate(
        "rangeline.sides[0].about.names.map(({ domain }, i) => [domain, rangeline.sides[0].rgb[i]])"
    )
    assert len({tuple(each) for each in colors}) == len({each[0] for each in colors})
    assert shown.page.locator("#coloring").input_value() == "domain"


def test_the_longest_names_have_different_colors():
    def colors_of(*traces):
        shown = Shown(page_with(page_of("nested.rln"), *map(repeated, traces)))
        return shown.page.evaluate(
            "rangeline.sides.map(({ labels, rgb }) => Object.fromEntries(labels.map((each, i) => [each, rgb[i]])))"
        )

    names = [*(c * 3 for c in "abcdefghij"), "step 1", "[CUDA memset]", "step 2", "xyz"]
    trace = {name: (1, 1000 - 10 * i) for i, name in enumerate(names)}
    (colors,) = colors_of(trace)
    assert len({colors[name] for name in names[:12]}) == 12, colors
    assert colors["step 1"] == colors["step 2"] and colors["[CUDA memset]"] == 0x70543E, colors
    assert colors_of(trace) == [colors], "the same each time"
    first = colors_of({"aaa": (1, 5)}, {"aaa": (1, 9), "bbb": (3, 5)})
    assert [each["aaa"] for each in first] == [colors["aaa"]] * 2, "the color of its hash"
    # In a comparison, totals are those of both traces.
    one, other = colors_of(trace, {name: (1, 5000) for name in reversed(names[4:])})
    assert {name: one[name] for name in other} == other, (one, other)
    assert len({other[name] for name in names[4:13]}) == 8, other


def test_the_longest_occurrences_are_listed():
    shown = [Shown(page_of("pace.rln"))]
    address = served("pace.rln")
    if address:
        shown.append(Shown(None, url=address))
    lists = []
    for each in shown:
        each.page.get_by_role("button", name="step", exact=True).click()
        rows = each.page.locator(".occurrences tbody tr")
        expect(rows).to_have_count(120, timeout=WAIT_MS)
        lists.append(rows.all_inner_texts())
        first = rows.nth(0).locator("button")
        first.click()
        expect(first).to_have_attribute("aria-current", "true", timeout=WAIT_MS)
        has(each.page.locator("#details dd").nth(1), first.inner_text())
        first.press("ArrowDown")
        second = rows.nth(1).locator("button")
        expect(second).to_have_attribute("aria-current", "true", timeout=WAIT_MS)
        expect(second).to_be_focused()
        each.press("x")
        # Nothing else of that name is in the time of this one.
        expect(each.page.locator(".occurrences")).to_have_count(0, timeout=WAIT_MS)
    assert all(each == lists[0] for each in lists), lists


def callers_of(shown):
    """What the open list says, from top to bottom."""
    return [tuple(line.locator("> *").all_inner_texts())
            for line in shown.page.locator("#details details li").all()]


def test_the_paths_to_a_name_are_listed():
    data = made_up(0, ["train", "step 1", "step 2", "load"], 0, 1000)
    put_rows(data, ({"level": 0}, {"at": [0], "ns": [1000], "name": [0]}),
             ({"level": 1}, {"at": [0, 500], "ns": [400, 400], "name": [1, 2]}),
             ({"level": 2}, {"at": [10, 100, 450], "ns": [50, 100, 300], "name": [3, 3, 3]}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.click("#table button[title='load']")
    has(shown.page.locator("#details summary"), "Callers")
    assert callers_of(shown) == []  # not asked before
    shown.page.locator("#details summary").focus()
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator("#details details li")).to_have_count(2)
    assert callers_of(shown) == [
        ("step 1 \u2039 train", "150 ns, 2 calls"), ("step 2 \u2039 train", "300 ns, 1 call")][::-1], callers_of(shown)
    shown.page.click("#folding-button")
    expect(shown.page.locator("#details details li")).to_have_count(1)
    assert callers_of(shown) == [("step # \u2039 train", "450 ns, 3 calls")], callers_of(shown)
    shown.page.click("#details details li button")
    expect(shown.page.locator("#flame")).to_be_visible()
    shown.wait_for_address("path=train&path=step\\+%23&path=load")
    # It stays open for another range; an outermost one has no callers.
    shown.page.click("#table button[title='train']")
    has(shown.page.locator("#details details li"), "(outermost)")


def test_a_server_and_a_file_list_the_same_callers():
    address = served("nested.rln")
    if not address:
        return
    lists = []
    for shown in Shown(page_of("nested.rln")), Shown(None, url=address):
        shown.page.click("#table button[title='load']")
        shown.page.click("#details summary")
        has(shown.page.locator("#details details li"), "step")
        lists.append(callers_of(shown))
    assert lists[0] == lists[1] and lists[0], lists


def test_of_many_occurrences_the_first_of_equally_long_ones_are_listed():
    data = made_up(1, ["work"], 0, 100_000)
    lengths = [(i * 7) % 5 + 1 for i in range(900)]  # 180 of each length
    data["rows"][0].update(at=[0] + [100] * 899, ns=lengths, name=[0] * 900)
    shown = Shown(page_with(page_of("nested.rln"), data))
    found, n = shown.page.evaluate(
        """async () => {
          const found = await rangeline.sides[0].source.occurrences({ name: 0, from: 0, to: 1e5 });
          return [found.map(({ start, longest }) => [-longest, start]), found.n];
        }""")
    assert n == 900 and found == sorted([-ns, i * 100] for i, ns in enumerate(lengths))[:200], found


def test_with_folded_numbers_names_lead_to_their_kind():
    n = 60
    data = made_up(0, [f"step {i}" for i in range(n)], 0, 1000 * n)
    lengths = [900 if i == 40 else 100 + i for i in range(n)]
    put_rows(data, ({}, {"at": [0] + [1000] * (n - 1), "ns": lengths, "name": list(range(n))}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.locator("#table button").click()
    has(shown.page.locator("#details h2"), "step 40")  # the longest
    shown.press("n")
    has(shown.page.locator("#details h2"), "step 41")
    shown.press("p", "p")
    has(shown.page.locator("#details h2"), "step 39")
    box = shown.page.locator(".occurrences")
    has(box.locator("[aria-current]"), "139 ns")
    shown.press("n", "n", "n")
    last = box.locator("tbody button").last
    last.focus()
    last.click()
    has(shown.page.locator("#details h2"), "step 0")
    assert box.evaluate("(each) => each.scrollTop") > 100  # it stays where it was


def test_with_folded_numbers_durations_are_those_of_the_kind():
    n = 60
    data = made_up(0, [f"step {i}" for i in range(n)], 0, 1000 * n)
    rows = {"at": [0] + [1000] * (n - 1), "ns": [100 + i for i in range(n)], "name": list(range(n))}
    put_rows(data, ({}, rows))
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.locator("#table button").click()
    terms = shown.page.locator("#details dl").first
    has(terms, "Occurrences60 of step #")
    has(terms, "Min, median100 ns, 130 ns")
    expect(shown.page.locator(".histogram span")).not_to_have_count(1)
    shown.page.click("#folding-button")
    has(terms, "Thread")
    expect(terms).not_to_contain_text("Occurrences")


def test_a_list_of_merged_ranges_says_that_it_is_rough():
    data = made_up(0, ["a", "b"], 0, 10000)
    merged = {"at": [0, 5000], "ns": [900, 100], "name": [0, 1], "more": [4, 0],
              "varied": [1, 0], "covered": [500, 0], "longest": [300, 0]}
    put_rows(data, ({}, {**merged}), ({"level": 1}, {"at": [6000], "ns": [50], "name": [1]}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.get_by_role("button", name="b", exact=True).click()
    has(shown.page.locator("#details h3").first, "Occurrences: \u2248 2")


def test_the_table_can_be_copied():
    shown = Shown(page_of("nested.rln"), permissions=["clipboard-read", "clipboard-write"])
    copied = []
    for kind in "CSV", "JSON", "Markdown":
        shown.page.select_option(".copy", kind)
        has(shown.page.locator(".copy"), "Copied")
        copied.append(shown.page.evaluate("navigator.clipboard.readText()"))
    csv = copied[0].splitlines()
    assert csv[:2] == [
        "Name,Domain,Total (ns),Self (ns),Calls,Average (ns),p95 (ns),Max (ns)",
        "step,,100000,60000,1,100000,100000,100000",
    ], csv
    assert "load,io,0,0,1,0,0,0" in csv, csv
    assert json.loads(copied[1])[0]["Total (ns)"] == 100000
    assert copied[2].splitlines()[2] == "| step |  | 100000 | 60000 | 1 | 100000 | 100000 | 100000 |"


def p95_of(shown):
    """{title: the text} of the column."""
    return shown.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('#table tr')].map((tr) =>
        [tr.querySelector('.name').title, tr.children[5].textContent]))"""
    )


def test_the_totals_say_what_95_percent_do_not_exceed():
    n = 102
    data = made_up(0, ["a", "b"], 0, 1000 * n)
    put_rows(data, ({}, {"at": [0] + [1000] * (n - 1), "ns": [100 + i for i in range(n)],
                         "name": [0] * (n - 2) + [1, 1]}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    assert p95_of(shown) == {"a": "194 ns", "b": "201 ns"}, p95_of(shown)
    # Of merged ranges without their lengths nothing is known.
    merged = made_up(0, ["a"], 0, 10000)
    put_rows(merged, ({}, {"at": [0, 5000], "ns": [900, 100], "more": [4, 0],
                           "covered": [500, 100], "longest": [300, 100]}))
    shown = Shown(page_with(page_of("nested.rln"), merged))
    assert p95_of(shown) == {"a": ""}, p95_of(shown)


def test_a_server_and_a_file_say_the_same_p95():
    for name in "pace", "nested", "threads":
        address = served(f"{name}.rln")
        if not address:
            return
        for where in "", "#folded=1":
            texts = [p95_of(Shown(page_of(f"{name}.rln"), where)), p95_of(Shown(None, where, url=address))]
            assert texts[0] == texts[1], (name, texts)
            assert any(texts[0].values()), name


def test_the_overview_shows_the_whole_and_moves_the_window():
    data = made_up(1, ["x"], 0, 100_000)
    data["about"]["last"] = 1_000_000
    shown = Shown(page_with(page_of("nested.rln"), data))
    parts = shown.page.evaluate("[rangeline.overview.cpu.length, ...rangeline.overview.cpu]")
    assert parts[0] == 1024 and min(parts[1:103]) > 0.99, parts[:104]
    assert 0 < parts[103] < 1 and set(parts[104:]) == {0}, parts[100:110]
    canvas = shown.page.locator(".overview")
    box = canvas.bounding_box()
    width = box["width"] - 190

    def at(ns):
        return {"x": 190 + width * ns / 1_000_000, "y": 10}

    canvas.drag_to(canvas, source_position=at(400_000), target_position=at(600_000))
    shown.settle()  # the whole is the window, so it is moved, and that goes nowhere
    shown.page.evaluate("[rangeline.view.show(400000, 600000), rangeline.redraw()]")
    shown.settle()
    canvas.drag_to(canvas, source_position=at(500_000), target_position=at(700_000))
    shown.settle()
    start, end = shown.span()
    assert abs(start - 600_000) < 5000 and abs(end - 800_000) < 5000, (start, end)
    canvas.drag_to(canvas, source_position=at(800_000), target_position=at(900_000))
    shown.settle()
    start, end = shown.span()
    assert abs(start - 600_000) < 5000 and abs(end - 900_000) < 5000, (start, end)
    canvas.drag_to(canvas, source_position=at(100_000), target_position=at(200_000))
    shown.settle()
    start, end = shown.span()
    assert abs(start - 100_000) < 5000 and abs(end - 200_000) < 5000, (start, end)
    canvas.dblclick()
    shown.settle()
    assert shown.span()[0] < 0 and shown.span()[1] > 1_000_000


def test_a_server_and_a_file_have_the_same_overview():
    for name in "pace.rln", "gpu.rln", "threads.rln", "deferred.rln":
        address = served(name)
        if not address:
            return
        ask = "rangeline.sides[0].source.overview({ parts: 100 })"
        parts = [
            each.page.evaluate(ask)
            for each in (Shown(page_of(name)), Shown(None, url=address))
        ]
        for key in "cpu", "gpu":
            one, other = parts[0][key], parts[1][key]
            assert len(one) == len(other) == 100, (name, parts)
            assert all(abs(a - b) <= 1 for a, b in zip(one, other)), (name, parts)


def test_a_range_shows_its_work_on_a_gpu():
    shown = [Shown(page_of("gpu.rln"))]
    address = served("gpu.rln")
    if address:
        shown.append(Shown(None, url=address))
    answers = []
    for each in shown:
        each.page.locator("#table").get_by_role("button", name="step").click()
        work = each.page.locator("#details dt:has-text('On GPU 0') + dd")
        has(work, "2.0 us, 3 operations, 100 % busy, starts 900 ns later")
        each.settle()
        answers.append(
            each.page.evaluate(
                """async () => {
                  const [{ source, about }] = rangeline.sides, found = [];
                  for (const [row, { kind }] of about.rows.entries()) {
                    if (kind === "c" || kind === "m") continue;
                    const [{ start }] = await source.tile(
                      { from: 0, to: about.last, pixels: 1000, rows: [row] });
                    for (const at of start) found.push([row, at, await source.links({ row, start: at })]);
                  }
                  return found;
                }"""
            )
        )
        work.get_by_role("button").click()
        has(each.page.locator("#details dt:has-text('Launched') + dd"), "800 ns earlier")
        each.page.locator("#details dt:has-text('Requested in') + dd button").click()
        has(each.page.locator("#details h2"), "step")
    assert all(each == answers[0] for each in answers), answers


def test_overlapping_work_of_a_stream_is_not_nested():
    data = made_up(0, ["a", "b"], 0, 1000)
    put_rows(data, ({}, {"at": [0], "ns": [1000], "name": [0]}),
             ({"level": 1}, {"at": [100], "ns": [500], "name": [1]}))
    assert Shown(page_with(page_of("nested.rln"), data)).table()["a"][1] == "500 ns"
    data["about"]["groups"] = [{"label": "GPU 0/context 1/stream 7", "pid": 1, "tid": 0}]
    shown = Shown(page_with(page_of("nested.rln"), data))
    assert shown.table()["a"][1] == "1.0 us", shown.table()


def test_what_begins_with_the_last_event_counts():
    data = made_up(0, ["a", "b"], 0, 1000)
    put_rows(data, ({}, {"at": [0, 1000], "ns": [1000, 0], "name": [0, 1]}))
    shown = Shown(page_with(page_of("nested.rln"), data), "#name=b")
    assert shown.table() == {"b": ("0 ns", "0 ns", "1")}, shown.table()


def test_waits_for_a_gpu_are_no_work():
    data = made_up(0, ["k", "[CUDA Stream sync]"], 0, 1000)
    put_rows(data, ({"isOfWaits": True}, {"at": [0], "ns": [1000], "name": [1]}),
             ({"level": 1}, {"at": [100], "ns": [500], "name": [0]}))
    data["about"]["groups"] = [{"label": "GPU 0/context 1/stream 7", "pid": 1, "tid": 0}]
    shown = Shown(page_with(page_of("nested.rln"), data))
    busy = shown.page.evaluate("rangeline.sides[0].source.overview({ parts: 1 })")
    assert busy == {"cpu": [0], "gpu": [500]}, busy
    rows = shown.page.evaluate("rangeline.sides[0].layout.places.filter(({ kind }) => kind === 'row')"
                               ".map(({ row }) => row)")
    assert rows == [1], rows  # waits are folded
    has(shown.page.locator(".group .busy").nth(1), "49 %")  # of the time on screen
    expect(shown.page.locator(".group").last).to_have_attribute("aria-expanded", "false")


def test_other_work_of_a_gpu_is_dimmed():
    shown = Shown(page_of("gpu.rln"))
    weights = """() => rangeline.timelines[0].picture.drawn.filter(({ place }) => place.kind === "row" &&
      rangeline.sides[0].isStream(place.row) && place.about.kind === "p").map(({ labels }) => labels.map(([, , , weight]) => weight))"""
    assert all(w == 1 for row in shown.page.evaluate(weights) for w in row)
    data = made_up(0, ["step", "kernel"], 0, 2000)
    of_stream = {"group": 1, "thread": 1}
    put_rows(data, ({}, {"at": [0], "ns": [2000]}),
             (of_stream, {"at": [500], "ns": [300], "name": [1], "caller": [1], "call": [400],
                          "took": [10]}),
             ({**of_stream, "level": 1}, {"at": [500], "ns": [300], "name": [1]}))
    name = "GPU 0/context 1/stream 7"
    data["about"]["groups"].append({"label": name, "pid": 1, "tid": 0})
    data["about"]["threads"] = [{"name": each, "pid": 1, "tid": 0} for each in ("t0", name)]
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.locator("#table").get_by_role("button", name="step").click()
    has(shown.page.locator("#details"), "On GPU 0")
    shown.settle()
    drawn = shown.page.evaluate(weights)
    assert sorted(w for row in drawn for w in row) == [0.3, 1], drawn


ALL_LINKS = """async () => {
  const [{ source, about }] = rangeline.sides, found = [];
  const rows = about.rows.map((_, row) => row).filter((row) => about.rows[row].kind === "p");
  const span = { from: about.first, to: about.last + 1, pixels: 16384 };
  for (const { row, start } of await source.tile({ ...span, rows })) {
    for (const at of [...start].slice(0, 200)) found.push([row, at, await source.links({ row, start: at })]);
  }
  return found;
}"""


def of_a_training():
    """What was recorded on a GPU; its backward pass launches from a thread of its own."""
    path = pathlib.Path(HERE).parent / "gpu/recordings/transformer.rln.gz"
    pathlib.Path("transformer.rln").write_bytes(gzip.decompress(path.read_bytes()))
    return "transformer.rln"


def test_adopted_work_says_who_launched_it():
    shown = Shown(page_of(of_a_training()))
    shown.page.locator("#table").get_by_role("button", name="backward", exact=True).click()
    work = shown.page.locator("#details")
    has(work, "On GPU 0")
    assert re.search(r"\d+ operations.*\n.*\d+ of them launched by .+ meanwhile", work.inner_text()), work.inner_text()
    shown.settle()
    weights = shown.page.evaluate(
        "rangeline.timelines[0].picture.shown.links.gpus.map(({ n, adopted }) => [n, adopted])")
    assert weights[0][0] >= weights[0][1] > 100, weights
    work.get_by_role("button", name=re.compile("operations")).click()
    shown.page.locator("#details dt", has_text="Launched").wait_for()
    thread = shown.page.evaluate(
        """async () => {
          const { side, row, start } = rangeline.selected, { call } = await side.source.links({ row, start });
          return [side.threadLabel(call.thread), side.titles[call.around.name]];
        }""")
    has(work, f"earlier, by {thread[0]}")
    has(work, thread[1])


def test_a_server_and_a_file_relate_work_of_gpus_alike():
    for trace in "gpu.rln", of_a_training():
        address = served(trace)
        if not address:
            return
        in_file, of_server = ({(row, start): links for row, start, links in shown.page.evaluate(ALL_LINKS)}
                              for shown in (Shown(page_of(trace)), Shown(None, url=address)))
        both = in_file.keys() & of_server.keys()  # where no others are merged with it
        adopted = [gpu["adopted"] for key in both for gpu in in_file[key].get("gpus", [])]
        differing = [(key, in_file[key], of_server[key]) for key in both if in_file[key] != of_server[key]]
        assert not differing and len(both) > 3, (len(differing), len(both), differing[:1])
        assert any(adopted) == (trace != "gpu.rln"), adopted


# --- What to look at ------------------------------------------------------------------


def highlights_of(shown):
    return shown.page.locator("#highlights li").all_inner_texts()


KINDS_OF_ROWS = "rangeline.sides[0].layout.places.flatMap(({ about }) => (about ? [about.kind] : [])).join('')"

PICK = """async ([kind, name]) => {
  const [side] = rangeline.sides, { about, source } = side;
  const rows = about.rows.flatMap((row, number) => (row.kind === kind ? [number] : []));
  for (const tile of await source.tile({ from: about.first, to: about.last + 1, pixels: 16384, rows })) {
    const i = tile.name.findIndex((number, k) => side.titles[number] === name && !(tile.n?.[k] > 1));
    if (i < 0) continue;
    await rangeline.pick({ side, row: tile.row, start: tile.start[i], end: tile.end[i], name: tile.name[i], n: 1 });
    return tile.row;
  }
  return null;
}"""


def picked(shown, kind, name):
    assert shown.page.evaluate(PICK, [kind, name]) is not None, (kind, name)
    shown.settle()


def test_calls_and_work_lead_to_each_other():
    shown = Shown(page_of("gpu.rln"))
    # A thread has its calls below its ranges, a stream the ranges above its work.
    assert shown.page.evaluate(KINDS_OF_ROWS) == "pamrprp", shown.page.evaluate(KINDS_OF_ROWS)
    details = shown.page.locator("#details")
    picked(shown, "a", "cudaLaunchKernel")
    has(details, "On GPU 0")
    has(details.locator(".relatives", has_text="Parents"), "step")
    shown.press("g")
    has(details.locator("h2"), "k")
    has(details, "Stream")
    assert "/1073741" not in details.inner_text(), details.inner_text()
    details.get_by_role("button", name="cudaLaunchKernel").click()
    has(details.locator("h2"), "cudaLaunchKernel")
    shown.press("g", "g")
    has(details.locator("h2"), "cudaLaunchKernel")
    # What is projected stands for the range; a second click zooms to that.
    picked(shown, "r", "step")
    has(details.locator("h2"), "step")
    framed = """() => { const { bars, drawn } = rangeline.timelines[0].picture;
      return drawn.flatMap(({ place, pieces }) => (place.about ? bars.projectedIn(place, pieces) : [])).length; }"""
    assert shown.page.evaluate(framed) == 2  # on both streams
    assert shown.page.evaluate("rangeline.sides[0].about.rows[rangeline.selected.row].kind") == "p"
    shown.press("g")
    has(details.locator("h2"), "k")


def test_terms_line_up_and_long_names_end_with_a_whole_line():
    shown = Shown(page_of("gpu.rln"))
    picked(shown, "a", "cudaLaunchKernel")
    shown.press("g")
    terms = shown.page.locator("#details dl").first
    has(terms, "Start")
    has(terms, "Launched")
    data = made_up(0, ["kernel<" + "float, " * 200 + ">"], 0, 100)
    put_rows(data, ({}, {"at": [10], "ns": [50], "name": [0]}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.locator("#table button").click()
    heading = shown.page.locator("#details h2")
    has(heading, "kernel<")
    lines = heading.evaluate("(each) => each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)")
    assert abs(lines - round(lines)) < 0.06 and lines > 2, lines


def test_kernels_say_how_they_were_launched():
    shown = Shown(page_of(of_a_training()), "#t=7758000000,7759000000")
    row, start, end, name = shown.page.evaluate("""async () => {
      const [{ about, source }] = rangeline.sides;
      const rows = about.rows.flatMap((row, number) => (row.kind === "p" && rangeline.sides[0].isStream(number) ? [number] : []));
      const tiles = await source.tile({ from: 7758000000, to: 7759000000, pixels: 1000, rows });
      const { row, start, end, name } = tiles.find((tile) => tile.start.length > 3);
      return [row, start[2], end[2], name[2]]; }""")
    y = shown.page.evaluate("(row) => { const p = rangeline.timelines[0].picture, at = p.placeOf(row);"
                            " return p.areas[at.area].screenY(at) + at.height / 2; }", row)
    shown.page.mouse.move(*point_of(shown, (start + end) / 2, y))
    has(shown.page.locator(".stage .tip"), "Grid: ")
    has(shown.page.locator(".stage .tip"), "Registers: ")
    shown.page.mouse.click(*point_of(shown, (start + end) / 2, y))
    has(shown.page.locator("#details"), "per thread")
    has(shown.page.locator("#details"), "Block")


def test_the_first_view_is_what_is_annotated():
    shown = Shown(page_of(of_a_training()))
    first, last, (from_, to) = shown.page.evaluate(
        "(({ first, last, annotated }) => [first, last, annotated])(rangeline.sides[0].about)")
    assert first + 0.5 * (last - first) < from_ < to <= last, (first, last, from_, to)
    start, end = shown.span()
    assert first < start < from_ and end > to and end - start < 1.1 * (to - from_), shown.span()
    shown.press("0")
    start, end = shown.span()
    assert start < first and end > last
    # Of an address, what it says; of a trace that is annotated throughout, all.
    assert Shown(page_of("transformer.rln"), "#t=4000000000,5000000000").span() == [4000000000, 5000000000]
    assert Shown(page_of("nested.rln")).page.evaluate("rangeline.view.isWhole")


def test_gaps_of_gpus_are_hatched():
    shown = Shown(page_of(of_a_training()))
    start, end, y = shown.page.evaluate("""() => {
      const { highlights: { gaps }, timelines: [{ picture }] } = rangeline;
      const gap = gaps.find(({ end, start }) => Math.abs(end - start - 27.1e6) < 1e5), at = picture.headerOf(gap.row);
      return [gap.start, gap.end, picture.areas[at.area].screenY(at) + at.height / 2]; }""")
    at = point_of(shown, (start + end) / 2, y)
    shown.page.mouse.move(*at)
    has(shown.page.locator(".stage .tip"), "GPU 0 idle for 27.1 ms")
    has(shown.page.locator(".stage .tip"), "in optimizer")
    shown.page.mouse.click(*at)
    has(shown.page.locator("#scope"), "Totals in the selected 27.1 ms")


def test_highlights_are_the_slow_steps_and_the_gaps_of_gpus():
    shown = Shown(page_of(of_a_training()))
    box = shown.page.locator("#highlights")
    has(box, "Slowest of 8 step #: median 24.9 ms")
    has(box, "GPU 0 idle for 4.39 s of 4.58 s (96 %)")
    lines = [" ".join(line.split()) for line in highlights_of(shown)]
    assert lines[:2] == ["step 0 +341.9 ms: forward +208.7 ms", "step 6 +21.0 ms: load +20.4 ms"], lines
    assert lines[2].endswith("mostly in no range") and lines[3].endswith("in forward"), lines
    box.get_by_role("button", name="27.1 ms at").click()
    shown.settle()
    has(shown.page.locator("#scope"), "Totals in the selected 27.1 ms")
    assert list(shown.table()) == ["optimizer", "step 0", "cudaLaunchKernel_v7000"], shown.table()
    said = shown.page.locator("#said").inner_text()
    assert re.fullmatch(r"GPU 0 idle for 27.1 ms at .+ s: .+ in optimizer", said), said
    box.get_by_role("button", name="step 6").click()
    shown.settle()
    expect(box).to_be_hidden()  # while something is selected
    from_, to = shown.span()
    assert shown.page.evaluate("rangeline.selected.start") > from_ and to - from_ < 60e6
    shown.press("Escape")
    expect(box).to_be_visible()
    # What the command leaves out is no gap, and is missing nowhere.
    filtered = Shown(page_of("transformer.rln", "--min-duration", "1ms"))
    assert filtered.page.evaluate("rangeline.highlights.asked.then(({ step, gpus }) => step || gpus.length)") == 0
    expect(filtered.page.locator("#highlights")).to_be_hidden()


FITS = "(each) => [...each.querySelectorAll('.tail')].every(({ offsetLeft: at, offsetWidth: wide }) => " \
    "at >= each.offsetLeft && at + wide <= each.offsetLeft + each.offsetWidth + 1)"


def test_numbers_of_highlights_are_shown_however_long_the_names():
    data = made_up(1, ["request", "wait for the database " * 4], 0, 10_000)
    put_rows(data, ({}, {"at": [0] + [1000] * 7, "ns": [100] * 7 + [900], "name": [0] * 8}),
             ({"level": 1}, {"at": [10] + [1000] * 7, "ns": [50] * 7 + [840], "name": [1] * 8}))
    shown = Shown(page_with(page_of("nested.rln"), data), viewport={"width": 1440, "height": 800})
    note = shown.page.locator("#highlights li > span")
    assert re.match(r"\+800 ns: \s*wait for.*\+790 ns$", note.text_content()), note.text_content()
    assert note.evaluate(FITS) and note.locator(".tail").count() == 3
    assert note.locator(".head").evaluate("(each) => each.clientWidth") > 60


def test_highlights_say_of_which_rank_and_thread_they_are():
    data = made_up(1, ["step"], 0, 10_000)
    steps = {"at": [0] + [1000] * 7, "ns": [100] * 8, "name": [0] * 8}
    put_rows(data, *(({"group": k, "thread": k}, {**steps, "ns": [100] * 7 + [200 + k]}) for k in range(3)))
    about = data["about"]
    about["processes"] = [{"pid": 7, "label": "rank 3"}, {"pid": 8, "label": "rank 11"}]
    about["threads"] = about["groups"] = [{"name": f"t{k}", "label": f"t{k}", "pid": 7 + k // 2, "tid": 70 + k} for k in range(3)]
    shown = Shown(page_with(page_of("nested.rln"), data))
    buttons = shown.page.locator("#highlights button")
    expect(buttons).to_have_text(["at 7.000 us, rank 11", "at 7.000 us, rank 3", "at 7.000 us, rank 3"])
    expect(buttons.nth(1)).to_have_attribute("aria-label", re.compile("^at 7.000 us, rank 3, t1 7/71$"))
    assert buttons.nth(1).get_attribute("title").startswith("rank 3, t1 7/71\n")
    buttons.first.click()
    has(shown.page.locator("#details dl").first, "Processrank 11")
    lines = shown.page.locator(".occurrences tr")
    assert lines.nth(0).locator("th").all_inner_texts()[:3] == ["Duration", "Start", "Process"]
    assert [line.split()[-1] for line in lines.all_inner_texts()[1:4]] == ["11", "3", "3"], lines.all_inner_texts()


def test_keys_continue_where_a_highlight_leads():
    shown = Shown(page_of(of_a_training()))
    for name, said in ("step 0", "step 0, "), ("step 6", "step 6, 45.9 ms, 21.0 ms more than the median of 8 step #"):
        shown.page.locator("#highlights").get_by_role("button", name=name).focus()
        shown.page.keyboard.press("Enter")
        has(shown.page.locator("#said"), said)
        shown.settle()
        expect(shown.page.locator("#details")).to_be_focused()
        shown.page.keyboard.press("Tab")
        expect(shown.page.get_by_role("button", name="Previous occurrence")).to_be_focused()
        shown.page.keyboard.press("Escape")
        expect(shown.page.locator("#highlights")).to_be_visible()


def test_what_is_said_is_as_short_as_what_is_shown():
    shown = Shown(page_of("gpu.rln"))
    picked(shown, "a", "cudaLaunchKernel")
    assert shown.page.locator("#said").inner_text().startswith("cudaLaunchKernel, ")
    data = made_up(0, ["x" * 800], 0, 100)
    put_rows(data, ({}, {"at": [10], "ns": [50], "name": [0]}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.locator("#table button").click()
    has(shown.page.locator("#said"), "xxx, 50 ns")
    assert len(shown.page.locator("#said").inner_text()) < 120


def test_highlights_are_only_of_what_repeats():
    expect(Shown(page_of("nested.rln")).page.locator("#highlights")).to_be_hidden()
    data = made_up(1, ["a"], 0, 1000)
    row = {"at": [0] + [100] * 7, "ns": [90] * 8, "name": [0] * 8}
    put_rows(data, ({}, row))
    shown = Shown(page_with(page_of("nested.rln"), data))
    has(shown.page.locator("#highlights"), "Slowest of 8 a: median 90 ns")
    has(shown.page.locator("#highlights"), "None is more than 10 % longer")
    shown.page.evaluate("[rangeline.wanted.name = 'a', rangeline.rearrange()]")
    expect(shown.page.locator("#highlights")).to_be_hidden()  # they are of the whole trace


def test_highlights_of_an_overview_have_the_same_median():
    whole, few = (Shown(page_of(*words, "pace.rln")).page.locator("#highlights h3").all_inner_texts()
                  for words in ([], ["--most-ranges", "40"]))
    assert whole == few and whole[0].startswith("Slowest of 120 step: median "), (whole, few)


def test_a_step_that_never_ends_is_the_slowest():
    data = made_up(1, ["a"], 0, 1000)
    row = {"at": [0] + [100] * 7, "ns": [90] * 7 + [-301], "name": [0] * 8}
    put_rows(data, ({}, row))
    shown = Shown(page_with(page_of("nested.rln"), data))
    has(shown.page.locator("#highlights li"), "open, at least +210 ns")


def test_keys_go_through_what_an_occurrence_is_beside():
    shown = Shown(page_of(of_a_training()))
    details = shown.page.locator("#details")
    shown.page.locator("#highlights").get_by_role("button", name="step 6").click()
    has(details.locator("h2"), "step 6")
    has(details, "Occurrences: 8")
    has(details.locator("dl").first, "Occurrences8 of step #")
    shown.press("n")
    has(details.locator("h2"), "step 7")
    shown.press("p", "p")
    has(details.locator("h2"), "step 5")
    shown.press("o", "Home")
    has(details.locator("h2"), "step 0")
    # Its address, too.
    shown = Shown(page_of("transformer.rln"), shown.page.evaluate("location.hash"))
    has(shown.page.locator("#details .inside h3"), "Beside the median of 8 step #")
    has(shown.page.locator("#details"), "Occurrences: 8")
    shown.press("n")
    has(shown.page.locator("#details h2"), "step 1")


def test_an_occurrence_is_beside_the_median():
    shown = Shown(page_of(of_a_training()))
    shown.page.locator("#highlights").get_by_role("button", name="step 6").click()
    has(shown.page.locator("#details .inside h3"), "Beside the median of 8 step #")
    rows = shown.page.locator("#details .inside tr").all_inner_texts()
    rows = [" ".join(row.split()) for row in rows]
    assert rows[:3] == ["Part This Median Difference", "In all 45.9 ms 24.9 ms +21.0 ms",
                        "load 20.9 ms 505.7 us +20.4 ms"], rows
    assert rows[-1].startswith("On GPU 0 23.2 ms 23.2 ms"), rows
    shown.page.locator("#details .inside").get_by_role("button", name="load").click()
    expect(shown.page.locator("#details .inside h3")).to_have_text("Beside the median of 8 load")
    assert shown.page.evaluate("rangeline.selected.end - rangeline.selected.start") > 20e6


def test_what_the_time_of_an_occurrence_was_made_of_is_beside_the_median():
    shown = Shown(page_of("waiting_steps.rln"))
    shown.page.locator("#highlights button").first.click()
    has(shown.page.locator("#details .inside h3"), "Beside the median of 12 step")
    rows = shown.page.locator("#details .inside tr").all_inner_texts()
    assert [" ".join(row.split()) for row in rows] == [
        "Part This Median Difference", "In all 180.0 ms 100.0 ms +80.0 ms", "on a processor 80.0 ms 80.0 ms same",
        "preempted 20.0 ms 20.0 ms same", "blocked 80.0 ms 0 ns +80.0 ms"], rows


def test_an_outermost_call_is_beside_the_outermost_ones():
    data = made_up(1, ["level", "work"], 0, 10_000)
    put_rows(data, ({}, {"at": [0] + [1000] * 5, "ns": [700] * 5 + [900], "name": [0] * 6}),
             ({"level": 1}, {"at": [10] + [1000] * 5, "ns": [600] * 5 + [800], "name": [0] * 6}),
             ({"level": 2}, {"at": [20, 100] + [900, 100] * 5, "ns": [50, 60] * 6, "name": [0, 1] * 6}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    has(shown.page.locator("#highlights h3").first, "Slowest of 6 outermost level: median 700 ns")
    button = shown.page.locator("#highlights button").first
    has(button.locator("xpath=.."), "+200 ns")
    button.click()
    table = shown.page.locator("#details .inside")
    has(table.locator("h3"), "Beside the median of 6 outermost level")
    has(table.locator("tbody tr").first, "900 ns700 ns+200 ns")
    table.get_by_role("button", name="level").click()
    has(table.locator("h3"), "Beside the median of 18 level")


# --- Moving about ---------------------------------------------------------------------


def test_the_wheel_zooms_about_the_pointer_and_back_undoes_it():
    shown = Shown(page_of("threads.rln"))
    whole = shown.span()
    x, y = shown.center()
    shown.page.mouse.move(x, y)
    shown.page.mouse.wheel(0, -300)
    shown.page.wait_for_function(
        f"() => ({SPAN_OF})()[0] > {whole[0]}", timeout=WAIT_MS
    )
    near = shown.span()
    assert near[0] > whole[0] and near[1] < whole[1]
    middle, before = sum(near) / 2, sum(whole) / 2
    assert abs(middle - before) < (whole[1] - whole[0]) / 50
    shown.page.go_back()
    shown.settle()
    assert shown.span() == whole


def test_the_wheel_scrolls_if_people_prefer_that():
    shown = Shown(page_with(page_of("nested.rln"), made_up(60, ["work"], 0, 1000)), locale="en")
    page, whole = shown.page, shown.span()
    page.click("#filter-button")
    page.check("#scrolling")
    page.reload()
    shown.settle()
    page.mouse.move(*shown.center())
    page.mouse.wheel(0, 300)
    shown.wait_for_address("top=300")
    assert shown.span() == whole, shown.span()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_function(f"() => ({SPAN_OF})()[0] > {whole[0]}", timeout=WAIT_MS)
    assert "top=300" in page.url, page.url
    page.click("#filter-button")
    expect(page.locator("#scrolling")).to_be_checked()


def test_dragging_moves_in_time():
    shown = Shown(page_of("threads.rln"), "#t=200,600")
    x, y = shown.center()
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x - 100, y, steps=4)
    shown.page.mouse.up()
    shown.settle()
    start, end = shown.span()
    assert 200 < start < 400 and abs(end - start - 400) <= 2, (start, end)


def test_two_fingers_zoom():
    shown = Shown(page_of("threads.rln"), "#t=200,600", has_touch=True)
    x, y = shown.center()
    touch = shown.page.context.new_cdp_session(shown.page)
    for kind, gap in (("touchStart", 50), ("touchMove", 80), ("touchMove", 100)):
        touch.send(
            "Input.dispatchTouchEvent",
            {
                "type": kind,
                "touchPoints": [
                    {"x": x - gap, "y": y, "id": 0},
                    {"x": x + gap, "y": y, "id": 1},
                ],
            },
        )
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shown.page.wait_for_function(f"() => ({SPAN_OF})()[0] > 250", timeout=WAIT_MS)
    start, end = shown.span()
    assert abs(end - start - 200) < 20, (start, end)


def test_keys_move_and_zoom():
    whole = Shown(page_of("threads.rln")).span()
    shown = Shown(page_of("threads.rln"), "#t=200,600")
    shown.press("w")
    shown.page.wait_for_function(f"() => ({SPAN_OF})()[0] > 200", timeout=WAIT_MS)
    start, end = shown.span()
    assert abs(end - start - 280) <= 2
    shown.press("d")
    shown.page.wait_for_function(f"() => ({SPAN_OF})()[0] > {start}", timeout=WAIT_MS)
    shown.press("0")
    shown.page.wait_for_function(
        f"() => ({SPAN_OF})()[0] === {whole[0]}", timeout=WAIT_MS
    )


def test_the_question_mark_lists_the_keys():
    shown = Shown(page_of("nested.rln"))
    shown.page.keyboard.press("?")
    expect(shown.page.locator("dialog")).to_be_visible()
    has(shown.page.locator("dialog"), "Show findings, and the reports of rangeline stats")
    shown.page.keyboard.press("Escape")
    expect(shown.page.locator("dialog")).to_be_hidden()


# --- Finding and selecting ------------------------------------------------------------


def test_search_counts_and_goes_from_hit_to_hit():
    shown = Shown(page_of("threads.rln"))
    shown.page.fill("#search", "LOA")
    has(shown.page.locator("#hits"), "51 matches")
    shown.page.press("#search", "Enter")
    has(shown.page.locator("#details h2"), "load")
    first = shown.page.locator("#details dd").first.inner_text()
    shown.page.press("#search", "Enter")
    expect(shown.page.locator("#details dd").first).not_to_have_text(
        first, timeout=WAIT_MS
    )
    shown.wait_for_address("find=LOA")
    again = Shown(page_of("threads.rln"), shown.page.evaluate("location.hash"))
    has(again.page.locator("#hits"), "51 matches")
    assert again.page.locator("#search").input_value() == "LOA"
    shown.page.press("#search", "Escape")
    expect(shown.page.locator("#hits")).to_have_text("")


def test_a_search_says_which_match_it_has_gone_to():
    data = made_up(1, ["load", "store"], 0, 1000)
    put_rows(data, ({}, {"at": [0] + [100] * 5, "ns": [50] * 6, "name": [0, 1] * 3}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    hits = shown.page.locator("#hits")
    shown.page.fill("#search", "load")
    has(hits, "3 matches")
    for key, text in (
        ("Enter", "1 of 3"), ("Enter", "2 of 3"), ("Enter", "3 of 3"), ("Enter", "1 of 3"),
        ("Shift+Enter", "3 of 3"), ("Shift+Enter", "2 of 3"),
    ):
        shown.page.press("#search", key)
        expect(hits).to_have_text(text, timeout=WAIT_MS)
    shown.page.get_by_role("button", name="store", exact=True).click()
    has(shown.page.locator("#details h2"), "store")
    shown.page.press("#search", "Enter")  # from a range that no search has gone to
    expect(hits).to_have_text("3 matches", timeout=WAIT_MS)


def test_a_click_on_a_name_selects_its_longest_range():
    data = made_up(1, ["step"], 0, 1000)
    put_rows(data, ({}, {"at": [0, 100, 300, 300], "ns": [50, 80, 250, 150], "name": [0] * 4}))
    shown = Shown(page_with(page_of("nested.rln"), data))
    step = shown.page.get_by_role("button", name="step", exact=True).first
    for address, length in ("", "250 ns"), ("#t=660,1000", "150 ns"), ("#span=0,200", "80 ns"):
        shown.page.evaluate("async (address) => { await rangeline.go(address); }", address)
        shown.settle()
        step.click()
        has(shown.page.locator("#details dt:has-text('Duration') + dd"), length)


def test_a_folded_row_is_called_by_its_kind():
    data = made_up(3, ["request 13", "request 14", "other"], 0, 1000)
    shown = Shown(page_with(page_of("nested.rln"), data), "#folded=1")
    shown.page.get_by_role("button", name="request #", exact=True).click()
    has(shown.page.locator("#details h2"), "request 1")
    assert set(shown.table()) == {"request #", "other"}, shown.table()


def test_sizes_have_units():
    data = made_up(0, ["n"], 0, 1_000_000)
    counter = {"kind": "c", "name": 0, "label": "n", "interpolation": "until"}
    samples = {"at": [0, 500_000], "value": [94822300000, 1000]}
    put_rows(data, ({**counter, "unit": "bytes"}, samples), ({**counter, "unit": "requests"}, samples))
    shown = Shown(page_with(page_of("nested.rln"), data), "#table=1")
    texts = shown.page.locator("#listing tbody td:nth-child(4)").all_inner_texts()
    assert texts == ["88.3 GiB", "94822300000 requests", "1000 bytes", "1000 requests"], texts


def test_the_toolbar_wraps_where_text_is_large():
    shown = Shown(page_of("nested.rln"), viewport={"width": 320, "height": 200})  # 400 % of 1280 x 800
    for button in shown.page.locator("header button:visible").all():
        box = button.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 320, (button.inner_text(), box)
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert shown.page.locator("canvas.timeline").bounding_box()["height"] > 80
    assert shown.page.locator("aside").bounding_box()["height"] > 60


def test_a_hit_stands_out_where_it_is_not_the_longest_of_a_pixel():
    data = made_up(1, ["common", "rare"], 0, 1_000_000)
    n = 1000  # about one range a pixel, and the hit is the shortest
    data["rows"][0].update(
        at=[0] + [1000] * (n - 1),
        ns=[10 if i == 500 else 900 for i in range(n)],
        name=[int(i == 500) for i in range(n)],
    )
    shown = Shown(page_with(page_of("nested.rln"), data))
    x, y = point_of(shown, 500_005, 26 + 4 + 10)
    box = shown.page.locator("canvas.timeline").bounding_box()
    shown.page.fill("#search", "rar")
    has(shown.page.locator("#hits"), "1 match")
    shown.settle()
    seen = """([x, y]) => [-20, 0].map((by) => [...document.querySelector("canvas.timeline")
        .getContext("2d").getImageData(x + by, y, 1, 1).data].slice(0, 3))"""
    other, hit = shown.page.evaluate(seen, [int(x - box["x"]), y - box["y"]])
    color = shown.page.evaluate("rangeline.sides[0].rgb[1]")
    own = [color >> shift & 255 for shift in (16, 8, 0)]
    away = sum(abs(a - b) for a, b in zip(hit, own))
    assert away < 0.35 * sum(255 - each for each in own), (hit, own)
    assert sum(other) > sum(hit) + 100, (other, hit)


def test_details_of_a_range_lead_to_others():
    shown = Shown(page_of("nested.rln"))
    shown.page.get_by_role("button", name="step", exact=True).click()
    details = shown.page.locator("#details")
    has(details.locator("h2"), "step")
    has(details, "Children")
    details.locator(".relatives button", has_text="load").first.click()
    has(details.locator("h2"), "load")
    has(details, "40.0 us")
    has(details, "Parents")
    shown.settle()
    again = Shown(page_of("nested.rln"), shown.page.evaluate("location.hash"))
    has(again.page.locator("#details h2"), "load")
    again.press("Escape")
    expect(again.page.locator("#details")).to_be_hidden()


def test_a_function_has_its_file_and_line():
    subprocess.run(
        [RANGELINE, "profile", "-f", "-o", "located.rln", "--", os.path.join(BIN, "located")],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    shown = Shown(page_of("located.rln"))
    shown.page.locator("#table button", has_text="pkg.one").click()
    source = shown.page.locator("#details dt:has-text('Source') + dd")
    has(source, "/src/a:b.py:12")
    shown.page.locator("#table button", has_text="pkg.none").click()
    expect(source).to_have_count(0)


def test_payload_and_category_are_shown():
    shown = Shown(page_of("payloads.rln"))
    name = shown.page.locator("#table button").first
    name.click()
    details = shown.page.locator("#details")
    has(details, "category")
    has(details, "weight")


def test_payloads_are_shown_to_the_last_digit():
    numbers = [1234567, "18446744073709551615", 16777215, 0.1, "nan", 0]
    data = made_up(len(numbers), [f"n{i}" for i in range(len(numbers))], 0, 1000)
    for row, value in zip(data["rows"], numbers):
        row["value"] = [value]
        row["payloads"] = {"0": [{"schema": "u64", "value": {"field": value}}]}
    shown = Shown(page_with(page_of("nested.rln"), data))
    for i, value in enumerate(numbers):
        shown.page.get_by_role("button", name=f"n{i}", exact=True).click()
        has(shown.page.locator("#details h2"), f"n{i}")
        said = shown.page.locator("#details dt:has-text('Payload') + dd")
        expect(said).to_have_text(str(value))
        expect(shown.page.locator("#details .fields dd")).to_have_text(str(value))


def test_the_next_of_a_name_and_its_distribution():
    shown = Shown(page_of("threads.rln"))
    shown.page.get_by_role("button", name="step", exact=True).click()
    expect(shown.page.locator(".histogram")).to_be_visible()
    details = shown.page.locator("#details")
    before = details.inner_text()
    shown.press("n")  # perhaps in another thread, at the same time
    expect(details).not_to_have_text(before, timeout=WAIT_MS, use_inner_text=True)
    shown.press("p")
    expect(details).to_have_text(before, timeout=WAIT_MS, use_inner_text=True)


def test_a_picture_shows_what_an_address_does():
    def draw(*words):
        path = pathlib.Path(f"picture{next(numbers)}.png")
        subprocess.run(
            [RANGELINE, "view", "--picture", path, *words, "nested.rln"],
            check=True,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        )
        return path.read_bytes()

    folder = pathlib.Path("programs")
    folder.mkdir()
    (folder / "chromium").symlink_to(pathlib.Path(sys.argv[2]).resolve())
    whole, part = draw(), draw("--address", "#t=1000,20000", "--size", "640x300")
    sizes = [
        [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
        for png in (whole, part)
    ]
    assert sizes == [[1200, 600], [640, 300]], sizes
    again, moved = draw(), draw("--address", "#t=1000,20000")
    assert len(whole) > 5000 and whole == again, (len(whole), len(again))
    assert moved != whole


def test_a_picture_has_no_toolbar():
    size = {"width": 1200, "height": 600}
    folder = pathlib.Path("browsers")
    folder.mkdir()
    (folder / "chromium").symlink_to(pathlib.Path(sys.argv[2]).resolve())
    subprocess.run(
        [RANGELINE, "view", "--picture", "bare.png", "nested.rln"],
        check=True,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
    )
    picture = pathlib.Path("bare.png").read_bytes()
    shown = Shown(page_of("nested.rln"), viewport=size)
    with_tools = share_that_differs(shown.page, picture, shown.page.screenshot())
    shown.page.locator("header .tools").evaluate_all("(all) => all.forEach((each) => each.remove())")
    shown.page.locator(".copy").evaluate("(each) => each.remove()")
    shown.settle()
    shown.page.wait_for_function("rangeline.timelines[0].picture.height > 500")
    shown.settle()
    without = share_that_differs(shown.page, picture, shown.page.screenshot())
    assert without <= MOST_SHARE < with_tools, (without, with_tools)


def test_paper_is_white_and_has_names_beside_their_rows():
    shown = Shown(page_of("threads.rln"), "#flame=1", color_scheme="dark")
    papers = """[...document.querySelectorAll("canvas.timeline, #flame canvas")].map((canvas) =>
      [...canvas.getContext("2d").getImageData(canvas.width - 3, canvas.height - 3, 1, 1).data].slice(0, 3))"""
    dark = [[20, 23, 28]] * 2
    assert shown.page.evaluate(papers) == dark
    shown.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert shown.page.evaluate(papers) == [[255, 255, 255]] * 2
    expect(shown.page.locator(".tools:visible, .copy:visible")).to_have_count(0)
    # What is drawn is as large as its canvas, so that names are beside their rows.
    for canvas in shown.page.locator("canvas.timeline, #flame canvas").all():
        drawn, now = canvas.evaluate("(each) => [[each.width, each.height], [each.clientWidth, each.clientHeight]]")
        assert drawn == now, (drawn, now)
    assert "size: 1280px 800px" in shown.page.evaluate("document.styleSheets[0].cssRules[0].cssText")
    shown.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown.page.evaluate(papers) == dark
    expect(shown.page.locator("#search")).to_be_visible()
    long = Shown(page_of(of_a_training())).page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b(?!s)", long)) == 1


def in_a_frame(source):
    """A page with a frame as notebooks have them, without an origin; what it says; the
    frame's document."""
    notebook = pathlib.Path(f"page{next(numbers)}.html").resolve()
    notebook.write_text(
        '<textarea></textarea><iframe sandbox="allow-scripts" '
        f'style="width: 1000px; height: 600px" {source}></iframe>'
    )
    used = PageInUse({})
    opened.append(used)
    said = []
    used.listen("console", lambda message: said.append(message.text))
    used.page.goto(notebook.as_uri())
    inside = used.page.frame_locator("iframe")
    inside.locator("#pictures[aria-busy=false]").wait_for(timeout=WAIT_MS)
    return used.page, said, inside


def test_it_works_in_the_frame_of_a_notebook():
    text = page_of("nested.rln")
    for source in (
        f'srcdoc="{html.escape(text)}"',
        f'src="data:text/html;base64,{base64.b64encode(text.encode()).decode()}"',
    ):
        page, said, inside = in_a_frame(source)
        has(inside.locator("#facts"), "events in")
        inside.get_by_role("button", name="step", exact=True).click()
        has(inside.locator("#details"), "Duration")
        inside.locator("canvas.timeline").press("t")
        expect(inside.locator("#listing")).to_be_visible(timeout=WAIT_MS)
        page.evaluate("history.back()")
        expect(inside.locator("#listing")).to_be_hidden(timeout=WAIT_MS)
        inside.locator("#panel-edge").press("ArrowLeft")
        inside.locator("#filter-button").click()
        inside.locator("#compact").check()
        inside.locator(".copy").press("C")
        has(inside.locator(".copy"), "Copied")
        page.locator("textarea").press("Control+V")
        assert page.locator("textarea").input_value().startswith("Name,Domain,"), source[:6]
        inside.locator("canvas.timeline").press("?")
        inside.get_by_role("button", name="Close").click()
        expect(inside.locator("#keys")).to_be_hidden(timeout=WAIT_MS)
        assert not said, said


def test_tasks_are_below_the_ones_they_were_begun_in():
    shown = Shown(page_of("tasks.rln"))
    rows = """rangeline.sides[0].layout.places.filter(({ about }) => about && about.kind === "s")
        .map(({ row }) => row)"""
    assert shown.page.evaluate(rows) == [0, 1, 3, 2, 4, 5]
    relatives = """async ([row, start]) => {
        const of = await rangeline.sides[0].source.details({ row, start });
        return [of.parents, of.children].map((list) => list.map((each) => each.row)); }"""
    assert shown.page.evaluate(relatives, [4, 50]) == [[2, 0], []]
    assert shown.page.evaluate(relatives, [0, 0]) == [[], [1, 1, 2]]
    assert shown.page.evaluate(relatives, [0, 110]) == [[], []]
    # What the payload says is what the list of parents says.
    shown.page.evaluate("rangeline.select({ side: rangeline.sides[0], row: 1, start: 10, end: 70, name: 1 })")
    has(shown.page.locator("#details"), "Parents")
    assert "Payload" not in shown.page.locator("#details").inner_text()


def test_all_that_begin_at_one_time_are_reached():
    data = made_up(1, ["x"], 0, 1000)
    # Five start/end ranges, each in a lane of its own, and five marks in one row; then one of each.
    lanes = [{"at": [100, 800], "ns": [50, 10], "name": [0, 0]}]
    lanes += [{"at": [100], "ns": [50], "name": [0]}] * 4
    marks = {"at": [100, 0, 0, 0, 0, 800], "name": [0] * 6}
    put_rows(
        data,
        *(({"kind": "s", "level": i}, lane) for i, lane in enumerate(lanes)),
        ({"kind": "m"}, marks),
    )
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.fill("#search", "x")
    has(shown.page.locator("#hits"), "12 matches")
    where = """() => { const { row, start, tie } = rangeline.selected || {};
        return [row, start, tie].join(); }"""

    def walk(n, press):
        seen = []
        for _ in range(n):
            before = shown.page.evaluate(where)
            press()
            shown.page.wait_for_function(
                f"(before) => ({where})() !== before", arg=before, timeout=WAIT_MS
            )
            seen.append(shown.page.evaluate(where))
        return seen

    hits = walk(12, lambda: shown.page.press("#search", "Enter"))
    assert hits == [
        *[f"{lane},100," for lane in range(5)],
        *[f"5,100,{tie}" for tie in (0, 1, 2, 3, "")],
        "0,900,",
        "5,900,",
    ], hits
    assert walk(12, lambda: shown.page.press("#search", "Enter")) == hits  # round and round
    shown.page.evaluate("document.activeElement.blur()")
    back = walk(11, lambda: shown.page.keyboard.press("p"))
    assert back == hits[-2::-1], (back, hits)
    shown.page.evaluate("rangeline.go('#sel=0,5,100,2')")
    shown.page.wait_for_function(f"() => ({where})() === '5,100,2'", timeout=WAIT_MS)
    shown.press("w")
    shown.wait_for_address("sel=0,5,100,2")


def test_a_search_goes_to_the_nearest_hit_of_any_number_of_names():
    data = made_up(1, [f"job {i}" for i in range(1000)], 0, 1000)
    count = len(data["about"]["names"])
    data["rows"][0].update(
        {"at": [0] + [1000] * (count - 1), "ns": [10] * count, "name": [*range(count)]}
    )
    data["about"]["last"] = count * 1000
    shown = Shown(page_with(page_of("nested.rln"), data), "#t=700500,702500&find=job")
    has(shown.page.locator("#hits"), "1,000 matches")
    shown.page.press("#search", "Enter")
    has(shown.page.locator("#details h2"), "job 701")
    shown.page.press("#search", "Shift+Enter")
    has(shown.page.locator("#details h2"), "job 700")


def test_the_median_of_an_even_number_is_between_the_middle_ones():
    data = made_up(2, ["x"], 0, 1000)
    data["rows"][1]["ns"] = [100]
    shown = Shown(page_with(page_of("nested.rln"), data))
    shown.page.get_by_role("button", name="x", exact=True).click()
    has(shown.page.locator("#details"), "Min, median100 ns, 550 ns")


def point_of(shown, ns, row):
    """The position of a moment in the picture, in the middle of its n-th line."""
    start, end = shown.span()
    box = shown.page.locator("canvas.timeline").bounding_box()
    width = box["width"] - 190
    return box["x"] + 190 + (ns - start) / (end - start) * width, box["y"] + row


def test_the_pointer_shows_what_is_below_it():
    shown = Shown(page_of("nested.rln"))
    # The axis is 26 high, then 4 free, then a row.
    x, y = point_of(shown, 5000, 26 + 4 + 10)
    shown.page.mouse.move(x, y)
    has(shown.page.locator(".stage .tip"), "step")
    has(shown.page.locator(".stage .tip"), "100.0 us")
    shown.page.mouse.click(x, y, button="right")
    expect(shown.page.locator("#details")).to_be_hidden()
    shown.page.mouse.click(x, y)
    has(shown.page.locator("#details h2"), "step")


def entries_of(shown):
    return shown.page.get_by_role("menuitem").evaluate_all("(all) => all.map((each) => each.firstChild.textContent)")


def test_a_right_click_lists_what_can_be_done():
    shown = Shown(page_of("nested.rln"), permissions=["clipboard-read", "clipboard-write"])
    page, menu = shown.page, shown.page.get_by_role("menu")

    def choose(what, ns=30000, row=26 + 4 + 35):
        page.mouse.click(*point_of(shown, ns, row), button="right")
        page.get_by_role("menuitem", name=what).click()
        expect(menu).to_be_hidden()

    page.mouse.click(*point_of(shown, 30000, 26 + 4 + 35), button="right")
    expect(menu).to_have_attribute("aria-label", "load")
    assert entries_of(shown) == [
        "Zoom to it", "Select its time", "Next occurrence", "Previous occurrence", "Filter to this name",
        "Copy name", "Show all", "Copy link to this view"], entries_of(shown)
    page.get_by_role("menuitem", name="Zoom to it").click()
    shown.wait_for_address("t=6000,54000")
    choose("Show all", row=500)
    shown.wait_for_address("t=-1200,121200")
    choose("Select its time")
    shown.wait_for_address("span=10000,50000")
    choose("Copy name")
    assert page.evaluate("navigator.clipboard.readText()") == "load"
    choose("Copy link")
    assert page.evaluate("navigator.clipboard.readText()") == page.url and "span=" in page.url
    choose("Filter to this name")
    shown.wait_for_address("name=load")
    # On nothing; and what a click outside does.
    shown.press("Escape")
    page.mouse.click(*point_of(shown, 30000, 500), button="right")
    assert entries_of(shown) == ["Show all", "Copy link to this view"]
    page.mouse.click(*point_of(shown, 60000, 600))
    expect(menu).to_be_hidden()
    # The browser's own.
    shows = """(button) => {
      const event = new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: 600, clientY: 300, button: 2, shiftKey: true });
      return document.querySelector(button).dispatchEvent(event);
    }"""
    assert page.evaluate(shows, "canvas.timeline") and page.evaluate(shows, "#search") and page.evaluate(shows, "aside")
    expect(menu).to_be_hidden()


def test_the_menu_leads_to_others_of_a_name_and_to_work_of_gpus():
    shown = Shown(page_of("gpu.rln"))
    page, details = shown.page, shown.page.locator("#details")
    point = """(kind) => {
      const [{ picture, side }] = rangeline.timelines;
      const { place, pieces } = picture.drawn.find(({ place }) => place.about?.kind === kind && (kind !== "p" || side.isStream(place.row)));
      const [tile] = pieces.map(({ tile }) => tile).filter(({ start }) => start.length);
      const { left, top } = picture.canvas.getBoundingClientRect();
      return [left + picture.x((tile.start[0] + tile.end[0]) / 2), top + picture.areas[place.area].screenY(place) + place.height / 2];
    }"""
    for kind, what, name in (("a", "Go to its GPU work", "k"), ("p", "Go to its call", "cudaLaunchKernel"),
                             ("r", "Go to its GPU work", "k"), ("a", "Next occurrence", "cudaLaunchKernel")):
        page.mouse.click(*page.evaluate(point, kind), button="right")
        page.get_by_role("menuitem", name=what).click()
        has(details.locator("h2"), name)
        shown.press("Escape")


def test_keys_open_the_menu_of_the_selection_and_of_a_group():
    shown = Shown(page_of("nested.rln"))
    page, menu = shown.page, shown.page.get_by_role("menu")
    focused = "document.activeElement.firstChild?.textContent"
    page.mouse.click(*point_of(shown, 30000, 26 + 4 + 35))
    has(page.locator("#details h2"), "load")
    page.keyboard.press("ContextMenu")
    expect(menu).to_have_attribute("aria-label", "load")
    assert page.evaluate(focused) == "Zoom to it"
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == "Copy link to this view"
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(page.locator("canvas.timeline")).to_be_focused()
    has(page.locator("#details h2"), "load")  # it is still selected
    page.keyboard.press("ContextMenu")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    shown.wait_for_address("span=10000,50000")
    group = page.locator(".group").first
    group.focus()
    page.keyboard.press("ContextMenu")
    assert entries_of(shown) == ["Fold", "Pin", "Copy name", "Show all", "Copy link to this view"]
    page.keyboard.press("k")
    shown.wait_for_address("pin=")
    expect(group).to_be_focused()
    group.click(button="right")
    page.get_by_role("menuitem", name="Fold").click()
    shown.wait_for_address("fold=")


def test_a_span_has_sums_of_its_own():
    shown = Shown(page_of("nested.rln"))
    x, y = point_of(shown, 20000, 400)
    end, _ = point_of(shown, 30000, 400)
    shown.page.keyboard.down("Shift")
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(end, y, steps=4)
    shown.page.mouse.up()
    shown.page.keyboard.up("Shift")
    has(shown.page.locator("#scope"), "Totals in the selected 10.")
    shown.settle()
    assert shown.table()["step"][0].startswith("10."), shown.table()
    assert "span=" in shown.page.url


def test_a_span_may_be_of_some_rows():
    shown = Shown(page_of("threads.rln"))
    page, whole = shown.page, shown.table()

    def select(rows):
        middle, _ = shown.center()
        first, last = (page.evaluate(
            """(n) => { const [{ picture, side }] = rangeline.timelines, at = side.layout.places.filter(({ row }) => row !== undefined)[n];
            return picture.canvas.getBoundingClientRect().top + picture.areas[at.area].screenY(at) + at.height / 2; }""", n) for n in rows)
        page.keyboard.down("Shift")
        page.mouse.move(middle - 350, first)
        page.mouse.down()
        page.mouse.move(middle + 350, last, steps=4)
        page.mouse.up()
        page.keyboard.up("Shift")
        shown.settle()
        return page.locator("#scope").inner_text()

    assert "row" not in select((0, 0)), "a drag in time only"
    assert "row" not in select((0, 2)), "all"
    said = select((0, 1))
    assert said.endswith("of 2 rows"), said
    shown.wait_for_address("rows=")
    some = shown.table()
    calls = [sum(int(each[2]) for each in table.values()) for table in (some, whole)]
    assert 0 < calls[0] < calls[1], (some, whole)
    again = Shown(page_of("threads.rln"), page.evaluate("location.hash"))
    has(again.page.locator("#scope"), "of 2 rows")
    again.settle()
    assert {name: each[2] for name, each in again.table().items()} == {name: each[2] for name, each in some.items()}, again.table()
    again.press("Escape")
    assert "rows=" not in again.page.url and again.table() == whole, again.table()


def test_a_selected_time_is_zoomed_to():
    shown = Shown(page_of("nested.rln"), "#span=20000,30000")
    shown.press("f")
    assert shown.span() == [19000, 31000]
    shown.press("0")
    shown.page.get_by_role("button", name="Zoom", exact=True).click()
    shown.wait_for_address("t=19000,31000")
    shown.press("Home")
    shown.wait_for_address("t=-1200,10800")
    shown.press("End")
    shown.wait_for_address("t=109200,121200")
    # A selected range comes first.
    shown.press("0")
    shown.page.mouse.click(*point_of(shown, 5000, 26 + 4 + 10))
    has(shown.page.locator("#details h2"), "step")
    shown.press("f")
    assert shown.span() == [-1200, 118800], shown.span()
    shown.press("Escape")
    expect(shown.page.get_by_role("button", name="Zoom", exact=True)).to_be_hidden(timeout=WAIT_MS)


def test_a_double_click_zooms_to_a_range():
    shown = Shown(page_of("nested.rln"))
    shown.page.mouse.dblclick(*point_of(shown, 30000, 26 + 4 + 20 + 10))
    shown.settle()
    has(shown.page.locator("#details h2"), "load")
    shown.wait_for_address("t=6000,54000")
    shown.press("Escape", "0")
    before = shown.span()
    shown.page.mouse.dblclick(*point_of(shown, 30000, 500))  # on nothing
    shown.settle()
    assert shown.span() == before


def test_a_range_s_time_is_a_span_without_a_pointer():
    shown = Shown(page_of("nested.rln"))
    shown.page.get_by_role("button", name="load", exact=True).click()
    has(shown.page.locator("#details h2"), "load")
    shown.press("x")
    has(shown.page.locator("#scope"), "Totals in the selected 40.0 us")
    shown.settle()
    assert shown.table()["step"] == ("40.0 us", "0 ns", "1"), shown.table()
    shown.wait_for_address("span=10000,50000")


def test_the_ruler_measures_between_edges():
    shown = Shown(page_of("nested.rln"))
    shown.press("m")
    expect(shown.page.locator("#measuring-button")).to_have_attribute(
        "aria-pressed", "true"
    )
    for ns in (500, 99500):  # near the edges of the outer range, at 0 and 100,000
        shown.page.mouse.click(*point_of(shown, ns, 26 + 4 + 10))
    ruler = shown.page.evaluate("window.rangeline.ruler.map(Math.round)")
    assert ruler == [0, 100000], ruler


# --- Rows -----------------------------------------------------------------------------


def test_of_two_steps_back_the_last_one_counts():
    shown = Shown(page_of("nested.rln"), "#sel=0,0,0")
    rows = shown.page.evaluate(
        """async () => {
          const [{ source }] = rangeline.sides, { details } = source;
          // Goes there; the answer comes once `meanwhile` is done.
          const goWhile = async (address, meanwhile) => {
            const asked = Promise.withResolvers(), done = Promise.withResolvers();
            source.details = async (words) => {
              source.details = details;
              asked.resolve();
              await done.promise;
              return details.call(source, words);
            };
            const step = rangeline.go(address);
            await asked.promise;
            await meanwhile();
            done.resolve();
            await step;
            return rangeline.selected && rangeline.selected.row;
          };
          return [await goWhile("#sel=0,1,10000", () => rangeline.go("#sel=0,0,0")),
            await goWhile("#sel=0,1,10000", () => rangeline.forget())];
        }"""
    )
    assert rows == [0, None], rows


def test_groups_fold_and_move_and_the_address_says_so():
    shown = Shown(page_of("threads.rln"))
    groups = shown.page.locator(".group")
    names = [text.split()[0] for text in groups.all_inner_texts()]
    first = groups.nth(1)
    first.click()
    expect(first).to_have_attribute("aria-expanded", "false")
    shown.wait_for_address("fold=")
    first.focus()
    said = first.inner_text()
    shown.page.keyboard.press("Alt+ArrowDown")
    shown.wait_for_address("move=")
    again = Shown(page_of("threads.rln"), shown.page.evaluate("location.hash"))
    texts = again.page.locator(".group").all_inner_texts()
    assert len(texts) == len(names) and texts[2] == said, (texts, said)
    expect(again.page.locator(".group").nth(2)).to_have_attribute(
        "aria-expanded", "false"
    )


def pinned_in(shown):
    """The names of what is in the pinned area, from top to bottom."""
    boxes = [(each.bounding_box()["y"], re.split("[ ,]", each.get_attribute("aria-label"))[0])
             for each in shown.page.locator(".gutter").first.locator(".group").all()]
    return [name for _, name in sorted(boxes)]


def test_pinned_groups_stay_at_the_top():
    html = page_with(page_of("nested.rln"), made_up(60, ["work"], 0, 1000))
    shown = Shown(html)
    page, canvas = shown.page, shown.page.locator("canvas.timeline").bounding_box()
    for name in "t20", "t3":
        page.get_by_role("button", name=f"{name} {name[1:]},").hover()
        page.get_by_role("button", name=f"Pin {name} {name[1:]}").click()
        shown.wait_for_address(f"pin=1/{name[1:]}/{name}")
    assert pinned_in(shown) == ["t20", "t3"]
    first = page.get_by_role("button", name="t20 20,").bounding_box()
    assert canvas["y"] + 26 <= first["y"] < canvas["y"] + 36, (canvas, first)
    tip = page.locator(".stage .tip")
    page.mouse.move(*point_of(shown, 500, 26 + 4 + 10))  # its ranges are beside its name
    has(tip, "work")
    page.mouse.click(*point_of(shown, 500, 26 + 4 + 10))
    has(page.locator("#details"), "t20 1/20")
    page.mouse.move(*point_of(shown, 500, 400))
    page.keyboard.down("Shift")
    page.mouse.wheel(0, 300)
    page.keyboard.up("Shift")
    shown.wait_for_address("top=300")
    expect(page.get_by_role("button", name="t0,")).to_have_count(0)
    assert page.get_by_role("button", name="t20 20,").bounding_box() == first
    again = Shown(html, page.evaluate("location.hash"))
    assert pinned_in(again) == ["t20", "t3"]
    stars = again.page.locator(".pin[aria-pressed=true]")
    stars.first.click()
    expect(stars).to_have_count(1)
    again.settle()
    assert pinned_in(again) == ["t3"] and "1/20" not in again.page.url.split("pin=")[1].split("&")[0]
    again.page.go_back()
    expect(stars).to_have_count(2)


def test_pinned_rows_have_at_most_two_fifths_of_the_height_and_scroll():
    pins = "&".join(f"pin=1/{i}/t{i}" for i in range(30))
    shown = Shown(page_with(page_of("nested.rln"), made_up(60, ["work"], 0, 1000)), f"#{pins}")
    page, stage = shown.page, shown.page.locator("canvas.timeline").bounding_box()
    area = page.locator(".gutter").first.bounding_box()
    assert 0.3 * stage["height"] < area["height"] <= 0.4 * stage["height"], (area, stage)
    below = page.get_by_role("button", name="t30 30,").bounding_box()
    assert area["y"] + area["height"] <= below["y"] + 1, (area, below)
    assert pinned_in(shown)[0] == "t0"
    page.mouse.move(stage["x"] + 400, stage["y"] + 60)
    page.keyboard.down("Shift")
    page.mouse.wheel(0, 200)
    page.keyboard.up("Shift")
    shown.wait_for_address("top=0,200")
    assert pinned_in(shown)[0] == "t9", pinned_in(shown)
    assert page.get_by_role("button", name="t30 30,").bounding_box() == below
    assert pinned_in(Shown(page_with(page_of("nested.rln"), made_up(60, ["work"], 0, 1000)),
                           page.evaluate("location.hash")))[0] == "t9"


def test_keys_pin_and_keep_the_focus():
    shown = Shown(page_with(page_of("nested.rln"), made_up(60, ["work"], 0, 1000)))
    page, focused = shown.page, "() => document.activeElement.getAttribute('aria-label')"
    for name in "t7", "t2":
        page.get_by_role("button", name=f"{name} {name[1:]},").focus()
        page.keyboard.press("k")
        shown.wait_for_address(f"pin=1/{name[1:]}/{name}")
        assert page.evaluate(focused).startswith(f"{name} {name[1:]},"), page.evaluate(focused)
    assert pinned_in(shown) == ["t7", "t2"]
    page.keyboard.press("Alt+ArrowUp")  # they stay in the order in which they were pinned
    shown.settle()
    assert pinned_in(shown) == ["t7", "t2"] and "move=" not in page.url
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "Pin t2 2"
    page.keyboard.press("Enter")
    expect(page.locator(".pin[aria-pressed=true]")).to_have_count(1)
    assert page.evaluate(focused) == "Pin t2 2"
    page.keyboard.press("Tab")  # in the order of the screen
    assert page.evaluate(focused).startswith("t3 3,"), page.evaluate(focused)
    page.get_by_role("button", name="t4 4,").focus()
    page.keyboard.press("Alt+ArrowUp")
    shown.wait_for_address("move=")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(focused) == "Pin t2 2", page.evaluate(focused)
    page.get_by_role("button", name="t5 5,").focus()
    page.keyboard.press("Alt+ArrowDown")
    shown.settle()
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(focused) == "Pin t6 6", page.evaluate(focused)
    shown.press("k")  # without a heading
    assert pinned_in(shown) == ["t7"]


def test_a_group_is_on_screen_after_it_was_pinned_or_unpinned():
    pins = "&".join(f"pin=1/{i}/t{i}" for i in range(20))
    shown = Shown(page_with(page_of("nested.rln"), made_up(60, ["work"], 0, 1000)), f"#{pins}")
    page, last = shown.page, shown.page.get_by_role("button", name="t22 22,")
    for is_pinned, area in (("true", ".gutter >> nth=0"), ("false", ".gutter >> nth=1")):
        if is_pinned == "false":
            page.evaluate("rangeline.pictureOf(rangeline.sides[0]).areas[1].scroll(600); rangeline.redraw()")
            shown.settle()
        last.focus()
        page.keyboard.press("k")
        shown.settle()
        expect(page.get_by_role("button", name="Pin t22 22")).to_have_attribute("aria-pressed", is_pinned)
        box, around = last.bounding_box(), page.locator(area).bounding_box()
        assert around["y"] <= box["y"] and box["y"] + box["height"] <= around["y"] + around["height"], (box, around)
        expect(last).to_be_focused()


def test_what_is_pinned_says_where_it_belongs():
    def labels(*words):
        shown = Shown(*words)
        return [each.get_attribute("aria-label").split(",")[0]
                for each in shown.page.locator(".gutter").first.locator(".group").all()]

    pins = "#pin=100/101/worker&pin=p200&pin=nothing"
    assert labels(page_of("threads.rln"), pins) == [
        "worker 100/101", "process 200 \u00b7 1 thread", "worker 200"]
    shown = Shown(page_of("gpu.rln"))
    keys = shown.page.evaluate("rangeline.sides[0].layout.groups.map(({ group }) => group.key)")
    stream = next(key for key in keys if "stream" in key)
    said = labels(page_of("gpu.rln"), f"#pin={stream}")
    assert re.match(r"^stream \d+ GPU 0$", said[0]), said
    counter = Shown(page_of("counters.rln"), "#pin=100/0/counters/sent")
    assert pinned_in(counter) == ["sent"], counter.page.url
    data = made_up(60, ["work"], 0, 1_000_000)
    for row in data["rows"][10:]:
        row.update(at=[500_000], ns=[100])
    quiet = Shown(page_with(page_of("nested.rln"), data), "#pin=1/40/t40")
    assert pinned_in(quiet) == ["t40"]
    has(quiet.page.locator(".group").last, "49 more threads")


def test_pins_can_be_seen_on_narrow_pages_and_in_forced_colors():
    html = page_with(page_of("nested.rln"), made_up(60, ["work"], 0, 1000))
    shown = Shown(html, "#pin=1/3/t3", viewport={"width": 390, "height": 844},
                  has_touch=True, forced_colors="active")
    box = shown.page.locator(".pin[aria-pressed=true]").bounding_box()
    name = shown.page.locator(".gutter").first.locator(".group .name").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= name["x"], (box, name)
    shown.page.get_by_role("button", name="Pin t5 5").tap()
    shown.wait_for_address("pin=1/3/t3&pin=1/5/t5")
    assert shown.page.locator(".pin").last.evaluate("(each) => getComputedStyle(each).opacity") == "1"
    glyphs = "(each) => getComputedStyle(each, '::before').content"
    assert [shown.page.locator(".pin").nth(k).evaluate(glyphs) for k in (0, -1)] == [
        '"\u2605"', '"\u2606"']


def test_filters_restrict_rows_and_sums():
    shown = Shown(page_of("nested.rln"))
    shown.page.click("#filter-button")
    shown.page.select_option("#by-domain", "=io")
    shown.wait_for_address("domain=io")
    assert set(shown.table()) == {"io:load"}
    shown.page.click("#no-filter")
    shown.settle()
    assert len(shown.table()) == 3
    shown.page.fill("#by-name", "STEP")
    shown.wait_for_address("name=STEP")
    assert set(shown.table()) == {"step"}


def test_a_filter_of_threads_restricts_sums_and_paths_as_well():
    data = made_up(2, ["one", "two"], 0, 1000)
    shown = Shown(page_with(page_of("nested.rln"), data), "#thread=T1&flame=1")
    assert set(shown.table()) == {"two"}
    has(shown.page.locator("#flame .trail"), "1.0 us")
    shown.page.click("#no-filter")
    shown.settle()
    assert set(shown.table()) == {"one", "two"}


def test_a_filter_restricts_searches_and_occurrences():
    data = made_up(3, ["one"], 0, 1000)
    shown = Shown(page_with(page_of("nested.rln"), data), "#thread=T1&find=one")
    hits, thread = shown.page.locator("#hits"), shown.page.locator("#details dt:has-text('Thread') + dd")
    has(hits, "1 match")
    for act in lambda: shown.page.press("#search", "Enter"), lambda: shown.press("n", "n", "p"):
        act()
        has(thread, "t1 1/1")
    expect(shown.page.locator("#details .occurrences")).to_have_count(0)
    shown.page.click("#no-filter")
    has(hits, "3 matches")
    has(shown.page.locator("#details h3").first, "Occurrences: 3")
    shown.page.fill("#by-thread", "t")
    has(shown.page.locator("#details h3").first, "Occurrences that match: 3")
    shown.press("n")
    has(thread, "t2 1/2")


def test_the_table_is_sorted_by_a_column():
    shown = Shown(page_of("nested.rln"))
    shown.page.click("#columns button:has-text('Name')")
    assert list(shown.table()) == ["load", "io:load", "step"]
    expect(shown.page.locator("#columns th").first).to_have_attribute(
        "aria-sort", "ascending"
    )


def test_a_table_that_is_drawn_again_keeps_its_lines_and_the_focus():
    shown = Shown(page_of("nested.rln"))
    shown.page.evaluate("window.lines = [...document.querySelectorAll('#table tr')]")
    shown.page.locator("#table button").first.focus()
    shown.page.evaluate("rangeline.totals.show(rangeline.totals.rows, false)")
    assert shown.page.evaluate(
        """() => lines.length === 3 && lines[0].contains(document.activeElement) &&
        [...document.querySelectorAll('#table tr')].every((each, k) => each === lines[k])"""
    )
    name = shown.page.locator("#table tr").first.get_attribute("data-name")
    shown.page.evaluate(
        "[rangeline.totals.down = false, "
        "rangeline.totals.show(rangeline.totals.rows, false)]"
    )
    focused = "document.activeElement.closest('[data-name]').dataset.name"
    assert list(shown.table()).index(name) != 0
    assert shown.page.evaluate(focused) == name
    shown.page.locator("#columns button").nth(3).focus()
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator("#columns th").nth(3)).to_have_attribute(
        "aria-sort", "descending"
    )
    assert shown.page.evaluate(focused) == "calls"
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator("#columns th").nth(3)).to_have_attribute(
        "aria-sort", "ascending"
    )


def test_the_flame_pane_zooms_into_a_path():
    shown = Shown(page_of("nested.rln"))
    shown.press("i")
    flame = shown.page.locator("#flame")
    has(flame.locator(".trail"), "All")
    assert flame.locator("canvas").evaluate("(c) => c.height - c.clientHeight") == 0
    flame.locator("canvas").click(position={"x": 20, "y": 8})
    has(flame.locator(".trail"), "step")
    shown.wait_for_address("path=step")
    again = Shown(page_of("nested.rln"), shown.page.evaluate("location.hash"))
    has(again.page.locator("#flame .trail"), "step")
    flame.get_by_role("button", name="All").click()
    expect(flame.locator(".trail button")).to_have_count(1)
    shown.page.go_back()
    has(flame.locator(".trail"), "step")


def test_time_inside_calls_of_the_same_name_counts_once():
    shown = Shown(page_of("itself.rln"))
    assert shown.table() == {"step": ("100 ns", "70 ns", "3"), "load": ("50 ns", "30 ns", "2")}
    averages = shown.page.evaluate("rangeline.totals.rows.map((r) => [r.label, r.average])")
    assert averages == [["step", 60], ["load", 25]], averages
    shown = Shown(page_of("itself.rln"), "#span=0,75")
    assert shown.table()["step"] == ("75 ns", "55 ns", "3"), shown.table()


def test_kinds_inside_themselves_count_once():
    data = made_up(0, [f"level {i}" for i in range(3)], 0, 1000)
    put_rows(data, *(({"level": i}, {"at": [10 * i], "ns": [900 - 20 * i], "name": [i]}) for i in range(3)))
    page = page_with(page_of("nested.rln"), data)
    assert Shown(page, "#folded=1").table() == {"level #": ("900 ns", "900 ns", "3")}
    assert len(Shown(page, "#folded=0").table()) == 3


def test_tasks_are_in_what_they_were_begun_in():
    shown = Shown(page_of("tasks.rln"), "#flame=1")
    assert shown.table()["step"] == ("110 ns", "25 ns", "2"), shown.table()
    nodes = shown.page.evaluate(
        "rangeline.flame.icicles.map((i) => i.nodes.map((n, k) => [i.pathOf(k).join(), n.total, n.self]))")
    assert sorted(nodes[0]) == [
        ["load", 10, 10], ["step", 110, 25], ["step,load", 145, 125], ["step,load,io:load", 20, 20],
    ], nodes


def test_items_on_screen_are_also_a_table():
    shown = Shown(page_of("nested.rln"), "#table=1")
    listing = shown.page.locator("#listing")
    has(listing, "open range")
    listing.get_by_role("button", name="load", exact=True).first.click()
    has(shown.page.locator("#details h2"), "load")


def focused_text(shown):
    return shown.page.evaluate("document.activeElement.textContent")


def test_keys_keep_the_focus_where_it_was():
    shown = Shown(page_of("threads.rln"), "#table=1&flame=1&t=0,1000")
    step = shown.page.locator("#table").get_by_role("button", name="step", exact=True)
    step.click()
    for _ in range(2):
        before = shown.page.evaluate("location.hash")
        shown.page.locator("#details .row button").nth(1).focus()
        shown.page.keyboard.press("Enter")
        shown.page.wait_for_function(
            "(before) => location.hash !== before &&"
            " rangeline.details.item === rangeline.selected",
            arg=before,
            timeout=WAIT_MS,
        )
        assert focused_text(shown) == "\u25b6"
    shown.page.keyboard.press("Escape")
    expect(shown.page.locator("#details")).to_be_hidden()
    assert shown.page.evaluate("document.activeElement.className") == "timeline"
    # In the table, the same item keeps the focus when the view moves.
    row = shown.page.locator("#listing tbody button").nth(3)
    row.focus()
    name = row.get_attribute("data-name")
    shown.page.keyboard.press("Enter")
    expect(shown.page.locator("#details")).to_be_visible()
    shown.page.keyboard.press("s")
    shown.page.wait_for_function(f"() => ({SPAN_OF})()[1] > 1010", timeout=WAIT_MS)
    shown.settle()
    assert shown.page.evaluate("document.activeElement.dataset.name") == name
    # In the trail, the step that was selected keeps the focus.
    shown.page.locator("#flame canvas").click(position={"x": 20, "y": 8})
    trail = shown.page.locator("#flame .trail button")
    expect(trail).to_have_count(2)
    trail.first.focus()
    shown.page.keyboard.press("Enter")
    expect(trail).to_have_count(1)
    assert focused_text(shown) == "All"


def test_of_lines_at_one_time_the_focused_one_keeps_the_focus():
    data = made_up(1, ["x"], 0, 10000)
    # Both ranges begin at 100 ns, in the same row; the first takes no time.
    data["rows"][0].update(at=[100, 0], ns=[0, 500], name=[0, 0])
    shown = Shown(page_with(page_of("nested.rln"), data), "#table=1&t=0,1000")
    lines = shown.page.locator("#listing tbody button")
    expect(lines).to_have_count(2)
    lines.nth(1).focus()
    shown.page.keyboard.press("s")
    shown.page.wait_for_function(f"() => ({SPAN_OF})()[1] > 1010", timeout=WAIT_MS)
    shown.settle()
    expect(lines).to_have_count(2)
    expect(lines.nth(1)).to_be_focused()


def test_keys_scroll_the_table():
    shown = Shown(page_of("threads.rln"), "#table=1")
    shown.page.locator("#listing").focus()
    shown.page.keyboard.press("PageDown")
    shown.page.wait_for_function(
        "() => document.querySelector('#listing').scrollTop > 0", timeout=WAIT_MS
    )
    top = shown.page.evaluate("rangeline.current.picture.areas[1].top")
    assert top == 0, top


# --- Two traces -----------------------------------------------------------------------


def test_an_overview_says_so_and_has_the_same_sums():
    whole = Shown(page_of("threads.rln"))
    few = Shown(page_of("--most-ranges", "60", "threads.rln"))
    has(few.page.locator("#facts"), "Overview: ranges less than")
    assert few.table() == whole.table() and len(few.table()) > 1, few.table()
    expect(few.page.locator("#more")).to_be_empty()
    few.page.fill("#search", "LOA")
    has(few.page.locator("#hits"), "51 matches")
    few.press("i")
    has(few.page.locator("#flame .trail"), "All")
    few.page.locator("#table").get_by_role("button", name="load", exact=True).click()
    has(few.page.locator("#details"), "Occurrences51")
    few.press("p")
    has(few.page.locator("#details"), "ranges merged")
    assert not few.said, few.said
    part = Shown(page_of("--most-ranges", "2", "nested.rln"), "#flame=1&t=20000,40000")
    has(part.page.locator("#more"), "Short ranges are merged")
    has(part.page.locator("#flame .trail"), "Short ranges are merged")


def test_a_page_opens_files():
    if not page_of_files():
        return
    of_page = Shown(page_of("nested.rln"))
    shown = ShownFiles("nested.rln")
    assert shown.page.title() == of_page.page.title()
    assert shown.table() == of_page.table()
    assert not shown.said, shown.said  # nothing was requested
    shown.page.locator("#table button").first.click()
    has(shown.page.locator("#details h2"), "step")
    shown.press("t", "i")
    has(shown.page.locator("#listing"), "items on screen")
    has(shown.page.locator("#flame .trail"), "All")
    packed = pathlib.Path("slower_pace.rln.gz")
    packed.write_bytes(gzip.compress(pathlib.Path("slower_pace.rln").read_bytes()))
    two = ShownFiles("pace.rln", packed)
    compared = Shown(page_of("--compare", "pace.rln", "slower_pace.rln"))
    assert two.table() == compared.table()
    has(two.page.locator("#title"), "pace.rln and slower_pace.rln")
    two.page.locator("#table button").first.click()
    two.page.get_by_role("button", name="Align both traces here").click()
    has(two.page.locator("#align"), "aligned at")


def test_a_page_opens_exports():
    export = page_of_files() and export_of("nested.rln")
    if not export:
        return
    shown, of_page = ShownFiles(export), Shown(page_of("nested.rln"))
    has(shown.page.locator("#title"), "nested.sqlite")
    assert shown.table() == of_page.table()
    shown.press("r")
    of_page.press("r")
    assert report_of(shown) == report_of(of_page)
    other = sqlite3.connect("other.sqlite")
    other.execute("CREATE TABLE t (a)")
    other.close()
    refused = ShownFiles(waits=False)
    refused.choose("other.sqlite")
    problem = refused.page.locator(".chooser [role=alert]")
    expect(refused.page.locator("#loading")).to_be_hidden()
    has(problem, "SQLite database without tables NVTX_EVENTS")
    pathlib.Path("run.nsys-rep").write_bytes(b"report" * 1000)
    refused.choose("run.nsys-rep")
    has(problem, "nsys export -t sqlite")


def test_a_database_may_be_read_in_any_order():
    if not page_of_files() or not export_of("nested.rln"):
        return
    n = 60_000  # names, each in a page of the file far from that before
    export = sqlite3.connect("nested.sqlite")
    ids = range(1000, 1000 + n)
    export.executemany("INSERT INTO StringIds (id, value) VALUES (?, ?)",
                       ((i, f"{i} {'x' * 400}") for i in ids))
    export.executemany(
        "INSERT INTO NVTX_EVENTS (start, end, eventType, textId, globalTid) "
        "SELECT ?, ?, eventType, ?, globalTid FROM NVTX_EVENTS WHERE eventType = 59 LIMIT 1",
        ((10**6 + 10 * k, 10**6 + 10 * k + 5, ids[k * 7919 % n]) for k in range(n)))
    export.commit()
    export.close()
    assert os.path.getsize("nested.sqlite") > 24_000_000
    has(ShownFiles("nested.sqlite").page.locator("#facts"), "120,006 events")


def report_of(shown):
    """The rows of the pane with a report, when it has them."""
    has(shown.page.locator("#report [role=status]"), "row")
    rows = shown.page.locator("#report tbody tr").all()
    return [row.locator("td").all_inner_texts() for row in rows]


def test_reports_are_tables_below_the_picture():
    address = served("nested.rln")
    pages = [Shown(None, url=address)] if address else []
    if page_of_files():
        pages.append(ShownFiles("nested.rln"))
    pages.append(Shown(page_of("nested.rln")))
    for shown in pages:
        page, pane = shown.page, shown.page.locator("#report")
        shown.press("r")
        names = [row[-1] for row in report_of(shown)]
        assert names[0] == ":step" and "io:load" in names, names
        with page.expect_download() as saving:
            pane.get_by_label("Save the report").select_option("CSV")
        assert saving.value.suggested_filename == "nvtx_sum.csv"
        printed = subprocess.run(
            [RANGELINE, "stats", "-q", "-r", "nvtx_sum", "-f", "csv", "nested.rln"],
            check=True,
            capture_output=True,
        ).stdout
        assert pathlib.Path(saving.value.path()).read_bytes() == printed
        pane.get_by_role("button", name="Range").click()
        expect(pane.locator("tbody tr td:last-child").first).to_have_text(":load")
        shown.wait_for_address("report=nvtx_sum&sort=Range")
        pane.get_by_role("button", name=":load", exact=True).click()
        has(page.locator("#details h2"), "load")
        pane.get_by_label("Report", exact=True).select_option("pace")
        argument = pane.get_by_label("Argument of the report")
        expect(argument).to_have_value(":step")  # the longest
        shown.wait_for_address("report=pace$")
        argument.fill("nothing")
        argument.press("Enter")
        has(pane.locator("[role=status]"), "The trace has no such ranges: nothing")
        shown.wait_for_address("report=pace:nothing")
        page.go_back()
        expect(argument).to_have_value(":step")
        shown.press("r")
        expect(pane).to_be_hidden()
    of_page = Shown(page_of("--name", "load", "nested.rln"), "#report=pace&sort=Gap")
    expect(of_page.page.locator("#report-button")).to_be_hidden()
    expect(of_page.page.locator("#report")).to_be_hidden()
    expect(of_page.page.locator("#failed")).to_be_hidden()


def test_findings_lead_to_what_shows_them():
    if not page_of_files():
        return
    shown = ShownFiles("pace.rln", address="#report=findings")
    rows = report_of(shown)
    assert rows[0][0] == "warning" and rows[0][3].startswith("loader-wait: "), rows
    shown.page.locator("#report td button").first.click()
    shown.wait_for_address("t=580882,582829&report=findings&find=load")
    two = ShownFiles("nested.rln", "pace.rln", address="#report=findings")
    two.page.get_by_label("Trace", exact=True).select_option("pace.rln")
    two.page.locator("#report td button", has_text="loader-wait").click()
    shift = two.page.evaluate("rangeline.sides[1].shift")
    two.wait_for_address(f"t={580882 + shift},{582829 + shift}&report=findings&find=load")


def test_differences_of_two_traces_are_a_report():
    two = "pace.rln", "slower_pace.rln"
    address = served("--compare", *two)
    pages = [Shown(None, "#report=diff", url=address)] if address else []
    if page_of_files():
        pages.append(ShownFiles(*two, address="#report=diff"))
    pages.append(Shown(page_of("--compare", *two), "#report=diff"))
    printed = subprocess.run(
        [RANGELINE, "diff", "-f", "csv", *two], check=True, capture_output=True
    ).stdout
    for shown in pages:
        page, pane = shown.page, shown.page.locator("#report")
        assert [(row[0], row[-1]) for row in report_of(shown)] == [
            ("slower", "step"), ("slower", "step > load"), ("new", "io:load")]
        has(pane.locator("details p"), "3 ranges: 2 slower, 1 new (one run per side")
        expect(pane.locator("details p")).to_be_visible()
        trace = pane.get_by_label("Trace", exact=True)
        expect(trace).to_be_hidden()
        with page.expect_download() as saving:
            pane.get_by_label("Save the report").select_option("CSV")
        assert saving.value.suggested_filename == "diff.csv"
        assert pathlib.Path(saving.value.path()).read_bytes() == printed
        pane.get_by_role("button", name="load", exact=True).click()
        has(page.locator("#details h2"), "load")
        pane.get_by_role("button", name="io:load").click()  # only the second one has it
        shown.wait_for_address("sel=.*report=diff|report=diff.*sel=")
        kinds = pane.get_by_label("Report", exact=True)
        kinds.select_option("nvtx_sum")
        expect(trace).to_be_visible()
        kinds.select_option("Differences")
        expect(trace).to_be_hidden()
        assert len(report_of(shown)) == 3
    same = Shown(page_of("--compare", "pace.rln", "pace.rln"), "#report=diff")
    has(same.page.locator("#report [role=status]"), "The traces have no differences.")
    one = Shown(page_of("pace.rln"), "#report=findings")
    report_of(one)
    titles = one.page.get_by_label("Report", exact=True).locator("option").all_inner_texts()
    assert "Findings" in titles and "Differences" not in titles, titles


def test_long_reports_show_more_of_their_rows():
    if not page_of_files():
        return
    shown = ShownFiles("deep.rln")
    shown.page.keyboard.press("r")
    shown.page.get_by_label("Report", exact=True).select_option("nvtx_pushpop_trace")
    has(shown.page.locator("#report [role=status]"), "of which 500 are shown")
    shown.page.get_by_role("button", name="Show more").click()
    expect(shown.page.locator("#report [role=status]")).to_have_text("514 rows")
    assert len(report_of(shown)) == 514


def test_a_page_says_why_a_file_cannot_be_read():
    if not page_of_files():
        return
    trace = pathlib.Path("payloads.rln").read_bytes()
    pathlib.Path("cut.rln.gz").write_bytes(gzip.compress(trace)[:-40])
    # 16 MiB are kept: what is selected has to be read again. Switches, all over the file, would be read last.
    program = os.path.join(BIN, "bench_events"), "mixed", "3000000", "2"
    subprocess.run([RANGELINE, "profile", "-q", "--cpuctxsw=none", "-o", "gone.rln", *program], check=True, capture_output=True)
    shown = ShownFiles(waits=False)
    alert = shown.page.locator(".chooser [role=alert]")
    shown.choose("nested.rln", "cut.rln.gz")
    has(alert, "cannot decompress cut.rln.gz: it is damaged, or has several parts")
    until = time.monotonic() + WAIT_MS / 1000
    while shown.page.workers:  # that of the other file has to go, too
        assert time.monotonic() < until, shown.page.workers
        shown.page.wait_for_timeout(20)
    shown.choose("gone.rln")
    expect(shown.page.locator("#table button").first).to_be_visible(timeout=WAIT_MS)  # all has been read
    pathlib.Path("gone.rln").write_bytes(trace)
    shown.page.locator("#table button").first.click()
    provoked.append("cannot read gone.rln")
    has(shown.page.locator("#failed"), "cannot read gone.rln: it has changed since it was opened")
    shown.page.goto("about:blank")  # other questions that fail are not the next test's


class Host(http.server.SimpleHTTPRequestHandler):
    """Serves the folder, and lets pages of others fetch from it."""

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_):
        pass


def test_a_page_opens_what_is_offered_once_people_agree():
    source = page_of_files()
    if not source:
        return
    pathlib.Path("hosted.html").write_bytes(source.read_bytes())
    pathlib.Path("frame.html").write_text("<iframe></iframe>", encoding="ascii")
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host) for _ in range(2)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    own, other = (f"http://127.0.0.1:{server.server_port}/" for server in servers)
    try:
        shown = Shown(None, url=f"{own}hosted.html", address="#url=nested.rln&find=load")
        assert shown.page.title().startswith("nested.rln")
        shown.wait_for_address(r"#url=nested\.rln&")

        page = Shown(None, url="about:blank", waits=False).page
        page.goto(f"{own}hosted.html#url={other}pace.rln&url={other}slower_pace.rln")
        has(page.locator(".offer"), f"The address names {other}pace.rln and {other}slower")
        page.get_by_role("button", name="Fetch").click()
        has(page.locator("#title"), "pace.rln and slower_pace.rln")
        page.goto("about:blank")
        page.goto(f"{own}hosted.html#url={other}missing.rln")
        page.get_by_role("button", name="Fetch").click()
        has(page.locator(".chooser [role=alert]"), f"cannot fetch {other}missing.rln: status 404")

        page.goto(f"{other}frame.html")
        page.evaluate(
            """async ([address, trace]) => {
              const buffer = await (await fetch(trace)).arrayBuffer();
              const frame = document.querySelector("iframe");
              frame.src = address;
              await new Promise((resolve) => {
                const ping = setInterval(() => frame.contentWindow.postMessage("PING", "*"), 20);
                onmessage = ({ data }) => {
                  if (data !== "PONG") return;
                  clearInterval(ping);
                  resolve();
                };
              });
              frame.contentWindow.postMessage({ rangeline: [{ name: "a.rln", buffer }] }, "*");
            }""",
            [f"{own}hosted.html", "nested.rln"],
        )
        frame = page.frame_locator("iframe")
        has(frame.locator(".offer"), f"{other[:-1]} offers a.rln")
        assert frame.locator("canvas.timeline").count() == 0
        frame.get_by_role("button", name="Show").click()
        has(frame.locator("#title"), "a.rln")
        has(frame.locator("#table"), "step")
    finally:
        for server in servers:
            server.shutdown()


def test_a_page_says_what_is_no_trace_and_opens_another():
    if not page_of_files():
        return
    pathlib.Path("words.txt").write_text("words\n" * 100, encoding="ascii")
    shown = ShownFiles(waits=False)
    alert = shown.page.locator(".chooser [role=alert]")
    shown.choose("words.txt")
    has(alert, 'not a trace: path="words.txt"')
    shown.choose("nested.rln", "gap.rln", "fork.rln")
    has(alert, "3 files: at most 2 are compared")
    dropped = base64.b64encode(pathlib.Path("nested.rln").read_bytes()).decode()
    shown.page.evaluate(
        """(coded) => {
          const bytes = Uint8Array.from(atob(coded), (c) => c.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], "dropped.rln"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }""",
        dropped,
    )
    shown.settle()
    assert shown.page.title().startswith("dropped.rln")
    assert shown.table()["step"] == ("100.0 us", "60.0 us", "1")


def test_two_traces_are_compared():
    shown = Shown(page_of("--compare", "pace.rln", "slower_pace.rln"))
    assert shown.page.locator("canvas.timeline").count() == 2
    heads = shown.page.locator("#columns th").all_inner_texts()
    assert [head.split()[0] for head in heads] == [
        "Name",
        "Calls",
        "Before",
        "After",
        "Change",
    ], heads
    for width in (1440, 720, 480):
        shown.page.set_viewport_size({"width": width, "height": 800})
        shown.settle()
        aside = shown.page.locator("aside").bounding_box()
        change = shown.page.locator("#table td:last-child").first.bounding_box()
        assert change["x"] + change["width"] <= aside["x"] + aside["width"], (width, change)
    changes = {name: cells[-1] for name, cells in shown.table().items()}
    assert any(change.startswith("+") for change in changes.values()), changes
    shown.page.locator("#table button").first.click()
    shown.page.get_by_role("button", name="Align both traces here").click()
    shown.wait_for_address("align=")
    has(shown.page.locator("#align"), "aligned at")


def repeated(names):
    """The data of a page: by name, (how often, ns) of its ranges, one after the other."""
    data = made_up(1, list(names), 0, 100_000)
    put_rows(data, *(
        ({"level": i}, {"at": [0] + [1000] * (n - 1), "ns": [ns] * n, "name": [i] * n})
        for i, (n, ns) in enumerate(names.values())
    ))
    return data


def test_two_traces_are_compared_per_call():
    before = {"step": (20, 900), "often": (20, 100), "rare": (1, 100), "thirds": (3, 100), "old": (2, 150)}
    after = {"step": (40, 900), "often": (40, 110), "rare": (1, 300), "thirds": (6, 100), "added": (1, 7)}
    shown = Shown(
        page_with(page_of("nested.rln"), repeated(before), repeated(after)),
        permissions=["clipboard-read", "clipboard-write"],
    )
    assert list(shown.table().items()) == [
        ("often", ("20 \u2192 40", "100 ns", "110 ns", "+10 ns")),  # 400 ns in all
        ("old", ("2 \u2192 0", "150 ns", "\u2013", "gone")),
        ("rare", ("1", "100 ns", "300 ns", "+200 ns")),
        ("added", ("0 \u2192 1", "\u2013", "7 ns", "new")),
        ("step", ("20 \u2192 40", "900 ns", "900 ns", "same")),
        ("thirds", ("3 \u2192 6", "100 ns", "100 ns", "same")),
    ]
    colors = [row.get_attribute("class") for row in shown.page.locator("#table td:last-child").all()]
    assert colors == ["more", "less", "more", "more", "", ""], colors
    shown.page.select_option(".copy", "CSV")
    has(shown.page.locator(".copy"), "Copied")
    assert shown.page.evaluate("navigator.clipboard.readText()").splitlines()[:3] == [
        "Name,Domain,Calls before,Calls after,Total before (ns),Total after (ns),"
        "Average before (ns),Average after (ns),Change of the average (ns)",
        "often,,20,40,2000,4400,100,110,10",
        "old,,2,,300,,150,,",
    ]


def test_traces_are_aligned_at_the_occurrence_that_is_selected():
    words = "--compare", "pace.rln", "slower_pace.rln"
    address = served(*words)
    for shown in (
        Shown(page_of(*words)),
        *([Shown(None, url=address)] if address else []),
    ):
        shown.page.fill("#search", "step")
        shown.page.press("#search", "Enter")
        details = shown.page.locator("#details dd").first
        details.wait_for()
        for _ in range(2):
            before = details.inner_text()
            shown.press("n")
            expect(details).not_to_have_text(before, timeout=WAIT_MS)
        shown.page.get_by_role("button", name="Align both traces here").click()
        has(shown.page.locator("#align"), "aligned at step 3")
        starts = shown.page.evaluate(
            """() => Promise.all(rangeline.sides.map(async (side) =>
            (await side.source.nth({ name: side.numberOf("step"), n: 3 })).start + side.shift))"""
        )
        assert starts[0] == starts[1], starts


def test_the_table_of_two_traces_names_the_trace():
    shown = Shown(page_of("--compare", "pace.rln", "slower_pace.rln"), "#table=1")
    rows = shown.page.locator("#listing tbody tr").all_inner_texts()
    traces = [row.split("\t")[-1] for row in rows]
    assert set(traces) == {"pace.rln", "slower_pace.rln"}, rows[:2]
    assert traces[0] != traces[1], "both begin together"


def selected_of(shown):
    """The trace of the selected range, and the range's start there."""
    return shown.page.evaluate(
        """() => [rangeline.sides.indexOf(rangeline.selected.side),
        rangeline.selected.start - rangeline.selected.side.about.first]"""
    )


def test_both_of_two_traces_are_searched():
    shown = Shown(page_of("--compare", "pace.rln", "slower_pace.rln"))
    shown.page.fill("#search", "step")
    has(shown.page.locator("#hits"), " and ")
    hits = []
    for _ in range(4):
        shown.page.press("#search", "Enter")
        shown.page.wait_for_function(
            """before => rangeline.selected && JSON.stringify(
            [rangeline.sides.indexOf(rangeline.selected.side),
             rangeline.selected.start - rangeline.selected.side.about.first]) !== before""",
            arg=json.dumps(hits[-1] if hits else None, separators=(",", ":")),
        )
        hits.append(selected_of(shown))
    assert hits[0] == [0, 0] and hits[1] == [1, 0], hits
    assert [at for _, at in hits] == sorted(at for _, at in hits), hits
    shown.page.press("#search", "Shift+Enter")
    shown.page.wait_for_function(
        "side => rangeline.sides.indexOf(rangeline.selected.side) === side",
        arg=hits[2][0],
    )
    assert selected_of(shown) == hits[2]


def test_self_times_go_to_what_was_innermost_though_domains_cross():
    # a |-------------------|   "b" ends inside "io:c", which then is inside "a" alone.
    # b   |---|
    # c     |------|
    data = made_up(1, ["a", "b", "c"], 0, 200)
    data["about"]["names"][2]["domain"] = "io"
    spans = [(0, 100), (10, 20), (20, 40)]
    put_rows(
        data,
        *(
            ({"level": i}, {"at": [at], "ns": [ns], "name": [i]})
            for i, (at, ns) in enumerate(spans)
        ),
    )
    shown = Shown(page_with(page_of("nested.rln"), data), "#table=1&flame=1&t=0,150")
    assert {name: row[:2] for name, row in shown.table().items()} == {
        "a": ("100 ns", "50 ns"),
        "b": ("20 ns", "10 ns"),
        "io:c": ("40 ns", "40 ns"),
    }
    nodes = "rangeline.flame.icicles[0].nodes.map(({ self }) => self)"
    assert shown.page.evaluate(nodes) == [50, 10, 40]


def test_both_of_two_traces_have_a_flame():
    shown = Shown(page_of("--compare", "pace.rln", "slower_pace.rln"), "#flame=1")
    flame = shown.page.locator("#flame")
    assert flame.locator("canvas").count() == 2
    has(flame.locator(".trail"), " before, ")
    name = shown.page.evaluate("rangeline.flame.icicles[1].label(0)")
    flame.locator("canvas").nth(1).click(position={"x": 5, "y": 8})
    has(flame.locator(".trail"), name)
    shown.page.mouse.move(5, 5)
    flame.locator("canvas").nth(0).hover(position={"x": 5, "y": 8})
    tip = flame.locator(".tip")
    has(tip, "after: ")
    trail = flame.locator(".trail").bounding_box()
    assert tip.bounding_box()["y"] >= trail["y"] + trail["height"], trail
    paths = shown.page.evaluate(
        "rangeline.flame.icicles.map((each) => each.tops().map((i) => each.label(i)))"
    )
    assert paths == [[name], [name]], paths


# --- Without a pointer or a picture -----------------------------------------------------


def training():
    """The data of a page: ten steps, of which the seventh has the slowest `backward`."""
    data = made_up(1, ["step", "forward", "backward"], 0, 100_000)
    at, names, lengths = [], [], []
    for i in range(10):
        at += [i * 10_000, i * 10_000 + 3_000]
        names += [1, 2]
        lengths += [2_000, 4_500 if i == 6 else 1_000 + i]
    steps = [at[0]] + [b - a for a, b in zip(at, at[1:])]
    put_rows(data, ({}, {"at": [0] + [10_000] * 9, "ns": [9_000] * 10, "name": [0] * 10}),
             ({"level": 1}, {"at": steps, "ns": lengths, "name": names,
                             "value": [v for i in range(10) for v in (None, 1000 + i)]}))
    return data


def focused(page):
    return page.evaluate("document.activeElement.textContent || document.activeElement.id")


def test_the_slowest_of_a_name_is_found_by_keys():
    shown = Shown(page_with(page_of("nested.rln"), training()))
    page, keys = shown.page, shown.page.keyboard
    page.evaluate("document.activeElement.blur()")
    keys.press("/")
    keys.type("backward")
    has(page.locator("#hits"), "10 matches")
    keys.press("Enter")
    has(page.locator("#said"), "backward, 1.0 us")
    keys.press("Tab")  # leaves the field
    keys.press("o")
    assert focused(page) == "1.0 us", focused(page)
    keys.press("Home")
    has(page.locator("#said"), "backward, 4.5 us")
    has(page.locator("#details dt:has-text('Payload') + dd"), "1006")
    assert focused(page) == "4.5 us", focused(page)
    keys.press("f")
    shown.wait_for_address("sel=")
    from_ns, to_ns = shown.span()
    assert from_ns < 63_000 and to_ns > 67_500 and to_ns - from_ns < 6_000, (from_ns, to_ns)
    keys.press("Escape")
    expect(page.locator("#details")).to_be_hidden()
    assert page.evaluate("document.activeElement.tagName") == "CANVAS"
    # Every control can be reached by Tab.
    keys.press("0")
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        keys.press("Tab")
        reached.add(page.evaluate("document.activeElement.outerHTML"))
    controls = page.locator("header :is(button, input), main :is(button, select, [tabindex='0'])")
    for control in controls.all():
        if control.is_visible():
            assert control.evaluate("(each) => each.outerHTML") in reached, control


def test_keys_select_each_occurrence_in_turn():
    # Parts of the steps differ in number, and so do the buttons above the list.
    data = made_up(1, [f"step {i}" for i in range(30)] + ["load", "solve"], 0, 300_000)
    at = [10_000 * i for i in range(30)]
    parts = [(start + 100 + 2_000 * k, 500 + 10 * i, 30 + k)
             for i, start in enumerate(at) for k in range(i % 3)]
    starts = [start for start, _, _ in parts]
    put_rows(data, ({}, {"at": [0] + [10_000] * 29, "ns": [9_000 - 10 * i for i in range(30)], "name": list(range(30))}),
             ({"level": 1}, {"at": [b - a for a, b in zip([0] + starts, starts)],
                             "ns": [ns for _, ns, _ in parts], "name": [name for _, _, name in parts]}))
    shown = Shown(page_with(page_of("nested.rln"), data), "#folded=1")
    page = shown.page
    page.locator("#table button").first.click()
    has(page.locator("#said"), "step 0, 9.0 us")
    shown.press("o")
    for i in range(1, 12):
        page.keyboard.press("ArrowDown")
        has(page.locator("#said"), f"step {i}, ")
        assert page.evaluate("document.activeElement.closest('tr').textContent").endswith(f"us{i}"), i
    # Keys that come faster than answers.
    for _ in range(4):
        page.keyboard.press("ArrowUp")
    has(page.locator("#said"), "step 7, ")
    assert page.evaluate("document.activeElement.closest('tr').textContent").endswith("us7")


def test_everything_has_a_role_and_a_name():
    shown = Shown(page_with(page_of("nested.rln"), training()), "#flame=1&table=1&find=backward")
    shown.page.click("#filter-button")
    shown.page.press("#search", "Enter")
    has(shown.page.locator("#details h2"), "backward")
    shown.settle()
    session = shown.page.context.new_cdp_session(shown.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    unnamed, named = [], set()
    for node in nodes:
        said = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
        role = node.get("role", {}).get("value")
        name = node.get("name", {}).get("value", "")
        named.add((role, name))
        if node.get("ignored") or role in ("RootWebArea", "MenuListPopup", "generic"):
            continue
        if not name and (said.get("focusable") or role in ("table", "image", "region")):
            unnamed.append((role, node.get("backendDOMNodeId")))
    assert not unnamed, unnamed
    for each in [("table", "Occurrences"), ("table", "Totals on screen"), ("button", "t0, 88 % busy"),
                 ("table", "Items on screen"), ("searchbox", "Search names"), ("button", "Next occurrence"),
                 ("heading", "backward"), ("complementary", "Selection and totals"),
                 ("separator", "Width of the panel"), ("navigation", "Path")]:
        assert each in named, each
    tree = shown.page.locator("#details").aria_snapshot()
    for line in ("- term: Payload", "- definition: t0 1/0", '- definition: "1000"', 'heading "Occurrences: 10" [level=3]'):
        assert line in tree, (line, tree)


# --- Served ---------------------------------------------------------------------------


def served(*words):
    """Starts a server; returns (it, its address). The address is None without a
    server."""
    server = subprocess.Popen(
        [RANGELINE, "view", "--no-open", *words],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    opened.append(Server(server))
    address = server.stdout.readline().strip()
    return address if address.startswith("http:") else None


class Server:
    def __init__(self, process):
        self.process = process

    def close(self):
        self.process.terminate()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def test_a_server_and_a_file_show_the_same():
    for name in ("nested", "threads", "fork", "group"):
        address = served(f"{name}.rln")
        if not address:
            return
        in_file, of_server = Shown(page_of(f"{name}.rln"), "#table=1"), Shown(
            None, "#table=1", url=address
        )
        assert in_file.table() == of_server.table(), (
            name,
            in_file.table(),
            of_server.table(),
        )
        listed = [
            sorted(shown.page.locator("#listing tbody tr").all_inner_texts())
            for shown in (in_file, of_server)
        ]
        assert listed[0] == listed[1], (name, listed)


def test_a_served_trace_is_shown_like_one_in_a_file():
    address = served("threads.rln")
    if not address:
        return
    shown = Shown(None, url=address)
    whole, table = shown.span(), shown.table()
    shown.page.fill("#search", "LOA")
    has(shown.page.locator("#hits"), "51 matches")
    shown.page.press("#search", "Enter")
    has(shown.page.locator("#details h2"), "load")
    shown.press("f")
    shown.wait_for_address("sel=")
    shown.page.wait_for_function(f"() => ({SPAN_OF})()[0] > {whole[0]}")
    shown.settle()
    near = shown.span()
    assert near[1] - near[0] < (whole[1] - whole[0]) / 2, near
    # Another user needs only the address.
    other = Shown(None, shown.page.evaluate("location.hash"), url=address)
    has(other.page.locator("#details h2"), "load")
    assert other.span() == near and other.table() == shown.table()
    other.press("i")
    has(other.page.locator("#flame .trail"), "All")
    shown.press("0")
    shown.page.wait_for_function(f"() => ({SPAN_OF})()[0] === {whole[0]}")
    shown.settle()
    assert shown.table() == table and not shown.said, shown.said


def wait_for_index(about):
    deadline = time.monotonic() + WAIT_MS / 1000
    while not json.load(urllib.request.urlopen(about))["isComplete"]:
        assert time.monotonic() < deadline, "it is never complete"
        time.sleep(0.02)


REQUESTED = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .map(({ name, transferSize }) => [name.split("/").slice(4).join("/"), transferSize])"""


def test_a_served_page_opens_with_few_small_requests():
    for words, most in ((["threads.rln"], 10), (["--compare", "pace.rln", "slower_pace.rln"], 16)):
        address = served(*words)
        if not address:
            return
        for trace in range(len(words) // 2 + 1):
            wait_for_index(f"{address}{trace}/about")  # otherwise the page asks again
        requested = Shown(None, url=address).page.evaluate(REQUESTED)
        paths = [path for path, _ in requested]
        assert {"", "script", "0/about?names=0"} <= set(paths), paths
        assert len(paths) == len(set(paths)) <= most, paths
        asked = [path.split("?")[0] for path in paths]
        for question in (f"{trace}/about" for trace in range(len(words) // 2 + 1)):
            assert asked.count(question) == 1, paths
        assert sum(n_bytes for _, n_bytes in requested) < 150_000, requested


def test_a_served_page_says_that_it_loads_before_its_script_is_there():
    address = served("nested.rln")
    if not address:
        return
    provoked.append("Server error 500 (about)")
    for scheme in "light", "dark":
        for status in 200, 500:
            page = Shown(None, url="about:blank", waits=False, color_scheme=scheme).page
            held, loading = [], page.locator("#loading")
            page.route("**/script", lambda route: held.append(route))  # pylint: disable=cell-var-from-loop,unnecessary-lambda
            page.route("**/0/about?*", lambda route: (
                route.continue_() if status == 200 else route.fulfill(status=status)))  # pylint: disable=cell-var-from-loop
            page.goto(address, wait_until="commit")
            expect(loading).to_have_text("Loading\u2026", timeout=WAIT_MS)
            expect(loading).to_be_visible()
            expect(page.get_by_role("status")).to_have_count(1)
            color, paper = loading.evaluate(
                "(each) => [each, document.body].map((one) => getComputedStyle(one))"
                ".map(({ color, backgroundColor }, k) => (k ? backgroundColor : color).match(/\\d+/g).slice(0, 3))"
                ".map(([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b)")
            assert abs(color - paper) > 80 and (paper > 128) == (scheme == "light"), (color, paper)
            held.pop().continue_()
            expect(loading).to_be_hidden(timeout=WAIT_MS)
            if status == 200:
                page.wait_for_selector("#pictures[aria-busy=false]", timeout=WAIT_MS)
                assert page.evaluate(DRAWN)
            else:
                has(page.locator("#facts"), "Cannot show this trace: Server error 500 (about)")
            page.unroute_all()
            opened.pop().close()


def test_ranges_that_are_open_at_the_end_keep_their_places():
    words = "push a sleep 3 push b start x start y sleep 3 push c kill 9".split()
    subprocess.run(
        [RANGELINE, "profile", "-f", "-o", "killed", os.path.join(BIN, "say"), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    shown = [Shown(page_of("killed.rln"), "#flame=1&table=1")]
    address = served("killed.rln")
    if address:
        shown.append(Shown(None, "#flame=1&table=1", url=address))
    for each in shown:
        rows = each.page.evaluate(
            "rangeline.sides[0].about.rows.map(({ kind, level }) => kind + level).sort()"
        )
        assert rows == ["p0", "p1", "p2", "s0", "s1"], rows
        assert len(each.page.locator("#listing td:text-is('open range')").all()) == 5
        roots = each.page.evaluate(
            "(([flame]) => flame.roots.map((i) => flame.label(i)))(rangeline.flame.icicles)"
        )
        assert sorted(roots) == ["a", "x", "y"], roots
        each.page.locator("#table").get_by_role("button", name="c", exact=True).click()
        inside = each.page.locator(".relatives:has-text('Parents') button")
        expect(inside).to_have_text(["b", "a"])
        inside.first.click()
        children = each.page.locator(".relatives:has-text('Children') button")
        expect(children).to_have_text("c")


def test_a_server_and_a_file_filter_threads_alike():
    address = served("threads.rln")
    if not address:
        return
    in_file = Shown(page_of("threads.rln"))
    thread = in_file.page.locator(".group .note").nth(1).inner_text()
    where = f"#thread=/{thread}&flame=1"
    in_file = Shown(page_of("threads.rln"), where)
    of_server = Shown(None, where, url=address)
    expect(in_file.page.locator(".group")).to_have_count(1)
    assert in_file.table() == of_server.table(), (in_file.table(), of_server.table())
    trails = [each.page.inner_text("#flame .trail") for each in (in_file, of_server)]
    assert trails[0] == trails[1], trails
    assert not of_server.said, of_server.said


def test_a_server_shows_the_whole_at_an_address_of_nonsense():
    address = served("nested.rln")
    if not address:
        return
    for nonsense in (
        "#sel=0,0,1e30",
        "#sel=0,0,1.5",
        "#sel=0,0.5,0",
        "#sel=0,0,-1e300",
        "#span=0,1e30",
        "#t=NaN,x&sel=9,99,1e999&fold=%00&move=x,y&span=3",
    ):
        shown = Shown(None, nonsense, url=address)
        assert shown.table()["step"] == ("100.0 us", "60.0 us", "1"), nonsense
        expect(shown.page.locator("#details")).to_be_hidden()
        expect(shown.page.locator("#failed")).to_be_hidden()
        assert not shown.said, (nonsense, shown.said)


def test_a_text_that_is_too_long_for_a_server_is_an_error():
    provoked.append("Search text is too long")
    address = served("nested.rln")
    if not address:
        return
    shown = Shown(None, f"#name={'x' * 1024}", url=address)
    assert shown.table() == {}
    expect(shown.page.locator("#failed")).to_be_hidden()
    shown = Shown(None, f"#name={'x' * 1025}", url=address)
    has(shown.page.locator("#failed"), "Search text is too long")
    shown.page.fill("#by-name", "LOAD")
    expect(shown.page.locator("#failed")).to_be_hidden(timeout=WAIT_MS)
    shown.settle()
    assert set(shown.table()) == {"load", "io:load"}
    shown.page.fill("#search", "x" * 1025)
    has(shown.page.locator("#failed"), "Search text is too long")


def test_no_domain_is_a_domain():
    address = served("nested.rln")
    in_file = Shown(page_of("nested.rln"), "#domain=&by=domain")
    shown = [in_file, Shown(None, "#domain=&by=domain", url=address)] if address else [in_file]
    for each in shown:
        assert set(each.table()) == {"step", "load"}, each.table()
        each.press("w")
        each.wait_for_address("domain=&")


def test_the_page_reports_that_its_server_has_exited():
    provoked.append("Disconnected")
    address = served("threads.rln")
    if not address:
        return
    server = opened[-1]
    shown = Shown(None, url=address)
    expect(shown.page.locator("#failed")).to_be_hidden()
    server.close()
    shown.press("w")
    has(shown.page.locator("#failed"), "Disconnected: the server has stopped")
    has(shown.page.locator("#scope"), "Out of date")
    shown.press("d")
    expect(shown.page.locator("#failed")).to_be_visible()


def test_without_its_server_a_page_is_not_live():
    provoked.append("Disconnected")
    program = subprocess.Popen(
        [RANGELINE, "profile", "-o", "orphan", os.path.join(BIN, "say")]
        + ["push", "first", "touch", "recording", "wait", "enough"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    opened.append(Server(program))
    wait_for_file("recording")
    address = served("orphan.rln")
    if not address:
        return
    server = opened[-1]
    shown = Shown(None, url=address)
    expect(shown.page.locator("#state")).to_have_text("\u25cf Recording", timeout=WAIT_MS)
    server.close()
    expect(shown.page.locator("#state")).to_have_text("\u25cb Disconnected", timeout=WAIT_MS)
    has(shown.page.locator("#failed"), "Disconnected: the server has stopped")
    drawn = shown.page.evaluate(DRAWN)
    assert drawn, "what was shown is no longer drawn"
    pathlib.Path("enough").touch()
    program.wait()


def test_a_view_of_the_end_is_an_address_that_follows():
    shown = Shown(page_of("threads.rln"))
    address = """(from) => {
      const { view, sides: [{ about }] } = rangeline;
      about.isLive = true;
      view.show(from, view.last);
      rangeline.arrive();
      return location.hash;
    }"""
    last = shown.page.evaluate("rangeline.view.last")
    followed = shown.page.evaluate(address, last - 500)
    assert followed == "#follow=500", followed
    assert shown.page.evaluate(address, -1e9) == "", "the whole grows, too"
    again = Shown(page_of("threads.rln"), followed)
    span = again.page.evaluate("[rangeline.view.from, rangeline.view.to]")
    assert [round(t - last) for t in span] == [-500, 0], (span, last)
    shown.page.evaluate(address, last - 500)
    shown.press("a")
    shown.wait_for_address("#t=")


def test_many_pages_share_a_server_that_ends_after_the_last():
    address = served("threads.rln")
    if not address:
        return
    server = opened[-1].process
    shown = [Shown(None, url=address) for _ in range(10)]
    for each in (shown[-1], shown[0]):
        each.press("w")
        has(each.page.locator("#scope"), "Totals on screen")
    opened.pop(1).close()  # the first page, which has the stream of events
    shown[-1].press("w")
    assert server.poll() is None
    while len(opened) > 1:
        opened.pop().close()
    assert server.wait(WAIT_MS / 1000) == 0


def test_a_server_and_a_file_group_by_category_alike():
    where = "#by=category"
    shown = [Shown(page_of("payloads.rln"), where)]
    address = served("payloads.rln")
    if address:
        shown.append(Shown(None, where, url=address))
    groups = []
    for each in shown:
        expect(each.page.locator(".group").first).to_be_visible()
        buttons = each.page.locator(".group").all()
        groups.append([button.get_attribute("aria-label") for button in buttons])
        assert not each.said, each.said
    assert all(sorted(each) == sorted(groups[0]) for each in groups), groups
    text = "\n".join(groups[0])
    assert "io:category 8" in text and "No category" in text, groups


def test_a_server_shows_two_traces():
    words = "--compare", "pace.rln", "slower_pace.rln"
    address = served(*words)
    if not address:
        return
    in_file, of_server = Shown(page_of(*words)), Shown(None, url=address)
    assert in_file.table() == of_server.table(), (in_file.table(), of_server.table())
    for shown in in_file, of_server:
        shown.page.fill("#search", "step")
        has(shown.page.locator("#hits"), " and ")
        shown.press("i")
        has(shown.page.locator("#flame .trail"), " before, ")
    for part in "#hits", "#flame .trail":
        texts = [each.page.inner_text(part) for each in (in_file, of_server)]
        assert texts[0] == texts[1], texts
    assert not of_server.said, of_server.said


def wait_for_file(name):
    deadline = time.monotonic() + WAIT_MS / 1000
    while not os.path.exists(name):
        assert time.monotonic() < deadline, f"there is no {name}"
        time.sleep(0.02)


def test_a_trace_that_is_being_written_is_followed():
    program = subprocess.Popen(
        [
            RANGELINE,
            "profile",
            "-o",
            "live",
            os.path.join(BIN, "say"),
            "push",
            "first",
            "touch",
            "begun",
            "wait",
            "go",
            "pop",
            "push",
            "second",
            "mark",
            "x",
            "touch",
            "gone",
            "wait",
            "over",
            "pop",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    opened.append(Server(program))
    wait_for_file("begun")
    address = served("live.rln")
    if not address:
        return
    shown = Shown(None, url=address)
    expect(shown.page.locator("#state")).to_have_text("\u25cf Recording", timeout=WAIT_MS)
    assert "second" not in shown.table(), shown.table()
    shown.page.fill("#search", "s")
    has(shown.page.locator("#hits"), "1 match")
    pathlib.Path("go").touch()
    expect(shown.page.locator("#table tr")).to_have_count(2, timeout=WAIT_MS)
    assert set(shown.table()) == {"first", "second"}
    has(shown.page.locator("#hits"), "2 matches")
    expect(shown.page.locator("#state")).to_have_text("\u25cf Recording")
    pathlib.Path("over").touch()
    expect(shown.page.locator("#state")).to_have_text("Finished", timeout=WAIT_MS)


def test_what_is_selected_grows_with_its_trace():
    shown = Shown(page_of("nested.rln"))
    shown.page.evaluate(
        """() => {
          const [{ source }] = rangeline.sides, { details } = source;
          window.more = 0; // how much longer it is by now
          source.details = async (asked) => {
            const said = await details.call(source, asked);
            return { ...said, end: said.end + more, isOpen: more < 2000 };
          };
        }"""
    )
    shown.page.get_by_role("button", name="step", exact=True).click()
    details = shown.page.locator("#details")
    has(details, "at least 100.0 us")
    zoom = details.get_by_role("button", name="Zoom")
    zoom.focus()
    shown.page.evaluate(
        "() => { document.querySelector('#by-domain').firstChild.mine = true; }"
    )
    for more, said in ((1000, "at least 101.0 us"), (2000, "102.0 us")):
        shown.page.evaluate(
            "(ns) => { more = ns; return rangeline.grow(rangeline.sides[0]); }", more
        )
        has(details, said)
        assert shown.page.evaluate("rangeline.selected.end") == 100000 + more
    assert "at least" not in details.inner_text()
    expect(zoom).to_be_focused()
    assert shown.page.evaluate("document.querySelector('#by-domain').firstChild.mine")


def test_a_change_during_a_request_repeats_it():
    shown = Shown(page_of("nested.rln"))
    asked = shown.page.evaluate(
        """async () => {
          const [side] = rangeline.sides, { about } = side, first = Promise.withResolvers();
          let n = 0;
          side.source.about = async () => {
            if (++n === 1) await first.promise;
            return { ...about, events: n };
          };
          const growing = rangeline.grow(side);
          rangeline.grow(side);
          rangeline.grow(side);
          first.resolve();
          await growing;
          return [n, side.about.events];
        }"""
    )
    assert asked == [2, 2], asked
    has(shown.page.locator("#facts"), "2 events")


def test_totals_are_requested_once_the_trace_is_read():
    """Otherwise an open page would slow the index."""
    shown = Shown(page_of("nested.rln"))
    asked = shown.page.evaluate(
        """async () => {
          const [side] = rangeline.sides, { about } = side, asked = [];
          for (const question of ["sums", "flame", "highlights"]) {
            const ask = side.source[question];
            side.source[question] = (words) => (asked.push(question), ask.call(side.source, words));
          }
          const until = async () => {
            do await new Promise((done) => setTimeout(done, 20)); while (document.querySelector("[aria-busy=true]"));
          };
          rangeline.panes.flame = true;
          side.take({ ...about, isComplete: false });
          rangeline.redraw();
          await until();
          const text = document.querySelector("#scope").textContent, before = asked.splice(0);
          side.take(about);
          rangeline.redraw();
          await until();
          return [before, text, asked];
        }"""
    )
    assert asked == [[], "Totals: once the trace is read", ["sums", "flame"]], asked  # highlights are known


def test_open_ranges_are_requested_again_when_a_trace_has_grown():
    shown = Shown(page_of("nested.rln"))
    kept = shown.page.evaluate(
        """() => {
          const { tiles } = rangeline.sides[0], before = tiles.n;
          const rows = new Map([[0, { isOpen: [0, 1] }], [1, { isOpen: [0] }], [2, {}]]);
          tiles.slots.set("early", { to: -2, rows });
          tiles.n += 3;
          tiles.grow(-1);
          tiles.n -= 3;
          return [[...tiles.slots.keys()].includes("early"), [...rows.values()].map(({ isOld }) => isOld)];
        }"""
    )
    assert kept == [True, [True, False, False]], kept


# --- Untrusted traces -----------------------------------------------------------------


def made_up(n_threads, names, at, ns):
    """The data of a page: threads with one range each."""
    of_thread = {"kind": "p", "level": 0, "label": "", "domains": [0], "categories": [0]}
    return {
        "about": {
            "title": "made up",
            "filter": "",
            "isLive": False,
            "isComplete": True,
            "dropped": 0,
            "wholeSince": None,
            "first": at,
            "last": at + ns,
            "events": n_threads,
            "names": [
                {"domain": "", "message": name, "field": "", "color": None}
                for name in names
            ],
            "threads": [{"name": f"t{i}", "pid": 1, "tid": i} for i in range(n_threads)],
            "processes": [{"pid": 1, "label": "x"}],
            "domains": [""],
            "categories": [""],
            "windows": [],
            "gaps": [],
            "groups": [{"label": f"t{i}", "pid": 1, "tid": i} for i in range(n_threads)],
            "rows": [{**of_thread, "group": i, "thread": i} for i in range(n_threads)],
        },
        "resolution": 0,
        "payloadsLeftOut": 0,
        "rows": [
            {"at": [at], "ns": [ns], "name": [i % len(names)]} for i in range(n_threads)
        ],
    }


def put_rows(data, *rows):
    """Replaces the rows by others of one thread: what about() says of each, and its columns."""
    about = {"kind": "p", "level": 0, "group": 0, "thread": 0, "label": ""}
    about.update(domains=[0], categories=[0])
    data["about"]["groups"] = [{"label": "t0", "pid": 1, "tid": 0}]
    data["about"]["rows"] = [{**about, **said} for said, _ in rows]
    data["rows"] = [columns for _, columns in rows]


def test_twenty_thousand_threads_and_names():
    names = [f"name {i}" for i in range(20000)]
    shown = Shown(page_with(page_of("nested.rln"), made_up(20000, names, 0, 1000)), "#folded=0")
    has(shown.page.locator("#more"), "19,800 more names")
    shown.page.fill("#search", "name 17777")
    has(shown.page.locator("#hits"), "1 match")
    shown.page.press("#search", "Enter")
    has(shown.page.locator("#details"), "t17777")
    assert shown.page.locator(".group").count() < 100
    shown.press("Escape", "i")
    shown.page.locator("#flame canvas").hover(position={"x": 200, "y": 8})
    has(shown.page.locator("#flame .tip"), "20,000 other paths")


def test_a_server_sends_names_when_they_are_seen():
    subprocess.run([os.path.join(BIN, "make_traces"), ".", "30000"], check=True)
    address = served("crowd.rln")
    if not address:
        return
    shown = Shown(None, "#folded=0", url=address)
    has(shown.page.locator("#more"), "29,800 more names")
    assert shown.page.evaluate("29998 in rangeline.sides[0].labels") is False
    shown.page.fill("#search", "name 29999")
    has(shown.page.locator("#hits"), "1 match")
    shown.page.press("#search", "Enter")
    has(shown.page.locator("#details h2"), "name 29999")
    shown.press("f")
    expect(shown.page.locator("#more")).to_be_empty(timeout=WAIT_MS)
    assert "name 29999" in shown.table() and len(shown.table()) < 5, shown.table()
    groups = shown.page.evaluate(
        """rangeline.sides[0].layout.groups
        .map(({ group }) => group.label)"""
    )
    assert "10000 further threads" in groups and "20,000 more threads" in groups, groups[-2:]
    assert not shown.said, shown.said


def test_a_name_that_one_trace_omits_is_not_called_new():
    subprocess.run([os.path.join(BIN, "make_traces"), ".", "30000"], check=True)
    address = served("--compare", "crowd.rln", "nested.rln")
    if not address:
        return
    shown = Shown(None, "#folded=0", url=address)
    shown.page.wait_for_selector('#table button[title^="name "]')  # both are indexed
    table = shown.table()
    assert next(iter(table)) == "step", list(table)[:3]  # the largest change
    assert table["step"] == ("? \u2192 1", "\u2264 5 ns", "100.0 us", "\u2265 +100.0 us"), table["step"]
    gone = next(cells for name, cells in table.items() if name.startswith("name "))
    assert gone[0] == "1 \u2192 0" and gone[2:] == ("\u2013", "gone"), gone


def test_a_range_that_continues_after_a_tile_has_its_name():
    # Tiles end at multiples of a power of two, here a few pixels after the start.
    page = page_with(page_of("nested.rln"), made_up(1, ["x"], 2**14 - 50, 5000))
    labels = Shown(page).page.evaluate(
        "rangeline.timelines[0].picture.drawn.flatMap(({ labels }) => labels || []).length"
    )
    assert labels == 1, labels


def test_odd_names_can_be_read():
    blank, turned, broken = "   ", "abc\u202egnp.exe", "line\nbreak"
    faces = "\U0001f600" * 300
    page = page_with(
        page_of("nested.rln"), made_up(4, [blank, turned, broken, faces], 0, 1000)
    )
    shown = Shown(page)
    assert set(shown.table()) == {
        '"   "',
        "abc\\u202egnp.exe",
        "line\\x0abreak",
        faces,
    }, shown.table()
    shown.press("i")
    written = shown.page.evaluate(
        """async () => {
          const written = [], { fillText } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.fillText = (text) => written.push(text);
          for (let width = 900; width < 960; width += 7) {
            rangeline.view.width = width;
            rangeline.draw();
            rangeline.flame.draw();
            document.querySelector("#flame canvas").style.width = `${width}px`;
          }
          CanvasRenderingContext2D.prototype.fillText = fillText;
          return written.map((text) => [text, text.isWellFormed()]);
        }"""
    )
    assert all(is_whole for _, is_whole in written), written
    texts = {text for text, _ in written}
    assert "abc\\u202egnp.exe" in texts and '"   "' in texts, texts
    assert any(text.startswith("\U0001f600") and "\u2026" in text for text in texts)


def test_long_times_are_shown_in_minutes_and_hours():
    for seconds, said in ((119, "119.00 s"), (150, "2 min 30 s"), (10800, "3.0 h")):
        data = made_up(1, ["x"], 0, seconds * 10**9)
        shown = Shown(page_with(page_of("nested.rln"), data))
        assert shown.table() == {"x": (said, said, "1")}, shown.table()
    shown = Shown(page_of("--most-ranges", "1", "nested.rln"))
    has(shown.page.locator("#facts"), "ranges less than 120.0 us apart are merged")


def test_absurd_times():
    for at, ns in ((-4 * 10**18, 8 * 10**18), (4 * 10**18, 0), (0, 2**62 - 2**12)):
        shown = Shown(page_with(page_of("nested.rln"), made_up(2, ["x"], at, ns)))
        assert shown.table()["x"][2] == "2" and not shown.said
        shown.press("w", "w", "d", "s", "0")
        assert not shown.said


def test_a_page_without_a_range_says_so():
    shown = Shown(
        page_with(page_of("nested.rln"), made_up(0, ["x"], 0, 0))
    )
    assert shown.table() == {} and not shown.said


# --- Appearance -----------------------------------------------------------------------

LOOKS_AT = pathlib.Path(HERE) / "looks"
LOOKS = {
    "windows-light": ("windows.rln", "light", ""),
    "threads-dark": ("threads.rln", "dark", ""),
    "counters-light": ("counters.rln", "light", ""),
}


def look(name):
    trace, scheme, address = LOOKS[name]
    shown = Shown(
        page_of(trace),
        address,
        color_scheme=scheme,
        viewport={"width": 760, "height": 420},
    )
    shown.page.mouse.move(5, 5)
    return shown.page.locator("canvas.timeline").screenshot(animations="disabled")


def test_it_matches_the_reference_pictures():
    for name in LOOKS:
        taken, path = look(name), LOOKS_AT / f"{name}.png"
        if "--renew" in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(taken)
        share = share_that_differs(opened[-1].page, taken, path.read_bytes())
        assert share <= MOST_SHARE, f"{name}: {share:.1%} of it differs"


def test_a_picture_without_a_row_does_not_match():
    page, kept = (
        Shown(page_of("nested.rln")).page,
        (LOOKS_AT / "windows-light.png").read_bytes(),
    )
    assert share_that_differs(page, kept, kept) == 0
    assert share_that_differs(page, kept, kept, [30, 50]) > MOST_SHARE


only = [word for word in sys.argv[3:] if word.startswith("test_")]
enter_work()
with sync_playwright() as playwright:
    BROWSER = playwright.chromium.launch(
        executable_path=sys.argv[2],
        args=[
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--in-process-gpu",  # there is no GPU; a separate process draws more slowly
        ],
    )
    CONTEXT = BROWSER.new_context(viewport=SIZE)

    def closing(test):
        def run():
            page_errors.clear()
            provoked.clear()
            try:
                test()
                errors = [e for e in page_errors if not e.startswith(tuple(provoked))]
                assert not errors, errors
            finally:
                while opened:
                    opened.pop().close()

        return run

    run_tests(
        {
            name: closing(each) if name.startswith("test_") else each
            for name, each in list(globals().items())
            if not only or name in only
        }
    )
