# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/PYTHON*.md run, one after the other, and record what they say; the
programs of docs/cookbook answer."""

import os
import re
import subprocess
import sys

import pytest

from conftest import RANGELINE, ROOT, recorded

pytestmark = pytest.mark.slow


def test_the_examples_run(record):
    pytest.importorskip("numpy")
    text = (ROOT / "docs" / "PYTHON_DATA.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 6
    recording = record("import time\n" + "\n".join(blocks), interpreter=["-W", "error"],
                       env={"PATH": f"{RANGELINE.parent}:{os.environ['PATH']}"})
    assert recording.errors == ""
    assert sorted(e["message"] for e in recording.of("mark", "push")) == [
        "GET /", "batch", "loss", "send"]
    assert len(recording.of("sample")) == 1004 + 1 + 2


def test_the_examples_of_annotations_run(record):
    text = (ROOT / "docs" / "PYTHON.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 5
    recording = record("\n".join(blocks), interpreter=["-W", "error"])
    assert recording.errors == ""
    names = [e["message"] for e in recording.of("mark", "push", "start")]
    assert {n: names.count(n) for n in names} == {
        "train": 1, "step": 3 + 1000, "loss is known": 3, "request": 1, "fetch": 10,
        "waiting": 10, "fetch [resumed]": 20}


def test_the_examples_of_other_apis_run(record):
    text = (ROOT / "docs" / "PYTHON_TORCH.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 3
    recording = record("\n".join(blocks), interpreter=["-W", "error"])
    assert recording.errors == ""
    assert [e["message"] for e in recording.of("mark", "push", "start")] == [
        "epoch", "step 7", "loss is known", "copy", *3 * ["work", "part"], "batch"]
    assert re.search(r"\b3  work$", recording.output, re.MULTILINE)


@pytest.fixture(name="training", scope="module")
def training_runs(tmp_path_factory):
    """Two runs of the cookbook's program, the second one slower."""
    folder = tmp_path_factory.mktemp("cookbook")
    paths = []
    for name, slower in (("run", "1"), ("slower", "6")):
        path = folder / f"{name}.rln"
        recorded(path, [sys.executable, COOKBOOK / "training.py", slower])
        paths.append(str(path))
    return paths


COOKBOOK = ROOT / "docs" / "cookbook"


def cook(name, *traces):
    done = subprocess.run(
        [sys.executable, "-W", "error", COOKBOOK / name, *traces],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_examples_of_traces_run(training, run_python):
    text = (ROOT / "docs" / "PYTHON_TRACE.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    done = run_python(block.replace("run.rln", training[0]))
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["total", "self", "calls", "name"], done.stderr
    assert len([line for line in lines if line.endswith(".0")]) == 20  # payloads
    assert lines[-2].endswith("loads took a millisecond or more")


def test_cookbook_slow_iteration(training):
    lines = cook("slow_iteration.py", training[0])
    # On a busy machine it may be another step than the one that sleeps longest.
    assert re.fullmatch(r"step \d+ took [\d.]+ times the median", lines[0])
    assert sorted(line.split(":")[0].strip() for line in lines[1:]) == [
        "backward", "forward"]


def test_the_cookbook_reads_what_a_killed_program_left(record):
    left = str(record("""
        import rangeline.nvtx as nvtx
        nvtx.push_range("step", payload=0)
        nvtx.pop_range()
        queue = nvtx.get_domain("loader").get_counter("queue", int)
        queue.sample(5)
        for step in 1, 2, 3:
            nvtx.push_range("load", domain="loader")
            nvtx.push_range("step", payload=step)
            nvtx.push_range("forward")
            if step < 3:
                nvtx.pop_range()
                nvtx.pop_range()
                nvtx.pop_range(domain="loader")
    """).trace)
    assert cook("slow_iteration.py", left)[0].startswith("step ")
    assert cook("loader_stalls.py", left)[0].startswith("waiting: ")
    assert cook("rank_imbalance.py", left)[1].endswith("imbalance 1.00")
    levels = cook("counters_and_ranges.py", left)
    assert levels[0] == "step 0: nobody knows how many in the queue"
    assert levels[1:] == [f"step {step}: 5 in the queue" for step in (1, 2, 3)]


def test_cookbook_loader_stalls(training):
    lines = cook("loader_stalls.py", training[0])
    assert re.fullmatch(r"waiting: \d+ % of the time", lines[0])
    assert all(re.fullmatch(r"stall of [\d.]+ ms before step \d+", line)
               for line in lines[1:])


def test_cookbook_rank_imbalance(training):
    lines = cook("rank_imbalance.py", *training)
    assert len(lines) == 3
    assert lines[-1].startswith(f"slowest: {training[1]}, imbalance 1.")


def test_cookbook_before_and_after(training):
    lines = cook("before_and_after.py", *training)
    assert any(re.fullmatch(r"step > forward: slower, median \+\d+ %", line)
               for line in lines)


def test_cookbook_counters_and_ranges(training):
    lines = cook("counters_and_ranges.py", training[0])
    assert lines == [f"step {n}: {20 - n} in the queue" for n in range(20)]


def test_cookbook_with_duckdb(training):
    for package in ("duckdb", "pyarrow"):
        pytest.importorskip(package, reason=f"{package} is in one environment only")
    lines = cook("with_duckdb.py", training[0])
    assert sorted(line.split(",")[0] for line in lines) == [
        "backward: 20 times", "forward: 20 times"]
