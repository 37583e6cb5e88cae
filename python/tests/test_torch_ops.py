# SPDX-License-Identifier: Apache-2.0
"""rangeline.torch.ops() and modules() record the operators and modules of a stand-in
torch."""
import os
import pathlib

import pytest

pytestmark = pytest.mark.slow

FAKE = str(pathlib.Path(__file__).parent / "fake_torch")

NET = """
    import torch
    from rangeline.torch import mark, modules, ops, range, range_push, range_pop
    net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Linear(3, 2))
    x = torch.Tensor(8, 4)
"""


@pytest.fixture
def run(record):
    """run(text) -> Recording of NET and the text, with the stand-in."""
    def record_text(text, **more):
        path = FAKE + os.pathsep + os.environ["PYTHONPATH"]
        return record(NET + text, env={"PYTHONPATH": path}, **more)

    return record_text


# ---- ops() -----------------------------------------------------------------------------


def test_each_operator_is_a_range_forward_and_backward(run):
    events = run("""
    with ops():
        with range("step"):
            y = net(x)
            with range("backward"):
                y.backward()
    net(x)
    """)
    backward = ["push MmBackward0 depth=2", "push aten::t depth=3", "pop aten::t depth=3",
                "pop MmBackward0 depth=2", "push MmBackward0 depth=2",
                "push aten::mm depth=3", "pop aten::mm depth=3", "pop MmBackward0 depth=2"]
    assert events.lines("depth") == [
        "push step depth=0", *2 * ["push aten::mm depth=1", "pop aten::mm depth=1"],
        "push backward depth=1", *2 * backward, "pop backward depth=1",
        "pop step depth=0"]


def test_a_block_within_one_of_the_same_domain_records_nothing_twice(run):
    pytest.importorskip("numpy")
    events = run("""
    with ops(), ops(), ops(shapes=True), ops(domain="d"):
        net[1](x)
    with ops():
        net[1](x)
    """.replace("net[1]", "torch.nn.Linear(4, 3)"))
    assert [(e["message"], e.get("domain")) for e in events.of("push")] == [
        ("aten::mm", "d"), ("aten::mm", None), ("aten::mm", None)]


def test_labels_of_record_function_are_ranges(run):
    events = run("""
    before = torch.record_function("before")
    before.__enter__()
    with ops():
        with torch.record_function("Optimizer.step"):
            with torch.record_function("inner"):
                net(x)
        before.__exit__()
        mark("after")
    """)
    assert events.lines() == [
        "push Optimizer.step", "push inner", *2 * ["push aten::mm", "pop aten::mm"],
        "pop inner", "pop Optimizer.step", "mark after"]


def test_the_end_of_a_label_closes_its_own_range(run):
    events = run("""
    def enter(name):
        label = torch.record_function(name)
        label.__enter__()
        return label
    before = enter("before")
    with ops():
        outer, left_out = enter("outer"), enter("a future ends this")
        before.__exit__()
        mark("within")
        outer.__exit__()
        left_out.__exit__()
        crossed, last = enter("crossed"), enter("last")
        crossed.__exit__()
        last.__exit__()
        enter("beyond the block")
    print(range_push("next"))
    """)
    assert events.output == "0\n"
    assert events.lines() == [
        "push outer", "push a future ends this", "mark within", "pop a future ends this",
        "pop outer", "push crossed", "push last", "pop last", "pop crossed",
        "push beyond the block", "pop beyond the block", "push next"]


def test_an_operator_that_raises_closes(run):
    events = run("""
    with ops():
        for wrong in (torch.Tensor(1, 1), torch.Tensor(5, 5)):
            try:
                net(wrong)
            except RuntimeError as error:
                print(error)
        print(range_push("next"))
    """)
    assert events.output == 2 * "shapes cannot be multiplied\n" + "0\n"
    assert events.lines() == [*2 * ["push aten::mm", "pop aten::mm"], "push next"]


def test_shapes_are_payloads(run):
    pytest.importorskip("numpy")
    events = run("""
    with ops(shapes=True):
        y = net(x)
        torch.operators.t(self=y)
        torch.operators.Operator("my::list", ["tensors", "n"], lambda *_: None)(
            [x, y, 3], 7)
        torch.operators.Operator("my::long", ["tensors"], lambda *_: None)(20 * [x])
        torch.operators.Operator("my::none", ["n", "scalar"], lambda *_: None)(
            7, torch.Tensor())
        torch.operators.Operator("my::symbols", ["x"], lambda *_: None)(
            torch.Tensor("s0", 4))
    """)
    shapes = {}
    for event in events.of("push"):
        for payload in event.get("payloads", [{"value": {}}]):
            shapes[event["message"]] = {name: sizes["0"] for name, sizes in
                                        payload["value"].items()}
    assert shapes == {
        "aten::mm": {"self": [8, 3], "mat2": [3, 2]}, "aten::t": {"self": [8, 2]},
        "my::list": {"tensors0": [8, 4], "tensors1": [8, 2]},
        "my::long": {f"tensors{i}": [8, 4] for i in range(8)}, "my::none": {},
        "my::symbols": {}}


@pytest.mark.parametrize("block", ["ops", "modules"])
def test_tensors_whose_sizes_cannot_be_read_have_none(run, block):
    pytest.importorskip("numpy")
    events = run(f"""
    class Raises(torch.Tensor):
        def __init__(self):
            pass
        @property
        def shape(self):
            raise KeyError("no sizes")
    class NoClass:
        @property
        def __class__(self):
            raise RuntimeError("no class")
    class Net(torch.nn.Module):
        def forward(self, *args):
            return torch.operators.Operator("my::op", ["a", "b", "c"], lambda *_: 7)(*args)
    with {block}(shapes=True):
        print(Net()(Raises(), x, NoClass()), Net()([Raises(), x], None, None))
    """)
    assert (events.output, events.errors) == ("7 7\n", "")
    assert [[*payload["value"].values()] for event in events.of("push")
            for payload in event["payloads"]] == 2 * [[{"0": [8, 4]}]]


def test_of_tensors_with_the_same_name_one_has_its_sizes(run):
    pytest.importorskip("numpy")
    events = run("""
    class Net(torch.nn.Module):
        def forward(self, *args):
            pass
    with modules(shapes=True):
        Net()(0, [torch.Tensor(1, 1)], *8 * [2], x)
    """)
    assert events.of("push")[0]["payloads"][0]["value"] == {"input10": {"0": [8, 4]}}


def test_they_may_have_a_domain_of_their_own(run):
    events = run("""
    with ops(domain="torch"), modules(domain="torch"):
        print(range_push("step"))
        net(x)
        print(range_push("within"))
    """)
    assert events.output == "0\n1\n"
    assert {e["message"]: e.get("domain") for e in events.of("push")} == {
        "step": None, "Sequential": "torch", "Sequential.0 (Linear)": "torch",
        "Sequential.1 (Linear)": "torch", "aten::mm": "torch", "within": None}


@pytest.mark.parametrize("block", ["ops", "modules"])
def test_where_nobody_records_nothing_is_hooked_into(run_python, block):
    done = run_python(f"""
        import sys
        from rangeline.torch import {block}
        with {block}(shapes=True):
            print([name for name in sys.modules if name.split(".")[0] in
                   ("torch", "numpy")])
    """)
    assert (done.stdout, done.stderr) == ("[]\n", "")


# ---- modules() -------------------------------------------------------------------------


def test_each_call_of_a_module_is_a_range_with_its_path(run):
    events = run("""
    class Net(torch.nn.Module):
        def __init__(self):
            self.layers, self.head = net, torch.nn.Linear(2, 1)
        def forward(self, x):
            return self.head(self.layers(x))
    whole = Net()
    with modules():
        whole(x)
        net(x)
    whole(x)
    """)
    layers = [*("push Net.layers (Sequential)", "push Net.layers.0 (Linear)",
                "pop Net.layers.0 (Linear)", "push Net.layers.1 (Linear)",
                "pop Net.layers.1 (Linear)", "pop Net.layers (Sequential)")]
    assert events.lines() == ["push Net", *layers, "push Net.head (Linear)",
                              "pop Net.head (Linear)", "pop Net", *layers]


def test_a_module_that_raises_closes(run):
    events = run("""
    with modules():
        try:
            torch.nn.Linear(1, 1)(x)
        except RuntimeError as error:
            print(error)
        print(range_push("next"))
    """)
    assert events.output == "shapes cannot be multiplied\n0\n"
    assert events.lines() == ["push Linear", "pop Linear", "push next"]


def test_an_end_that_torch_leaves_out_is_made_up_for(run):
    events = run("""
    class Lost(torch.nn.Module):
        def __call__(self, *args):
            for hook in torch.nn.modules.module.before:
                hook(self, args)
    with modules():
        torch.nn.Sequential(Lost())(x)
        print(range_push("next"))
    """)
    assert events.output == "0\n"
    assert events.lines() == ["push Sequential", "push Sequential.0 (Lost)",
                              "pop Sequential.0 (Lost)", "pop Sequential", "push next"]


def test_modules_may_compare_as_they_like_and_go_when_they_like(run):
    events = run("""
    class Odd(torch.nn.Module):
        def __eq__(self, other):
            raise TypeError("not comparable")
        def forward(self, x):
            pass
    with modules():
        for _ in (1, 2, 3):
            torch.nn.Sequential(Odd(), Odd())(x)
    """)
    assert events.lines() == 3 * [
        "push Sequential", "push Sequential.0 (Odd)", "pop Sequential.0 (Odd)",
        "push Sequential.1 (Odd)", "pop Sequential.1 (Odd)", "pop Sequential"]


def test_calls_that_began_before_the_block_are_left_alone(run):
    events = run("""
    class Enters(torch.nn.Module):
        def forward(self, x):
            self.block = modules()
            self.block.__enter__()
    enters = Enters()
    range_push("outer")
    enters(x)
    print(range_pop())
    """)
    assert events.output == "0\n"
    assert events.lines() == ["push outer", "pop outer"]


def test_threads_have_ranges_of_their_own(run):
    events = run("""
    import threading
    meet = threading.Barrier(2)
    class Waits(torch.nn.Module):
        def forward(self, x):
            meet.wait()
    with modules():
        threads = [threading.Thread(target=torch.nn.Sequential(Waits()), args=(x,))
                   for _ in (1, 2)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    """)
    ended = [r for r in events.ranges() if r.get("message", "").startswith("Sequential")]
    assert sorted((r["message"], r["depth"]) for r in ended) == [
        *2 * [("Sequential", 0)], *2 * [("Sequential.0 (Waits)", 1)]]


def test_the_shapes_of_inputs_are_payloads(run):
    pytest.importorskip("numpy")
    events = run("""
    with modules(shapes=True):
        net(x)
    """)
    assert [e["payloads"][0]["value"] for e in events.of("push")] == [
        {"input0": {"0": [8, 4]}}, {"input0": {"0": [8, 4]}}, {"input0": {"0": [8, 3]}}]
