# SPDX-License-Identifier: Apache-2.0
"""`rangeline profile --pytorch` records a program that imports torch, here a stand-in."""
import inspect
import os
import pathlib

import pytest

import rangeline

pytestmark = pytest.mark.slow

FAKE = str(pathlib.Path(__file__).parent / "fake_torch")
PACKAGE = pathlib.Path(rangeline.__file__).parent

TRAIN = """
    import torch
    net = torch.nn.Sequential(torch.nn.Linear(4, 3))
    with torch.cuda.nvtx.range("step {}", 1):
        net(torch.Tensor(8, 4)).backward()
"""
STEP = ["push step 1", "pop step 1"]
OPS = ["push step 1", "push aten::mm", "pop aten::mm", "push MmBackward0", "push aten::t",
       "pop aten::t", "pop MmBackward0", "push MmBackward0", "push aten::mm",
       "pop aten::mm", "pop MmBackward0", "pop step 1"]
MODULES = ["push step 1", "push Sequential", "push Sequential.0 (Linear)",
           "pop Sequential.0 (Linear)", "pop Sequential", "pop step 1"]


@pytest.fixture
def train(record):
    """train(option, text) -> Recording of a program that can import the stand-in, and
    rangeline only through the option."""
    def run(option, text=TRAIN, **env):
        return record(text, options=[option], env={
            "RANGELINE_PYTHON": str(PACKAGE), "PYTHONPATH": FAKE, **env})

    return run


@pytest.mark.parametrize("option, lines", [
    ("--pytorch", STEP), ("--pytorch=ranges", STEP), ("--pytorch=ops", OPS),
    ("--pytorch=ops-shapes", OPS), ("--pytorch=modules", MODULES),
    ("--pytorch=modules-shapes", MODULES), ("--pytorch=autograd-nvtx", OPS),
    ("--pytorch=autograd-shapes-nvtx", OPS), ("--pytorch=functions-trace", MODULES),
    ("--pytorch=functions-trace-shapes", MODULES), ("--pytorch=ops,ops", OPS),
    ("--pytorch=none,modules", MODULES)])
def test_each_mode_records_what_it_says(train, option, lines):
    if "shapes" in option:
        pytest.importorskip("numpy")
    events = train(option)
    assert (events.lines(), events.errors) == (lines, "")
    has_shapes = {e["message"] for e in events if "payloads" in e}
    assert bool(has_shapes) == ("shapes" in option)


def test_two_modes_record_both(train):
    lines = train("--pytorch=autograd-nvtx,functions-trace").lines()
    assert [line for line in lines if "aten" not in line and "Backward" not in line] == MODULES
    assert {line for line in lines} == {*OPS, *MODULES}
    start = lines.index("push Sequential.0 (Linear)")
    assert lines[start + 1] == "push aten::mm"  # the operator runs inside the module


EMIT = """
    import torch
    net = torch.nn.Linear(4, 3)
    with torch.autograd.profiler.emit_nvtx(record_shapes={}):
        net(torch.Tensor(8, 4))
    with torch.autograd.profiler.emit_nvtx(enabled=False):
        net(torch.Tensor(8, 4))
"""
EMITTED = ["push aten::mm", "pop aten::mm"]


def test_emit_nvtx_records_operators(train):
    events = train("--pytorch", EMIT.format(False))
    assert (events.lines(), events.errors) == (EMITTED, "")
    assert train("--pytorch=ops", EMIT.format(False)).lines() == 2 * EMITTED


def test_emit_nvtx_records_shapes(train):
    pytest.importorskip("numpy")
    events = train("--pytorch", EMIT.format(True))
    assert (events.lines(), events.errors) == (EMITTED, "")
    assert "payloads" in events.of("push")[0]


def test_emit_nvtx_of_a_cuda_build_is_left_alone(train):
    events = train("--pytorch", "import torch; print(hasattr("
                   "torch.autograd.profiler.emit_nvtx, '__exit__'))", FAKE_TORCH="cuda")
    assert events.output == "False\n"


def test_alone_it_leaves_the_next_word_to_the_program(train, tmp_path):
    assert train("--pytorch").lines() == STEP
    assert train("--pytorch=none", "import sys; print('rangeline' in sys.modules)"
                 ).output == "False\n"


def test_until_torch_is_imported_nothing_of_ours_is(train):
    events = train("--pytorch=ops", """
        import sys
        print([n for n in sys.modules if n.startswith("rangeline")],
              [p for p in sys.path if "hook" in p])
        import torch
        print(type(sys.meta_path[0]).__name__, "rangeline.torch" in sys.modules)
    """)
    assert (events.output, events.errors) == ("[] []\n_AtImport True\n", "")


def test_the_programs_own_sitecustomize_runs(train, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('site', __name__)")
    events = train("--pytorch", PYTHONPATH=f"{tmp_path}{os.pathsep}{FAKE}")
    assert (events.output, events.lines()) == ("site sitecustomize\n", STEP)


def test_processes_that_it_starts_are_recorded_too(train):
    events = train("--pytorch=modules", """
        import subprocess, sys
        subprocess.run([sys.executable, "-c", '''
        import torch
        torch.nn.Linear(4, 3)(torch.Tensor(8, 4))
        '''.replace(8 * " ", "")], check=True)
    """)
    assert events.lines() == ["push Linear", "pop Linear"]


def test_a_cuda_build_records_by_itself(train):
    events = train("--pytorch", "import torch; print(torch.cuda.nvtx.range_push('m'))",
                   FAKE_TORCH="cuda")
    assert events.output == "cuda m\n"


def test_a_python_that_cannot_use_ours_goes_on(record, tmp_path):
    copied = tmp_path / "copied" / "rangeline"
    copied.mkdir(parents=True)
    for name in ("hook", "torch", "nvtx", "__init__.py"):
        (copied / name).symlink_to(PACKAGE / name)
    events = record("""
        import torch
        try:
            torch.cuda.nvtx.range_push("m")
        except RuntimeError as error:
            print(error)
    """, options=["--pytorch=ops"],
        env={"RANGELINE_PYTHON": str(copied), "PYTHONPATH": FAKE})
    assert events.output == "NVTX functions not installed.\n"
    assert "RuntimeWarning: profile --pytorch=ops: " in events.errors


def test_a_torch_that_is_not_there_is_missed_as_ever(train):
    events = train("--pytorch", """
        try:
            import torch
        except ModuleNotFoundError as error:
            print(error, error.name)
    """, PYTHONPATH="")
    if "No module named" not in events.output:
        pytest.skip("torch is installed here")
    assert (events.output, events.errors) == (
        "No module named 'torch' torch\n", "note: --pytorch=ranges had no effect, "
        "it seems: no import of torch was seen\n")


def test_a_program_may_look_for_torch_before_it_imports_it(train):
    """As libraries do that support it, and then import it, or do not."""
    ask = "import importlib.util; print(importlib.util.find_spec('torch').name)\n"
    events = train("--pytorch=modules", ask)
    assert events.output == "torch\n"
    assert events.errors.startswith("note: --pytorch=modules had no effect, ")
    events = train("--pytorch=modules", ask + inspect.cleandoc(TRAIN))
    assert (events.lines(), events.errors) == (MODULES, "")


def test_a_python_that_ignores_the_environment_is_noted(record):
    events = record("print('ran')", options=["--pytorch"], interpreter=["-E"],
                    env={"RANGELINE_PYTHON": str(PACKAGE)})
    assert events.output == "ran\n"
    assert events.errors.startswith("note: --pytorch=ranges had no effect, ")
