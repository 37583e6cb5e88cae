# SPDX-License-Identifier: Apache-2.0
"""`rangeline profile --itt` records what others annotate with ITT: PyTorch, and the
package ittapi."""
import collections

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.by_choice]

EMIT = """
    import torch
    from torch.profiler import itt
    x = torch.randn(2, 3, 32, 32)
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU())
    net(x)
    itt.range_push("step")
    with torch.autograd.profiler.emit_itt():
        for i in range(3):
            net(x).sum().backward()
    itt.range_pop()
"""

TASKS = """
    import os, ittapi
    with ittapi.task("outer", domain="mine"):
        with ittapi.task("inner", domain="mine"):
            pass
    event = ittapi.event("an event")
    event.begin()
    event.end()
    task = ittapi.task("overlapped", domain="mine", overlapped=True)
    task.begin()
    task.end()
    child = os.fork()
    if not child:
        with ittapi.task("in the child", domain="mine"):
            pass
        os._exit(0)
    os.waitpid(child, 0)
    ittapi.pause()
    with ittapi.task("unseen", domain="mine"):
        pass
    ittapi.resume()
"""


def test_operators_of_pytorch_are_recorded(record):
    pytest.importorskip("torch")
    events = record(EMIT, options=["--itt"])
    assert events.errors == ""
    n = collections.Counter(events.lines())
    assert n["push step"] == n["pop step"] == 1
    for name in ("aten::conv2d", "aten::relu", "ConvolutionBackward0"):
        assert n[f"push {name}"] == n[f"pop {name}"] == 3
    assert "PyTorch" in {e["domain"] for e in events.of("push")}


def test_calls_of_ittapi_are_recorded(record):
    pytest.importorskip("ittapi")
    events = record(TASKS, options=["--itt"])
    assert events.errors == ""
    assert events.lines() == [
        "push outer", "push inner", "pop inner", "pop outer", "start an event",
        "end an event", "start overlapped", "end overlapped", "push in the child",
        "pop in the child"]
