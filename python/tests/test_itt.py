# SPDX-License-Identifier: Apache-2.0
"""`rangeline profile --itt` records what others annotate with ITT: PyTorch, OpenVINO, and
the package ittapi."""
import collections
import subprocess

import pytest

from conftest import RANGELINE

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

INFER = """
    import numpy, openvino
    from openvino import opset13 as op
    x = op.parameter([1, 3, 32, 32], numpy.float32)
    w = op.constant(numpy.ones((8, 3, 3, 3), numpy.float32))
    y = op.relu(op.convolution(x, w, [1, 1], [0, 0], [0, 0], [1, 1]))
    model = openvino.compile_model(openvino.Model([y], [x], "small"), "CPU")
    request = model.create_infer_request()
    for i in range(5):
        request.infer([numpy.ones((1, 3, 32, 32), numpy.float32)])
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


def texts(events):
    """The primitives that oneDNN has run, as it describes them at their ends."""
    return [payload["value"]["text"] for e in events.of("pop")
            if e["domain"] == "dnnl::primitive::execute" for payload in e["payloads"]]


def test_primitives_of_onednn_are_described(record):
    pytest.importorskip("torch")
    events = record(EMIT, options=["--itt"])
    described = texts(events)
    assert len(described) == sum(e["domain"] == "dnnl::primitive::execute"
                                 for e in events.of("pop"))
    assert sum("convolution" in text and "forward_training" in text
               for text in described) >= 4
    assert sum("backward_weights" in text for text in described) >= 3


def test_inferences_of_openvino_are_recorded(record):
    pytest.importorskip("openvino")
    events = record(INFER, options=["--itt=sync"])
    assert events.errors == ""
    starts = collections.Counter(e["domain"] for e in events.of("start"))
    assert starts == {"ov::phases": 1, "ov::phases::inference": 5}
    assert len(events.of("end")) == 6
    n = collections.Counter(events.lines())
    assert n["push Convolution::execute"] == n["pop Convolution::execute"] == 5
    assert [m["payloads"][0]["value"] for m in events.of("mark")] == [
        {"InferenceID": i} for i in range(1, 6)]
    # One each, and another where a second thread runs a part of it.
    assert sum("convolution" in text for text in texts(events)) >= 5
    assert len(events.of("sync_object")) > 100
    checked = subprocess.run([RANGELINE, "check", events.trace], check=False)
    assert checked.returncode == 0


def test_calls_of_ittapi_are_recorded(record):
    pytest.importorskip("ittapi")
    events = record(TASKS, options=["--itt"])
    assert events.errors == ""
    assert events.lines() == [
        "push outer", "push inner", "pop inner", "pop outer", "start an event",
        "end an event", "start overlapped", "end overlapped", "push in the child",
        "pop in the child"]
