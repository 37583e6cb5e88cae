# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/guide/PYTHON*.md run one after the other, with the results that
they show; so do the programs of docs/guide/cookbook, and the commands of the skill."""

import inspect
import os
import re
import subprocess
import sys

import pytest

from conftest import RANGELINE, ROOT, recorded

pytestmark = pytest.mark.slow


def test_the_examples_run(record):
    pytest.importorskip("numpy")
    text = (ROOT / "docs" / "guide" / "PYTHON_DATA.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 6
    recording = record("\n".join(blocks), interpreter=["-W", "error"],
                       env={"PATH": f"{RANGELINE.parent}:{os.environ['PATH']}"})
    assert recording.errors == ""
    assert sorted(e["message"] for e in recording.of("mark", "push")) == [
        "GET /", "batch", "loss", "send"]
    assert len(recording.of("sample")) == 1004 + 1 + 2


def test_the_examples_of_annotations_run(record):
    text = (ROOT / "docs" / "guide" / "PYTHON.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 5
    recording = record("\n".join(blocks), interpreter=["-W", "error"])
    assert recording.errors == ""
    names = [e["message"] for e in recording.of("mark", "push", "start")]
    assert {n: names.count(n) for n in names} == {
        "train": 1, "step": 3 + 1000, "loss is known": 3, "request": 1, "fetch": 10,
        "waiting": 10, "fetch [resumed]": 20}


def test_the_examples_of_other_apis_run(record):
    text = (ROOT / "docs" / "guide" / "PYTHON_TORCH.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 3
    recording = record("\n".join(blocks), interpreter=["-W", "error"])
    assert recording.errors == ""
    assert [e["message"] for e in recording.of("mark", "push", "start")] == [
        "epoch", "step 7", "loss is known", "copy", *3 * ["work", "part"], "batch"]
    assert re.search(r"\b3  work$", recording.output, re.MULTILINE)


def test_the_commands_of_the_skill_run(tmp_path):
    (tmp_path / "train.py").write_bytes((COOKBOOK / "training.py").read_bytes())
    text = (ROOT / "docs/skill/rangeline/SKILL.md").read_text(encoding="utf-8")
    assert re.match(r"---\nname: rangeline\ndescription: .{100,1000}\n---\n", text)
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    commands = "\n".join(blocks)
    assert len(re.findall(r"^rangeline ", commands, re.MULTILINE)) >= 15
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").symlink_to(sys.executable)
    (tmp_path / "bin/rangeline").symlink_to(RANGELINE)
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", commands], cwd=tmp_path, check=False,
        env={**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    assert "outliers: which steps are slow" in done.stdout  # --help-rules
    assert len(re.findall(r"^\d+ \d+$", done.stdout, re.MULTILINE)) == 3  # the slowest steps
    assert {path.name for path in tmp_path.iterdir()} >= {
        "before.rln", "before.json", "slow.json", "before.sqlite", "run.html"}
    names = set(re.findall(r"`([a-z]+_[a-z_]+)`", text))  # of reports
    assert names <= set(re.findall(r"^ *([a-z_]+)", (tmp_path / "reports.txt").read_text(),
                                   re.MULTILINE))


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


def write_training(output, slower):
    """What training.py would leave on a machine that nothing else disturbs."""
    from rangeline.nvtx import TimestampType, writer

    backend = writer.load_backend(writer.rangeline_backend())
    clock = TimestampType.CPU_CLOCK_GETTIME_MONOTONIC
    with writer.Session("training", backend=backend, config=f"output={output}") as session:
        with session.create_stream("main", time_domain_id=clock) as stream:
            now = 1_000_000_000
            for step in range(20):
                begun = now
                for name in "forward", "backward":
                    took = slower * (1_000_000 + 1_000 * (7 * step % 20))
                    stream.write_pushpop(now, now + took, message=name)
                    now += took
                stream.write_pushpop(begun, now, message="step")
                now += 500_000


@pytest.fixture(name="sides", scope="module")
def written_sides(tmp_path_factory):
    """Traces of the cookbook's program, the second one slower, whose times are given: for
    programs that compare, which would measure how busy the machine is, too."""
    pytest.importorskip("numpy")
    folder = tmp_path_factory.mktemp("sides")
    path = f"{RANGELINE.parent}:{os.environ['PATH']}"
    paths = []
    for name, slower in (("run", 1), ("slower", 6)):
        paths.append(str(folder / f"{name}.rln"))
        subprocess.run(
            [sys.executable, "-c", inspect.getsource(write_training)
             + f"write_training({paths[-1]!r}, {slower})"],
            env={**os.environ, "PATH": path}, check=True)
    return paths


COOKBOOK = ROOT / "docs" / "guide" / "cookbook"


def cook(name, *traces):
    done = subprocess.run(
        [sys.executable, "-W", "error", COOKBOOK / name, *traces],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_examples_of_traces_run(training, run_python):
    text = (ROOT / "docs" / "guide" / "PYTHON_TRACE.md").read_text(encoding="utf-8")
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
    assert levels[0] == "step 0: an unknown number in the queue"
    assert levels[1:] == [f"step {step}: 5 in the queue" for step in (1, 2, 3)]


def test_cookbook_loader_stalls(training):
    lines = cook("loader_stalls.py", training[0])
    assert re.fullmatch(r"waiting: \d+ % of the time", lines[0])
    assert all(re.fullmatch(r"stall of [\d.]+ ms before step \d+", line)
               for line in lines[1:])


def test_cookbook_rank_imbalance(sides):
    lines = cook("rank_imbalance.py", *sides)
    assert lines == [f"{sides[0]}: 40.4 ms, -71 %", f"{sides[1]}: 242.3 ms, +71 %",
                     f"slowest: {sides[1]}, imbalance 1.71"]


def test_cookbook_before_and_after(sides):
    assert sorted(cook("before_and_after.py", *sides)) == [
        f"step{part}: slower, median +500 %" for part in (" > backward", " > forward", "")]
    assert cook("before_and_after.py", sides[0], sides[0]) == []


def test_cookbook_counters_and_ranges(training):
    lines = cook("counters_and_ranges.py", training[0])
    assert lines == [f"step {n}: {20 - n} in the queue" for n in range(20)]


def test_cookbook_with_duckdb(training):
    for package in ("duckdb", "pyarrow"):
        pytest.importorskip(package, reason=f"{package} is in one environment only")
    lines = cook("with_duckdb.py", training[0])
    assert sorted(line.split(",")[0] for line in lines) == [
        "backward: 20 times", "forward: 20 times"]
