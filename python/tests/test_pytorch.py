# SPDX-License-Identifier: Apache-2.0
"""Unmodified programs of PyTorch's CPU build are recorded.

tools/setup installs it if available. All of this is also tested with a stand-in
(test_torch.py, test_torch_ops.py, test_profile_pytorch.py), on the oldest and the newest Python.
"""
import importlib.util
import json
import pathlib
import re
import sys
import textwrap

import pytest

import rangeline
from conftest import ROOT, recorded

if importlib.util.find_spec("torch") is None:
    pytest.skip("PyTorch's CPU build is not installed", allow_module_level=True)

PACKAGE = str(pathlib.Path(rangeline.__file__).parent)

# PyTorch takes seconds to import, so one program has all cases, and runs once per mode.
PROGRAM = """
    import json, sys, threading
    import torch
    from torch import nn
    from torch.cuda import nvtx
    from torch.utils.checkpoint import checkpoint
    from torch.utils.data import DataLoader, TensorDataset

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))

        def forward(self, x):
            return self.layers(x)

    torch.manual_seed(1)
    net, loss_of = Net(), nn.CrossEntropyLoss()
    x, target = torch.randn(8, 32), torch.arange(8)
    loss_of(net(x), target).backward()
    said = {"has compiler": "torch._dynamo" in sys.modules}  # which optimizers import
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def case(name):
        nvtx.mark(f"case {name}")

    def step(number):
        with nvtx.range("step {}", number):
            optimizer.zero_grad()
            depth = nvtx.range_push("forward")
            loss = loss_of(net(x), target)
            assert nvtx.range_pop() == depth
            nvtx.range_push("backward")
            loss.backward()
            assert nvtx.range_pop() == depth
            optimizer.step()
        return loss.item(), depth

    case("results")
    said["results"] = [step(i)[0] for i in range(5)]

    nodes = []  # the name of each node that is evaluated
    def count(node):
        if node is not None and not any(node is other for other, _ in nodes):
            nodes.append((node, node.register_prehook(lambda _: None)))
            for inner, _ in node.next_functions:
                count(inner)
    count(loss_of(net(x), target).grad_fn)
    said["nodes"] = [node.name() for node, _ in nodes]

    case("training")
    said["depths"] = [step(i)[1] for i in range(3)] + [nvtx.range_pop()]
    begun = nvtx.range_start("checkpoint")
    nvtx.mark("saved")
    nvtx.range_end(begun)
    nvtx.range_end(12345)
    nvtx._device_range_end(nvtx._device_range_start("copy"))

    case("what raises")
    class Raises(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            with nvtx.range("own backward"):
                gradient * 2
                raise ValueError("in backward")

    said["raised"] = []
    for work in (lambda: net(torch.randn(3, 3)),
                 lambda: Raises.apply(net(x)).sum().backward(),
                 lambda: torch.ones(2) @ torch.ones(3)):
        try:
            work()
        except (RuntimeError, ValueError) as error:
            said["raised"].append(str(error)[:16])
    said["depth after what raised"] = nvtx.range_push("next")
    nvtx.range_pop()

    case("other parts")
    checkpoint(net, x, use_reentrant=False).sum().backward()
    assert torch.jit.trace(net, x)(x).shape == (8, 10)
    torch.fx.symbolic_trace(net)(x)
    torch.func.vmap(torch.dot)(x, x)
    torch.func.grad(lambda v: (v ** 2).sum())(x)
    with torch.profiler.profile() as profiler:
        step(1)
    assert any(e.key == "aten::addmm" for e in profiler.key_averages())
    for batch, _ in DataLoader(TensorDataset(x, target), batch_size=4, num_workers=1):
        net(batch)
    thread = threading.Thread(target=step, args=(2,))
    thread.start()
    thread.join()
    with torch.inference_mode():
        net(x)
    with torch.autograd.profiler.record_function("ends with the block"):
        torch.ones(2)
    said["depth after other parts"] = nvtx.range_push("next")
    nvtx.range_pop()

    case("emit_nvtx")
    with torch.autograd.profiler.emit_nvtx(record_shapes=True):
        net(x)

    case("uninstalled")
    import rangeline.torch
    rangeline.torch.uninstall()
    try:
        nvtx.range_push("not")
    except RuntimeError as error:
        said["uninstalled"] = str(error)[:28]
    rangeline.torch.install()
    said["installed again"] = nvtx.range_push("recorded"), nvtx.range_pop()
    print(json.dumps(said))
"""

MODES = {"calls": "--pytorch", "ops": "--pytorch=autograd-nvtx",
         "ops-shapes": "--pytorch=autograd-shapes-nvtx",
         "modules": "--pytorch=modules-shapes"}
_RUNS = {}


@pytest.fixture(name="run")
def run_of_mode(tmp_path_factory):
    """run(mode) -> what PROGRAM said in it, and all that was recorded."""
    def run(mode):
        if mode not in _RUNS:
            _RUNS[mode] = None  # it is tried once
            place = tmp_path_factory.mktemp(mode)
            (place / "train.py").write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
            events = recorded(place / "run.rln", [sys.executable, place / "train.py"],
                              [MODES[mode]], timeout=500, cwd=place,
                              env={"RANGELINE_PYTHON": PACKAGE, "OMP_NUM_THREADS": "1"})
            _RUNS[mode] = json.loads(events.output), events
        assert _RUNS[mode], "the program failed: see the first test of this mode"
        return _RUNS[mode]

    return run


def of_case(events, name):
    """The events between the mark of a case and that of the next."""
    cases = [i for i, e in enumerate(events) if e["type"] == "mark"
             and e["message"].startswith("case ")] + [len(events)]
    (at,) = [n for n, i in enumerate(cases[:-1])
             if events[i]["message"] == f"case {name}"]
    return events[cases[at] + 1:cases[at + 1]]


def named(events, kind):
    return [e["message"] for e in events if e["type"] == kind]


def tree(events):
    """(depth, message) of each push, in order."""
    return [(e["depth"], e["message"]) for e in events if e["type"] == "push"]


def test_a_training_loop_records_with_depths_as_documented(run):
    said, events = run("calls")
    assert said["depths"] == [1, 1, 1, -1]
    assert "rangeline" not in events.errors  # torch may tell of its own
    training = of_case(events, "training")
    assert tree(training) == [
        (depth, message) for i in range(3) for depth, message in
        [(0, f"step {i}"), (1, "forward"), (1, "backward")]]
    assert named(training, "mark") == ["saved"]
    assert named(training, "start") == ["checkpoint", "copy"]
    assert all("end" in r or "duration" in r for r in events.ranges())


def test_recording_changes_no_result(run):
    calls, *others = (run(mode)[0]["results"] for mode in MODES)
    assert others == 3 * [calls]


@pytest.mark.parametrize("mode", MODES)
def test_torchs_compiler_is_not_imported(run, mode):
    assert not run(mode)[0]["has compiler"]


def test_ops_are_in_the_ranges_and_nodes_that_they_belong_to(run):
    pushes = tree(of_case(run("ops")[1], "training"))
    pushes = pushes[pushes.index((0, "step 2")):]
    forward = pushes[pushes.index((1, "forward")):pushes.index((1, "backward"))]
    backward = pushes[pushes.index((1, "backward")):]
    assert [m for d, m in forward if m in ("aten::addmm", "aten::relu",
                                           "aten::nll_loss_forward")] == [
        "aten::addmm", "aten::relu", "aten::addmm", "aten::nll_loss_forward"]
    assert min(d for d, m in forward[1:]) == 2
    assert (2, "aten::linear") in forward and (3, "aten::addmm") in forward
    within, node = {}, None
    for depth, message in backward:
        node = message if depth == 2 else node
        if depth == 3:
            within.setdefault(node, set()).add(message)
    assert "aten::mm" in within["AddmmBackward0"]
    assert "aten::threshold_backward" in within["ReluBackward0"]
    assert "aten::nll_loss_backward" in within["NllLossBackward0"]
    (optimizer,) = [i for i, (d, m) in enumerate(backward)
                    if m.startswith("Optimizer.step#SGD")]
    assert backward[optimizer][0] == 1
    assert any(m.startswith("aten::") and d == 2 for d, m in backward[optimizer:])


def test_each_node_of_the_backward_pass_is_one_range(run):
    said, events = run("ops")
    pushed = named(of_case(events, "training"), "push")
    assert len(said["nodes"]) == 11
    for node in set(said["nodes"]):  # three steps
        assert pushed.count(node) == 3 * said["nodes"].count(node), node
    assert not [m for m in pushed if m.startswith("autograd::engine")]


def test_operators_of_all_threads_are_recorded(run):
    events = run("ops")[1]
    tids = {e["tid"] for e in events.of("push") if e["message"] == "aten::addmm"
            and e["pid"] == events[0]["pid"]}
    assert len(tids) == 2


def test_shapes_of_operators_are_payloads(run):
    pytest.importorskip("numpy")
    events = run("ops-shapes")[1].of("push")
    (first, *_) = [e for e in events if e["message"] == "aten::addmm"]
    assert first["payloads"][0]["value"] == {
        "self": {"0": [64]}, "mat1": {"0": [8, 32]}, "mat2": {"0": [32, 64]}}


def test_nested_tensors_have_no_sizes(record):
    pytest.importorskip("numpy")
    events = record("""
        import torch
        from rangeline.torch import modules, ops
        parts = [torch.ones(2, 3), torch.ones(4, 3)]
        with ops(shapes=True), modules(shapes=True):
            for layout in torch.strided, torch.jagged:
                nested = torch.nested.nested_tensor(parts, layout=layout)
                torch.nn.ReLU()(nested)
                print(torch.nn.Linear(3, 1)(nested).size(0))
    """, timeout=300)
    assert events.output == "2\n2\n"


def test_with_shapes_operators_below_autograd_are_in_their_nodes(run):
    pushes = tree(of_case(run("ops-shapes")[1], "training"))
    backward = pushes[pushes.index((1, "backward")):]
    assert "aten::linear" not in [m for d, m in pushes]
    at = backward.index((2, "AddmmBackward0"))
    assert backward[at + 1] in [(3, "aten::t"), (3, "aten::mm")]


def test_a_block_records_until_its_end(record):
    events = record("""
        import torch
        from rangeline.torch import mark, ops
        x = torch.ones(2, 2, requires_grad=True)
        def work(a, b):
            with torch.profiler.record_function("label"):
                (a @ b).sum().backward()
        left_open = torch.profiler.record_function("left open")
        with ops(domain="d"), ops(domain="d"):
            work(x, x)
            with ops():
                x + x
            with torch.profiler.profile() as profiler:
                x - x
            left_open.__enter__()
        left_open.__exit__(None, None, None)
        mark("after")
        work(x, x)
        assert [e.key for e in profiler.key_averages()] == ["aten::sub"]
    """, timeout=300)
    ranges = [(e["message"], e.get("domain")) for e in events.of("push")]
    assert ranges[:3] == [("label", "d"), ("aten::matmul", "d"), ("aten::mm", "d")]
    assert ranges.count(("aten::mm", "d")) == 3
    assert ranges.count(("MmBackward0", "d")) == 1
    assert [r for r in ranges if r[1] is None] == [("aten::add", None)]
    assert ranges[-3:] == [("aten::add", None), ("aten::sub", "d"), ("left open", "d")]
    assert events.lines()[-2:] == ["pop left open", "mark after"]
    assert len(events.of("push")) == len(events.of("pop"))


def test_modules_have_their_paths(run):
    pushes = tree(of_case(run("modules")[1], "training"))
    assert pushes[:11] == [
        (0, "step 0"), (1, "forward"), (2, "Net"), (3, "Net.layers (Sequential)"),
        (4, "Net.layers.0 (Linear)"), (4, "Net.layers.1 (ReLU)"),
        (4, "Net.layers.2 (Linear)"), (2, "CrossEntropyLoss"), (1, "backward"),
        (2, "backward"), (1, "SGD.step")]


def test_modules_that_a_checkpoint_recomputes_say_so(run):
    pushed = [e for e in of_case(run("modules")[1], "other parts") if e["type"] == "push"]
    recomputed = [(e["depth"], e["message"]) for e in pushed
                  if e.get("category_name") == "recomputed"]
    assert recomputed == [
        (1, "Net"), (2, "Net.layers (Sequential)"), (3, "Net.layers.0 (Linear)"),
        (3, "Net.layers.1 (ReLU)"), (3, "Net.layers.2 (Linear)")]
    assert (0, "backward") in tree(pushed)


@pytest.mark.parametrize("mode", MODES)
def test_workers_of_data_loaders_are_named(run, mode):
    events = run(mode)[1]
    (named,) = events.of("thread_name")
    assert (named["name"], named["pid"] == named["tid"]) == ("DataLoader worker 0", True)
    assert named["pid"] != events.of("mark")[0]["pid"]


COMPILED = """
    import torch
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.ones(2, 3)

    def sizes_of_graphs(function):
        sizes = []
        def backend(graph, inputs):
            sizes.append(len(graph.graph.nodes))
            return graph
        torch.compile(function, backend=backend)()
        return sizes

    def train():
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()

    @torch.jit.script
    def scripted(x):
        torch.autograd.backward([x.sum()])
        x.sum().backward()

    train()
    print(sizes_of_graphs(lambda: net(x)), sizes_of_graphs(optimizer.step))
    print(sizes_of_graphs(train))
    scripted(x.requires_grad_())
    print(x.grad)
"""


def test_functions_are_compiled_as_they_are_without_a_tool(record):
    alone = record(COMPILED, timeout=300)
    events = record(COMPILED, options=["--pytorch=modules"], timeout=300,
                    env={"RANGELINE_PYTHON": PACKAGE})
    assert events.output == alone.output
    assert {"push Sequential", "push backward", "push SGD.step"} <= {*events.lines()}


@pytest.mark.parametrize("mode", MODES)
def test_what_raises_leaves_nothing_open(run, mode):
    said, _ = run(mode)
    assert len(said["raised"]) == 3 and said["raised"][1] == "in backward"
    assert said["depth after what raised"] == 0


@pytest.mark.parametrize("mode", MODES)
def test_other_parts_of_torch_work_on(run, mode):
    said, events = run(mode)
    assert said["depth after other parts"] == 0, events.errors
    assert not [r for r in events.ranges() if "end" not in r and "duration" not in r]


@pytest.mark.parametrize("mode", MODES)
def test_emit_nvtx_records_operators(run, mode):
    pushed = named(of_case(run(mode)[1], "emit_nvtx"), "push")
    assert [m for m in pushed if m.startswith("aten::addmm")] == 2 * ["aten::addmm"]


@pytest.mark.parametrize("mode", MODES)
def test_uninstalled_torch_says_again_that_it_cannot(run, mode):
    said, events = run(mode)
    assert said["uninstalled"] == "NVTX functions not installed"
    assert said["installed again"] == [0, 0]
    assert "recorded" in named(events, "push") and "not" not in named(events, "push")


def test_the_example_of_the_documentation_runs(record):
    pytest.importorskip("numpy")
    text = (ROOT / "docs" / "guide" / "PYTHON_TORCH.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```py\n(.*?)```", text, re.DOTALL)
    messages = [e["message"] for e in record(example, timeout=300).of("push")]
    assert messages[:4] == ["train", "Sequential", "Sequential.0 (Linear)",
                            "Sequential.1 (ReLU)"]
    assert "ReluBackward0" in messages
