#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""server.py BIN - tests that the server of `rangeline view` refuses forbidden requests,
and answers the others correctly.

Answers about a trace are compared with those computed here from the output of
`rangeline print --json`. Prints `N passed, N failed`.
"""
import atexit
import base64
import contextlib
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

BIN = os.path.abspath(sys.argv[1])
TESTS = pathlib.Path(__file__).resolve().parents[1]
EXPORTS = TESTS.parents[1] / "shared/fixtures"
sys.path.insert(0, str(TESTS.parent / "tools/scenes"))
import made_up  # noqa: E402
RANGELINE = os.path.join(BIN, "rangeline")
PATIENCE_S = 60  # for actions that take a moment unless the machine is busy
os.environ["HOME"] = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="viewer-")
atexit.register(shutil.rmtree, os.environ["HOME"], ignore_errors=True)
os.environ.pop("SSH_CONNECTION", None)
os.chdir(os.environ["HOME"])
subprocess.run([os.path.join(BIN, "make_traces"), "."], check=True,
               stdout=subprocess.DEVNULL)


class Server:
    """A server of traces; `ask` sends it a query."""

    def __init__(self, *words, environment=None, opens=False):
        self.process = subprocess.Popen(
            [RANGELINE, "view", *([] if opens else ["--no-open"]), *words], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise AssertionError(self.process.stderr.read())
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.token = self.address.split("/")[3]

    def get(self, target, method="GET", headers=None, body=None):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = headers.items() if isinstance(headers, dict) else headers or []
        connection.putrequest(method, target, skip_host="Host" in dict(headers))
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        said = response.read()
        connection.close()
        return response.status, dict(response.getheaders()), said

    def status(self, path, **how):
        return self.get(f"/{self.token}/{path}", **how)[0]

    def ask(self, question, trace=0, **arguments):
        query = urllib.parse.urlencode(arguments, safe=",")
        status, headers, said = self.get(f"/{self.token}/{trace}/{question}?{query}")
        assert status == 200, (question, arguments, status)
        assert headers["Content-Type"] == "application/json"
        return json.loads(said)

    def end(self):
        """Its output, and its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, *said


def wait_until(condition):
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until, "it never happens"
        time.sleep(0.01)


@contextlib.contextmanager
def serving(*words, **how):
    server = Server(*words, **how)
    try:
        yield server
    finally: # not killed: tools/coverage counts what it ran
        if server.process.poll() is None:
            server.process.send_signal(signal.SIGINT)
            atexit.register(server.process.communicate, timeout=PATIENCE_S)


# ---- Which requests it answers -------------------------------------------------------


def test_the_address_is_on_the_loopback_and_has_a_secret():
    with serving("nested.rln") as one, serving("nested.rln") as other:
        assert one.address.startswith("http://127.0.0.1:"), one.address
        assert len(one.token) == 32 and int(one.token, 16) >= 0
        assert one.token != other.token
        status, printed, said = one.end()
        assert (status, printed) == (0, "")
        assert said == ("note: open this address within 60 s; the command ends when its "
                        "last page is closed, or on Ctrl-C (--html FILE: write a page, and "
                        "end)\n"), said


def test_it_listens_only_on_the_loopback():
    with serving("nested.rln") as server:
        with open("/proc/net/tcp", encoding="ascii") as table:
            rows = [line.split() for line in table.readlines()[1:]]
        mine = [row[1] for row in rows
                if row[1].endswith(f":{server.port:04X}") and row[3] == "0A"]
        assert mine == [f"0100007F:{server.port:04X}"], mine


def test_without_the_token_nothing_is_answered():
    with serving("nested.rln") as server:
        token = server.token
        assert server.get(f"/{token}/")[0] == 200
        for target in ["/", "//", "/0/about", f"/{token}", f"/{token[:-1]}/", f"/{token}0/",
                       f"/{'0' * 32}/0/about", f"/{token.upper()}/", f"/x/../{token}/"]:
            if target != f"/{token}/":
                assert server.get(target)[0] == 404, target


def test_pages_of_others_are_refused():
    with serving("nested.rln") as server:
        port = server.port
        for host in [f"127.0.0.1:{port}", f"localhost:{port}"]:
            assert server.status("0/about", headers={"Host": host}) == 200, host
        for host in ["evil.example", f"evil.example:{port}", "127.0.0.1", "localhost",
                     f"127.0.0.1:{port}.evil.example", f"127.0.0.1:{port + 1}", ""]:
            assert server.status("0/about", headers={"Host": host}) == 403, host
        for origin, status in [(f"http://127.0.0.1:{port}", 200), ("null", 403),
                               (f"http://localhost:{port}", 200), ("http://evil.example", 403),
                               (f"https://127.0.0.1:{port}", 403), ("", 403)]:
            assert server.status("0/about", headers={"Origin": origin}) == status, origin
        here = ("Host", f"127.0.0.1:{port}")
        for twice in [[here, ("Host", "evil.example")], [("Host", "evil.example"), here],
                      [here, ("Origin", f"http://127.0.0.1:{port}"),
                       ("Origin", "http://evil.example")]]:
            assert server.status("0/about", headers=twice) == 403, twice
        first = f"GET /{server.token}/0/about HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        assert b" 200 " in raw(port, f"{first}\r\n".encode()).split(b"\r\n")[0]
        for second in ["Host: evil.example", "hOST:evil.example", "Host : evil.example",
                       "Host\t: evil.example", " Host: evil.example", "Host:", "Host",
                       "Origin : http://evil.example"]:
            said = raw(port, f"{first}{second}\r\n\r\n".encode()).split(b"\r\n")[0]
            assert b" 403 " in said or b" 400 " in said, (second, said)


def test_it_only_reads():
    with serving("nested.rln") as server:
        for method in ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW"]:
            assert server.status("0/about", method=method) == 405, method
        assert server.status("0/about", headers={"Content-Length": "1"}, body=b"x") == 413
        assert server.status("0/about", headers={"Transfer-Encoding": "chunked"}) == 413
        twice = [("Content-Length", "0"), ("Content-Length", "1")]
        assert server.status("0/about", headers=twice) in (400, 413)


def test_every_answer_forbids_what_a_page_does_not_need():
    with serving("nested.rln") as server:
        for target in [f"/{server.token}/", f"/{server.token}/script", "/"]:
            _, headers, _ = server.get(target)
            policy = headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Cache-Control"] == "no-store"
            assert headers["Referrer-Policy"] == "no-referrer"
            assert "Access-Control-Allow-Origin" not in headers


def test_the_page_has_no_script_of_its_own():
    with serving("nested.rln") as server:
        status, headers, page = server.get(f"/{server.token}/")
        assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8"
        assert not re.search(rb"@[A-Z_]+@", page), "a place that nothing filled"
        assert re.findall(rb"<script[^>]*>[^<]*</script>", page) == [
            b'<script src="script" defer></script>'], page
        (style,) = re.findall(rb"<style>([^<]*)</style>", page)
        checksum = base64.b64encode(hashlib.sha256(style).digest()).decode()
        assert f"; style-src 'sha256-{checksum}'; " in headers["Content-Security-Policy"]
        assert b" style=" not in page
        status, headers, said = server.get(f"/{server.token}/script")
        assert status == 200 and headers["Content-Type"].startswith("text/javascript") and said


def test_what_is_long_is_compressed_if_the_client_takes_gzip():
    with serving("nested.rln") as server:
        def get(path, *encodings):
            status, headers, said = server.get(
                f"/{server.token}/{path}", headers=[("Accept-Encoding", each) for each in encodings])
            assert status == 200 and int(headers["Content-Length"]) == len(said), path
            assert headers["Vary"] == "Accept-Encoding", path
            encoding = headers.get("Content-Encoding")
            assert encoding in (None, "gzip"), encoding
            return gzip.decompress(said) if encoding else said, encoding == "gzip"

        for path in ["", "script", "0/reports", "0/overview?pixels=1024"]:
            plain, was_packed = get(path)
            assert not was_packed and len(plain) > 1024, path
            assert get(path, "gzip, deflate, br, zstd") == (plain, True), path
        for short in ["0/about", "0/search?text=load"]:
            assert not get(short, "gzip")[1], short
        for encodings, takes in [
                (["GZip"], True), (["x-gzip"], True), (["*"], True), (["br , gzip"], True),
                (["gzip;q=0.001"], True), (["gzip ; q=1.0,br"], True), (["br;q=1", "gzip"], True),
                (["*;q=0, gzip"], True), ([",,gzip"], True), (["identity;q=0, *"], True),
                ([""], False), (["br"], False), (["gzip;q=0"], False), (["gzip;Q=0.000"], False),
                (["gzip;q=0, *"], False), (["*", "gzip ;q=0"], False), (["*;q=0"], False),
                (["gzipped"], False), (["gz ip"], False), (["gzip;q="], False), (["gzip;q=x1"], False),
                (["gzip;"], False), (["gzip;q=1;q=0"], False), (["identity"], False)]:
            assert get("script", *encodings)[1] == takes, encodings
        events = raw(server.port, (
            f"GET /{server.token}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            "Accept-Encoding: gzip\r\n\r\n").encode())
        assert b" 200 " in events.split(b"\r\n")[0] and b"Content-Encoding" not in events, events


def test_invalid_requests_are_refused():
    with serving("nested.rln") as server:
        for path in ["1/about", "9/about", "00/about", "0", "0/", "0/abouts", "script?",
                     "../script", "%73cript", "etc/passwd", "/etc/passwd", "README.md",
                     "page.html", "style", "worker", "reader", "main.js", "0/about/", "x" * 3000]:
            assert server.status(path) == 404, path
        for query in ["", "from=0&to=9&pixels=9", "from=0&to=9",
                      "from=0&to=9&pixels=0&rows=0", "from=9&to=0&pixels=9&rows=0",
                      "from=0&to=9&pixels=16385&rows=0", "from=0&to=nan&pixels=9&rows=0",
                      "from=0&to=inf&pixels=9&rows=0", "from=0&to=1e99&pixels=9&rows=0",
                      "from=0x1&to=9&pixels=9&rows=0", "from=0&to=9&pixels=9&rows=-1",
                      "from=0&to=9&pixels=9&rows=1-0", "from=0&to=9&pixels=9&rows=0-4096",
                      "from=0&to=9&pixels=9&rows=0,,1", "from=0&to=9&pixels=9&rows=0&from=0",
                      "from=0&to=9&pixels=9&rows=0&other=1", "from&to=9&pixels=9&rows=0",
                      "from=0&to=9&pixels=9&rows=0&with=%zz",
                      "from=0&to=9&pixels=9&rows=0&with=%0"]:
            assert server.status(f"0/tile?{query}") == 400, query
        assert server.status("0/sums?from=0&to=9&fold=2") == 400
        assert server.status("0/tile?from=0&to=9&pixels=9&rows=0&fold=1") == 400
        assert server.status("0/search?text=" + "x" * 1025) == 400
        assert server.status("0/search?text=" + "x" * 20000) == 414
        assert server.status("0/about") == 200


def raw(port, request):
    """The reply to bytes that are no HTTP; the server may also close the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            return connection.recv(65536)
    return b""


def test_garbage_does_no_harm():
    with serving("nested.rln") as server:
        here = f"Host: 127.0.0.1:{server.port}\r\n".encode()
        for request in [b"\0" * 100, b"GET", b"GET / HTTP/1.1\r\n\r\n", b"\r\n\r\n\r\n",
                        b"GET / HTTP/9.9\r\n" + here + b"\r\n", b"\x16\x03\x01\x02\0\x01",
                        b"GET /" + b"a" * 200000 + b" HTTP/1.1\r\n" + here + b"\r\n",
                        b"GET / HTTP/1.1\r\n" + here + b"X: " + b"y" * 200000 + b"\r\n\r\n",
                        f"GET /{server.token}/0/about HTTP/1.1\r\n\r\n".encode()]:
            said = raw(server.port, request)
            assert b" 200 " not in said.split(b"\r\n")[0], request[:80]
        assert server.status("0/about") == 200


def test_a_port_in_use_is_an_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run([RANGELINE, "view", "--port", str(port), "nested.rln"],
                              capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == (f"rangeline: cannot serve: address=127.0.0.1, port={port}: "
                           "Address already in use\n"
                           "hint: use another port with --port N, or omit it for a free one\n"
                           ), done.stderr


def test_over_ssh_it_says_how_to_get_there():
    with serving("nested.rln", environment={"SSH_CONNECTION": "a 1 b 22"}) as server:
        _, _, said = server.end()
        port = server.port
        assert said.startswith("note: on the machine with the browser: "
                               f"ssh -L {port}:127.0.0.1:{port} "), said


def test_the_secret_is_in_no_command_line():
    """A browser is started with a file that only its user can read, and that leads to
    the page; it is gone at the end."""
    home = tempfile.mkdtemp(dir=".")
    script = os.path.join(home, "xdg-open")
    with open(script, "w", encoding="utf-8") as out:
        out.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >{home}/new && mv {home}/new {home}/words\n')
    os.chmod(script, 0o755)
    for runtime in [home, os.path.join(home, "missing")]:
        words = os.path.join(home, "words")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(words)
        browser = {"PATH": f"{home}:{os.environ['PATH']}", "DISPLAY": ":0",
                   "XDG_RUNTIME_DIR": os.path.abspath(runtime)}
        with serving("nested.rln", environment=browser, opens=True) as server:
            wait_until(lambda: os.path.exists(words))  # pylint: disable=cell-var-from-loop
            with open(words, encoding="utf-8") as opened:
                said = opened.read()
            assert server.token not in said, said
            page = said.strip()
            assert stat.S_IMODE(os.stat(page).st_mode) == 0o600, page
            with open(page, encoding="utf-8") as redirects:
                assert f"0;url={server.address}" in redirects.read()
            assert server.end()[0] == 0
            assert not os.path.exists(page)


def test_the_address_shows_what_an_option_says():
    for given in ("#t=1,2&find=a%20b\"<i>", "http://127.0.0.1:1/x/#t=1,2&find=a%20b\"<i>"):
        with serving("--address", given, "nested.rln") as server:
            assert server.address.endswith("/#t=1,2&find=a%20b%22%3Ci%3E"), server.address
            assert server.status("0/about") == 200


def test_without_a_browser_it_serves_and_leaves_no_file():
    home = os.path.abspath(tempfile.mkdtemp(dir="."))
    alone = {"PATH": home, "DISPLAY": ":0", "XDG_RUNTIME_DIR": home}
    with serving("nested.rln", environment=alone, opens=True) as server:
        assert server.status("0/about") == 200
        assert server.end()[0] == 0
    assert os.listdir(home) == []  # only now: it serves while it looks for a browser


def test_that_the_page_cannot_be_written_is_an_error():
    missing = os.path.abspath("missing")
    done = subprocess.run([RANGELINE, "view", "nested.rln"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE_S,
                          env={**os.environ, "DISPLAY": ":0", "XDG_RUNTIME_DIR": missing,
                               "TMPDIR": missing})
    assert done.returncode == 1, done
    assert done.stderr.startswith(f'rangeline: cannot write page: path="{missing}/'), done


def slow_clients(server, n, sends):
    clients = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S)
               for _ in range(n)]
    for client in clients:
        with contextlib.suppress(OSError):
            client.sendall(sends)
    return clients


def test_clients_without_the_token_block_no_others():
    for sends in [b"", b"GET /", b"GET /0123/ HTTP/1.1\r\nX: ", b"POST / HTTP/1.1\r\n"]:
        with serving("nested.rln") as server:
            clients = slow_clients(server, 200, sends)
            assert server.status("0/about") == 200, sends
            # Even while these come and go.
            for client in clients[:50]:
                client.close()
            clients += slow_clients(server, 100, sends)
            assert server.status("0/about") == 200, sends
            for client in clients:
                client.close()


def test_a_client_without_the_token_has_a_deadline():
    """Not one that each further byte extends."""
    with serving("nested.rln") as server:
        client = slow_clients(server, 1, b"GET /")[0]
        client.settimeout(0.05)

        def is_closed():
            try:
                client.sendall(b"x")
                return client.recv(4096) == b""
            except TimeoutError:
                return False
            except OSError:
                return True
        wait_until(is_closed)
        client.close()
        assert server.process.poll() is None


def test_it_ends_when_the_last_page_has_gone():
    with serving("nested.rln") as server:
        pages = []
        for _ in range(2):
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            connection.request("GET", f"/{server.token}/events")
            response = connection.getresponse()
            assert response.getheader("Content-Type") == "text/event-stream"
            pages.append((connection, response))
        for connection, response in pages:
            assert server.process.poll() is None
            response.close()
            connection.close()
        assert server.process.wait(PATIENCE_S) == 0


# ---- Answers about a trace -----------------------------------------------------------

GOLDEN = ["nested", "startend", "counters", "deferred", "gap", "group", "fork", "newest", "pace",
          "parts", "payloads", "pool", "rare", "threads", "windows", "locks"]
UNCOUNTED = ("lost", "unmatched", "inherited", "unplaced")


def printed(*words):
    done = subprocess.run([RANGELINE, "print", "--json", *words], capture_output=True,
                          text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def label(name):
    return ((f"{name['domain']}:" if name.get("domain") else "") + (name.get("message") or "")
            + (f".{name['field']}" if name.get("field") else ""))


# With two traces in a file, the last event of the one in which a range stays open.
ENDS = {"parts.rln": 120000}


def expected_ranges(trace, about):
    """[(kind, label, start, end, is_open)] from `print`, which does not know the start
    of a range that was open before its window."""
    last = ENDS.get(trace, about["last"])
    return [
        ({"push_pop": "p", "start_end": "s"}[r["style"]], label(r), r.get("start"),
         r.get("end", max(last, r.get("start", 0))), int(r.get("open", False)))
        for r in printed("--ranges", trace)
        if r["style"] in ("push_pop", "start_end") and not any(r.get(k) for k in UNCOUNTED)]


def about_whole(server):
    """The server's summary once the index is complete."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        about = server.ask("about")
        if about["isComplete"]:
            return about
        time.sleep(0.01)
    raise AssertionError("the index is never complete")


def tile(server, about, start, end, pixels, kinds="ps", **words):
    """The items of rows of these kinds, with their row."""
    rows = [i for i, row in enumerate(about["rows"]) if row["kind"] in kinds]
    if not rows:
        return []
    said = server.ask("tile", **{"from": start, "to": end}, pixels=pixels,
                      rows=",".join(map(str, rows)), **words)["rows"]
    assert [row["row"] for row in said] == rows
    items = []
    for row in said:
        columns = [key for key in row if key != "row"]
        assert len({len(row[key]) for key in columns}) == 1, "columns of one length"
        for i in range(len(row["start"])):
            item = {"n": 1, "isOpen": 0, "color": -1, **{key: row[key][i] for key in columns}}
            item.setdefault("covered", item["end"] - item["start"])
            items.append({**item, "kind": about["rows"][row["row"]]["kind"], "row": row["row"]})
        assert row["start"] == sorted(row["start"]), "in the order of starts"
    return items


def test_every_range_of_every_trace_is_there():
    for name in GOLDEN:
        with serving(f"{name}.rln") as server:
            about = about_whole(server)
            items = tile(server, about, about["first"], about["last"], 1)
            expected = expected_ranges(f"{name}.rln", about)
            # So narrow that no items are merged.
            seen = [(item["kind"], label(about["names"][item["name"]]), item["start"],
                     item["end"], item["isOpen"]) for item in alone(server, about, "ps")]
            unknown = {(kind, text, end) for kind, text, start, end, _ in expected
                       if start is None}
            seen = [(kind, text, None if (kind, text, end) in unknown else start, end, is_open)
                    for kind, text, start, end, is_open in seen]
            assert sorted(seen, key=str) == sorted(expected, key=str), (name, seen, expected)
            assert sum(item["n"] for item in items) == len(expected), name


def alone(server, about, kinds):
    """Single items: zooms in where several are merged. Yields none twice."""
    found, spans = {}, [(about["first"], about["last"])]
    while spans:
        start, end = spans.pop()
        for item in tile(server, about, start, end, 4096, kinds):
            if item["n"] == 1:
                found[item["row"], item["start"], item["end"], item["name"]] = item
            else:
                assert (start, end) != (item["start"], item["end"]), item
                spans.append((item["start"], item["end"]))
    return list(found.values())


def record_gpu_work():
    fakes = os.path.join(BIN, "..", "fakes")
    environment = {**os.environ, "LD_LIBRARY_PATH": f"{fakes}:{fakes}/cupti-12",
                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    script = "init push step launch k 3 launch 1:other pop copy 64 sync"
    subprocess.run([RANGELINE, "profile", "-f", "-t", "cuda", "-o", "recorded",
                    os.path.join(BIN, "player"), *script.split()],
                   env=environment, stderr=subprocess.DEVNULL, check=True)


def test_gpu_work_is_on_rows_of_its_streams():
    record_gpu_work()
    work = sorted((e["stream"], e["name"], e["t"], e["t"] + e["duration"])
                  for e in printed("recorded.rln") if e["type"] == "gpu")
    for words, expected in [([], work), (["--name", "k"], [w for w in work if w[1] == "k"]),
                            (["--filter-payload", "bytes=64"],
                             [w for w in work if "memcpy" in w[1]])]:
        with serving("recorded.rln", *words) as server:
            about = about_whole(server)
            streams = [t["name"] for t in about["threads"]]
            seen = sorted((streams[about["rows"][item["row"]]["thread"]],
                           about["names"][item["name"]]["message"], item["start"], item["end"])
                          for item in alone(server, about, "p")
                          if streams[about["rows"][item["row"]]["thread"]].startswith("GPU"))
            assert seen == expected, (words, seen, expected)


def test_waits_for_gpus_are_no_work():
    record_gpu_work()
    events = [e for e in printed("recorded.rln") if e["type"] == "gpu"]
    waits = [e for e in events if "sync" in e["name"]]
    assert waits and len(waits) < len(events), events
    with serving("recorded.rln") as server:
        about = about_whole(server)
        of_waits = [row for row, each in enumerate(about["rows"]) if each.get("isOfWaits")]
        seen = [about["names"][item["name"]]["message"] for item in alone(server, about, "p")
                if item["row"] in of_waits]
        assert seen == [e["name"] for e in waits], seen
        parts = server.ask("overview", pixels=100)
    work_ns = sum(e["duration"] for e in events if e not in waits)
    assert abs(sum(parts["gpu"]) - work_ns) <= 100, (parts["gpu"], work_ns)


def test_work_of_gpus_belongs_to_the_ranges_around_its_calls():
    with serving("gpu.rln") as server:
        about = about_whole(server)
        items = tile(server, about, 0, about["last"], 1000)
        of_name = {about["names"][item["name"]]["message"]: item for item in items}
        step = of_name["step"]
        found = server.ask("links", row=step["row"], start=step["start"])
        (gpu,) = found["gpus"]
        first = gpu.pop("first")
        assert gpu == {"label": "GPU 0", "n": 3, "busy": 2000, "start": 1000, "end": 3000,
                       "adopted": 0, "by": -1}
        where = about["groups"][about["rows"][first["row"]]["group"]]["label"]
        assert (where, first["start"]) == ("GPU 0/context 1/stream 7", 1000), (where, first)
        report = subprocess.run(
            [RANGELINE, "stats", "-q", "-r", "nvtx_gpu_proj_trace", "-f", "json", "-o", "-",
             "gpu.rln"], capture_output=True, text=True, check=True).stdout
        (projected,) = json.loads(report)
        assert projected["Projected Start (ns)"] == gpu["start"], projected
        assert projected["Projected Duration (ns)"] == gpu["end"] - gpu["start"], projected
        copy = of_name["copy"]
        call = server.ask("links", row=copy["row"], start=copy["start"])["call"]
        around, own = call.pop("around"), call.pop("own")
        assert call == {"start": 200, "thread": 0}, call
        assert about["rows"][own["row"]]["kind"] == "a" and (own["start"], own["end"]) == (200, 300), own
        assert (around["row"], around["start"]) == (step["row"], 100), around
        streams = [row for row, each in enumerate(about["rows"])
                   if about["groups"][each["group"]]["label"].startswith("GPU") and each["kind"] == "p"]
        (streamed, _) = server.ask("tile", **{"from": 0, "to": 9999}, pixels=1000,
                                   rows=",".join(map(str, streams)))["rows"]
        assert streamed["owner"] == [0, 0] and streamed["from"] == [200, 200], streamed
        assert server.status("0/links?row=99&start=0") == 404


def make_launches(path):
    """An export in which the main thread adopts one launch of three: the second thread has a
    range of its own, and the main thread's last call ends after `backward`."""
    path = pathlib.Path(path)
    with contextlib.closing(made_up.Export(path, "/x")) as export:
        export.db.executescript("""
            CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER,
                globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER);
            CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER,
                deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER,
                globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
            INSERT INTO StringIds VALUES (1000, 'cudaLaunchKernel'), (1001, 'k');""")
        main = made_up.PID
        for number, (thread, start, end) in enumerate(
                [(main + 1, 200, 210), (main + 2, 300, 310), (main, 995, 1005)], 1):
            export.insert("CUPTI_ACTIVITY_KIND_RUNTIME",
                          (start, end, export.global_tid(thread), number, 1000, 0))
            export.insert("CUPTI_ACTIVITY_KIND_KERNEL",
                          (start + 1000, start + 1100, 0, 1, 7, number, export.global_tid(0), 1001, 1001))
        export.thread(main, "main", [(0, 5000, "step"), (100, 1000, "backward")])
        export.thread(main + 2, "other", [(250, 400, "own")])
    return str(path)


def kept(name):
    """What was recorded on a GPU: tests/gpu/recordings."""
    path = TESTS / "gpu/recordings" / f"{name}.rln.gz"
    pathlib.Path(f"{name}.rln").write_bytes(gzip.decompress(path.read_bytes()))
    return f"{name}.rln"


def test_work_of_gpus_belongs_to_the_ranges_that_reports_with_adoption_say():
    for trace in make_launches("launches.sqlite"), kept("transformer"), kept("replay"), "gpu.rln":
        report = json.loads(subprocess.run(
            [RANGELINE, "stats", "-q", "-r", "nvtx_gpu_proj_trace:adopt", "-f", "json", "-o", "-",
             trace], capture_output=True, text=True, check=True).stdout)
        expected = sorted((row["Orig Start (ns)"], row["TID"], row["Orig Duration (ns)"],
                           row["Projected Start (ns)"], row["Projected Duration (ns)"]) for row in report)
        with serving(trace) as server:
            about = about_whole(server)
            seen = []
            for item in alone(server, about, "ps"):
                row = about["rows"][item["row"]]
                if about["groups"][row["group"]]["label"].startswith("GPU") or row["thread"] < 0:
                    continue
                gpus = server.ask("links", row=item["row"], start=item["start"], tie=item.get("tie", 0))["gpus"]
                start, end = (pick(gpu[key] for gpu in gpus) if gpus else 0
                              for pick, key in ((min, "start"), (max, "end")))
                if gpus:
                    seen.append((item["start"], about["threads"][row["thread"]]["tid"],
                                 item["end"] - item["start"], start, end - start))
        assert expected and sorted(seen) == expected, (trace, sorted(seen)[:9], expected[:9])


def test_projected_ranges_are_those_of_the_report():
    for trace in kept("transformer"), kept("replay"), "gpu.rln":
        report = json.loads(subprocess.run(
            [RANGELINE, "stats", "-q", "-r", "nvtx_gpu_proj_trace:adopt", "-f", "json", "-o", "-",
             trace], capture_output=True, text=True, check=True).stdout)
        expected = {(row["Orig Start (ns)"], row["Orig Duration (ns)"]):
                    (row["Projected Start (ns)"], row["Projected Duration (ns)"]) for row in report}
        with serving(trace) as server:
            about = about_whole(server)
            seen, rows = {}, set()
            for item in alone(server, about, "r"):
                of = server.ask("details", row=item["row"], start=item["start"], tie=item.get("tie", 0))
                assert about["rows"][of["row"]]["kind"] == "p" and of["name"] == item["name"], (item, of)
                place = about["rows"][item["row"]]["thread"], of["row"], of["start"]
                assert place not in rows, (trace, item, of)  # once on each stream
                rows.add(place)
                begin, end = seen.get((of["start"], of["end"]), (item["start"], item["end"]))
                seen[of["start"], of["end"]] = min(begin, item["start"]), max(end, item["end"])
        found = {(start, end - start): (begin, until - begin) for (start, end), (begin, until) in seen.items()}
        assert found and found == expected, (trace, len(found), len(expected))


def test_adopted_work_says_who_launched_it():
    with serving(make_launches("launches.sqlite")) as server:
        about = about_whole(server)
        of_name = {about["names"][item["name"]]["message"]: item for item in alone(server, about, "p")}
        tid_of = [thread["tid"] for thread in about["threads"]]

        def links(name):
            return server.ask("links", row=of_name[name]["row"], start=of_name[name]["start"])

        ((adopting,), (step,), (own,)) = (links(name)["gpus"] for name in ("backward", "step", "own"))
        assert (adopting["n"], adopting["adopted"], step["n"], own["n"]) == (1, 1, 2, 1)
        assert tid_of[adopting["by"]] == made_up.PID + 1 and own["adopted"] == 0, (adopting, own)
        call = server.ask("links", row=adopting["first"]["row"], start=1200)["call"]
        assert tid_of[call["thread"]] == made_up.PID + 1, call
        assert call["around"]["start"] == of_name["backward"]["start"], call


def test_highlights_are_the_slow_steps_and_the_gaps_of_gpus():
    with serving(kept("transformer")) as server:
        about = about_whole(server)
        of_name = [name["message"] for name in about["names"]]
        found = server.ask("highlights")
        step = found["step"]
        assert of_name[step["name"]] == "step 0" and step["n"] == 8 and not step["isRough"], step
        slow = [(of_name[one["name"]], of_name[one["part"]["name"]]) for one in step["slow"]]
        assert slow == [("step 0", "forward"), ("step 6", "load")], slow
        (gpu,) = found["gpus"]
        where = [(gap["end"] - gap["start"]) // 1_000_000 for gap in gpu["gaps"]]
        assert where == [4005, 85, 27, 26, 20], where
        first, *others = gpu["gaps"]
        assert first["ns"] < (first["end"] - first["start"]) / 2, first  # before the first step
        assert [of_name[gap["name"]] for gap in others] == ["forward", "optimizer", "forward", "read"]
        assert sum(gap["end"] - gap["start"] for gap in gpu["gaps"]) < gpu["idle"] < gpu["to"] - gpu["from"]


def test_an_occurrence_differs_from_the_median_by_its_parts():
    with serving(kept("transformer")) as server:
        about = about_whole(server)
        of_name = [name["message"] for name in about["names"]]
        steps = [item for item in alone(server, about, "p") if of_name[item["name"]].startswith("step ")]
        insides = [server.ask("inside", row=item["row"], start=item["start"], name=item["name"], fold=1)
                   for item in steps]
        own = {}  # by part, in the order of steps
        for k, (item, inside) in enumerate(zip(steps, insides)):
            gpus = server.ask("links", row=item["row"], start=item["start"])["gpus"]
            details = server.ask("details", row=item["row"], start=item["start"])
            times = {}
            for child in details["children"]:
                key = of_name[child["name"]]
                times[key] = times.get(key, 0) + child["end"] - child["start"]
            times["itself"] = item["end"] - item["start"] - sum(times.values())
            times.update({gpu["label"]: gpu["busy"] for gpu in gpus})
            for key, ns in times.items():
                own.setdefault(key, [0] * len(steps))[k] = ns
        assert len(steps) == 8 and {"load", "forward", "itself", "GPU 0"} <= own.keys(), own.keys()
        for k, inside in enumerate(insides):
            assert inside["n"] == 8 and not inside["isRough"] and not inside["more"], inside
            seen = {"itself" if row.get("isSelf") else row.get("gpu") or of_name[row["name"]]:
                    (row["ns"], row["median"]) for row in inside["rows"]}
            assert seen == {key: (each[k], statistics.median(each)) for key, each in own.items()}, (k, seen)
            away = [abs(row["ns"] - row["median"]) for row in inside["rows"]]
            assert away == sorted(away, reverse=True), away
        once = server.ask("inside", row=steps[0]["row"], start=steps[0]["start"], name=steps[0]["name"])
        assert (once["n"], once["rows"]) == (1, []), once  # without its kind it occurs once


def test_an_occurrence_differs_from_the_median_by_what_its_time_was_made_of():
    with serving("waiting_steps.rln") as server:
        about = about_whole(server)
        steps = alone(server, about, "p")
        insides = [server.ask("inside", row=step["row"], start=step["start"], name=step["name"]) for step in steps]
        usual = [{"state": "on", "ns": 80_000_000, "median": 80_000_000},
                 {"state": "preempted", "ns": 20_000_000, "median": 20_000_000}]
        assert len(steps) == 12 and all(inside["states"] == usual for inside in insides[:6] + insides[7:11]), insides
        assert insides[6]["states"] == [*usual, {"state": "blocked", "ns": 80_000_000, "median": 0}], insides[6]
        assert "states" not in insides[11], insides[11]
    with serving("switches.rln") as server:  # each occurs once
        about = about_whole(server)
        for item in alone(server, about, "p"):
            assert "states" not in server.ask("inside", row=item["row"], start=item["start"], name=item["name"])


def test_overlapping_work_of_a_stream_is_not_nested():
    export = EXPORTS / "nsys-2026.2-two-gpu.sqlite"
    if not export.exists():
        print("skipped: no export of Nsight Systems with overlapping work")
        return
    with serving(str(export)) as server:
        about = about_whole(server)
        for to in about["last"], about["last"] - 1:
            span = {"from": about["first"], "to": to}
            work = [row for row in server.ask("sums", **span)["rows"]
                    if "SendRecv" in about["names"][row["name"]]["message"]
                    and about["names"][row["name"]]["domain"] == ""]
            assert work and all(row["self"] == row["total"] for row in work), work


def test_a_trace_without_names_can_be_folded():
    with serving("locks.rln") as server:
        assert server.ask("about")["names"] == []
        for question in "sums", "flame":
            assert server.ask(question, **{"from": 0, "to": 9}, fold=1)["rows"] == []


def test_marks_are_there():
    for name in ["nested", "threads", "parts", "deferred"]:
        with serving(f"{name}.rln") as server:
            about = about_whole(server)
            seen = sorted((label(about["names"][item["name"]]), item["start"], item["n"])
                          for item in alone(server, about, "m"))
            expected = sorted((label(e), e["t"], 1) for e in printed(f"{name}.rln")
                              if e["type"] == "mark" and not e.get("unplaced"))
            assert seen == expected, (name, seen, expected)


def test_rows_never_hold_two_ranges_at_once():
    for name in GOLDEN:
        with serving(f"{name}.rln") as server:
            about = about_whole(server)
            ends = {}
            for item in tile(server, about, about["first"], about["last"], 16384):
                assert item["start"] >= ends.get(item["row"], item["start"]), (name, item)
                ends[item["row"]] = item["end"]


def test_samples_have_their_values_in_their_unit_and_changes_are_added_up():
    in_unit = {"busy": 1 / 255, "sent": 1024}  # make_traces.c: normalized, and KiB
    with serving("counters.rln") as server:
        about = about_whole(server)
        seen = sorted((label(about["names"][item["name"]]), item["start"], item["value"])
                      for item in tile(server, about, about["first"], about["last"], 16384, "c"))
        expected, sent = [], 0
        for e in printed("counters.rln"):
            value = 0 if e.get("no_value") == "zero" else e.get("value")
            if e["type"] != "sample" or not isinstance(value, (int, float)):
                continue
            value *= in_unit.get(e.get("name"), 1)
            if e.get("name") == "sent":  # of changes
                value = sent = sent + value
            expected.append((f"{e['domain']}:{e['name']}" if "domain" in e else e.get("name", ""),
                             e["t"], value))
        expected.sort()
        numbers = [each for each in seen if each[2] is not None]
        assert [each[:2] for each in numbers] == [each[:2] for each in expected], seen
        assert all(abs(a[2] - b[2]) <= abs(b[2]) * 1e-15
                   for a, b in zip(numbers, expected)), (numbers, expected)
        # A sample without a value ends the line of its counter, once.
        ended = [e["t"] for e in printed("counters.rln") if e["type"] == "sample" and
                 e.get("no_value") in ("unavailable", "other")]
        assert {each[1] for each in seen if each[2] is None} <= set(ended), (seen, ended)
        (sent,) = [row for row in about["rows"] if row.get("label") == "sent"]
        assert (sent["unit"], sent["interpolation"]) == ("bytes", "back")


def test_counters_are_measured_as_in_counter_sum():
    command = [RANGELINE, "stats", "-q", "-r", "counter_sum", "-f", "json", "counters.rln"]
    of_stats = {row["Counter"].strip(":"): row for row in json.loads(subprocess.check_output(command))}
    with serving("counters.rln") as server:
        about = about_whole(server)

        def measured(start, end):
            rows = server.ask("counters", **{"from": start, "to": end}, rows=f"0-{len(about['rows']) - 1}")["rows"]
            return {about["rows"][row["row"]]["label"]: row for row in rows}

        whole = measured(about["first"], about["last"])
        for name in "io:queued", "busy", "temperature", "free":
            seen, stats = whole[name], of_stats[name]
            expected = stats["Samples"], float(stats["Min"]), float(stats["Max"])
            assert (seen["n"], seen["least"], seen["most"]) == expected, (seen, stats)
            assert abs(seen["mean"] - stats["Avg"]) < 1e-9 * stats["Avg"], (seen, stats)
        assert whole["io:queued"]["at"] == 200 and whole["io:queued"]["leastAt"] == 600, whole
        assert "isRough" not in whole["io:queued"]
        # What holds in a part, from the edges of it on: until the next, back to the last, or on a line.
        queued, sent, busy = (measured(*span)[name] for span, name in (
            ((150, 300), "io:queued"), ((1000, 1050), "sent"), ((2050, 2200), "busy")))
        assert (queued["n"], queued["least"], queued["mean"], queued["most"]) == (1, 4, 8, 10), queued
        assert (sent["n"], sent["least"], sent["mean"], sent["most"]) == (1, 3072, 5120, 5120), sent
        assert [round(busy[key], 9) for key in ("least", "mean", "most")] == [0.5, round((0.75 * 50 + 0.8 * 100) / 150, 9), 1], busy
        assert "io:queued" not in measured(420, 480)  # in the gap
        assert measured(3050, 3060)["free"]["n"] == 0


STATES = {"on": "On CPU", "preempted": "Preempted", "blocked": "Blocked"}


def test_states_of_threads_are_what_cpu_sum_says():
    command = [RANGELINE, "stats", "-q", "-r", "cpu_sum", "-f", "json", "switches.rln"]
    of_stats = {row["Range"].strip(":"): row for row in json.loads(subprocess.check_output(command))}
    with serving("switches.rln") as server:
        about = about_whole(server)
        assert about["hasStates"]

        def states(row, start, end, pixels):
            """The items, as (start, end, ns by state)."""
            (found,) = server.ask("states", **{"from": start, "to": end}, pixels=pixels, rows=row)["rows"]
            starts = found["start"]
            times = [{state: found[state][i] if state in found else 0 for state in STATES} for i in range(len(starts))]
            assert found["row"] == row
            return list(zip(starts, [*starts[1:], found["end"]], times))

        for item in tile(server, about, about["first"], about["last"], 1000):
            stats = of_stats[label(about["names"][item["name"]])]
            ((start, end, times),) = states(item["row"], item["start"], item["end"], 1)
            assert (start, end) == (item["start"], item["end"])
            assert times == {state: stats[f"{column} (ns)"] for state, column in STATES.items()}, (times, stats)
        for row in 0, 1:
            for start, end in [*spans_of(about), (-500, about["last"] + 500)]:
                ((_, _, whole),) = states(row, start, end, 1)
                for pixels in 2, 7, 1000, 16384:
                    items = states(row, start, end, pixels)
                    assert (items[0][0], items[-1][1]) == (start, end), items
                    assert all(a < b for a, b, _ in items) and len(items) <= pixels, items
                    assert {state: sum(each[state] for *_, each in items) for state in STATES} == whole, items
        # What is all of one state is one item, however many pixels it has.
        assert states(0, 101000, 149000, 1000) == [(101000, 149000, {"on": 0, "preempted": 0, "blocked": 48000})]
        assert states(1, 1000, 14000, 1000) == [(1000, 14000, {"on": 0, "preempted": 0, "blocked": 0})]
        assert len(states(0, 99000, 101000, 2)) == 2
        assert server.ask("states", **{"from": 5, "to": 5}, pixels=1, rows=0)["rows"] == [{"row": 0, "start": [], "end": 5}]
        assert server.status("0/states?from=0&to=9&pixels=1&rows=99") == 404
        assert server.status("0/states?from=0&to=9&rows=0") == 400
    with serving("nested.rln") as server:
        assert not about_whole(server)["hasStates"]
        assert server.ask("states", **{"from": 0, "to": 9}, pixels=3, rows=0)["rows"] == [{"row": 0, "start": [], "end": 9}]


def expected_sums(ranges, start, end):
    """{label: (total, calls)} of the span."""
    sums = {}
    for _, name, begin, stop, _ in ranges:
        inside = min(stop, end) - max(begin, start)
        if inside > 0 or (inside == 0 and begin >= start and (begin < end or begin == stop)):
            total, calls = sums.get(name, (0, 0))
            sums[name] = (total + inside, calls + 1)
    return sums


def spans_of(about):
    first, last = about["first"], about["last"]
    third = (last - first) // 3
    return [(first, last), (first + third, last - third), (first, first + third),
            (last - third, last), (first + 7, first + 8), (last + 10, last + 20)]


# `print` gives the expected result of each in each trace, so all combinations are
# tested.
RESTRICTIONS = [("--name", "load"), ("--domain", "io"), ("--domain", "default"),
                ("--thread", "101"), ("--process", "200"), ("--category", "7"),
                ("--min-duration", "100ns"), ("--filter-payload", ">=1"),
                ("--filter-payload", "op=put"), ("--filter-time", "20ns/120ns")]


def test_a_restricted_trace_has_what_print_has():
    for name in ["nested", "startend", "fork", "payloads", "threads", "deferred"]:
        for words in RESTRICTIONS:
            expected = [r for r in printed("--ranges", *words, f"{name}.rln")
                        if r["style"] in ("push_pop", "start_end")
                        and not any(r.get(k) for k in UNCOUNTED)]
            with serving(*words, f"{name}.rln") as server:
                about = about_whole(server)
                assert about["filter"] == f"{words[0][2:]} {words[1]}", about["filter"]
                seen = [(label(about["names"][item["name"]]), item["start"])
                        for item in alone(server, about, "ps")]
                assert sorted(seen) == sorted((label(r), r["start"]) for r in expected), (
                    name, words, seen)
                marks = [e for e in printed(*words, f"{name}.rln") if e["type"] == "mark"
                         and not e.get("unplaced")]
                items = tile(server, about, about["first"], about["last"] + 1, 1, "m")
                assert sum(item["n"] for item in items) == len(marks), (name, words)
                span = {"from": about["first"], "to": about["last"]}
                flame = server.ask("flame", **span)["rows"]
                for row in server.ask("sums", **span)["rows"]:
                    paths = [path for path in flame if path["name"] == row["name"]]
                    for key in ("total", "calls"):
                        assert sum(path[key] for path in paths) == row[key], (name, row, key)
                    # Paths know only the inner ranges that are shown.
                    assert sum(path["self"] for path in paths) >= row["self"], (name, row)
    with serving("--name", "step", "nested.rln") as server:
        about = about_whole(server)
        (row,) = server.ask("sums", **{"from": about["first"], "to": about["last"]})["rows"]
        assert (row["total"], row["self"]) == (100000, 60000), row  # as in the tree


def test_a_restricted_trace_has_the_counters_that_pass():
    for words, names in [((), {"queued", "sent", "busy"}), (("--name", "s*"), {"sent"}),
                         (("--filter-payload", ">0"), set()), (("--thread", "9"), set())]:
        with serving(*words, "counters.rln") as server:
            rows = about_whole(server)["rows"]
            seen = {row["label"].split(":")[-1] for row in rows if row["kind"] == "c"}
            assert names <= seen if not words else seen == names, (words, seen)


def test_parents_and_children_skip_excluded_ranges():
    with serving("--name", "load", "windows.rln") as server:
        about = about_whole(server)
        items = alone(server, about, "ps")
        assert items and {about["names"][i["name"]]["message"] for i in items} == {"load"}
        inner = [i for i in items if about["rows"][i["row"]]["level"] == 1]
        found = [server.ask("details", row=i["row"], start=i["start"]) for i in inner]
        around = [[about["names"][p["name"]]["domain"] for p in one["parents"]]
                  for one in found]
        assert [] in around and ["io"] in around, around


def test_sums_are_those_of_print():
    for name in set(GOLDEN) - {"windows", "newest"}: # print lacks some of their starts
        with serving(f"{name}.rln") as server:
            about = about_whole(server)
            ranges = expected_ranges(f"{name}.rln", about)
            for start, end in spans_of(about):
                sums = server.ask("sums", **{"from": start, "to": end})
                said = sums["rows"]
                assert sums["more"] == 0
                seen = {label(about["names"][row["name"]]): (row["total"], row["calls"])
                        for row in said}
                assert seen == expected_sums(ranges, start, end), (name, start, end, seen)
                totals = [row["total"] for row in said]
                assert totals == sorted(totals, reverse=True)
                flame = server.ask("flame", **{"from": start, "to": end})["rows"]
                assert all(row["parent"] < i for i, row in enumerate(flame))
                for row in said:
                    paths = [path for path in flame if path["name"] == row["name"]]
                    for key in ("total", "self", "calls"):
                        assert sum(path[key] for path in paths) == row[key], (name, row, key)


def test_paths_are_those_of_the_nesting():
    with serving("nested.rln") as server:
        about = about_whole(server)
        flame = server.ask("flame", **{"from": about["first"], "to": about["last"]})["rows"]

        def path(i):
            return "" if i < 0 else (path(flame[i]["parent"]) + "/" +
                                     label(about["names"][flame[i]["name"]]))
        assert {path(i): (row["total"], row["self"], row["calls"])
                for i, row in enumerate(flame)} == {
            "/step": (100000, 60000, 1), "/step/load": (40000, 40000, 1), "/io:load": (0, 0, 1)}


def test_instances_are_those_of_print():
    for name in ["pace", "pool", "rare"]:
        with serving(f"{name}.rln") as server:
            about = about_whole(server)
            ranges = expected_ranges(f"{name}.rln", about)
            for number, each in enumerate(about["names"]):
                lengths = sorted(end - start for _, text, start, end, _ in ranges
                                 if text == label(each))
                said = server.ask("instances", name=number)
                assert said["n"] == len(lengths)
                if lengths:
                    n = len(lengths)
                    middle = (lengths[(n - 1) // 2] + lengths[n // 2]) / 2
                    assert (said["min"], said["median"], said["p95"], said["max"]) == (
                        lengths[0], middle, lengths[n - n // 20 - 1], lengths[-1])
                    assert sum(bar["n"] for bar in said["histogram"]) == n
                found = server.ask("search", text="".join(
                    c.swapcase() if c.isascii() else c for c in each["message"]))
                assert number in found["names"] and found["n"] >= len(lengths)


def test_next_walks_through_all_of_a_name():
    for name in ["pace", "threads", "deferred"]:
        with serving(f"{name}.rln") as server:
            about = about_whole(server)
            ranges = expected_ranges(f"{name}.rln", about)
            for number, each in enumerate(about["names"]):
                starts = sorted(start for _, text, start, _, _ in ranges
                                if text == label(each))
                if any(label(e) == label(each) for e in printed(f"{name}.rln")
                       if e["type"] == "mark"):
                    continue
                for by, edge in [(1, about["first"] - 1), (-1, about["last"] + 1)]:
                    seen, at = [], {"after": edge}
                    while found := server.ask("next", name=number, by=by, **at):
                        at = {"after": found["start"], "row": found["row"]}
                        if "tie" in found:
                            at["tie"] = found["tie"]
                        seen.append(found["start"])
                        assert server.ask("details", row=found["row"], start=found["start"],
                                          **({"tie": at["tie"]} if "tie" in at else {})
                                          )["name"] == number
                    assert seen[::by] == starts, (name, each, seen, starts)
                # Without a row, instances that begin at the given time are skipped.
                if starts:
                    after = server.ask("next", name=number, by=1, after=starts[0])
                    assert (after or {}).get("start") == next(
                        (start for start in starts if start > starts[0]), None)
                    assert server.ask("next", name=number, by=-1, after=starts[0]) is None


def test_a_hit_is_the_next_of_any_name_with_a_text():
    with serving("threads.rln") as server:
        about = about_whole(server)
        ranges = expected_ranges("threads.rln", about)
        for text in ["LOA", "E", "none of them"]:
            expected = sorted(start for _, name, start, _, _ in ranges if text.lower() in name)
            seen, at = [], {"after": about["first"] - 1}
            while found := server.ask("hit", text=text, by=1, **at):
                assert text.lower() in label(about["names"][found["name"]])
                at = {key: found[key] for key in ("row", "tie") if key in found}
                at["after"] = found["start"]
                seen.append(found["start"])
            assert seen == expected, (text, seen, expected)
        assert server.status("0/hit?text=x&after=0") == 400
        assert server.status("0/hit?name=0&after=0&by=1") == 400


def test_what_is_sought_matches_the_filter():
    with serving("threads.rln") as server:
        about = about_whole(server)
        tids = [r["tid"] for r in printed("--ranges", "threads.rln") if "step" in label(r)]
        assert len(set(tids)) > 1, tids
        for tid in set(tids):
            words, seen, at = {"thread": f"/{tid}"}, [], {"after": about["first"] - 1}
            assert server.ask("search", text="step", **words)["n"] == tids.count(tid), tids
            while found := server.ask("hit", text="step", by=1, **at, **words):
                at = {"after": found["start"], "row": found["row"]}
                seen.append(about["threads"][about["rows"][found["row"]]["thread"]]["tid"])
            assert seen == [tid] * tids.count(tid), (tid, seen)
    with serving("nested.rln") as server:
        whole = {"from": 0, "to": about_whole(server)["last"]}
        for words, n in ({}, 2), ({"domain": "io"}, 1), ({"with": "io:"}, 1), ({"with": "x"}, 0):
            n_marks = int(n > 0) # io:load
            assert server.ask("search", text="LOAD", **words)["n"] == n + n_marks, words
            names = server.ask("search", text="LOAD")["names"]
            listed = [server.ask("occurrences", name=name, **whole, **words)["n"] for name in names]
            assert sum(listed) == n, (words, listed)
            nearest = [server.ask("next", name=name, after=-1, by=1, **words) for name in names]
            assert sum(each is not None for each in nearest) == n, (words, nearest)


def told(value):
    """A JSON value as a browser reads it: it has no long integers."""
    if isinstance(value, dict):
        return {key: told(each) for key, each in value.items()}
    if isinstance(value, list):
        return [told(each) for each in value]
    return str(value) if isinstance(value, int) and abs(value) >= 10**15 else value


def test_payloads_are_exact():
    seen = []
    for name in ["rare", "nested", "newest"]:
        with serving(f"{name}.rln") as server:
            about = about_whole(server)
            expected = {e["t"]: e["payload"] for e in printed(f"{name}.rln")
                        if e["type"] in ("push", "start", "mark") and "payload" in e}
            for item in alone(server, about, "psm"):
                said = server.ask("details", row=item["row"], start=item["start"])
                assert said["value"] == told(expected.get(item["start"])), said
                seen.append(said["value"])
    assert "18446744073709551615" in seen and 0.1 in seen, seen


def test_an_occurrence_is_found_again():
    with serving("--compare", "pace.rln", "threads.rln") as server:
        for trace, name in enumerate(["pace.rln", "threads.rln"]):
            wait_for("the index is complete",
                     lambda trace=trace: server.ask("about", trace=trace)["isComplete"])
            about = server.ask("about", trace=trace)
            ranges = expected_ranges(name, about)
            for number, each in enumerate(about["names"]):
                starts = sorted(start for _, text, start, _, _ in ranges if text == label(each))
                said = [server.ask("nth", trace=trace, name=number, n=n)
                        for n in range(len(starts) + 2)]
                assert said == [None, *[{"start": start} for start in starts], None], said
                found = server.ask("next", trace=trace, name=number, after=about["first"] - 1, by=1)
                while found:
                    details = server.ask("details", trace=trace, row=found["row"],
                                         start=found["start"])
                    assert details["occurrence"] == starts.index(found["start"]) + 1
                    found = server.ask("next", trace=trace, name=number, after=found["start"], by=1)


def test_details_have_parents_and_children():
    with serving("nested.rln") as server:
        about = about_whole(server)
        names = [label(each) for each in about["names"]]
        step = server.ask("details", row=0, start=0)
        assert (names[step["name"]], step["end"], step["parents"]) == ("step", 100000, [])
        (load,) = step["children"]
        inner = server.ask("details", row=load["row"], start=load["start"])
        assert [names[each["name"]] for each in inner["parents"]] == ["step"]
        (mark,) = [i for i, row in enumerate(about["rows"]) if row["kind"] == "m"]
        said = server.ask("details", row=mark, start=20000)
        assert (said["category"], said["value"]) == ("io:disk", 0.1)
        assert server.ask("details", row=0, start=100001) is None
        assert server.status("0/details?row=9999&start=0") == 404
    with serving("startend.rln") as server:
        about = about_whole(server)
        said = server.ask("details", row=0, start=10)
        assert about["threads"][said["endThread"]]["tid"] == 200


def test_parents_of_tasks_are_those_they_were_begun_in():
    with serving("tasks.rln") as server:
        about = about_whole(server)
        names = [each["message"] for each in about["names"]]
        assert [row.get("above") for row in about["rows"]] == [None, 0, 0, 1, 2, None]
        (inner,) = [item for item in tile(server, about, 0, 1000, 1000) if item["row"] == 4]
        said = server.ask("details", row=4, start=inner["start"])
        assert [(names[each["name"]], each["row"]) for each in said["parents"]] == \
            [("load", 2), ("step", 0)], said
        step = server.ask("details", row=0, start=0)
        assert [each["row"] for each in step["children"]] == [1, 1, 2], step
        assert server.ask("details", row=0, start=110)["parents"] == []


def test_details_have_the_payloads_of_begins_and_ends():
    for name in ("payloads.rln", "deferred.rln"):
        listed = [(r["start"], r) for r in printed("--ranges", name)
                  if r["style"] in ("push_pop", "start_end")]
        listed += [(e["t"], e) for e in printed(name) if e["type"] == "mark"]
        expected = [(at, told(each["payloads"])) for at, each in listed
                    if "payloads" in each and not any(each.get(k) for k in UNCOUNTED)]
        with serving(name) as server:
            items = alone(server, about_whole(server), "psm")
            seen = []
            for item in items:
                where = {"row": item["row"], "start": item["start"]}
                said = server.ask("details", **where)
                if said["payloads"]:
                    seen.append((item["start"], said["payloads"]))
        assert sorted(seen, key=str) == sorted(expected, key=str), (name, seen, expected)


def test_filters_exclude_other_ranges():
    with serving("nested.rln") as server:
        about = about_whole(server)
        whole = {"from": about["first"], "to": about["last"]}
        everything = {"step", "load", "io:load"}
        for words, expected in [({"with": "LOA"}, {"load", "io:load"}), ({"with": "step"}, {"step"}),
                                ({"domain": "io"}, {"io:load"}), ({"category": "io:disk"}, {"io:load"}),
                                ({"category": "disk"}, set()), ({"domain": ""}, {"step", "load"}),
                                ({"with": ""}, everything), ({}, everything),
                                ({"with": "none"}, set()), ({"category": ""}, {"step", "load"})]:
            rows = server.ask("sums", **whole, **words)["rows"]
            assert {label(about["names"][row["name"]]) for row in rows} == expected, words
            items = tile(server, about, *whole.values(), 16384, "p", **words)
            assert {label(about["names"][item["name"]]) for item in items} == expected, words


def test_categories_without_a_name_are_numbers():
    with serving("payloads.rln") as server:
        about = about_whole(server)
        assert {"", "io:category 8"} <= set(about["categories"]), about["categories"]
        whole = {"from": about["first"], "to": about["last"]}
        rows = server.ask("sums", **whole, category="io:category 8")["rows"]
        assert {label(about["names"][row["name"]]) for row in rows} == {"io:store"}
        said = [server.ask("details", row=item["row"], start=item["start"])["category"]
                for item in alone(server, about, "p")
                if label(about["names"][item["name"]]) == "io:store"]
        assert said and set(said) == {"io:category 8"}, said


def test_sums_may_be_of_some_threads():
    with serving("threads.rln") as server:
        about = about_whole(server)
        whole = {"from": about["first"], "to": about["last"]}
        ranges = [(r["tid"], label(r)) for r in printed("--ranges", "threads.rln")]
        for group in about["groups"]:
            where = f"{group['pid']}/{group['tid']}"
            rows = server.ask("sums", **whole, thread=where)["rows"]
            got = {label(about["names"][row["name"]]): row["calls"] for row in rows}
            own = [text for tid, text in ranges if f"/{tid}".startswith(f"/{group['tid']}")]
            assert got == {text: own.count(text) for text in own}, (where, got)
        for text in ["MAIN", "worker", "none"]:
            expected = sum(text.lower() in each["label"].lower() for each in about["groups"])
            flame = server.ask("flame", **whole, thread=text)["rows"]
            assert bool(flame) == bool(expected), text
        assert server.status("0/tile?from=0&to=9&pixels=9&rows=0&thread=x") == 400


def test_sums_may_be_of_some_rows():
    with serving("nested.rln") as server:
        about = about_whole(server)
        whole = {"from": about["first"], "to": about["last"]}

        def summed(rows, question="sums", **words):
            found = server.ask(question, **whole, rows=rows, **words)["rows"]
            return {label(about["names"][row["name"]]): (row["total"], row["self"], row.get("parent")) for row in found}

        # What is inside is not its own, whether it counts or not.
        assert summed("0") == {"step": (100000, 60000, None), "io:load": (0, 0, None)}, summed("0")
        assert summed("1") == {"load": (40000, 40000, None)}, summed("1")
        assert summed("1", "flame") == {"load": (40000, 40000, -1)}, summed("1", "flame")
        assert summed("0-1,7") == summed("0-1") and summed("0-1")["step"] == summed("0")["step"]
        assert summed("1", **{"with": "step"}) == {} and summed("1", thread="nowhere") == {}
        assert summed("1", thread="main") == summed("1")
        assert server.status("0/sums?from=0&to=9&rows=x") == 400


def test_names_that_differ_in_numbers_can_be_summed_up():
    subprocess.run([os.path.join(BIN, "make_traces"), ".", "300"], check=True)
    with serving("crowd.rln") as server:
        about = about_whole(server)
        for start, end in spans_of(about):
            span = {"from": start, "to": end}
            folded = {}
            for row in server.ask("sums", **span)["rows"]:
                kind = re.sub(r"\d+", "#", label(about["names"][row["name"]]))
                sums = folded.setdefault(kind, [0, 0, 0])
                for k, key in enumerate(("total", "self", "calls")):
                    sums[k] += row[key]
            rows = server.ask("sums", **span, fold=1)["rows"]
            assert len(rows) == len(folded) < 5
            for row in rows:
                kind = re.sub(r"\d+", "#", label(about["names"][row["name"]]))
                assert [row[key] for key in ("total", "self", "calls")] == folded[kind]
            paths = [(row["parent"], row["name"])
                     for row in server.ask("flame", **span, fold=1)["rows"]]
            assert len(set(paths)) == len(paths)
        names = about_whole(server)["names"]
        spreads = [server.ask("instances", name=name) for name in range(len(names))]
        kinds = [re.sub(r"\d+", "#", label(name)) for name in names]
        for name in (kinds.index(kind) for kind in set(kinds)):
            own = [s for s, kind in zip(spreads, kinds) if kind == kinds[name] and s["n"]]
            said = server.ask("instances", name=name, fold=1)
            assert said["n"] == sum(s["n"] for s in own) == sum(b["n"] for b in said["histogram"])
            if own:
                assert said["min"] == min(s["min"] for s in own)
                assert said["max"] == max(s["max"] for s in own)
                assert said["min"] <= said["median"] <= said["p95"] <= said["max"]


def stats_of(trace, report, *words):
    """What `rangeline stats` prints of a report as CSV."""
    return subprocess.run([RANGELINE, "stats", "-q", "-r", report, "-f", "csv", *words, trace],
                          check=True, capture_output=True, text=True).stdout


def complete(server, n_traces=1):
    for trace in range(n_traces):
        wait_until(lambda i=trace: server.ask("about", trace=i)["isComplete"])


def test_reports_are_those_of_stats():
    n_with_rows = 0
    for trace in ("nested.rln", "gpu.rln", "ranks.rln", "threads.rln"):
        with serving(trace) as server:
            complete(server)
            for report in server.ask("reports")[1:]: # the first is of findings
                name = report["name"]
                answer = server.ask("report", text=name)
                assert len(answer["rows"]) == answer["n"], name
                assert all(len(row) == len(answer["columns"]) for row in answer["rows"]), name
                saved = server.ask("report", text=name, format="csv")["text"]
                assert not answer["n"] or saved == stats_of(trace, name), name
                n_with_rows += answer["n"] > 0
                for word in re.findall(r"[^ |]+", report["words"]):
                    text = f"{name}:{word}"
                    answer = server.ask("report", text=text)
                    saved = server.ask("report", text=text, format="csv")
                    if answer.get("n"):
                        assert saved["text"] == stats_of(trace, text), text
    assert n_with_rows > 40, n_with_rows


def test_findings_are_those_of_analyze():
    n_found = 0
    for trace in ("pace.rln", "threads.rln", "counters.rln"):
        said = json.loads(subprocess.run([RANGELINE, "analyze", "--json", trace], check=True,
                                         capture_output=True, text=True).stdout)
        with serving(trace) as server:
            complete(server)
            answer = server.ask("report", text="findings")
            assert [row[0] for row in answer["rows"]] == [f["severity"] for f in said["findings"]]
            assert [row[3] for row in answer["rows"]] == [
                f"{f['id']}: {f['title']}" for f in said["findings"]]
            assert [row[5] for row in answer["rows"]] == [f["against"] for f in said["findings"]]
            assert answer["views"] == [f["evidence"][0]["view"] if f["evidence"] else ""
                                       for f in said["findings"]]
            for rule in said["rules"]:
                is_named = f" {rule['id']} ({rule.get('why')})" in answer["details"]
                assert is_named == (rule["state"] == "skipped"), rule
            saved = server.ask("report", text="findings", format="csv")
            assert saved["text"].count("\n") == answer["n"] + 1
        n_found += answer["n"]
    assert n_found >= 2, n_found


def diff_of(*words):
    """What `rangeline diff` prints."""
    return subprocess.run([RANGELINE, "diff", *words], check=True, capture_output=True,
                          text=True).stdout


def test_differences_are_those_of_diff():
    two = "pace.rln", "slower_pace.rln"
    for words in ((), ("--name", "load"), ("--fold-numbers",)):
        with serving("--compare", *words, *two) as server:
            complete(server, 2)
            kinds = [kind["name"] for kind in server.ask("reports")]
            assert kinds[:2] == ["findings", "diff"] and kinds.count("diff") == 1, kinds
            answer = server.ask("report", text="diff")
            assert (answer["title"], len(answer["rows"])) == ("Differences", answer["n"])
            assert answer["n"] >= 2 and "views" not in answer
            printed = diff_of("--markdown", *words, *two)
            summary, table = printed.split("\n\n", 1)
            assert answer["details"].startswith(f"{summary} (one run per side: "), answer["details"]
            assert [re.sub(" +", " ", line) for line in table.splitlines()[2:]] == [
                re.sub(" +", " ", f"| {' | '.join(row)} |") for row in answer["rows"]]
            assert server.ask("report", text="diff", first=1)["rows"] == answer["rows"][1:]
            for name in ("csv", "json", "markdown"):
                saved = server.ask("report", text="diff", format=name)
                assert saved["n"] == saved["nSaved"] == answer["n"]
                whole = diff_of("-f", name, *words, *two)
                assert saved["text"] == (table if name == "markdown" else whole), name
            assert server.ask("report", text="nvtx_sum")["title"] != answer["title"]
            assert server.ask("report", text="diff") == answer


def test_one_trace_has_no_differences():
    with serving("--compare", "pace.rln", "slower_pace.rln") as server:
        complete(server, 2)
        assert "diff" not in [kind["name"] for kind in server.ask("reports", trace=1)]
        assert "no such report" in server.ask("report", text="diff", trace=1)["refused"]
        assert "no such report" in server.ask("report", text="diff:x")["refused"]
    with serving("pace.rln") as server:
        complete(server)
        assert "diff" not in [kind["name"] for kind in server.ask("reports")]
        assert "no such report" in server.ask("report", text="diff")["refused"]
    with serving("--compare", "pace.rln", "pace.rln") as server:
        complete(server, 2)
        answer = server.ask("report", text="diff")
        assert answer["n"] == 0 and answer["details"].startswith("2 ranges"), answer


def test_rows_of_a_report_come_in_parts_and_any_order():
    with serving("threads.rln") as server:
        complete(server)
        rows = server.ask("report", text="nvtx_pushpop_trace")["rows"]
        assert len(rows) > 3
        for first in (0, 1, len(rows) - 1, len(rows), 4000000000):
            answer = server.ask("report", text="nvtx_pushpop_trace", first=first)
            assert (answer["rows"], answer["n"]) == (rows[first:], len(rows)), first
        for header in ("Name", "Duration"):
            saved = server.ask("report", text="nvtx_pushpop_trace", sort=header, format="csv")
            assert saved["text"] == stats_of("threads.rln", "nvtx_pushpop_trace", "--sort", header)
        by_name = server.ask("report", text="nvtx_pushpop_trace", sort="Name")["rows"]
        assert sorted(by_name) == sorted(rows)
        assert [row[5] for row in by_name] == sorted(row[5] for row in rows)
        assert server.ask("report", text="nvtx_pushpop_trace")["rows"] == rows
        assert server.ask("report", text="nvtx_pushpop_trace", sort="Color")["rows"] == rows
    with serving("startend.rln") as server:
        complete(server)
        columns = server.ask("report", text="nvtx_startend_sum")["columns"]
        cannot = [column["header"] for column in columns if not column["canSort"]]
        assert cannot == ["", "Style"], columns # for people


def test_reports_that_are_refused_say_why():
    with serving("nested.rln") as server:
        complete(server)
        assert "no such report" in server.ask("report", text="nothing")["refused"]
        assert "color" in server.ask("report", text="tree:color")["refused"]
        assert server.ask("report", text="pace:nothing")["n"] == 0
        assert server.ask("report", text="pace:step")["argument"] == "step"
        for wrong in ("report", "report?text=tree&format=png", "report?text=tree&first=x",
                      "reports?text=tree", "report?text=" + "a" * 1025):
            assert server.status(f"0/{wrong}") == 400, wrong


def test_two_traces_are_distinguished():
    with serving("--compare", "pace.rln", "slower_pace.rln") as server:
        titles = [server.ask("about", trace=i)["title"] for i in range(2)]
        assert titles == ["pace.rln", "slower_pace.rln"]
        assert server.ask("about")["traces"] == 2
        assert server.status("2/about") == 404
    done = subprocess.run([RANGELINE, "view", "--compare", "pace.rln"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 2 and "two traces required" in done.stderr


def test_names_that_are_known_are_not_sent_again():
    with serving("nested.rln") as server:
        about = about_whole(server)
        said = server.ask("about", names=2)
        assert (said["namesFrom"], said["names"]) == (2, about["names"][2:])
        assert server.ask("about", names=99)["names"] == []


def test_a_trace_that_is_cut_meanwhile_does_no_harm():
    with open("nested.rln", "rb") as whole, open("cut.rln", "wb") as cut:
        cut.write(whole.read())
    with serving("cut.rln") as server:
        about = about_whole(server)
        os.truncate("cut.rln", 70000)
        tile(server, about, about["first"], about["last"], 100)
        for row in range(len(about["rows"])):
            server.ask("details", row=row, start=0)
        assert server.end()[0] == 0


# ---- A trace that is being written ---------------------------------------------------

ANNOTATED = """
import ctypes, sys
nvtx = ctypes.CDLL(sys.argv[1])
for line in sys.stdin:
    for _ in range(100):
        nvtx.nvtxRangePushA(line.strip().encode())
        nvtx.nvtxRangePop()
    print("done", flush=True)
"""
INTEROP = os.path.join(BIN, "..", "lib", "libnvtx3interop.so")


def wait_for(what, seen):
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if seen():
            return
        time.sleep(0.05)
    raise AssertionError(f"it never happens: {what}")


class Annotated:
    """A program that is being recorded, and has ranges of the names that it gets."""

    def __init__(self, trace):
        self.process = subprocess.Popen(
            [RANGELINE, "profile", "-o", trace, sys.executable, "-c", ANNOTATED, INTEROP],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def annotate(self, name):
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)


def test_a_live_trace_is_followed():
    program = Annotated("live")

    def names():
        return {label(name) for name in server.ask("about")["names"]}

    program.annotate("early")
    with serving("live.rln") as server:
        about = about_whole(server)
        assert about["isLive"] and names() == {"early"} and about["events"] == 200
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
        connection.request("GET", f"/{server.token}/events")
        stream = connection.getresponse()
        program.annotate("late")
        while b"changed" not in stream.readline():
            pass
        wait_for("the late ones are seen", lambda: server.ask("about")["events"] == 400)
        assert names() == {"early", "late"}
        assert server.ask("about")["names"][0] == about["names"][0]
        program.end()
        wait_for("it is live no more", lambda: not server.ask("about")["isLive"])
        items = tile(server, server.ask("about"), 0, server.ask("about")["last"], 100)
        assert sum(item["n"] for item in items) == 200
        connection.close()


def test_differences_from_a_live_trace_are_followed():
    for side in range(2): # of the live one
        program = Annotated(f"growing{side}")
        program.annotate("early")
        traces = ["nested.rln"]
        traces.insert(side, f"growing{side}.rln")

        def names():
            answer = server.ask("report", text="diff")
            return {row[-1] for row in answer.get("rows", [])} & {"early", "late"}

        with serving("--compare", *traces) as server:
            wait_for("there are differences", lambda: names() == {"early"})
            program.annotate("late")
            wait_for("there are more", lambda: names() == {"early", "late"})
            program.end()
            assert names() == {"early", "late"}


# ---- Untrusted traces ----------------------------------------------------------------

CROWD = 60000  # threads, each with one range, all with different names
MOST_BYTES = 6 << 20


def test_answers_stay_small_whatever_a_trace_has():
    subprocess.run([os.path.join(BIN, "make_traces"), ".", str(CROWD)], check=True)
    with serving("crowd.rln") as server:
        about = about_whole(server)
        whole = {"from": about["first"], "to": about["last"]}
        last = len(about["rows"]) - 1
        assert about["namesInAll"] == CROWD and len(about["names"]) == 20000
        assert len(about["threads"]) == 20000 and last == 20000
        assert about["groups"][-1]["label"] == "40000 further threads"
        sums, flame, found = (server.ask(question, **words) for question, words in (
            ("sums", whole), ("flame", whole), ("search", {"text": "NAME"})))
        assert len(sums["rows"]) + sums["more"] == CROWD and sums["more"] > 0
        assert len(flame["rows"]) + flame["more"] == CROWD and flame["more"] > 0
        assert sum(path["total"] for path in flame["rows"]) + flame["rest"] == 5 * CROWD
        assert not sums["isRough"] and not flame["isRough"]
        assert found["n"] == CROWD
        names = tile_names(server, last, about["last"] - 5, about["last"])
        said = server.ask("names", rows=",".join(map(str, names)))
        assert all(int(name["message"].split()[1]) > 20000 for name in said), said
        assert server.status(f"0/names?rows={CROWD}") == 404
        for question, words in (("about", {}), ("sums", whole), ("flame", whole),
                                ("search", {"text": "name"})):
            assert len(json.dumps(server.ask(question, **words))) < MOST_BYTES, question


def tile_names(server, row, start, end):
    """The names of the items in a row."""
    (said,) = server.ask("tile", **{"from": start, "to": end}, pixels=1000, rows=row)["rows"]
    return said["name"]


# ---- The run -------------------------------------------------------------------------

if __name__ == "__main__":
    failed = 0
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for name, test in tests:
        began = time.monotonic()
        try:
            test()
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED {name}: {type(error).__name__}: {error}")
        if "-v" in sys.argv:
            print(f"{time.monotonic() - began:6.2f} s  {name}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    sys.exit(failed > 0)
