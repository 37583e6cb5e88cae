# SPDX-License-Identifier: Apache-2.0
"""`rangeline profile --pytorch` records a program that imports torch, here a stand-in."""
import inspect
import os
import pathlib
import textwrap

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
           "pop Sequential.0 (Linear)", "pop Sequential", "push backward", "pop backward",
           "pop step 1"]


def says_only_that_ops_is_a_mode(events):
    """The stand-in has no C++ library with observers."""
    return ": ops is a TorchDispatchMode instead" in events.errors and (
        events.errors.count("Warning") == 1)


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
    assert events.lines() == lines
    if lines is OPS and "shapes" not in option:
        assert says_only_that_ops_is_a_mode(events)
    else:
        assert events.errors == ""
    has_shapes = {e["message"] for e in events if "payloads" in e}
    assert bool(has_shapes) == ("shapes" in option)


def test_two_modes_record_both(train):
    lines = train("--pytorch=autograd-nvtx,functions-trace").lines()
    assert [line for line in lines if "aten" not in line and "Backward" not in line] == MODULES
    assert {line for line in lines} == {*OPS, *MODULES}
    start = lines.index("push Sequential.0 (Linear)")
    assert lines[start + 1] == "push aten::mm"  # the operator runs inside the module


def test_a_step_is_a_range_named_by_its_optimizer(train):
    events = train("--pytorch=modules", """
        import inspect
        import torch
        class Own(torch.optim.SGD):
            pass
        class Raises(torch.optim.Optimizer):
            def step(self, closure=None):
                "Takes one."
                raise KeyError(closure())
        net = torch.nn.Linear(4, 3)
        def closure():
            result = net(torch.Tensor(8, 4))
            torch.autograd.backward(result)
            return len(result.shape)
        print(torch.optim.SGD().step(closure=closure), Own().step())
        try:
            Raises().step(closure)
        except KeyError as error:
            print(error)
        for step in torch.optim.SGD.step, Raises.step:
            print(inspect.signature(step), step.__qualname__, step.__doc__, step.hooked,
                  type(step.__wrapped__).__name__, step.__wrapped__.__qualname__)
    """)
    inner = ["push Linear", "pop Linear", "push backward", "pop backward"]
    assert events.lines() == [
        "push SGD.step", *inner, "pop SGD.step", "push Own.step", "pop Own.step",
        "push Raises.step", *inner, "pop Raises.step"]
    assert (events.output, events.errors) == (
        "2 None\n2\n(self, closure=None) SGD.step None True function SGD.step\n"
        "(self, closure=None) Raises.step Takes one. True function Raises.step\n", "")


def test_a_pickled_step_needs_nothing_of_ours(train):
    events = train("--pytorch=modules", """
        import pickle, pickletools
        import torch
        from rangeline.torch._training import _Step
        data = pickle.dumps((_Step(abs), torch.autograd.backward))
        step, backward = pickle.loads(data)
        print(step(-3), backward is torch.autograd.backward, b"rangeline" in data)
    """)
    assert (events.output, events.errors) == ("3 True False\n", "")


def test_a_backward_pass_that_raises_is_a_closed_range(train):
    events = train("--pytorch=modules", """
        import torch
        try:
            torch.autograd.backward(None)
        except AttributeError as error:
            print(error)
    """)
    assert events.lines() == ["push backward", "pop backward"]
    assert "graph" in events.output


def test_modules_that_the_backward_pass_calls_are_recomputed(train):
    events = train("--pytorch=modules", """
        import torch
        from torch.operators import Node
        net = torch.nn.Linear(4, 3)
        x = torch.Tensor(8, 4)
        net(x)
        torch.Tensor(graph=[Node("Checkpoint", [lambda: net(x)])]).backward()
        net(x)
    """)
    assert [e for e in events.lines("category_name") if "push" in e] == [
        "push Linear", "push backward", "push Linear category_name=recomputed",
        "push Linear"]


def test_what_torch_compiles_is_not_recorded(train):
    """The compiler would have to leave out what it cannot compile, or fail."""
    events = train("--pytorch=modules", """
        import torch
        net, optimizer = torch.nn.Linear(4, 3), torch.optim.SGD()
        torch.compiler.is_busy = True
        net(torch.Tensor(8, 4))
        optimizer.step()
        torch.compiler.is_busy = False
        net(torch.Tensor(8, 4))
    """)
    assert (events.lines(), events.errors) == (["push Linear", "pop Linear"], "")


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
    assert events.lines() == EMITTED and says_only_that_ops_is_a_mode(events)
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
    assert events.output == "[] []\n_AtImport True\n"
    assert says_only_that_ops_is_a_mode(events)


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


@pytest.mark.parametrize("interpreter", [[], ["-W", "error"]])
def test_a_python_that_cannot_use_ours_goes_on(record, tmp_path, interpreter):
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
    """, options=["--pytorch=ops"], interpreter=interpreter,
        env={"RANGELINE_PYTHON": str(copied), "PYTHONPATH": FAKE})
    assert events.output == "NVTX functions not installed.\n"
    assert events.errors == ""
    assert events.notes.count(" were not recorded: rangeline is not built for ") == 1
    assert events.notes.count("hint: ") == 1 and "pip install" in events.notes


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


PROFILER = """
    import torch
    for part in ("left out", "recorded", "after"):
        if part == "recorded":
            torch.cuda.profiler.start()
        with torch.cuda.nvtx.range(part):
            pass
        if part == "recorded":
            torch.cuda.profiler.stop()
"""


def test_torchs_cuda_profiler_chooses_a_part(train, record):
    names = ["left out", "recorded", "after"]
    assert [e["message"] for e in train("--pytorch", PROFILER).of("push")] == names
    events = record(PROFILER, options=["--pytorch", "-c", "cudaProfilerApi"], env={
        "RANGELINE_PYTHON": str(PACKAGE), "PYTHONPATH": FAKE})
    assert [e["message"] for e in events.of("push")] == ["recorded"]


# ---- Libraries, as far as ours changes them ----------------------------------------------


def library(folder, name, text):
    """Makes a module of a package that is not installed."""
    *packages, module = name.split(".")
    for package in packages:
        folder = folder / package
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    (folder / f"{module}.py").write_text(textwrap.dedent(text), encoding="utf-8")


ACCELERATOR = """
    class CPU_Accelerator:
        def range_push(self, msg, domain=None, category=None):
            return
        def range_pop(self, domain=None):
            return
"""


def test_ranges_of_deepspeed_are_recorded_without_a_gpu(train, tmp_path):
    library(tmp_path, "deepspeed.accelerator.cpu_accelerator", ACCELERATOR)
    events = train("--pytorch", """
        import torch
        from deepspeed.accelerator.cpu_accelerator import CPU_Accelerator
        accelerator = CPU_Accelerator()
        assert accelerator.supports_nvtx_domain
        accelerator.range_push("forward", domain="DeepSpeed", category="step")
        accelerator.range_pop(domain="DeepSpeed")
        accelerator.range_push("own")
        accelerator.range_pop()
    """, PYTHONPATH=f"{FAKE}{os.pathsep}{tmp_path}")
    assert [(e["message"], e.get("domain"), e.get("category_name"))
            for e in events.of("push")] == [
        ("forward", "DeepSpeed", "step"), ("own", None, None)]
    assert events.errors == ""


STRATEGY = """
    class Strategy:
        lightning_module = None
        def training_step(self, *args, **kwargs):
            return self.lightning_module.training_step(*args, **kwargs)
        def validation_step(self, *args): pass
        def test_step(self, *args): pass
        def predict_step(self, *args): pass
"""


@pytest.mark.parametrize("package", ["lightning.pytorch", "pytorch_lightning"])
def test_steps_of_lightning_are_ranges_as_calls_of_modules_are(train, tmp_path, package):
    library(tmp_path, f"{package}.strategies.strategy", STRATEGY)
    text = f"""
        import torch
        from {package}.strategies.strategy import Strategy
        class Net:
            layer = torch.nn.Linear(4, 3)
            def training_step(self, batch, n):
                if n:
                    raise KeyError(n)
                return self.layer(batch)
        strategy = Strategy()
        strategy.lightning_module = Net()
        assert strategy.training_step(torch.Tensor(8, 4), n=0) is not None
        try:
            strategy.training_step(None, n=1)
        except KeyError as error:
            print(error)
        print(Strategy.training_step.__name__)
    """
    path = f"{FAKE}{os.pathsep}{tmp_path}"
    events = train("--pytorch=modules", text, PYTHONPATH=path)
    assert events.lines() == [
        "push Net.training_step", "push Linear", "pop Linear", "pop Net.training_step",
        "push Net.training_step", "pop Net.training_step"]
    assert (events.output, events.errors) == ("1\ntraining_step\n", "")
    assert train("--pytorch", text, PYTHONPATH=path).lines() == []


def test_threads_of_data_loaders_are_named(train):
    events = train("--pytorch", """
        import threading
        import torch
        from torch.utils.data._utils import pin_memory, worker
        torch.cuda.nvtx.mark("main")
        for run, arguments in ((worker._worker_loop, (0, "ab", 0)),
                               (worker._worker_loop, (0, "ab", 1)),
                               (pin_memory._pin_memory_loop, (None, 0))):
            thread = threading.Thread(target=lambda: print(run(*arguments)))
            thread.start()
            thread.join()
        try:
            worker._worker_loop(0)
        except TypeError as error:
            print("TypeError")
    """)
    (main,) = events.of("mark")
    named = [(e["name"], e["tid"] != main["tid"]) for e in events.of("thread_name")]
    assert named == [("DataLoader worker 0", True), ("DataLoader worker 1", True),
                     ("DataLoader pin_memory", True)]
    assert (events.output, events.errors) == ("a\nb\n0\nTypeError\n", "")


def test_a_library_that_has_changed_is_left_alone(train, tmp_path):
    library(tmp_path, "deepspeed.accelerator.cpu_accelerator", "value = 3\n")
    events = train("--pytorch", """
        import torch
        from deepspeed.accelerator.cpu_accelerator import value
        print(value)
    """, PYTHONPATH=f"{FAKE}{os.pathsep}{tmp_path}")
    assert (events.output, events.errors) == ("3\n", "")
