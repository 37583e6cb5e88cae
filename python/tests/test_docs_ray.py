# SPDX-License-Identifier: Apache-2.0
"""The program of docs/guide/cookbook/ray.md records as the page describes, with Ray."""
import collections
import contextlib
import csv
import os
import re
import subprocess
import sys
import tempfile
import textwrap

import pytest
from conftest import RANGELINE, ROOT, recorded

pytestmark = pytest.mark.slow
PAGE = (ROOT / "docs/guide/cookbook/ray.md").read_text(encoding="utf-8")
PROGRAM, JOINING = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

# Of each kind that the page names, tasks and actors whose calls are counted.
KINDS = """
import asyncio, os, ray

@ray.remote
class Async:
    async def wait(self):
        await asyncio.sleep(0.01)

@ray.remote(max_concurrency=4)
class Threaded:
    def work(self):
        pass

@ray.remote
def numbers(n):
    for i in range(n):
        yield i

@ray.remote
def outer(n):
    ray.get([inner.remote() for _ in range(n)])

@ray.remote
def inner():
    pass

@ray.remote(max_retries=0)
def dies():
    os._exit(3)

ray.init(num_cpus=2, include_dashboard=False)
actors = Async.remote(), Threaded.remote()
ray.get([actors[0].wait.remote() for _ in range(20)])
ray.get([actors[1].work.remote() for _ in range(30)])
assert len(list(numbers.remote(7))) == 7
ray.get([outer.remote(3) for _ in range(2)])
ray.kill(actors[1])
try:
    ray.get(dies.remote())
except ray.exceptions.WorkerCrashedError:
    print("crashed")
"""

# A cluster, until its input ends.
CLUSTER = """
import sys, ray
print(ray.init(num_cpus=2, include_dashboard=False).address_info["gcs_address"], flush=True)
sys.stdin.read()
"""


@pytest.fixture(name="env")
def ray_env():
    """The environment of a Ray that finds no cluster of others, and leaves nothing."""
    pytest.importorskip("ray")
    # The names of sockets are limited to 107 bytes, which pytest's folders exceed.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield {"RAY_TMPDIR": folder, "RAY_ADDRESS": "", "RAY_AUTH_MODE": "disabled",
               "RAY_USAGE_STATS_ENABLED": "0"}


@pytest.fixture(name="profile")
def profile_mine(tmp_path, env):
    """profile(program, **variables) -> Recording of --python=mine."""
    def profile(program, **variables):
        (tmp_path / "prices.py").write_text(program, encoding="utf-8")
        return recorded(tmp_path / "run.rln", [sys.executable, "prices.py"],
                        ["--python=mine"], {**env, **variables}, tmp_path, timeout=300)
    return profile


def is_as_on_the_page(recording):
    """Each call is there once, by name; the actor is one process, which its title names."""
    calls, pids = collections.Counter(), collections.defaultdict(set)
    for event in recording.of("push"):
        calls[event["message"]] += 1
        pids[event["message"]].add(event["pid"])
    assert calls == {
        "prices.<module>": 1, "prices.main": 1, "prices.Total": 1, "prices.Total.__init__": 1,
        "prices.Total.add": 100, "prices.price": 100, "prices.simulate": 100}
    assert len(recording.of("pop")) == len(recording.of("push"))
    assert pids["prices.Total.__init__"] == pids["prices.Total.add"]
    (actor,) = pids["prices.Total.add"]
    assert actor not in pids["prices.price"] | pids["prices.main"]
    rows = subprocess.run(
        [RANGELINE, "stats", "-q", "-r", "process_sum", "-f", "csv", "--process", "ray::*",
         recording.trace], check=True, stdout=subprocess.PIPE, text=True).stdout
    programs = {int(row["PID"]): row["Program"] for row in csv.DictReader(rows.splitlines())}
    assert programs[actor].startswith("ray::Total")


def test_every_call_of_tasks_and_actors_is_in_the_trace(profile):
    is_as_on_the_page(profile(PROGRAM))


def test_calls_of_each_kind_are_counted(profile):
    recording = profile(KINDS)
    assert "crashed\n" in recording.output
    calls = collections.Counter(e["message"] for e in recording.of("push"))
    assert {name: n for name, n in calls.items() if "module" not in name} == {
        "prices.Async": 1, "prices.Threaded": 1, "prices.Async.wait": 2 * 20,
        "prices.Threaded.work": 30, "prices.numbers": 7 + 1, "prices.outer": 2,
        "prices.inner": 2 * 3, "prices.dies": 1}
    assert [e["message"] for e in recording.of("start")] == 20 * ["prices.Async.wait"]
    assert len(recording.of("pop")) == len(recording.of("push")) - 1


@contextlib.contextmanager
def cluster(env):
    """The address of a cluster that is not recorded."""
    with subprocess.Popen([sys.executable, "-c", CLUSTER], env={**os.environ, **env},
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()


def test_workers_of_a_running_cluster_join_the_run(profile, env):
    assert PROGRAM.count("    ray.init()\n") == 1
    joining = PROGRAM.replace("    ray.init()\n", textwrap.indent(JOINING, "    "))
    with cluster(env) as address:
        is_as_on_the_page(profile(joining, RAY_ADDRESS=address))
