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
    """Each call is there once, by name; the actor is one process, and not the driver's."""
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
    return actor


def test_every_call_of_tasks_and_actors_is_in_the_trace(profile):
    recording = profile(PROGRAM)
    actor = is_as_on_the_page(recording)
    rows = subprocess.run(
        [RANGELINE, "stats", "-q", "-r", "process_sum", "-f", "csv", "--process", "ray::*",
         recording.trace], check=True, stdout=subprocess.PIPE, text=True).stdout
    programs = {int(row["PID"]): row["Program"] for row in csv.DictReader(rows.splitlines())}
    assert programs[actor].startswith("ray::Total")


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
