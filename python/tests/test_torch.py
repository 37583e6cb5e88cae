# SPDX-License-Identifier: Apache-2.0
"""rangeline.torch has the API of torch.cuda.nvtx, and install() makes a stand-in torch
record."""
import os
import pathlib

import pytest

pytestmark = pytest.mark.slow

FAKE = str(pathlib.Path(__file__).parent / "fake_torch")


@pytest.fixture
def fake():
    """The environment in which `torch` is the stand-in."""
    return {"PYTHONPATH": FAKE + os.pathsep + os.environ["PYTHONPATH"]}


# ---- The functions ---------------------------------------------------------------------


def test_pushes_and_pops_return_the_depth_of_their_range(record):
    events = record("""
        from rangeline.torch import range_push, range_pop
        print(range_push("outer"), range_push("inner"), range_pop(), range_pop(),
              range_pop())
    """)
    assert events.output == "0 1 1 0 -1\n"
    assert events.lines()[:4] == ["push outer", "push inner", "pop inner", "pop outer"]


def test_without_a_tool_they_say_so(run_python):
    done = run_python("""
        from rangeline.torch import *
        from rangeline.torch import _device_range_start, _device_range_end
        print(range_push("m"), range_pop(), range_start("m"), range_end(0), mark("m"))
        _device_range_end(_device_range_start("m"))
        with range("{}", 1):
            pass
    """)
    assert (done.stdout, done.stderr) == ("-2 -2 0 None None\n", "")


def test_a_start_has_an_id_that_any_thread_may_end(record):
    events = record("""
        import threading
        from rangeline.torch import range_start, range_end
        begun = range_start("copy")
        assert type(begun) is int and begun > 0
        thread = threading.Thread(target=range_end, args=(begun,))
        thread.start()
        thread.join()
    """)
    assert events.lines() == ["start copy", "end copy"]
    start, end = events.of("start", "end")
    assert start["tid"] != end["tid"]


def test_ids_that_are_unknown_or_have_ended_are_ignored(record):
    events = record("""
        from rangeline.torch import range_start, range_end
        begun = range_start("copy")
        for number in (begun, begun, 0, 12345, -1, 2 ** 70):
            assert range_end(number) is None
    """)
    assert events.lines()[:2] == ["start copy", "end copy"]


def test_calls_may_say_color_domain_category_and_payload(record):
    events = record("""
        from rangeline.torch import *
        more = dict(color="red", domain="model", category="layer", payload=7)
        assert range_push("a", **more) == 0
        assert range_push("default domain") == 0
        assert range_pop(domain="model") == 0
        range_end(range_start("b", **more), domain="model")
        mark("c", **more)
        with range("d", **more):
            pass
    """)
    assert [e for e in events.lines("domain", "color", "category_name", "payload")
            if not e.startswith("pop")] == [
        "push a domain=model color=#00ff0000 category_name=layer payload=7",
        "push default domain",
        "start b domain=model color=#00ff0000 category_name=layer payload=7",
        "end b domain=model",
        "mark c domain=model color=#00ff0000 category_name=layer payload=7",
        "push d domain=model color=#00ff0000 category_name=layer payload=7"]


def test_messages_are_plain_strings_as_torch_sends_them(record):
    events = record("""
        from rangeline.torch import *
        range_push("plain")
        range_push("plain", payload=1)
        mark("plain")
        range_start("plain")
    """)
    said = events.of("push", "mark", "start")
    assert len(said) == 4 and not any("registered" in event for event in said)


def test_range_formats_its_message_always(record):
    events = record("""
        from rangeline import torch as nvtx
        with nvtx.range("layer {} of {total}", 3, total=12):
            pass
        with nvtx.range("{{}}"):
            pass
        with nvtx.range("{payload} {color}", payload=5, color="red"):
            pass
        for wrong, error in (("{}", IndexError), ("{color}", KeyError)):
            try:
                nvtx.range(wrong)
            except error:
                nvtx.mark(f"refused {wrong}")
    """)
    assert events.lines() == ["push layer 3 of 12", "pop layer 3 of 12", "push {}",
                              "pop {}", "push 5 red", "pop 5 red", "mark refused {}",
                              "mark refused {color}"]


def test_range_decorates_and_closes_when_the_body_raises(record):
    events = record("""
        from rangeline import torch as nvtx
        @nvtx.range("step {}", 1)
        def step():
            nvtx.mark("inside")
            raise ValueError
        for _ in (1, 2):
            try:
                step()
            except ValueError:
                pass
        print(nvtx.range_push("next"))
    """)
    assert events.output == "0\n"
    assert events.lines() == 2 * ["push step 1", "mark inside", "pop step 1"] + [
        "push next"]


def test_switched_off_they_keep_depths(record):
    events = record("""
        from rangeline import nvtx, torch
        print(torch.range_push("open"))
        nvtx.set_enabled(False)
        print(torch.range_push("left out"), torch.range_start("no"), torch.mark("no"))
        nvtx.set_enabled(True)
        print(torch.range_push("in it"), torch.range_pop(), torch.range_pop(),
              torch.range_pop())
    """)
    assert events.output == "0\n-2 0 None\n1 1 -2 0\n"
    assert events.lines() == ["push open", "push in it", "pop in it", "pop open"]


@pytest.mark.parametrize("call, message", [
    ("range_push()", "range_push() missing required argument 'msg'"),
    ("range_push(1)", "msg must be str, not int"),
    ("range_push('a', 'b')", "range_push() takes at most 1 positional argument (2 given)"),
    ("range_push('a', hue=1)", "range_push() got an unexpected keyword argument "
                                  "'hue'"),
    ("mark(1.5)", "msg must be str, not float"),
    ("range_start([])", "msg must be str, not list"),
    ("range_end('1')", "range_id must be int, not str"),
    ("range_end(None)", "range_id must be int, not None"),
    ("range_pop('model')", "range_pop() takes at most 0 positional arguments (1 given)"),
    ("_device_range_start(None)", "msg must be str, not None"),
    ("_device_range_start('a', 'b')", "stream must be int, not str"),
    ("_device_range_end(1)",
     "range_handle must be what _device_range_start() returned, not int"),
])
def test_wrong_arguments_are_named(record, call, message):
    events = record(f"""
        from rangeline.torch import _device_range_start, _device_range_end
        from rangeline.torch import *
        try:
            {call}
        except TypeError as error:
            print(error)
    """)
    assert events.output == message + "\n"
    assert events.lines() == []


def test_its_names_are_those_of_torch():
    import rangeline.torch

    assert rangeline.torch.__all__ == ["range_push", "range_pop", "range_start",
                                       "range_end", "mark", "range"]
    for name in rangeline.torch.__all__:
        function = getattr(rangeline.torch, name)
        assert function.__name__ == name
        assert function.__module__ == "rangeline.torch"
        assert "Example:" in function.__doc__


# ---- install() -------------------------------------------------------------------------

WORK = """
    assert nvtx.range_push("step") == 0
    assert nvtx.range_push("forward") == 1
    assert nvtx.range_pop() == 1
    assert nvtx.range_pop() == 0
    begun = nvtx.range_start("copy")
    nvtx.range_end(begun)
    nvtx.mark("saved")
    with nvtx.range("epoch {}", 1):
        pass
    nvtx._device_range_end(nvtx._device_range_start("kernel"))
"""
RECORDED = ["push step", "push forward", "pop forward", "pop step", "start copy",
            "end copy", "mark saved", "push epoch 1", "pop epoch 1", "start kernel",
            "end kernel"]


def test_importing_it_imports_no_torch(run_python, fake):
    done = run_python("""
        import sys
        import rangeline.torch
        rangeline.torch.install()
        print("torch" in sys.modules)
    """, env=fake)
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.parametrize("imports", [
    "rangeline.torch.install(); from torch.cuda import nvtx",
    "from torch.cuda import nvtx; rangeline.torch.install()",
    "rangeline.torch.install(); import torch; rangeline.torch.install(); "
    "nvtx = torch.cuda.nvtx",
])
def test_torchs_own_functions_record_once_it_is_installed(record, fake, imports):
    events = record(f"import rangeline.torch; {imports}\n" + "\n".join(
        line.strip() if "pass" not in line else "    pass"
        for line in WORK.splitlines()), env=fake)
    assert events.lines() == RECORDED


def test_the_module_beneath_can_be_imported_by_name(record, fake):
    events = record("""
        import rangeline.torch
        rangeline.torch.install()
        import torch._C._nvtx as one
        from torch._C import _nvtx as other
        assert one is other
        print(one.rangePushA("m"), one.rangePop())
        one.markA("mark")
    """, env=fake)
    assert events.output == "0 0\n"
    assert events.lines() == ["push m", "pop m", "mark mark"]


@pytest.mark.parametrize("order", ["install(); import torch", "import torch; install()"])
def test_uninstalled_torch_is_as_it_was(run_python, fake, order):
    done = run_python(f"""
        import sys
        from rangeline.torch import install, uninstall
        finders = list(sys.meta_path)
        {order}
        torch.cuda.nvtx.range_push("m")
        push = torch.cuda.nvtx.range_push
        uninstall()
        assert finders == sys.meta_path and "torch._C._nvtx" not in sys.modules
        assert not hasattr(torch._C, "_nvtx")
        for function in (push, torch.cuda.nvtx.range_push):
            try:
                function("m")
            except RuntimeError as error:
                print(error)
        install()
        print(torch.cuda.nvtx.range_push("m"))
    """, env=fake)
    assert done.stderr == ""
    assert done.stdout == 2 * "NVTX functions not installed.\n" + "-2\n"


@pytest.mark.parametrize("order", ["install({}); import torch",
                                   "import torch; install({})"])
def test_a_cuda_build_is_left_alone_unless_asked(run_python, fake, order):
    done = run_python(f"""
        from rangeline.torch import install, uninstall
        {order.format("")}
        print(torch.cuda.nvtx.range_push("m"))
        install(force=True)
        print(torch.cuda.nvtx.range_push("m"))
        uninstall()
        print(torch.cuda.nvtx.range_push("m"))
    """, env={**fake, "FAKE_TORCH": "cuda"})
    assert (done.stdout, done.stderr) == ("cuda m\n-2\ncuda m\n", "")
