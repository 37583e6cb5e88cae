#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""firefox.py BIN FIREFOX - tests that the page works in Firefox: it draws, selects, searches
and is served, without an error in the console. browser.py tests the details in Chromium.

Marionette, the protocol of Firefox itself, needs no driver: messages `LENGTH:JSON` over
TCP, [0, number, command, arguments] and [1, number, error, result].
"""

import gzip
import html
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

from pages import HERE, RANGELINE, enter_work, export_of, page_of, page_of_files, run_tests

WAIT_S = int(os.environ.get("VIEWER_WAIT_MS", "60000")) / 1000
PREFERENCES = {
    "marionette.port": 0,  # any; it is written into the profile
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.update.disabledForTesting": True,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
# Of the console: what went wrong in our pages.
ERRORS = """return Services.console.getMessageArray()
  .filter((each) => each instanceof Ci.nsIScriptError && !(each.flags & each.warningFlag) &&
    /^(file:|http:|about:srcdoc)/.test(each.sourceName))
  .map((each) => `${each.sourceName}:${each.lineNumber}: ${each.errorMessage}`)"""


def wait_for(condition, what):
    until = time.monotonic() + WAIT_S
    while not (found := condition()):
        assert time.monotonic() < until, what
        time.sleep(0.02)
    return found


class Firefox:
    def __init__(self, program):
        self.profile = pathlib.Path("profile").absolute()
        self.profile.mkdir()
        self.profile.joinpath("user.js").write_text("".join(
            f"user_pref({json.dumps(key)}, {json.dumps(value)});\n"
            for key, value in PREFERENCES.items()), encoding="ascii")
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--marionette", "--profile", self.profile,
             "--remote-allow-system-access"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = int(wait_for(self.port, "Firefox does not start"))
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        self.stream = self.socket.makefile("rb")
        self.number = 0
        self.receive()  # what it is
        self.ask("WebDriver:NewSession", capabilities={})

    def port(self):
        assert self.process.poll() is None, "Firefox has ended"
        file = self.profile / "MarionetteActivePort"
        return file.exists() and file.read_text(encoding="ascii")

    def receive(self):
        length = b""
        while (c := self.stream.read(1)) != b":":
            length += c
        return json.loads(self.stream.read(int(length)))

    def ask(self, command, **arguments):
        self.number += 1
        text = json.dumps([0, self.number, command, arguments]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, number, error, result = self.receive()
        assert number == self.number
        assert error is None, (command, error["error"], error["message"])
        return result

    def end(self):
        self.ask("Marionette:Quit", flags=["eForceQuit"])
        self.process.wait()

    # --- A page -----------------------------------------------------------------------

    def open(self, url):
        self.ask("WebDriver:Navigate", url=url)
        self.settle()

    def open_file(self, html, address=""):
        path = pathlib.Path("page.html").resolve()
        path.write_text(html, encoding="utf-8")
        self.ask("WebDriver:Navigate", url="about:blank")  # another address alone loads nothing
        self.open(path.as_uri() + address)

    def run(self, script, *arguments):
        return self.ask("WebDriver:ExecuteScript", script=script, args=list(arguments))["value"]

    def settle(self):
        script = "return document.getElementById('pictures')?.getAttribute('aria-busy')"
        wait_for(lambda: self.run(script) == "false", "the page is never calm")

    def find(self, selector):
        found = self.ask("WebDriver:FindElement", using="css selector", value=selector)["value"]
        return next(iter(found.values()))

    def click(self, selector):
        self.ask("WebDriver:ElementClick", id=self.find(selector))
        self.settle()

    def type(self, selector, text):
        self.ask("WebDriver:ElementSendKeys", id=self.find(selector), text=text)

    def press(self, keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("WebDriver:PerformActions",
                 actions=[{"type": "key", "id": "keyboard", "actions": actions}])
        self.settle()

    def has(self, selector, text):
        script = "return document.querySelector(arguments[0])?.innerText || ''"
        wait_for(lambda: text in self.run(script, selector), (selector, text))

    def table(self):
        return self.run("""return Object.fromEntries([...document.querySelectorAll("#table tr")]
          .map((row) => [row.querySelector("button").title, row.children[1].textContent]))""")

    def colors(self):
        """How many colors the picture has, without those of text."""
        return self.run("""
          const canvas = document.querySelector("canvas.timeline"), seen = new Map();
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          new Uint32Array(data.buffer).forEach((color) => seen.set(color, (seen.get(color) || 0) + 1));
          return [...seen.values()].filter((n) => n > 500).length""")

    def errors(self):
        self.ask("Marionette:SetContext", value="chrome")
        found = self.run(ERRORS)
        self.ask("Marionette:SetContext", value="content")
        return found


def test_a_page_in_a_file_draws_and_selects():
    FIREFOX.open_file(page_of("threads.rln"))
    assert FIREFOX.colors() >= 4, FIREFOX.colors()
    assert FIREFOX.run("return document.querySelectorAll('.group').length") >= 3
    FIREFOX.click("#table button")
    FIREFOX.has("#details h2", "step")
    FIREFOX.press("nf")
    wait_for(lambda: "sel=" in FIREFOX.run("return location.hash"), "no selection in the address")
    FIREFOX.press("it")
    FIREFOX.has("#flame .trail", "All")
    FIREFOX.has("#listing", "items on screen")


def test_a_search_goes_from_match_to_match():
    FIREFOX.open_file(page_of("nested.rln"))
    FIREFOX.type("#search", "load")
    FIREFOX.has("#hits", "3 matches")
    FIREFOX.type("#search", "\ue007")  # Enter
    FIREFOX.has("#details h2", "load")
    FIREFOX.click("#filter-button")
    FIREFOX.type("#by-name", "step")
    wait_for(lambda: set(FIREFOX.table()) == {"step"}, "the filter has no effect")


def test_keys_continue_where_a_highlight_leads():
    path = pathlib.Path(HERE).parent / "gpu/recordings/transformer.rln.gz"
    pathlib.Path("transformer.rln").write_bytes(gzip.decompress(path.read_bytes()))
    FIREFOX.open_file(page_of("transformer.rln"))
    FIREFOX.run("document.querySelector('#highlights button').focus()")
    FIREFOX.press("\ue007")  # Enter
    FIREFOX.has("#said", "more than the median of")
    wait_for(lambda: FIREFOX.run("return document.activeElement.id") == "details", "the focus is elsewhere")
    FIREFOX.press("\ue004")  # Tab
    assert FIREFOX.run("return document.activeElement.title").startswith("Previous")
    FIREFOX.press("o")
    for _ in range(3):
        FIREFOX.press("\ue015")  # arrow down
        wait_for(lambda: FIREFOX.run("return document.activeElement.getAttribute('aria-current')") == "true", "no selection")


def test_a_thread_is_pinned():
    FIREFOX.open_file(page_of("threads.rln"), "#pin=100/101/worker")
    pinned = "return document.querySelector('.gutter').innerText"
    assert FIREFOX.run(pinned).split()[:2] == ["worker", "100/101"], FIREFOX.run(pinned)
    FIREFOX.run("document.querySelector('.heading.header .group').focus()")
    FIREFOX.press("k")
    wait_for(lambda: "pin=p100" in FIREFOX.run("return location.hash"), "no pin in the address")
    assert "process" in FIREFOX.run("return document.activeElement.innerText")
    FIREFOX.click(".pin[aria-pressed=true]")
    wait_for(lambda: "worker" not in FIREFOX.run("return location.hash"), "it is still pinned")


def test_work_of_a_gpu_and_two_traces_are_shown():
    FIREFOX.open_file(page_of("gpu.rln"))
    FIREFOX.click("#table button[title=step]")
    FIREFOX.has("#details", "On GPU 0")
    FIREFOX.open_file(page_of("--compare", "pace.rln", "slower_pace.rln"))
    FIREFOX.has("#columns", "Change")


def test_a_served_trace_is_shown_like_one_in_a_file():
    FIREFOX.open_file(page_of("threads.rln"))
    table = FIREFOX.table()
    with subprocess.Popen([RANGELINE, "view", "--no-open", "threads.rln"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        try:
            address = server.stdout.readline().strip()
            if re.match("http:", address):
                FIREFOX.open(address)
                assert FIREFOX.table() == table and FIREFOX.colors() >= 4
                requested = FIREFOX.run("return performance.getEntriesByType('resource').map(({ name }) => name)")
                assert len(requested) == len(set(requested)) and f"{address}script" in requested, requested
                FIREFOX.ask("WebDriver:Navigate", url="about:blank")  # before the server ends
        finally:
            server.terminate()


def test_a_page_opens_files():
    page = page_of_files()
    if not page:
        return
    FIREFOX.open_file(page_of("threads.rln"))
    table = FIREFOX.table()
    for each in filter(None, ["threads.rln", export_of("threads.rln")]):
        FIREFOX.ask("WebDriver:Navigate", url="about:blank")
        FIREFOX.ask("WebDriver:Navigate", url=page.as_uri())
        FIREFOX.has(".chooser", "Drop a trace")
        FIREFOX.type("input[type=file]", str(pathlib.Path(each).resolve()))
        FIREFOX.settle()
        assert FIREFOX.table() == table and FIREFOX.colors() >= 4
        FIREFOX.click("#table button")
        FIREFOX.has("#details h2", "step")


def test_it_works_in_the_frame_of_a_notebook():
    path = pathlib.Path("notebook.html").resolve()
    path.write_text(f'<iframe sandbox="allow-scripts" width="1000" height="600" srcdoc="'
                    f'{html.escape(page_of("nested.rln"))}"></iframe>', encoding="utf-8")
    FIREFOX.ask("WebDriver:Navigate", url=path.as_uri())
    FIREFOX.ask("WebDriver:SwitchToFrame", id=0)
    FIREFOX.settle()
    FIREFOX.click("#table button[title=step]")
    FIREFOX.has("#details", "Duration")
    FIREFOX.press("t")
    FIREFOX.has("#listing", "items on screen")
    FIREFOX.type(".copy", "C")
    assert FIREFOX.run("return document.querySelector('.copy').options[0].text") == "Copied"
    FIREFOX.click("#help")
    FIREFOX.click("#close")
    assert not FIREFOX.run("return document.getElementById('keys').open")
    FIREFOX.ask("WebDriver:SwitchToFrame", id=None)


def test_nothing_goes_wrong():  # in the tests above
    assert not FIREFOX.errors(), FIREFOX.errors()
    broken = page_of("nested.rln").replace('"use strict";', '"use strict"; ', 1)
    pathlib.Path("broken.html").write_text(broken, encoding="utf-8")
    FIREFOX.ask("WebDriver:Navigate", url=pathlib.Path("broken.html").resolve().as_uri())
    wait_for(FIREFOX.errors, "an error would not be noticed")


if __name__ == "__main__":
    enter_work()
    FIREFOX = Firefox(shutil.which(sys.argv[2]))
    try:
        run_tests(globals())
    finally:
        FIREFOX.end()
