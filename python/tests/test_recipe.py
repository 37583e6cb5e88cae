# SPDX-License-Identifier: Apache-2.0
"""`rangeline recipe` makes a folder whose Parquet and notebook say what the reports say."""

import contextlib
import csv
import errno
import html
import io
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from unittest import mock

import pytest
import rangeline
from rangeline.recipes import (answer, bins, calls_differ, commands, dask_sums, diff, folder,
                               gpu_util, heatmap, nccl, overlap, pace, page, rank_sum, straggler,
                               sums, svg, text)
from conftest import RANGELINE, recorded

pytestmark = pytest.mark.slow

FORMATS = "table,html,parquet,notebook"
RECIPES = [["rank_sum"], ["calls-differ"], ["straggler", "step"], ["pace", "step"],
           ["heatmap", "step"]]


def env_for(path=os.path.dirname(sys.executable)):
    return {**os.environ, "PATH": f"{path}:/usr/bin:/bin",
            "RANGELINE_PYTHON": os.path.dirname(rangeline.__file__)}


def cook(*words, path=os.path.dirname(sys.executable)):
    return subprocess.run([RANGELINE, "recipe", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=env_for(path), check=False)


@pytest.fixture(name="job", scope="module")
def job_of_three_ranks(tmp_path_factory):
    """The folder of the traces of three ranks; the last has a step less."""
    folder = tmp_path_factory.mktemp("job")
    for rank in range(3):
        recorded(folder / f"r{rank}.rln", [sys.executable, "-c", f"""if True:
            import rangeline.nvtx as nvtx
            for i in range({9 if rank == 2 else 10}):
                with nvtx.annotate("step", payload=i):
                    with nvtx.annotate("solve", domain="app"):
                        pass"""], env={"PMI_RANK": str(rank), "PMI_SIZE": "3"})
    return folder


def report(job, name):
    """The rows of a report of all ranks."""
    done = subprocess.run([RANGELINE, "stats", "-q", "-r", name, "-f", "csv",
                           *sorted(job.glob("*.rln"))], stdout=subprocess.PIPE, text=True,
                          check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def run_notebook(path):
    """What the code cells of a notebook print and leave."""
    names, said = {}, io.StringIO()
    with contextlib.chdir(path.parent), contextlib.redirect_stdout(said):
        for cell in json.loads(path.read_text())["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)  # pylint: disable=exec-used
    return names, said.getvalue()


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe[0])
def test_the_notebook_reads_what_the_parquet_has(job, tmp_path, recipe):
    pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    done = cook(*recipe, "-o", tmp_path / "out", f"{job}/*.rln")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(
        ["index.html", f"{recipe[0]}.parquet", f"{recipe[0]}.ipynb"])
    names, said = run_notebook(tmp_path / "out" / f"{recipe[0]}.ipynb")
    assert names["result"].num_rows > 0
    assert "matplotlib" in said or "pyplot" in names
    for field in names["table"].schema:
        assert str(field.type) in ("int64", "string"), field


def test_plots_show_names_as_they_are(job, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow", reason="pyarrow is in one environment only")
    for recipe in [*RECIPES, ["diff", "-b", f"{job}/*.rln"]]:
        pyplot = mock.MagicMock(rcParams={"text.parse_math": True})  # as of $: "f::$_0"
        axes = mock.MagicMock()
        pyplot.subplots.return_value = mock.MagicMock(), axes
        monkeypatch.setitem(sys.modules, "matplotlib", mock.MagicMock(pyplot=pyplot))
        done = cook(*recipe, "-o", tmp_path / recipe[0], f"{job}/*.rln")
        assert done.returncode == 0, done.stderr
        run_notebook(tmp_path / recipe[0] / f"{recipe[0]}.ipynb")
        assert pyplot.rcParams == {"text.parse_math": False}
        assert axes.set.called and pyplot.show.called


def test_parquet_has_each_rank_and_each_step(job, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet",
                                  reason="pyarrow is in one environment only")
    for recipe in RECIPES:
        done = cook(*recipe, "-o", tmp_path / recipe[0], "--format", "parquet", f"{job}/*.rln")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr

    def read(name):
        return parquet.read_table(tmp_path / name / f"{name}.parquet").to_pylist()

    times = {(row["Range"], rank): int(row[f"Rank {rank} (ns)"])
             for row in report(job, "rank_sum") for rank in range(3)}
    assert {(row["range"], row["rank"]): row["time_ns"] for row in read("rank_sum")} == times
    calls = {(row["range"], row["rank"]): row["calls"] for row in read("calls-differ")}
    assert calls == {(name, rank): 9 if rank == 2 else 10
                     for name in (":step", "app:solve") for rank in range(3)}
    steps = read("pace")
    assert [(row["rank"], row["step"]) for row in steps] == [
        (rank, step) for rank in range(3) for step in range(9 if rank == 2 else 10)]
    assert sum(row["duration_ns"] for row in steps) == sum(
        time for (name, _), time in times.items() if name == ":step")
    assert read("heatmap") == steps


def test_parquet_without_pyarrow_says_so(job, tmp_path):
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\nexec {sys.executable} -S -E \"$@\"\n")
    python.chmod(0o755)
    done = cook("rank_sum", "-o", tmp_path / "out", f"{job}/*.rln", path=python.parent)
    assert done.returncode == 1
    assert "has no pyarrow" in done.stderr and "--format table,html" in done.stderr
    assert not (tmp_path / "out").exists()
    done = cook("rank_sum", "-o", tmp_path / "out", "--format", "table,html", f"{job}/*.rln",
                path=python.parent)
    assert done.returncode == 0, done.stderr


def test_parquet_keeps_names_apart_and_refuses_what_does_not_fit(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet",
                                  reason="pyarrow is in one environment only")
    (tmp_path / "job").mkdir()
    for rank in range(2):
        with contextlib.closing(sqlite3.connect(tmp_path / "job" / f"{rank}.sqlite")) as file:
            file.execute("CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, "
                         "eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER)")
            ranges = [(b"bad\xff", 0, 10), (b"bad\xfe", 10, 30)]
            ranges += [(b"long", 100 + i, (1 << 58) - i) for i in range(2 if rank else 40)]
            file.executemany("INSERT INTO NVTX_EVENTS VALUES (?2, ?3, 59, CAST(?1 AS TEXT), 1)",
                             ranges)
            file.commit()
    for recipe in (["rank_sum"], ["diff", "-b", f"{tmp_path}/job/*"]):
        done = cook(*recipe, "-o", tmp_path / "out", f"{tmp_path}/job/*")
        assert done.returncode == 1 and not (tmp_path / "out").exists()
        assert "rangeline: cannot run recipe: a time exceeds 2^63 ns\nhint" in done.stderr
        assert "Traceback" not in done.stderr
        done = cook(*recipe, "--name", "bad*", "-o", tmp_path / "out", f"{tmp_path}/job/*")
        assert done.returncode == 0, done.stderr
        rows = parquet.read_table(tmp_path / "out" / f"{recipe[0]}.parquet").to_pylist()
        assert sorted({row["range"] for row in rows}) == [":bad\\xfe", ":bad\\xff"]
        assert len(rows) == 4
        shutil.rmtree(tmp_path / "out")


# --- Sentences -----------------------------------------------------------------------


class Job:
    """Of reports given as rows."""

    def __init__(self, rows=(), ranks=(), steps=(), kind="rank", on_processor=()):
        self.step, self.after, self.before = "step", self, None
        self._rows, self._ranks, self._steps = rows, ranks, steps
        self.kind, self._on_processor = kind, on_processor
        self.commands = self.commands_before = commands.Commands("'job/*.rln'")

    def rows(self, _):
        return ({"Kind": self.kind, **row} for row in self._rows)

    def ranks(self, name):
        ranges = self._on_processor if name.endswith(":cpu") else self._ranks
        yield self.kind, list(range(len(ranges[0][1]))) if ranges else []
        yield from ranges

    def numbers(self, _):
        yield [answer.titled(self.kind), "Step", "Start (ns)", "Duration (ns)"]
        for at in range(0, len(self._steps), 7):  # so that ranks are in several
            yield list(map(list, zip(*self._steps[at : at + 7])))


def test_one_odd_rank_of_a_node_is_found():
    said = calls_differ.answer(Job(ranks=[(":a", [5] * 7 + [6])]))
    assert said.sentence == ("1 range differs: :a is called 5 times on 7 of 8 ranks; different: "
                             "rank 7 (6).")
    said = calls_differ.answer(Job(ranks=[(":a", [5] * 6 + [4, 6])])).sentence
    assert "in none do 90 % of 8 ranks agree" in said


def test_ranges_of_one_rank_are_counted():
    found = calls_differ.answer(Job(ranks=[(":write", [3, 0, 0]), (":a", [2, 2, 2])]))
    assert found.sentence == "All 3 ranks call each range that several have equally often."
    assert found.lacking == ["1 range that only one rank calls is not listed"]


@pytest.mark.parametrize("durations, said", [
    ([100] * 10 + [900], "are too few to show a trend"),
    ([100, 102] * 20, "keep their pace"),
    (list(range(100, 140)), "become slower"),
    (list(range(140, 100, -1)), "become faster"),
    ([100] * 10 + [99] * 10 + [100] * 10 + [200] * 10, "change their pace, from 99 ns to 200 ns"),
    ([100] * 10 + [200] * 10 + [200] * 10 + [100] * 10, "change their pace, from 100 ns to 200 ns"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_pace_says_only_what_the_steps_show(durations, said):
    steps = [[0, i, i, ns] for i, ns in enumerate(durations)]
    assert f"steps of 1 rank {said}" in pace.answer(Job(steps=steps)).sentence


def test_equal_ranks_have_no_straggler():
    row = {"Lost Time": "0.0", "Slowest": "3", "Slowest (%)": "100.0", "Instances": "3",
           "Total Time": str(2**53 + 1), "Avg": "1.0", "Max": "1", "Rank": "0"}
    steps = [[rank, 0, 0, 1] for rank in range(2)]
    found = straggler.answer(Job([row, {**row, "Slowest": "0", "Rank": "1"}], steps=steps))
    assert found.sentence == "All 2 ranks are equally fast in each step."
    assert [columns[4] for columns in found.data()] == [(2**53 + 1,) * 2]


@pytest.mark.parametrize("length", [250, 10000])
def test_long_names_leave_room_for_numbers(length):
    name = ":a" + "<" * length + "z"
    made = rank_sum.answer(Job(ranks=[(name, [1, 2, 9])]))
    assert max(map(len, text.table(made).splitlines())) < 700
    assert "z  " in text.table(made) and ":a<" in text.table(made)
    whole = page.page(made, [])
    assert f'<td title="{html.escape(name)}">:a&lt;' in whole
    shown = re.sub("(?s)<svg.*?</svg>|<pre>.*?</pre>| title=\"[^\"]*\"", "", whole)
    assert max(map(len, html.unescape(shown).splitlines())) < 700


@pytest.mark.parametrize("on_processor, said", [
    ([20, 20, 100], "(+104.5 %): it computes for 53 ns more than the mean."),
    ([20, 20, 20], "(+104.5 %): it waits, or others have its processor, since it computes for 0 more "
                   "than the mean."),
    ([20, 30, 10], "(+104.5 %): it waits, or others have its processor, since it computes for 10 ns "
                   "less than the mean.")])
def test_a_slow_rank_computes_or_waits(on_processor, said):
    job = Job(ranks=[(":a", [20, 50, 150]), (":b", [1, 1, 1])],
              on_processor=[(":a", on_processor), (":c", [9, 9, 9])])
    found = rank_sum.answer(job)
    assert found.sentence.endswith(said), found.sentence
    assert [column.name for column in found.columns][:3] == ["Range", "Excess", "Excess On CPU"]
    assert [row[2] for row in found.rows] == [round(on_processor[2] - sum(on_processor) / 3), None]
    job = Job(ranks=[(":a", [20, 50, 150])])
    assert rank_sum.answer(job).sentence.endswith("(+104.5 %).")


@pytest.mark.parametrize("later, said", [
    (50, "none waited."), (5, "so long the others wait, if each step ends together.")])
def test_ranks_wait_only_for_those_that_run_with_them(later, said):
    row = {"Lost Time": "9.0", "Slowest": "3", "Slowest (%)": "100.0", "Instances": "3",
           "Total Time": "9", "Avg": "3.0", "Max": "4", "Rank": "1"}
    steps = [[rank, i, 10 * i + later * rank, 3 + rank] for rank in range(2) for i in range(5)]
    assert straggler.answer(Job([row], steps=steps)).sentence.endswith(said)


@pytest.mark.parametrize("kind", ["trace", "pid"])
def test_traces_and_processes_are_no_ranks(kind):
    times = {"Lost Time": "5.0", "Slowest": "3", "Slowest (%)": "100.0", "Instances": "3",
             "Total Time": "9", "Avg": "3.0", "Max": "4", "Rank": "7"}
    steps = [[rank, i, 10 * i, 1 + rank] for rank in range(2) for i in range(30)]
    gpu = {**dict.fromkeys(["Span", "Busy", "Compute", "Communication", "Copy", "Idle",
                            "Exposed Communication", "Exposed Copy"], "1"), "Device": "0"}
    rows = [{**times, **gpu, "Rank": f"{rank}"} for rank in range(30)]
    ranges = [(":a", [5, 5, 5, 6])]
    one, other = Job(ranks=ranges, kind=kind), Job(ranks=[(":a", [6, 6, 6, 9])], kind=kind)
    one.after, one.before = one, other
    found = [recipe.answer(Job(rows, ranges, steps, kind))
             for recipe in (rank_sum, calls_differ, straggler, pace, heatmap, gpu_util, overlap)]
    for made in [*found, diff.answer(one)]:
        for said in (made.question, made.sentence, *made.lacking, *(c.name for c in made.columns),
                     *(caption for caption, _ in made.pictures), *map(" ".join, made.go_on),
                     *(picture for _, picture in made.pictures)):
            assert not re.search(r"\bRANK\b|\b[Rr]anks?\b", said.replace(
                "recipe rank_sum -o ranks", "")), said
    assert found[2].sentence.startswith(f"{answer.titled(kind)} 0 is the slowest in 3 steps")


def test_ranks_are_not_compared_with_traces():
    job = Job(ranks=[(":a", [5, 5])], kind="trace")
    job.before = Job(ranks=[(":a", [5, 5])])
    with pytest.raises(sums.Failed) as error:
        diff.answer(job)
    assert "before has ranks, after has traces" in error.value.said


def test_times_of_hosts_and_gpus_are_not_added():
    row = {"Calls": "2", "Bytes": "8", "Total Bytes": "16", "Host Time": "900", "Host Min": "1",
           "Host Max": "899", "GPU Calls": "0", "GPU Time": "0", "Name": "host"}
    found = nccl.answer(Job([row, {**row, "GPU Calls": "1", "GPU Time": "100", "Name": "gpu"}]))
    assert found.sentence == ("1 call took 100 ns on all GPUs; most, 100 ns, gpu of 8 B.")
    assert nccl.answer(Job([row])).sentence.startswith("2 calls took 900 ns in all callers")


def test_one_gpu_without_communication():
    row = dict.fromkeys(["Span", "Busy", "Compute", "Communication", "Copy",
                         "Exposed Communication", "Exposed Copy", "Idle", "Rank", "Device"], "0")
    assert overlap.answer(Job([row])).sentence == "Of 1 GPU, none communicates or copies."


def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path, monkeypatch):
    with pytest.raises(sums.Failed) as failed:
        folder.check(f"{tmp_path}/no/out", False)
    assert f"hint: `mkdir -p {tmp_path}/no`" in failed.value.said
    with pytest.raises(OSError) as full:
        with folder.made(f"{tmp_path}/out", False):
            raise OSError(errno.ENOSPC, "No space left on device")
    assert full.value.filename == f"{tmp_path}/out"
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "statvfs", lambda _: mock.Mock(f_flag=os.ST_RDONLY))
    with pytest.raises(sums.Failed, match="Read-only file system"):
        folder.check(f"{tmp_path}/out", False)


def test_names_cannot_change_a_terminal():
    found = pace.answer(Job(steps=[[0, 0, 0, 1]]))
    found.sentence = "\x1b[31mred\nnext"
    assert "\x1b" not in text.table(found) and "red\nnext" not in text.table(found)
    assert answer.printable("a\u202eb") == "a\N{REPLACEMENT CHARACTER}b"


# --- Parts ---------------------------------------------------------------------------


def test_a_scheduler_file_is_not_waited_for_forever(tmp_path, monkeypatch):
    monkeypatch.setattr(dask_sums, "_PATIENCE", 0)
    address_in = dask_sums._address_in  # pylint: disable=protected-access
    with pytest.raises(FileNotFoundError):
        address_in(tmp_path / "none.json")
    for content in ("no JSON", "[]", "{}", '{"address": 5}'):
        (tmp_path / "s.json").write_text(content)
        with pytest.raises(ValueError):
            address_in(tmp_path / "s.json")
    (tmp_path / "s.json").write_text('{"address": "tcp://a:1"}')
    assert address_in(tmp_path / "s.json") == "tcp://a:1"


def test_bins_do_not_depend_on_the_order():
    values = [(random.Random(i).randrange(100_000), random.Random(-i).randrange(10**9))
              for i in range(6000)]
    shuffled = random.Random(1).sample(values, len(values))
    found = []
    for order in (values, shuffled, sorted(values)):
        series, grid = bins.Column(64), bins.Grid(16, 32)
        for at, value in order:
            series.add(at, [value])
            grid.add_spans(value % 100, [at], [at + 5], [value])
        found.append(([b and (b.n, [b.quantile(part, 4) for part in range(5)])
                       for b in series.bins()], list(grid.lines())))
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) <= 64 and len(found[0][1]) <= 16


def test_many_values_are_binned_as_one_by_one():
    values = [random.Random(i).randrange(1 << (i % 64)) for i in range(3000)]
    series, grid = bins.Column(64), bins.Grid(16, 32)
    each, cells = bins.Column(64), bins.Grid(16, 32)
    for row in range(3):
        for at in range(row, 3000, 700):
            series.add(at, values[at : at + 700])
            grid.add(row, at, values[at : at + 700])
            for i, value in enumerate(values[at : at + 700], at):
                each.add(i, [value])
                cells.add_spans(row, [i], [i], [value])
    assert list(grid.lines()) == list(cells.lines())
    assert series.all().n == each.all().n == 3 * 3000 - 3
    for one, other in zip([*series.bins(), series.all()], [*each.bins(), each.all()]):
        assert [one.quantile(k, 8) for k in range(9)] == [other.quantile(k, 8) for k in range(9)]


def test_starts_are_apart_only_where_ranks_share_a_step():
    steps = [[rank, i, 100 * i + rank * i, 1] for rank, n in ((0, 30), (1, 9), (2, 20))
             for i in range(n)]
    found = pace.answer(Job(steps=steps))
    assert [row[6] for row in sorted(found.rows)] == [
        2 * i if i < 20 else None for i in range(30)]
    assert "30 steps of 3 ranks" in found.sentence


def test_durations_are_exact_up_to_4096_and_near_beyond():
    values = [3**7 * i % 1_000_003 for i in range(1, 5000)]
    for n in (1, 2, 4096, 4097, 4999):
        durations = bins.Durations()
        half = bins.Durations()
        half.add(values[:n // 2])
        durations.add(values[n // 2 : n])
        durations.merge(half)
        assert durations.is_exact == (n <= 4096)
        for part in range(5):
            exact = sorted(values[:n])[part * (n - 1) // 4]
            found = durations.quantile(part, 4)
            assert found == exact if n <= 4096 else abs(found - exact) <= 0.004 * exact


def test_the_sign_test_is_that_of_coins():
    assert diff.sign_test(0, 0) == diff.sign_test(5, 5) == 1
    assert diff.sign_test(8, 0) == pytest.approx(2 / 256)
    assert diff.sign_test(1, 9) == pytest.approx(2 * 11 / 1024)
    assert diff.sign_test(5000, 5001) == pytest.approx(1, abs=0.01)
    assert diff.sign_test(10_000, 0) == 0


def test_quartiles_lie_between_values():
    assert [rank_sum.quantile([1, 2, 3, 4, 5], part) for part in range(5)] == [1, 2, 3, 4, 5]
    assert rank_sum.quantile([0, 10], 2) == 5
    assert rank_sum.quantile([7], 3) == 7


def test_names_cannot_break_a_picture():
    row = svg.Spread("<b>\x1b[31m&", 1, 1, 1, 1, 1, "0: <i>")
    picture = svg.spread([row], str)
    assert "<b>" not in picture and "<i>" not in picture and "\x1b" not in picture
